"""Tables drawn with rules, cell by cell, and their continuation over page breaks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from kb_builder.ingest.pdf_glyphs import Box, Dot, Glyph
from kb_builder.ingest.pdf_joining import join_lines
from kb_builder.ingest.pdf_lines import Line, read_lines

MAX_SHAPES = 6_000
"""Rules and shapes on a page; a page with more is a drawing, and no tables are looked for on it."""
_NEAR = 3.0
CELL_BREAK = "<br>"
_VALUE = re.compile(r"[<>≤≥~±+−–-]?\s?\d+(?:[.,]\d+)*\s?(?:%|[(±–-].*)?$|NS\b|N/?A\b|[—–-]$")


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table: its box, its lines, whether all of its text is bold."""

    box: Box
    lines: tuple[Line, ...] = ()

    @property
    def bold(self) -> bool:
        """Whether it holds text, all of it bold."""
        return bool(self.lines) and all(line.bold for line in self.lines)

    def text(self, words: frozenset[str]) -> str:
        """Its text; lines that were broken on purpose are parted by `<br>`, and so are values that stand one under the other."""
        if len(self.lines) > 1 and all(_VALUE.match(line.text) for line in self.lines):
            return CELL_BREAK.join(line.text for line in self.lines)
        return CELL_BREAK.join(join_lines(self.lines, self.box.x1 - 2.0, words))


@dataclass(frozen=True, slots=True)
class Table:
    """A table of one page or of several: its rows of cells, each row with its page; whether a page edge cuts through its first or last row."""

    box: Box
    rows: tuple[tuple[Cell, ...], ...]
    pages: tuple[int, ...]
    cut_above: bool = False
    cut_below: bool = False

    @property
    def edges(self) -> tuple[float, ...]:
        """The vertical lines that its cells begin or end at, from left to right."""
        return merged(sorted(x for row in self.rows for cell in row for x in (cell.box.x0, cell.box.x1)))


def find_tables(page: Any, number: int, glyphs: Sequence[Glyph], dots: Sequence[Dot], visible: Box) -> list[Table]:
    """The tables of a page that have at least two columns; a frame around text is no table."""
    if len(page.lines) + len(page.rects) + len(page.curves) > MAX_SHAPES:
        return []
    drawn = sorted(page.find_tables(), key=lambda t: (t.bbox[2] - t.bbox[0]) * (t.bbox[3] - t.bbox[1]))
    taken: set[int] = set()
    tables = []
    for found in drawn:
        x0, top, x1, bottom = found.bbox
        box = Box(x0 - 1, x1 + 1, max(top, visible.top), min(bottom, visible.bottom))
        inside = [g for g in glyphs if id(g) not in taken and box.holds((g.x0 + g.x1) / 2, (g.top + g.bottom) / 2)]
        rows = tuple(row for row in _rows(found, inside, dots) if any(c.box.bottom > visible.top + 1 and c.box.top < visible.bottom - 1 for c in row))
        above, below = top < visible.top - 1, bottom > visible.bottom + 1
        drawn_columns = len({round(cell.box.x0) for row in rows for cell in row})
        if _columns(rows) < 2 and not ((above or below) and drawn_columns > 1 and inside):
            continue
        taken |= {id(g) for g in inside}
        tables.append(Table(box, rows, (number,) * len(rows), above, below))
    return sorted(tables, key=lambda t: t.box.top)


def continues(before: Table, after: Table) -> bool:
    """Whether a table at the top of a page goes on with the one at the bottom of the page before."""
    if abs(before.box.x0 - after.box.x0) > _NEAR or abs(before.box.x1 - after.box.x1) > _NEAR:
        return False
    if before.cut_below and after.cut_above:
        return True
    one, other = before.edges, after.edges
    return len(one) == len(other) and all(abs(a - b) <= _NEAR for a, b in zip(one, other, strict=True))


def joined(before: Table, after: Table) -> tuple[Table, bool]:
    """Both as one table in the first one's coordinates, and whether a repeated header was left out. A row that the page edge cut is one row again."""
    rows, pages = list(before.rows), list(before.pages)
    down = before.box.bottom - after.box.top
    rest, rest_pages = [tuple(_moved(cell, down) for cell in row) for row in after.rows], list(after.pages)
    repeated = bool(rest) and len(rest) > 1 and _plain(rest[0]) == _plain(rows[0]) and any(_plain(rest[0]))
    if repeated:
        rest, rest_pages = rest[1:], rest_pages[1:]
    elif before.cut_below and after.cut_above and rest:
        rows[-1] = _mended(rows[-1], rest[0])
        rest, rest_pages = rest[1:], rest_pages[1:]
    box = replace(before.box, bottom=after.box.bottom + down)
    return Table(box, (*rows, *rest), (*pages, *rest_pages), before.cut_above, after.cut_below), repeated


def merged(places: Sequence[float]) -> tuple[float, ...]:
    """Rising places, without those that lie at the one before."""
    out: list[float] = []
    for x in places:
        if not out or x - out[-1] > _NEAR:
            out.append(x)
    return tuple(out)


def _rows(found: Any, glyphs: Sequence[Glyph], dots: Sequence[Dot]) -> tuple[tuple[Cell, ...], ...]:
    rows = []
    for row in found.rows:
        cells = []
        for bounds in row.cells:
            if bounds is None:
                continue
            box = Box(bounds[0], bounds[2], bounds[1], bounds[3])
            inside = [g for g in glyphs if box.holds((g.x0 + g.x1) / 2, (g.top + g.bottom) / 2)]
            near = [d for d in dots if box.holds(d.x0, d.middle)]
            cells.append(Cell(box, tuple(read_lines(inside, near)) if inside else ()))
        rows.append(tuple(cells))
    return tuple(rows)


def _columns(rows: Sequence[Sequence[Cell]]) -> int:
    return len(merged(sorted(cell.box.x0 for row in rows for cell in row if cell.lines)))


def _plain(row: Sequence[Cell]) -> list[str]:
    return [" ".join(line.text for line in cell.lines) for cell in row if cell.lines]


def _mended(above: Sequence[Cell], below: Sequence[Cell]) -> tuple[Cell, ...]:
    """The row, each cell with the lines of the cell under it."""
    out = []
    for cell in above:
        middle = (cell.box.x0 + cell.box.x1) / 2
        more = next((c for c in below if c.box.x0 <= middle < c.box.x1), None)
        out.append(Cell(replace(cell.box, bottom=more.box.bottom), (*cell.lines, *more.lines)) if more is not None else cell)
    return tuple(out)


def _moved(cell: Cell, down: float) -> Cell:
    return replace(cell, box=replace(cell.box, top=cell.box.top + down, bottom=cell.box.bottom + down))
