"""Sentences and list items of folded label text, which has lost its layout.

Boundaries are full stops, bullets (a lone "o" and a dash behind a stop are some), paragraph breaks, semicolons of a list and the closing bracket of a cross-reference before a capital.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ontology.text.context import REFERENCE
from ontology.text.offsets import LINE, PARAGRAPH

_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|St|Dr|No|Nos|Inc|Co|Ltd|approx|resp|cf|et al|Fig|Figs|spp?|Mr|Mrs|Ms|Jr|U\.S|q\.d|b\.i\.d|t\.i\.d|i\.v|I\.V|p\.o|subsp|var))$"
)
_BEGINS = re.compile(r"\.\s+[A-Z][a-z]+\s")
"""Behind "b.i.d": another sentence, for no name goes on there."""
_BULLET = "•●▪◦·■►‣□"
_RUN = r"(?<=\s)(?<!\s\s)\s*"
"""White space from behind its first character, never from its middle: blanked markup leaves runs of millions of spaces."""
_BOUNDARY = re.compile(
    rf"[.!?\so–{_BULLET}{PARAGRAPH}。；！？{REFERENCE}-](?<!\So)(?<!\w-)"
    rf"(?:(?P<stop>(?<=[.!?])[\"')\]]*)(?=\s+[\"'(\[]?[A-Z0-9{_BULLET}*≥≤]|\s+[a-z]?[A-Z]|\s*{REFERENCE}|\s*$)"
    rf"|(?P<bullet>{_RUN}[{_BULLET}]\s*|(?<=[{_BULLET}])\s*)"
    rf"|(?P<mark>(?:(?<=\so)|(?<=[.;:)\]]\s[–-]))\s+(?=[A-Z][a-z]))"
    rf"|(?P<para>{_RUN}{PARAGRAPH}\s*|(?<={PARAGRAPH})\s*)"
    rf"|(?P<line>(?<={LINE})(?=(?:(?!{LINE})\s)*(?:[-*+] |\d{{1,2}}[.)] |\#|\||[一-鿿【(（①-⑳])))"
    rf"|(?P<han>(?<=[。；！？]))"
    rf"|(?P<ref>(?<={REFERENCE})\s*(?:[.;]?\s*(?=[A-Z{_BULLET}-]|\d{{1,2}}\.\d{{1,2}}\s+[A-Z])|\.\s+(?=[a-z]))))"
)
"""Begins with one character that may open a boundary, so that all others are passed over at once; what kind it opens is told by looking back at it."""

_CLOSING_REFERENCE = re.compile(rf"(?:\s*{REFERENCE}[\s.;,)]*)+$")
_UNFINISHED = re.compile(
    r"(?:\bexcept(?: in| for)?|(?<![,;])\s(?:and|or)|\b(?:the|an?|of|than|from|by|as|that|which|who|may|is|are|was|were|be|been|not|can|should|must|will|would|has|have|had|this|these"
    r"|their|its))$"
)
_LONGEST = 6000
"""No sentence of a label is half as long: what is, is cut at white space, so that reading costs no more than the length of the text."""
_MARKER = re.compile(rf"\s*(?:[{_BULLET}]|(?:[-*+] )+|\d{{1,2}}[.)] |[(（]\d{{1,2}}[)）]|[①-⑳]|\d{{1,2}}、)\s*")


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence or list item: `[start, end)` without its bullet and outer white space. `item` is True behind a bullet."""

    start: int
    end: int
    item: bool = False


def split_units(text: str, start: int = 0, end: int | None = None) -> list[Unit]:
    """The sentences and items of blanked, folded text, in order, none empty."""
    stop = len(text) if end is None else end
    out: list[Unit] = []
    at = start
    item = False
    for m in _BOUNDARY.finditer(text, start, stop):
        if m.lastgroup == "stop" and _is_abbreviation(text, start, m.start()):
            continue
        if m.lastgroup == "para" and _runs_on(text, m.start(), m.end()):
            continue
        _append(out, text, at, m.end() if m.lastgroup in ("stop", "han") else m.start(), item)
        at = m.end()
        item = m.lastgroup in ("bullet", "mark", "line")
    _append(out, text, at, stop, item)
    return out


def _runs_on(text: str, start: int, end: int) -> bool:
    """True for a break of page or column within a sentence: the words before it cannot end one, and the next goes on in lower case."""
    return end < len(text) and "a" <= text[end] <= "z" and _UNFINISHED.search(text, max(0, start - 20), start) is not None


def _is_abbreviation(text: str, start: int, position: int) -> bool:
    if text[position] != ".":
        return False
    if _ABBREVIATION.search(text, max(start, position - 8), position) is not None:
        return not (text[position - 1] == "d" and _BEGINS.match(text, position) is not None)
    return position + 1 < len(text) and text[position - 1 : position].isdigit() and text[position + 1].isdigit()


def _append(out: list[Unit], text: str, start: int, end: int, item: bool) -> None:
    marker = _MARKER.match(text, start, end)
    if marker is not None and marker.end() < end:
        start, item = marker.end(), True
    while start < end and (text[start].isspace() or text[start] in REFERENCE + ";,"):
        start += 1
    reference = _CLOSING_REFERENCE.search(text, start, end) if text.find(REFERENCE, start, end) >= 0 else None
    end = reference.start() if reference is not None else end
    while end > start and (text[end - 1].isspace() or text[end - 1] == REFERENCE):
        end -= 1
    while end - start > _LONGEST:
        cut = text.rfind(" ", start + 1, start + _LONGEST)
        until = cut if cut > start else start + _LONGEST
        last = until
        while last > start and text[last - 1].isspace():
            last -= 1
        _add(out, text, start, last, item)
        start = until
        while start < end and text[start].isspace():
            start += 1
    _add(out, text, start, end, item)


def _add(out: list[Unit], text: str, start: int, end: int, item: bool) -> None:
    if end - start > 1 or (end > start and text[start].isalnum()):
        out.append(Unit(start, end, item))
