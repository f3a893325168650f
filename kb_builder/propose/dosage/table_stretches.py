"""Conditions of words that footnotes are printed into: what stands between two parts of a cell or a caption is no part of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.things import Thing
from ontology.text.tables import Cell, Footnote

Place = tuple[int, int]
Read = Callable[[str, int, int, Sequence[Thing]], list[Restriction]]

_WORD = re.compile(r"\w{2}")


def gaps_of(reading: Reading, cell: Cell) -> list[Place]:
    """The stretches of other words between the parts of a cell."""
    between = [(a[1], b[0]) for a, b in zip(cell.pieces, cell.pieces[1:], strict=False)]
    return [(start, end) for start, end in between if _WORD.search(reading.shadow.text, start, end)]


def notes_within(place: Place, notes: Iterable[Footnote]) -> list[Place]:
    """The footnotes printed inside a stretch."""
    return sorted((n.start, n.end) for n in notes if place[0] < n.start and n.end < place[1])


def words_around(text: str, place: Place, gaps: Sequence[Place]) -> str:
    """The words of a stretch without its gaps."""
    at, parts = place[0], []
    for start, end in gaps:
        parts.append(text[at:start])
        at = end
    return " ".join((*parts, text[at : place[1]]))


def read_around(reading: Reading, place: Place, gaps: Sequence[Place], read: Read) -> list[Restriction]:
    """What `read` finds in the words of a stretch without its gaps, at places of the text."""
    things = reading.things_in(*place)
    if not gaps:
        return read(reading.blank, *place, things)
    at = [i for i in range(*place) if not any(start < i < end for start, end in gaps)]
    opens = {start for start, _ in gaps}
    moved = {i: n for n, i in enumerate(at)}
    inside = [replace(t, start=moved[t.start], end=moved[t.end - 1] + 1) for t in things if all(i in moved for i in range(t.start, t.end))]
    found = read("".join(" " if i in opens else reading.blank[i] for i in at), 0, len(at), inside)
    return [replace(r, start=at[r.start], end=at[r.end - 1] + 1) for r in found if r.end > r.start]
