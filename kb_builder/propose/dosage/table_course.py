"""Doses in cells on the course of treatment: at what dose it goes on after a pause ("Withhold until Grade 1, then resume at 80 mg").

Such a dose holds for those alone of whom the sentence tells; its words are kept as a condition, for a person to judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kb_builder.propose.dosage.table_doses import doses_in, statements_of
from ontology.model.dosing import AmountBasis
from ontology.text.doses import DosePhrase
from ontology.text.tables import Cell

Place = tuple[int, int]

_GOES_ON = re.compile(
    r"\b(?:resum\w+|restart\w*|re-?initiat\w+|re-?introduc\w+|reduc\w+|decreas\w+|lower\w*)\b(?:[^.;,\d]|,(?= and\b)){0,70}\b(?:at|to|with)(?: (?:an?|the|reduced|lower|decreased|dose|dosage|of|permanently))*\s*$",
    re.IGNORECASE,
)
_THAN = re.compile(r"\b(?:less|lower|higher|more|greater) than\b")
_CLAUSE = re.compile(r"[;\u2029•]|\.(?=\s|$)")
_LONGEST = 300  # characters of the words that are kept
_LESS = re.compile(r"\s*(?:less|lower|below|higher|more|above|greater|every|per)\b(?! \d| (?:day|week|dose|\w+ weeks))", re.IGNORECASE)


def doses_after_pause(text: str, cell: Cell) -> Iterator[tuple[DosePhrase, Place, int]]:
    """Each dose at which a cell says that treatment goes on, with the place of the words that say after what, and where the order for it begins.

    None is given where the amount is a step or a share of the dose before.
    """
    at = cell.start
    for start, end in statements_of(text, cell):
        for phrase in doses_in(text, start, end):
            if not phrase.amounts or phrase.bound is not None or phrase.increment or any(a.basis is AmountBasis.FRACTION for a in phrase.amounts):
                continue
            before = text[start : phrase.start]
            order = _GOES_ON.search(before)
            if order is None or _LESS.match(text, phrase.end) or _THAN.search(text, phrase.start, phrase.end):
                continue
            stop = _CLAUSE.search(text, phrase.end, end)
            until = stop.start() if stop is not None else end
            yield replace(phrase, phase=None), _shortened(text, at if _starts_bare(text, start) else start, until), start + order.start()
        at = start if not _starts_bare(text, start) else at


def _shortened(text: str, start: int, end: int) -> Place:
    """The stretch, or its last words where it is too long."""
    return (start, end) if end - start <= _LONGEST else (text.index(" ", end - _LONGEST) + 1, end)


def _starts_bare(text: str, start: int) -> bool:
    """True for a statement that begins with going on: what must have come before stands in the statement before it."""
    return re.match(r"\W*(?:then |and |may |can )*(?:resum|restart|re-?initiat|reduc|decreas)", text[start : start + 40], re.IGNORECASE) is not None
