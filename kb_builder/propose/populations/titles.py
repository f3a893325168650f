"""Titles that flattened text runs into its sentences: a title opens the text or a line, or stands behind a stop, a bullet or its number.

Only places where one can begin are looked at, because few words of a label follow such a mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

_MARKS = frozenset(".:;)]•\x01\n\u2029")
_STOPS = frozenset(".)\x01\n\u2029")
"""Marks behind which a title may also follow when the space behind them belongs to the title before."""

_PLACE = re.compile(r"[.:;)\]•\x01\n\u2029\d]\s*(?=[A-Z])")
_NUMBERED = re.compile(r"\b\d{1,2}\.\d{1,2}(?:\.\d)?\.?\s*$")
_LONGEST_NUMBER = 16
_DEGREE = (
    r"(?:(?:Mild|Moderate|Severe)(?:,? (?:or|to|and) |/)?(?:[Mm]oderate|[Ss]evere)?|End[- ][Ss]tage)"
    r"(?: \([^()]{1,40}\))? (?:(?P<renal>Renal|Kidney)|(?P<hepatic>Hepatic|Liver)) (?:[Ii]mpairment|[Ii]nsufficiency|[Ff]ailure|[Dd]ysfunction|[Dd]isease)"
)
_LABEL = re.compile(rf"(?P<title>{_DEGREE})(?: \([^()]{{1,60}}\))?\s*:\s*")
"""A degree of an organ's impairment with a colon heads what follows wherever it stands."""

_BEHIND_TITLE = re.compile(rf"(?P<title>{_DEGREE})\s*(?=[A-Z(])")


def find_titles(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The matches of a pattern for titles that begin where a title can, none overlapping an earlier one."""
    last = start
    for at in _places(text, start, end):
        if at < last or not _opens(text, at, last):
            continue
        m = pattern.match(text, at, end)
        if m is not None:
            last = m.end()
            yield m


def find_degrees(text: str, start: int, end: int, behind: Iterable[int]) -> Iterator[re.Match[str]]:
    """The titles that name a degree of renal or hepatic impairment: those with a colon, and those right behind another title, which ends at `behind`."""
    yield from _LABEL.finditer(text, start, end) if ":" in text[start:end] else ()
    for at in behind:
        m = _BEHIND_TITLE.match(text, at, end)
        if m is not None:
            yield m


@lru_cache(maxsize=4)
def _places(text: str, start: int, end: int) -> tuple[int, ...]:
    """Where a capital stands behind a mark or a number, or opens the text; kept, because several patterns are tried there."""
    opens = (len(text) - len(text.lstrip()),) if start == 0 else ()
    return (*opens, *(m.end() for m in _PLACE.finditer(text, max(0, start - _LONGEST_NUMBER), end)))


def _opens(text: str, at: int, last: int) -> bool:
    """True where a title may begin at `at`, with all of its mark's space or its number behind the title that ends at `last`."""
    p = at
    while p >= last:
        if p == 0 or text[p - 1] in _MARKS or (p > 1 and text[p - 1].isspace() and text[p - 2] in _STOPS):
            return True
        if not text[p - 1].isspace():
            break
        p -= 1
    return _NUMBERED.search(text, max(last, at - _LONGEST_NUMBER), at) is not None
