"""A table of the model from its markup, the roles of its rows, and the places of its runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ontology.text.tables.grid import Grid, GridCell, lay_out
from ontology.text.tables.markup import MarkedCell, MarkedTable
from ontology.text.tables.model import NOWHERE, Caption, Cell, Footnote, Place, Placement, RowKind, Table
from ontology.text.tables.notes import called_notes, caption_after, caption_before, marks_in, notes_after, notes_in
from ontology.text.tables.roles import Roles, assign_roles


@dataclass(frozen=True, slots=True)
class Located:
    """A table of the markup with the place of each of its runs in the folded text, the runs that have words and no place, and the place of all of it."""

    table: MarkedTable
    places: Sequence[Place | None]
    missing: frozenset[int]
    hull: Place


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where what belongs to a table may stand: its own `[start, end)`, its tags too, after `floor` and before `stop`."""

    floor: int
    start: int
    end: int
    stop: int


def unread_table(reason: str) -> Table:
    """A table whose markup was not read, for the reason given as its caption."""
    return Table(*NOWHERE, (), (), 0, 0, Caption(reason, *NOWHERE), (), Placement.UNREAD, False, (), (), ())


def build_table(text: str, found: Located, bounds: Bounds | None) -> Table:
    """The table of the model. Without bounds it stands nowhere."""
    grid = lay_out(found.table)
    roles = assign_roles(grid)
    builder = _Builder(text, found, grid, roles, bounds)
    return builder.table()


class _Builder:
    """Ties one grid to its places."""

    def __init__(self, text: str, found: Located, grid: Grid, roles: Roles, bounds: Bounds | None) -> None:
        self._text = text
        self._found = found
        self._runs = found.table.runs
        self._grid = grid
        self._roles = roles
        self._bounds = bounds
        self._by_id: dict[str, int] = {}
        self._by_mark: dict[str, int] = {}
        self._notes: list[Footnote] = []

    def table(self) -> Table:
        marks = {(c.row, c.column): self._marks(c) for row in self._grid.rows for c in row if c.words and self._roles.kinds[c.row] is not RowKind.NOTES}
        caption = self._own_caption()
        caption_marks = self._marks_of(self._found.table.caption) if caption is not None else []
        self._collect_notes({m for each in marks.values() for m in each} | set(caption_marks))
        rows = tuple(tuple(self._cell(c, marks.get((c.row, c.column), ())) for c in row) for row in self._grid.rows)
        if caption is not None:
            caption = replace(caption, notes=self._called(self._found.table.caption_calls, caption_marks))
        caption = caption or self._caption_row(rows) or self._caption_near()
        kinds = self._roles.kinds
        heads = _heads(rows, kinds)
        start, end = self._found.hull
        return Table(
            start=start,
            end=end,
            rows=rows,
            kinds=kinds,
            width=self._grid.width,
            stubs=self._roles.stubs,
            caption=caption,
            notes=tuple(self._notes),
            placement=self._placement(),
            nested=self._found.table.nested,
            heads=heads,
            groups=_groups(self._grid, rows, kinds),
            stub_cells=_stub_cells(rows, kinds, self._roles.stubs),
        )

    def _cell(self, cell: GridCell, marks: Iterable[str]) -> Cell:
        kind = self._roles.kinds[cell.row]
        header = kind in (RowKind.HEAD, RowKind.GROUP) or (kind is RowKind.BODY and (cell.column < self._roles.stubs or cell.marked.header))
        pieces = tuple(place for piece in cell.marked.pieces for place in self._places(piece))
        start, end = (min(p[0] for p in pieces), max(p[1] for p in pieces)) if pieces else NOWHERE
        notes = self._called(cell.marked.calls, marks)
        return Cell(cell.row, cell.column, cell.rowspan, cell.colspan, header, cell.words, start, end, pieces, notes)

    def _places(self, runs: Sequence[int]) -> list[Place]:
        """The stretches in which a piece stands: cut where something that is no part of it, such as a footnote's text, stands between."""
        out: list[Place] = []
        last = -1
        for i in runs:
            place = self._found.places[i]
            if place is None:
                if i in self._found.missing:
                    last = -1
                continue
            if out and last >= 0 and not any(self._found.places[j] is not None for j in range(last + 1, i)):
                out[-1] = (out[-1][0], place[1])
            else:
                out.append(place)
            last = i
        return out

    def _own_caption(self) -> Caption | None:
        words = " ".join("".join(self._runs[i].text for i in self._found.table.caption).split())
        if not words:
            return None
        places = self._places(self._found.table.caption)
        return Caption(words, *((places[0][0], places[-1][1]) if places else NOWHERE))

    def _caption_row(self, rows: tuple[tuple[Cell, ...], ...]) -> Caption | None:
        cell = next((c for row, kind in zip(rows, self._roles.kinds, strict=True) if kind is RowKind.CAPTION for c in row if c.text), None)
        return Caption(cell.text, cell.start, cell.end, cell.notes) if cell is not None else None

    def _caption_near(self) -> Caption | None:
        if self._bounds is None or self._found.table.nested:
            return None
        b = self._bounds
        return caption_before(self._text, b.start, b.floor) or caption_after(self._text, b.end, b.stop)

    def _marks(self, cell: GridCell) -> list[str]:
        return self._marks_of([i for piece in cell.marked.pieces for i in piece])

    def _marks_of(self, runs: Sequence[int]) -> list[str]:
        text = "".join(self._runs[i].text for i in runs)
        raised = [(self._runs[i].text, self._runs[before].text if before >= 0 else "") for before, i in pairwise([-1, *runs]) if self._runs[i].raised]
        return marks_in(text, [r for r, _ in raised], [lead for _, lead in raised])

    def _collect_notes(self, called: set[str]) -> None:
        for note in self._found.table.notes:
            self._by_id[note.id] = len(self._notes)
            words = " ".join("".join(self._runs[i].text for i in note.runs).split())
            places = self._places(note.runs)
            self._notes.append(Footnote("", words, *((places[0][0], places[-1][1]) if places else NOWHERE)))
        if self._bounds is None:
            return
        for kind, row in zip(self._roles.kinds, self._grid.rows, strict=True):
            if kind is RowKind.NOTES:
                for cell in row:
                    self._collect(note for start, end in self._stretches(cell.marked) for note in notes_in(self._text, start, end, self._raised(cell.marked)))
        if not self._found.table.nested:
            self._collect(notes_after(self._text, self._bounds.end, self._bounds.stop, called - set(self._by_mark)))

    def _collect(self, notes: Iterable[Footnote]) -> None:
        for note in notes:
            if note.mark:
                self._by_mark.setdefault(note.mark, len(self._notes))
            self._notes.append(note)

    def _stretches(self, cell: MarkedCell) -> list[Place]:
        return [place for piece in cell.pieces for place in self._places(piece)]

    def _raised(self, cell: MarkedCell) -> list[Place]:
        return [p for piece in cell.pieces for i in piece if self._runs[i].raised and (p := self._found.places[i]) is not None]

    def _called(self, ids: Iterable[str], marks: Iterable[str]) -> tuple[int, ...]:
        by_id = [self._by_id[i] for i in ids if i in self._by_id]
        return tuple(dict.fromkeys([*by_id, *called_notes(marks, self._by_mark)]))

    def _placement(self) -> Placement:
        if self._bounds is None:
            return Placement.UNPLACED
        shown = {id(c.marked) for row in self._grid.rows for c in row}
        cells = [cell for _, row in self._found.table.rows for cell in row]
        missing = any((id(cell) not in shown and cell.size) or any(i in self._found.missing for p in cell.pieces for i in p) for cell in cells)
        return Placement.PARTLY if missing else Placement.WHOLE


