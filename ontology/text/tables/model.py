"""One model of a table for every source: cells on a grid, what heads them, caption and footnotes, each with its place in the folded flat text.

A place is a half-open pair of offsets. What has no place (an empty cell, a cell that is not found in the flat text) has `start == end == 0`,
of which no span can be made.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum

Place = tuple[int, int]
NOWHERE: Place = (0, 0)


class Placement(StrEnum):
    """How a table of the markup stands in the flat text: wholly, in part, not at all; or its markup was too large to be read."""

    WHOLE = "whole"
    PARTLY = "partly"
    UNPLACED = "unplaced"
    UNREAD = "unread"


class RowKind(StrEnum):
    """What a row is: names of the columns, values, a heading over the rows below, footnotes, or the caption."""

    HEAD = "head"
    BODY = "body"
    GROUP = "group"
    NOTES = "notes"
    CAPTION = "caption"


@dataclass(frozen=True, slots=True)
class Caption:
    """What a table is called, where that stands (NOWHERE for words of the markup that are not found), and the indexes of the footnotes it calls."""

    text: str
    start: int
    end: int
    notes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote of a table: its mark as printed ("" where only the markup ties it to its cells), its text without the mark, and the text's place."""

    mark: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: the row and column it begins in and how many it covers, its text, its place, and the places of its paragraphs and list items.

    `text` is what the markup says, "" for an empty cell; footnotes printed inside the cell are no part of it. `header` says that the cell
    names rows or columns. `notes` are indexes into the table's footnotes.
    """

    row: int
    column: int
    rowspan: int
    colspan: int
    header: bool
    text: str
    start: int
    end: int
    pieces: tuple[Place, ...]
    notes: tuple[int, ...] = ()

    @property
    def placed(self) -> bool:
        """True when the cell's words stand in the flat text."""
        return self.end > self.start


@dataclass(frozen=True, slots=True)
class Table:
    """One table. `rows` are its cells by the row they begin in, empty ones too; `kinds` says what each row is; the first `stubs` columns name rows.

    `start` and `end` enclose everything of the table that stands in the flat text, the caption too where the markup holds it; `NOWHERE` for an
    unplaced table. `nested` marks a table inside a cell of another one, whose cells do not hold its text.
    """

    start: int
    end: int
    rows: tuple[tuple[Cell, ...], ...]
    kinds: tuple[RowKind, ...]
    width: int
    stubs: int
    caption: Caption | None
    notes: tuple[Footnote, ...]
    placement: Placement
    nested: bool
    heads: tuple[tuple[int, tuple[Cell, ...]], ...]  # (first row they govern, header cells), rising
    groups: tuple[tuple[Cell, ...], ...]  # the headings over each row, from the outermost
    stub_cells: tuple[tuple[Cell, ...], ...]  # the cells that name each row

    @property
    def header(self) -> bool:
        """True when some row names the columns."""
        return bool(self.heads)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row."""
        return tuple(cell for row in self.rows for cell in row)

    @property
    def lines(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows' cells that stand in the flat text; a row without any is left out."""
        found = (tuple(cell for cell in row if cell.placed) for row in self.rows)
        return tuple(row for row in found if row)

    def column_headers(self, cell: Cell) -> tuple[Cell, ...]:
        """The header cells over a cell's columns, from the top; of a header cell those above it."""
        at = bisect_right(self.heads, cell.row, key=lambda block: block[0]) - 1
        above = self.heads[at][1] if at >= 0 else ()
        if self.kinds[cell.row] is RowKind.HEAD:
            above = next((cells for _, cells in self.heads if cell in cells), ())
        last = cell.column + cell.colspan
        return tuple(h for h in above if h.row < cell.row and h.column < last and cell.column < h.column + h.colspan)

    def row_headers(self, cell: Cell) -> tuple[Cell, ...]:
        """The cells that name a cell's row: the headings over it, then the stub cells left of it, those that reach down from rows above too."""
        if self.kinds[cell.row] is not RowKind.BODY:
            return ()
        return (*self.groups[cell.row], *(s for s in self.stub_cells[cell.row] if s.column < cell.column))

    def footnotes_of(self, called_by: Cell | Caption) -> tuple[Footnote, ...]:
        """The footnotes that the marks of a cell, or of the caption, call."""
        return tuple(self.notes[i] for i in called_by.notes)
