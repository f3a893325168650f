"""The shape of a wording: what stays of the words around a cue when names and numbers are taken out, so that equal wordings of many labels meet."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BEFORE, _AFTER = 4, 6
_NUMBER = re.compile(r"\d[\d,.]*(?:\s?(?:-|to|or)\s?\d[\d,.]*)?")
_TOKEN = re.compile(r"<[A-Za-z]+>|#|[a-z][a-z'/-]*|%")


def shape_of(lower: str, cue: int, names: Sequence[tuple[int, int, str]]) -> str:
    """A few words before and behind the cue at an offset, names as their type, numbers as `#`."""
    masked: list[str] = []
    at = 0
    marked = False
    for start, end, kind in names:
        if start < at:
            continue
        if not marked and at <= cue < start:
            masked += [lower[at:cue], "\0", lower[cue:start]]
            marked = True
        else:
            masked.append(lower[at:start])
        if not marked and start <= cue < end:
            masked.append("\0")
            marked = True
        masked.append(f" <{kind}> ")
        at = end
    masked += [lower[at:]] if marked or cue < at else [lower[at:cue], "\0", lower[cue:]]
    before, _, behind = "".join(masked).partition("\0")
    return " ".join([*_tokens(before)[-_BEFORE:], *_tokens(behind)[:_AFTER]])


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(_NUMBER.sub(" # ", text))
