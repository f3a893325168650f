"""The word lists that labels are read with, from `wording.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Wording:
    """The lists by name; `canonical` maps descriptions of a drug group to the vocabulary's name for it."""

    version: str
    lists: dict[str, frozenset[str]]
    canonical: tuple[tuple[re.Pattern[str], str], ...]

    def __getitem__(self, name: str) -> frozenset[str]:
        """The words of a list."""
        return self.lists[name]

    def pattern(self, name: str) -> str:
        """A list as an alternation, longest first, for use inside a pattern."""
        return "|".join(sorted((re.escape(w) for w in self.lists[name]), key=lambda w: (-len(w), w)))

    def canonical_name(self, words: str) -> str:
        """The name under which the vocabulary keeps a group that the words describe; the words themselves where there is none."""
        lower = words.lower()
        return next((name for pattern, name in self.canonical if pattern.search(lower)), words)


@cache
def wording() -> Wording:
    """The lists that ship with the package."""
    data = tomllib.loads(files("kb_builder.propose.reading").joinpath("wording.toml").read_text(encoding="utf-8"))
    lists = {name: frozenset(row["words"]) for name, row in data.items() if isinstance(row, dict)}
    return Wording(data["version"], lists, tuple((re.compile(row["pattern"]), row["name"]) for row in data["canonical"]))
