"""The doses of a cell that footnotes are printed into: read as if the parts of the cell followed one another, at places of the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kb_builder.propose.dosage.table_cells import CellDose, Lent, read_cell
from kb_builder.propose.dosage.table_headers import Column
from kb_builder.propose.reading.things import Thing
from ontology.text.tables import Cell

Place = tuple[int, int]


def read_closed_cell(text: str, cell: Cell, column: Column, lent: Lent, things: Sequence[Thing], gaps: Sequence[Place]) -> list[CellDose]:
    """The doses of a cell without what stands between its parts."""
    if not gaps:
        return read_cell(text, cell, column, lent, things)
    at = [i for i in range(cell.start, cell.end) if not any(start < i < end for start, end in gaps)]
    opens = {start for start, _ in gaps}
    moved = {i: cell.start + n for n, i in enumerate(at)}
    words = "".join(" " if i in opens else text[i] for i in at)

    def there(place: Place) -> Place:
        return moved[place[0]], moved[place[1] - 1] + 1

    def back(place: Place | None) -> Place | None:
        return None if place is None else (at[place[0] - cell.start], at[place[1] - 1 - cell.start] + 1)

    whole = replace(cell, end=cell.start + len(words), pieces=tuple(there(p) for p in cell.pieces if p[0] in moved and p[1] - 1 in moved))
    known = {(t.start, t.end): t for t in things}
    inside = [replace(t, start=moved[t.start], end=moved[t.end - 1] + 1) for t in things if all(i in moved for i in range(t.start, t.end))]
    found = read_cell(text[: cell.start] + words, whole, column, lent, inside)
    return [
        replace(
            d,
            place=back(d.place) or d.place,
            segment=back(d.segment) or d.segment,
            label=back(d.label),
            former=back(d.former),
            after=back(d.after),
            beside=tuple(known[back((t.start, t.end)) or (t.start, t.end)] for t in d.beside),
        )
        for d in found
    ]
