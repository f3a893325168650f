"""The paragraphs and statements of a cell, and the dose phrases of a stretch by itself: what is printed before and behind a cell is another cell's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from ontology.text.doses import DosePhrase, read_doses
from ontology.text.tables import Cell

Place = tuple[int, int]

_SEGMENT = re.compile(
    r"(?:(?<=[a-z0-9)])\s+(?=(?:A|The) (?:[a-z]+ ){0,3}(?:dose|dosage)\b)|(?<=[.;])\s+(?=[A-Z(•]|\d[^.:;]{2,60}:)|(?<=[A-Za-z0-9.)])\s+(?=\d{1,2}\.?\)\s*[A-Z])|(?<=[A-Za-z0-9.)])(?<! to)(?<! than)(?<!between)(?<!between \d)\s+(?=(?:[<>≤≥]\s*)?\d[\d.]*(?:\s*(?:to|-)\s*(?:less than |<\s*)?\d[\d.]*)?\s*(?:m ?2|kg|years?|months?)\s*:)|[\n\u2029•]+)"
)
_COUNT = r"(?:\d{1,2}|one|two|three|four|five|six)"
_UNIT_DOSE = r"(?:tablets?|capsules?|caplets?|packets?|sachets?|patch(?:es)?|suppositor(?:y|ies))"
_PART = rf"{_COUNT}\s+(?:{_UNIT_DOSE}\s+of\s+\d[\d.,]*\s?m?c?g|\d[\d.,]*[\s-]?m?c?g\s+{_UNIT_DOSE})"
_SUM = re.compile(rf"\b{_PART}(?:\s*(?:,|and|plus|\+|&|with)\s*{_PART})+\b", re.IGNORECASE)
"""Units of several strengths that are taken together ("1 tablet of 10 mg and 1 tablet of 25 mg"): one dose, whose amount is not printed."""

_OPEN_END = re.compile(r"(?:,|\b(?:every|for|to|or|and|of|with|than|at|in|by|the))\s*$", re.IGNORECASE)


def doses_in(text: str, start: int, end: int) -> list[DosePhrase]:
    """The phrases within `[start, end)`, with offsets in the text."""
    return [replace(p, start=p.start + start, end=p.end + start) for p in doses_of_words(text[start:end])]


@lru_cache(maxsize=4096)
def doses_of_words(words: str) -> tuple[DosePhrase, ...]:
    """The phrases of some words, with offsets in the words; none within a sum of several strengths, of which each is only a part of the dose."""
    sums = [m.span() for m in _SUM.finditer(words)]
    return tuple(p for p in read_doses(words) if not any(s < p.end and p.start < e for s, e in sums))


def statements_of(text: str, cell: Cell) -> Iterator[Place]:
    """The statements of a cell: its paragraphs, those that a line break cut in two together, apart at stops and bullets."""
    for start, end in paragraphs_of(text, cell):
        at = start
        for m in _SEGMENT.finditer(text, start, end):
            if m.start() > at:
                yield at, m.start()
            at = m.end()
        if at < end:
            yield at, end


def paragraphs_of(text: str, cell: Cell) -> list[Place]:
    """The paragraphs of a cell; those that a line break cut in two together."""
    pieces: list[Place] = []
    for start, end in cell.pieces or ((cell.start, cell.end),):
        words, before = text[start:end], text[pieces[-1][0] : pieces[-1][1]] if pieces else ""
        if before and (words[:1].islower() or _OPEN_END.search(before) or (words[:1].isdigit() and not doses_in(text, start, end))):
            pieces[-1] = (pieces[-1][0], end)
        else:
            pieces.append((start, end))
    return pieces