def _heads(rows: tuple[tuple[Cell, ...], ...], kinds: tuple[RowKind, ...]) -> tuple[tuple[int, tuple[Cell, ...]], ...]:
    """The blocks of header rows, each with the first row below it."""
    out: list[tuple[int, tuple[Cell, ...]]] = []
    block: list[Cell] = []
    for row, kind in enumerate([*kinds, RowKind.BODY]):
        if kind is RowKind.HEAD:
            block += [c for c in rows[row] if c.text]
        elif block:
            out.append((row, tuple(block)))
            block = []
    return tuple(out)


def _groups(grid: Grid, rows: tuple[tuple[Cell, ...], ...], kinds: tuple[RowKind, ...]) -> tuple[tuple[Cell, ...], ...]:
    """For each row of values the headings over it: the nearest, and above it those that are set more prominently or that it directly follows."""
    out: list[tuple[Cell, ...]] = []
    stack: list[tuple[Prominence, Cell]] = []
    for row, kind in enumerate(kinds):
        last = kinds[row - 1] if row else None
        if kind is RowKind.GROUP:
            at = next(i for i, c in enumerate(grid.rows[row]) if c.words)
            cell = grid.rows[row][at]
            rank = (cell.colspan > 1, cell.bold, cell.words.isupper())
            kept = len(stack) if last is RowKind.GROUP and len(stack) == 1 and stack[0][0] >= rank else 0
            stack = [*stack[:kept], *((r, c) for r, c in stack[kept:] if r > rank), (rank, rows[row][at])]
        elif kind is not RowKind.BODY and last is not RowKind.GROUP:
            stack = []
        out.append(tuple(c for _, c in stack) if kind is RowKind.BODY else ())
    return tuple(out)


Prominence = tuple[bool, bool, bool]
"""How a heading is set: over several columns, bold, in capitals."""


def _stub_cells(rows: tuple[tuple[Cell, ...], ...], kinds: tuple[RowKind, ...], stubs: int) -> tuple[tuple[Cell, ...], ...]:
    """For each row of values the cells of the stub columns that reach into it; an empty one takes the name from the row above it."""
    out: list[tuple[Cell, ...]] = []
    carried: dict[int, Cell] = {}
    for row, kind in enumerate(kinds):
        if kind is not RowKind.BODY:
            carried = {}
            out.append(())
            continue
        for cell in rows[row]:
            if cell.column >= stubs or not cell.text:
                continue
            carried = {column: c for column, c in carried.items() if column < cell.column}
            carried[cell.column] = cell
        out.append(tuple(carried[column] for column in sorted(carried)))
    return tuple(out)
