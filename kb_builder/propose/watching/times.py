"""When something is to be measured or watched: the words of a sentence that say so, apart for before and during treatment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kb_builder.propose.watching.book import watching_book

_BETWEEN = re.compile(r"[\s,;|]*(?:(?:and|or|then|and then|but|and also|at least|and as)\b)?[\s,]*")

_DANGLING = re.compile(r"(?:[\s,]+(?:and|or|with|of|in|the|for|a|an))+$")
_LATER = re.compile(r"\b(?:increas|escalat)\w+|\bsubsequent\b")
_GOES_ON = re.compile(r"\b(?:during|throughout|while|after)\b")


@dataclass(frozen=True, slots=True)
class Time:
    """Words of time at `[start, end)` of a sentence: `before` the first dose, `during` treatment or after; a repeated "before each" is both."""

    start: int
    end: int
    before: bool
    during: bool


def find_times(lower: str) -> list[Time]:
    """The times of a sentence in lower case, left to right, none overlapping another."""
    book = watching_book()
    found = [
        Time(*_place(m), before=_LATER.search(m[0]) is None, during=book.again.search(m[0]) is not None or _GOES_ON.search(m[0]) is not None)
        for m in book.before.finditer(lower)
    ]
    found += [
        Time(*_place(m), before=False, during=True) for m in book.during.finditer(lower) if not any(t.start < m.end() and m.start() < t.end for t in found)
    ]
    return sorted((t for t in found if t.end > t.start), key=lambda t: t.start)


def _place(m: re.Match[str]) -> tuple[int, int]:
    """The match without a conjunction or preposition that it ends in."""
    return m.start(), m.start() + len(_DANGLING.sub("", m[0]))


def words_of(text: str, times: Sequence[Time]) -> str | None:
    """The label's words for the times on one line, "; " between what does not stand together; None without any."""
    runs: list[tuple[int, int]] = []
    for time in times:
        if runs and _BETWEEN.fullmatch(text, runs[-1][1], time.start):
            runs[-1] = (runs[-1][0], time.end)
        else:
            runs.append((time.start, time.end))
    return "; ".join(" ".join(text[s:e].split()).strip(" ,;") for s, e in runs) or None


def masked(text: str, places: Iterable[tuple[int, int]], mark: str) -> str:
    """The text with every place filled with a mark, so that a phrase ends where one begins; offsets stay."""
    out = text
    for start, end in places:
        out = out[:start] + mark * (end - start) + out[end:]
    return out
