"""HTML tables of a section, aligned with the flat text: every cell gets the offsets at which its words stand there.

openFDA keeps a table twice: flattened in the field, and as HTML beside it. Spans always point into the flat text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html.parser import HTMLParser

from ontology.text.offsets import fold

_SPACE = re.compile(r"\s+")
_BREAKING = frozenset({"paragraph", "item", "li", "p", "br", "div", "list"})
_PIPE_ROW = re.compile(r"(?:^|(?<=[\n\u2029]))\|(?P<cells>[^\n\u2029]+)\|(?=[\n\u2029]|$)")
_MAX_HTML = 2_000_000


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its offsets in the folded flat text, and those of its paragraphs and list items."""

    start: int
    end: int
    pieces: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """One table that was found in the flat text: from its first cell to its last, row by row."""

    start: int
    end: int
    rows: tuple[tuple[Cell, ...], ...]
    header: bool  # the first row names the columns


def find_tables(text: str, markup: Sequence[str]) -> list[Table]:
    """All tables of folded text in order of place: those of the markup beside it, and those drawn with pipes."""
    aligned = align_tables(text, markup)
    drawn = [t for t in pipe_tables(text) if not any(t.start < a.end and a.start < t.end for a in aligned)]
    return sorted([*aligned, *drawn], key=lambda t: t.start)


def pipe_tables(text: str) -> list[Table]:
    """The tables that Markdown draws with pipes; their first row is the header, the rule below it is no row."""
    out: list[Table] = []
    rows: list[tuple[Cell, ...]] = []
    last = -1
    for m in _PIPE_ROW.finditer(text):
        if rows and m.start() > last + 1:
            out.append(Table(rows[0][0].start, rows[-1][-1].end, tuple(rows), header=True))
            rows = []
        last = m.end()
        cells = _pipe_cells(m["cells"], m.start("cells"))
        if cells and not set(m["cells"]) <= set("|-: "):
            rows.append(cells)
    if rows:
        out.append(Table(rows[0][0].start, rows[-1][-1].end, tuple(rows), header=True))
    return out


def _pipe_cells(line: str, at: int) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    for piece in line.split("|"):
        start, end = at + len(piece) - len(piece.lstrip()), at + len(piece.rstrip())
        if end > start:
            cells.append(Cell(start, end, ((start, end),)))
        at += len(piece) + 1
    return tuple(cells)


def align_tables(text: str, tables: Sequence[str]) -> list[Table]:
    """The tables that stand in folded flat text, in order of place. A table whose cells are not found there is left out."""
    if not tables:
        return []
    squeezed, places = _squeeze(text)
    out: list[Table] = []
    cursor = 0
    for markup in tables:
        for grid in _grids(markup):
            found = _locate(squeezed, grid.rows, cursor)
            if found is None and cursor:
                found = _locate(squeezed, grid.rows, 0)
            if found is None:
                continue
            rows, cursor = found
            cells = [c for row in rows for c in row]
            placed = [tuple(_cell(c, places) for c in row) for row in rows]
            out.append(Table(places[cells[0][0][0]], places[cells[-1][-1][1] - 1] + 1, tuple(placed), grid.header))
    return _apart(sorted(out, key=lambda t: t.start))


def _grids(markup: str) -> list[Grid]:
    """The tables of some HTML, inner tables apart from outer ones."""
    if len(markup) > _MAX_HTML:
        return []
    parser = _TableParser()
    parser.feed(markup)
    parser.close()
    return [g for g in parser.grids if g.rows]


@dataclass(slots=True)
class Grid:
    """Rows of cells of squeezed pieces of text, and whether the first row names the columns."""

    rows: list[list[list[str]]]
    header: bool = False


class _TableParser(HTMLParser):
    """Collects the text of table cells, cut at paragraphs, list items and line breaks. Forgiving: unclosed tags close with their table."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.grids: list[Grid] = []
        self._open: list[Grid] = []
        self._row: list[list[list[str]]] = []
        self._pieces: list[list[str]] = []
        self._in_head = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._end_row()
            self._open.append(Grid([]))
        elif tag == "thead":
            self._in_head = True
        elif tag == "tr":
            self._end_row()
        elif tag in ("td", "th") and self._open:
            self._end_cell()
            self._pieces.append([""])
            if self._open[-1].rows == [] and (tag == "th" or self._in_head):
                self._open[-1].header = True
        elif tag in _BREAKING and self._pieces:
            self._pieces[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "table" and self._open:
            self._end_row()
            self.grids.append(self._open.pop())
        elif tag == "thead":
            self._end_row()
            self._in_head = False
        elif tag == "tr":
            self._end_row()
        elif tag in ("td", "th"):
            self._end_cell()
        elif tag in _BREAKING and self._pieces:
            self._pieces[-1].append("")

    def handle_data(self, data: str) -> None:
        if self._pieces:
            self._pieces[-1][-1] += data

    def close(self) -> None:
        super().close()
        while self._open:
            self.handle_endtag("table")

    def _end_cell(self) -> None:
        if self._pieces:
            squeezed = [_SPACE.sub("", fold(p).text) for p in self._pieces.pop()]
            if any(squeezed):
                self._row.append([[s for s in squeezed if s]])

    def _end_row(self) -> None:
        self._end_cell()
        if self._row and self._open:
            self._open[-1].rows.append([cell for cells in self._row for cell in cells])
        self._row = []


def _squeeze(text: str) -> tuple[str, list[int]]:
    places = [i for i, c in enumerate(text) if not c.isspace()]
    return "".join(text[i] for i in places), places


Placed = list[list[list[tuple[int, int]]]]


def _locate(squeezed: str, grid: list[list[list[str]]], cursor: int) -> tuple[Placed, int] | None:
    """Where the cells stand in the squeezed text: as one run, else cell by cell at growing places; None when they do not."""
    whole = "".join(p for row in grid for cell in row for p in cell)
    at = squeezed.find(whole, cursor)
    step_limit = 400 if at < 0 else 0
    if at < 0:
        at = squeezed.find("".join(p for p in grid[0][0]), cursor)
        if at < 0:
            return None
    rows: Placed = []
    for row in grid:
        cells: list[list[tuple[int, int]]] = []
        for cell in row:
            spans: list[tuple[int, int]] = []
            for piece in cell:
                start = at if squeezed.startswith(piece, at) else squeezed.find(piece, at, at + len(piece) + step_limit)
                if start < 0:
                    continue
                spans.append((start, start + len(piece)))
                at = start + len(piece)
            if spans:
                cells.append(spans)
        if cells:
            rows.append(cells)
    return (rows, at) if rows else None


def _cell(spans: list[tuple[int, int]], places: list[int]) -> Cell:
    pieces = tuple((places[s], places[e - 1] + 1) for s, e in spans)
    return Cell(pieces[0][0], pieces[-1][1], pieces)


def _apart(tables: list[Table]) -> list[Table]:
    """The tables without those that overlap an earlier one."""
    out: list[Table] = []
    for table in tables:
        if not out or table.start >= out[-1].end:
            out.append(table)
    return out
