"""Cells on a grid: spans resolved, rows in the order they are shown (head, body, foot), whatever order the markup keeps them in."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace

from ontology.text.tables.markup import MarkedCell, MarkedTable, Part, Run

MAX_COLUMNS = 1_000
"""Columns of a grid; cells beyond are left out, and the table is told to stand in part."""


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell at its row and column, with the rows and columns it really covers and its words ("" for an empty cell)."""

    row: int
    column: int
    rowspan: int
    colspan: int
    words: str
    bold: bool
    marked: MarkedCell


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells by the row they begin in; `above` holds, for each row, the cells of earlier rows that reach into it."""

    rows: tuple[tuple[GridCell, ...], ...]
    above: tuple[tuple[GridCell, ...], ...]
    parts: tuple[Part, ...]
    width: int


def lay_out(table: MarkedTable) -> Grid:
    """The grid of a table. A row shorter than the others ends early; spans end at their group of rows and at MAX_COLUMNS."""
    rows: list[tuple[GridCell, ...]] = []
    above: list[tuple[GridCell, ...]] = []
    parts: list[Part] = []
    for part in (Part.HEAD, Part.BODY, Part.FOOT):
        members = [cells for p, cells in table.rows if p is part]
        reaching: list[GridCell] = []
        for index, cells in enumerate(members):
            row = len(rows)
            reaching = [c for c in reaching if c.row + c.rowspan > row]
            placed = _place_row(cells, row, len(members) - index, reaching, table.runs)
            above.append(tuple(reaching))
            rows.append(placed)
            parts.append(part)
            reaching = [*reaching, *(c for c in placed if c.rowspan > 1)]
    begins = sorted({c.column for row in rows for c in row})
    rows = [tuple(_compressed(c, begins) for c in row) for row in rows]
    above = [tuple(_compressed(c, begins) for c in row) for row in above]
    return Grid(tuple(rows), tuple(above), tuple(parts), len(begins))


def _place_row(cells: list[MarkedCell], row: int, left: int, reaching: list[GridCell], runs: list[Run]) -> tuple[GridCell, ...]:
    taken = sorted((c.column, c.column + c.colspan) for c in reaching)
    out: list[GridCell] = []
    column = at = 0
    for cell in cells:
        while at < len(taken) and column >= taken[at][0]:
            column = max(column, taken[at][1])
            at += 1
        if column >= MAX_COLUMNS:
            break
        room = min(taken[at][0] if at < len(taken) else MAX_COLUMNS, MAX_COLUMNS)
        colspan = min(cell.colspan, max(1, room - column))
        rowspan = min(cell.rowspan or left, left)
        words = " ".join(" ".join("".join(runs[i].text for i in piece).split()) for piece in cell.pieces).strip()
        out.append(GridCell(row, column, rowspan, colspan, " ".join(words.split()), cell.size > 0 and cell.bold * 10 >= cell.size * 9, cell))
        column += colspan
    return tuple(out)


def _compressed(cell: GridCell, begins: list[int]) -> GridCell:
    """The cell among the columns in which some cell begins: others are no columns."""
    column = bisect_left(begins, cell.column)
    colspan = bisect_left(begins, cell.column + cell.colspan) - column
    return cell if (column, colspan) == (cell.column, cell.colspan) else replace(cell, column=column, colspan=colspan)
