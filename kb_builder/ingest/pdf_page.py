"""One page of a PDF: its lines and tables in reading order, and what can be told of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from kb_builder.ingest.pdf_aligned import find_aligned
from kb_builder.ingest.pdf_columns import EVERYWHERE, printed_boxes, reading_order
from kb_builder.ingest.pdf_glyphs import Box, Glyph, read_dots, read_glyphs
from kb_builder.ingest.pdf_lines import Line, read_lines
from kb_builder.ingest.pdf_tables import Table, find_tables

MAX_GLYPHS = 60_000
"""Characters on a page; the fullest page of real labels has about 12,000."""
_BACKGROUND_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Region:
    """A column, or the page: what stands in it from top to bottom, and its right margin."""

    items: tuple[Line | Table, ...]
    right: float


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its regions in reading order; text printed sideways; the number of characters and of those without a character code."""

    number: int
    regions: tuple[Region, ...]
    sideways: tuple[Line, ...]
    paper: Box
    glyphs: int
    unreadable: int
    images: int

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines outside tables, in reading order."""
        return tuple(item for region in self.regions for item in region.items if isinstance(item, Line))

    @property
    def has_text(self) -> bool:
        """Whether the page has a text layer with any text."""
        return self.glyphs > 0


def read_page(page: Any, number: int) -> Page:
    """The page that pdfplumber opened, read."""
    paper = _paper(page)
    glyphs, turned, unreadable = read_glyphs(page.chars[:MAX_GLYPHS], paper)
    visible = _visible(page.rects, glyphs, paper)
    glyphs = [g for g in glyphs if visible.top <= (g.top + g.bottom) / 2 <= visible.bottom]
    dots = read_dots([*page.curves, *page.rects])
    tables = find_tables(page, number, glyphs, dots, visible)
    flow = [g for g in glyphs if not any(_within(g, t.box) for t in tables)]
    boxes = [*printed_boxes(flow), *(t.box for t in tables)]
    regions = []
    for area in reading_order(boxes, EVERYWHERE):
        own, near = [g for g in flow if _within(g, area)], [d for d in dots if area.holds(d.x0, d.middle)]
        inside = [t for t in tables if area.holds((t.box.x0 + t.box.x1) / 2, t.box.middle)]
        aligned = [t for t in find_aligned(own, near, number) if not any(t.box.top < r.box.bottom and r.box.top < t.box.bottom for r in inside)]
        lines = read_lines([g for g in own if not any(_within(g, t.box) for t in aligned)], near)
        inside += aligned
        items: list[Line | Table] = sorted([*lines, *inside], key=_top)
        if items:
            right = max((line.x1 for line in lines), default=area.x1)
            regions.append(Region(tuple(items), right))
    inked = sum(g.text != " " for g in glyphs) + sum(g.text != " " for g in turned)
    return Page(number, tuple(regions), tuple(read_lines(turned)), paper, inked, unreadable, len(page.images))


def without_lines(page: Page, dropped: set[int]) -> Page:
    """The page without the lines at these places of `page.lines`."""
    regions, at = [], 0
    for region in page.regions:
        kept: list[Line | Table] = []
        for item in region.items:
            if isinstance(item, Line):
                at += 1
                if at - 1 in dropped:
                    continue
            kept.append(item)
        regions.append(replace(region, items=tuple(kept)))
    return replace(page, regions=tuple(regions))


def _within(glyph: Glyph, box: Box) -> bool:
    return box.holds((glyph.x0 + glyph.x1) / 2, (glyph.top + glyph.bottom) / 2)


def _top(item: Line | Table) -> float:
    return item.box.top if isinstance(item, Table) else item.bottom - item.stroke


def _paper(page: Any) -> Box:
    """The part of the sheet that viewers show."""
    (x0, top, x1, bottom), (left, upper, right, lower) = page.mediabox, page.cropbox
    shown = Box(max(x0, left), min(x1, right), max(top, upper), min(bottom, lower))
    return shown if shown.x1 > shown.x0 and shown.bottom > shown.top else Box(x0, x1, top, bottom)


def _visible(rects: Sequence[dict[str, Any]], glyphs: Sequence[Glyph], paper: Box) -> Box:
    """The part of the page that is shown. Web page printers cut a page out of a long sheet with a white background; text off it belongs to the next page."""
    if not rects:
        return paper
    first = rects[0]
    x0, x1, top, bottom = (float(first[k]) for k in ("x0", "x1", "top", "bottom"))
    white = first.get("fill") and not first.get("stroke") and _is_white(first.get("non_stroking_color"))
    if not white or (x1 - x0) < 0.6 * (paper.x1 - paper.x0) or (bottom - top) < _BACKGROUND_SHARE * (paper.bottom - paper.top):
        return paper
    inside = sum(top <= (g.top + g.bottom) / 2 <= bottom for g in glyphs)
    return replace(paper, top=top, bottom=bottom) if inside >= 0.8 * len(glyphs) else paper


def _is_white(color: object) -> bool:
    values = color if isinstance(color, (tuple, list)) else (color,)
    return len(values) in (1, 3) and all(isinstance(v, (int, float)) and v >= 0.99 for v in values)
