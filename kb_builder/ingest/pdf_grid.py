"""A table as text: with pipes, or as HTML where cells span rows or columns. Every word stands as it was printed."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from kb_builder.ingest.pdf_headings import heading_level
from kb_builder.ingest.pdf_tables import CELL_BREAK, Cell, Table

_NEAR = 3.0
_NO_TAG = re.compile(r"<(?=[A-Za-z/!?])(?!br>)")
"""A less-than sign that HTML would take for a tag; a space behind it keeps it a sign."""


Row = list[tuple[Cell, str]]


@dataclass(frozen=True, slots=True)
class Part:
    """A row of the grid: its page, its cells with their texts."""

    page: int
    row: Row

    @property
    def top(self) -> float:
        """The upper edge of the row."""
        return min((cell.box.top for cell, _ in self.row), default=0.0)


@dataclass(frozen=True, slots=True)
class Placed:
    """A cell of the grid: its first row and column, how many it spans, its text."""

    row: int
    column: int
    rows: int
    columns: int
    text: str
    bold: bool


def write_table(table: Table, words: frozenset[str]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The table's text, and (offset, page) where a page begins in it."""
    text = ""
    starts: list[tuple[int, int]] = []
    for title, part in _parts(table):
        for cell in title:
            text += _title(cell, words) + "\n\n"
        if not part.rows:
            continue
        written, begins = _write_part(part, words)
        for offset, page in begins:
            if not starts or page > starts[-1][1]:
                starts.append((len(text) + offset if starts else 0, page))
        text += written + "\n\n"
    return text.rstrip("\n"), tuple(starts) or ((0, table.pages[0]),)


def _parts(table: Table) -> list[tuple[list[Cell], Table]]:
    """The table, cut where a title over its whole width begins rows with other columns. A title at its very top stands before it.

    Titles between rows with the same columns (a drug, a stage of renal impairment) stay rows of the table, and so do those under a header.
    """
    heads = [_title_cell(row, table) for row in table.rows]
    first = next((i for i, head in enumerate(heads) if head is None and any(c.lines for c in table.rows[i])), len(heads))
    later = [i for i in range(first, len(heads)) if heads[i] is not None]
    cuts = [0, *(i for i in later if i - 1 not in later), len(heads)]
    parts = []
    for begin, end in pairwise(cuts):
        rows = list(range(begin, end))
        title = [head for i in rows if (head := heads[i]) is not None]
        body = [i for i in rows if heads[i] is None and any(c.lines for c in table.rows[i])]
        parts.append((title, replace(table, rows=tuple(table.rows[i] for i in body), pages=tuple(table.pages[i] for i in body))))
    drawn = {part.edges for _, part in parts if part.rows}
    filled = [i for i, row in enumerate(table.rows) if any(c.lines for c in row)]
    if later and (heads[filled[0]] is None or len(drawn) == 1):
        return [([], table)]
    return parts


def _title_cell(row: Sequence[Cell], table: Table) -> Cell | None:
    """The only cell with text of a row, where it is as wide as the table and bold."""
    filled = [cell for cell in row if cell.lines]
    if len(filled) != 1 or not any(line.bold for line in filled[0].lines):
        return None
    cell = filled[0]
    wide = cell.box.x1 - cell.box.x0 > 0.9 * (table.box.x1 - table.box.x0)
    return cell if wide else None


def _title(cell: Cell, words: frozenset[str]) -> str:
    """The title as a heading, its further lines under it."""
    lines = cell.text(words).split(CELL_BREAK)
    level = heading_level(lines[0], bold=True, large=False)
    return "\n\n".join(["#" * level + " " + lines[0] if level else lines[0], *lines[1:]])


def _write_part(table: Table, words: frozenset[str]) -> tuple[str, tuple[tuple[int, int], ...]]:
    cells, pages = _grid(table, words)
    spans = any(c.rows > 1 or c.columns > 1 for c in cells)
    rows = _html_rows(cells, len(pages)) if spans else _pipe_rows(cells, len(pages))
    text = "<table>\n" if spans else ""
    starts: list[tuple[int, int]] = []
    for page, row in zip(pages, rows, strict=True):
        if not starts or page > starts[-1][1]:
            starts.append((len(text) if starts else 0, page))
        text += row + "\n"
    return text + "</table>" if spans else text.rstrip("\n"), tuple(starts)


def _grid(table: Table, words: frozenset[str]) -> tuple[list[Placed], list[int]]:
    """The cells on the smallest grid that holds every cell with text, and the page of each grid row."""
    edges = table.edges[:-1]
    parts = [Part(page, [(cell, cell.text(words)) for cell in cells]) for page, cells in zip(table.pages, table.rows, strict=True)]
    kept = [part for part in parts if any(text for _, text in part.row)]
    columns = sorted({_index(edges, cell.box.x0) for part in kept for cell, text in part.row if text})
    placed: list[Placed] = []
    for number, part in enumerate(kept):
        for cell, text in part.row:
            inside = [c for c in columns if _index(edges, cell.box.x0) <= c <= _index(edges, cell.box.x1 - 2 * _NEAR)]
            if inside:
                beside = sum(p.top < cell.box.bottom - _NEAR for p in kept[number + 1 :])
                placed.append(Placed(number, columns.index(inside[0]), 1 + beside, len(inside), text, cell.bold))
    return placed, [part.page for part in kept]


def _index(edges: Sequence[float], x: float) -> int:
    return max(bisect_left(edges, x + _NEAR) - 1, 0)


def _pipe_rows(cells: Sequence[Placed], height: int) -> list[str]:
    """A line a row; the rule under the header belongs to the first."""
    width = 1 + max(c.column for c in cells)
    texts = {(c.row, c.column): c.text.replace("|", r"\|") for c in cells}
    rows = ["| " + " | ".join(texts.get((r, c), "") for c in range(width)) + " |" for r in range(height)]
    return [rows[0] + "\n|" + " --- |" * width, *rows[1:]]


def _html_rows(cells: Sequence[Placed], height: int) -> list[str]:
    """A line a row; the rows at the top whose cells are all bold, and the first row in any case, are headers."""
    out = []
    for number in range(height):
        row = sorted((c for c in cells if c.row == number), key=lambda c: c.column)
        heads = number == 0 or all(c.bold for c in row if c.text)
        out.append("<tr>" + "".join(_html_cell(c, "th" if heads else "td") for c in row) + "</tr>")
    return out


def _html_cell(cell: Placed, tag: str) -> str:
    spans = (f' rowspan="{cell.rows}"' if cell.rows > 1 else "") + (f' colspan="{cell.columns}"' if cell.columns > 1 else "")
    return f"<{tag}{spans}>{_NO_TAG.sub('< ', cell.text)}</{tag}>"
