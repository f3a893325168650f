"""Tables without vertical rules: rows of short pieces that stand in columns one under the other."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from kb_builder.ingest.pdf_columns import printed_boxes
from kb_builder.ingest.pdf_glyphs import Box, Dot, Glyph
from kb_builder.ingest.pdf_joining import is_item
from kb_builder.ingest.pdf_lines import read_lines
from kb_builder.ingest.pdf_tables import Cell, Table

_MIN_ROWS = 3
_MIN_GUTTER = 1.0
_FAR = 2.6
"""Heights of a character: the narrowest gap between columns, and the widest step from row to row."""
_LABEL = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*|[*†‡§¶#]{1,3}|\(?[a-zA-Z]\)|\d{1,2}[.)]|[A-Za-z])$")


@dataclass(slots=True)
class Band:
    """Pieces on one base line."""

    boxes: list[Box]

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return max(b.bottom for b in self.boxes)

    @property
    def height(self) -> float:
        """The height of its characters."""
        return max(b.bottom - b.top for b in self.boxes)


def find_aligned(glyphs: Sequence[Glyph], dots: Sequence[Dot], number: int) -> list[Table]:
    """The tables of a column's characters that no rules are drawn around."""
    bands = _bands(printed_boxes(glyphs))
    tables = []
    at = 0
    while at < len(bands):
        end = _run_end(bands, at)
        columns = _columns(bands[at:end])
        if columns and _is_table(bands[at:end], columns):
            tables.append(_table(bands[at:end], columns, glyphs, dots, number))
            at = end
        else:
            at += 1
    return tables


def _bands(boxes: Sequence[Box]) -> list[Band]:
    bands: list[Band] = []
    for box in sorted(boxes, key=lambda b: (b.bottom, b.x0)):
        if bands and box.bottom - bands[-1].boxes[0].bottom < 0.4 * (box.bottom - box.top):
            bands[-1].boxes.append(box)
        else:
            bands.append(Band([box]))
    for band in bands:
        band.boxes.sort(key=lambda b: b.x0)
    return bands


def _run_end(bands: Sequence[Band], start: int) -> int:
    """The end of the longest run from `start` whose rows keep the gutters of its first rows; a run begins and ends with a row of several pieces."""
    if len(bands[start].boxes) < 2:
        return start
    end = start + 1
    best = start
    for stop in range(start + 1, len(bands)):
        band = bands[stop]
        if band.bottom - bands[stop - 1].bottom > _FAR * band.height:
            break
        columns = _columns(bands[start : stop + 1])
        if len(columns) < 2 or len(columns) < len(_columns(bands[start:end])):
            break
        end = stop + 1
        if len(band.boxes) > 1:
            best = end
    return max(best, _with_tail(bands, best, end, start))


def _with_tail(bands: Sequence[Band], best: int, end: int, start: int) -> int:
    """The end, with the wrapped lines of the last row's later columns."""
    if best <= start:
        return best
    columns = _columns(bands[start:best])
    while best < end and columns and bands[best].boxes[0].x0 >= columns[1][0] - 1.0:
        best += 1
    return best


def _columns(bands: Sequence[Band]) -> list[tuple[float, float]]:
    """The strips that the pieces stand in, from left to right."""
    spans = sorted((b.x0, b.x1) for band in bands for b in band.boxes)
    gap = _MIN_GUTTER * max((band.height for band in bands), default=10.0)
    columns: list[tuple[float, float]] = []
    for x0, x1 in spans:
        if columns and x0 - columns[-1][1] < gap:
            columns[-1] = (columns[-1][0], max(columns[-1][1], x1))
        else:
            columns.append((x0, x1))
    return columns


def _is_table(bands: Sequence[Band], columns: Sequence[tuple[float, float]]) -> bool:
    """Whether enough rows have several pieces, and the first column is more than bullets or numbers of paragraphs."""
    full = [band for band in bands if len(band.boxes) > 1]
    if len(columns) < 2 or len(full) < _MIN_ROWS or 2 * len(full) < len(bands):
        return False
    first = [band.boxes[0].text.strip() for band in full]
    labels = sum(bool(_LABEL.fullmatch(text) or is_item(f"{text} x")) for text in first)
    return len(columns) > 2 or 2 * labels < len(first)


def _table(bands: Sequence[Band], columns: Sequence[tuple[float, float]], glyphs: Sequence[Glyph], dots: Sequence[Dot], number: int) -> Table:
    edges = [columns[0][0] - 1.0, *((a[1] + b[0]) / 2 for a, b in itertools.pairwise(columns)), columns[-1][1] + 1.0]
    groups: list[list[Band]] = []
    for band in bands:
        goes_on = groups and band.boxes[0].x0 >= edges[1]
        if goes_on:
            groups[-1].append(band)
        else:
            groups.append([band])
    rows = []
    for group in groups:
        top, bottom = min(b.top for band in group for b in band.boxes) - 0.5, max(band.bottom for band in group) + 0.5
        cells = []
        for left, right in itertools.pairwise(edges):
            box = Box(left, right, top, bottom)
            inside = [g for g in glyphs if box.holds((g.x0 + g.x1) / 2, (g.top + g.bottom) / 2)]
            near = [d for d in dots if box.holds(d.x0, d.middle)]
            cells.append(Cell(box, tuple(read_lines(inside, near)) if inside else ()))
        rows.append(tuple(cells))
    whole = Box(edges[0], edges[-1], rows[0][0].box.top, rows[-1][0].box.bottom)
    return Table(whole, tuple(rows), (number,) * len(rows))
