"""The items of a part of Drug Facts: at its bullets, else where a word begins a clause of its own, and between names that only a space parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from kb_builder.propose.drug_facts.book import drug_facts_book
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.entities import EntityType
from ontology.text.sentences import split_units

STATES = frozenset({EntityType.CONDITION, EntityType.PROCEDURE, EntityType.SYMPTOM})
_NEXT_NAME = re.compile(
    r"\s+(?=[a-z])(?!(?:and|or|with|such|due|that|which|because|if|in|of|for|from|like|including|caused|who|when|on|to|medicines?|drugs?|problems?|disease|under|younger|over|less|aged|years|gland|relievers?|reducers?|surgery|than|lasting|at|during|caused)\b)"
)
"""White space behind a name that no word joins to what follows: the next item begins."""


def split_items(blank: str, start: int, end: int, things: Sequence[Thing]) -> Iterator[tuple[int, int]]:
    """The items of `[start, end)` in order, without outer white space."""
    for unit in split_units(blank, start, end):
        for at, until in _clauses(blank, unit.start, unit.end):
            yield from _names(blank, at, until, [t for t in things if at <= t.start and t.end <= until and t.kind is Kind.STATE and t.type in STATES])


def _clauses(blank: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    book = drug_facts_book()
    cuts = [m for m in book.starts.finditer(blank, start, end) if book.joins.search(blank[max(start, m.start() - 16) : m.start()]) is None]
    for at, until in pairwise([start, *(m.end() for m in cuts), end]):
        yield at, _tight(blank, at, until)


def _names(blank: str, start: int, end: int, states: Sequence[Thing]) -> Iterator[tuple[int, int]]:
    """The clause cut behind each name of a state that nothing joins to the words after it ("heart disease high blood pressure diabetes")."""
    at = start
    for state in states:
        gap = _NEXT_NAME.match(blank, state.end, end)
        if gap is None or (blank[at : state.start].strip() and at != start):
            continue
        yield at, state.end
        at = gap.end()
    if at < end:
        yield at, end


def _tight(blank: str, start: int, end: int) -> int:
    while end > start and blank[end - 1] in " .,;\n":
        end -= 1
    return end
