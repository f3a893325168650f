"""Replies on disk, one file each, named by the hash of all they depend on; a build reads them again instead of asking."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from kb_builder.propose.model.exchange import Reply

_FORMAT = "pharmgraph-reply/1"


@dataclass(frozen=True, slots=True)
class ReplyFolder:
    """A folder of recorded replies."""

    folder: Path

    def find(self, key: str) -> Reply | None:
        """The reply recorded under a key; None where there is none, or what is there cannot be read."""
        try:
            data = json.loads(self._path(key).read_text(encoding="utf-8"))
            if data["format"] != _FORMAT:
                return None
            return Reply(str(data["content"]), data["cut"] is True, int(data["prompt_tokens"]), int(data["reply_tokens"]))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def keep(self, key: str, reply: Reply, *, model: str, prompt_version: str, step: str, place: str) -> None:
        """Writes a reply; a file appears whole or not at all. Raises OSError."""
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        data = {
            "format": _FORMAT,
            "model": model,
            "prompt_version": prompt_version,
            "step": step,
            "place": place,
            "content": _writable(reply.content),
            "cut": reply.cut,
            "prompt_tokens": reply.prompt_tokens,
            "reply_tokens": reply.reply_tokens,
        }
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                json.dump(data, out, ensure_ascii=False, indent=1)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def _writable(text: str) -> str:
    """The text without lone surrogates, which no file in UTF-8 holds."""
    return text.encode("utf-8", "replace").decode("utf-8")
