"""The reading order of a page: regions that are read one after the other, each from top to bottom.

A gutter is a strip that no printed line crosses, with prose on both sides of it, or a table of contents. Tables without rules have narrow or
ragged sides and are no columns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf
from statistics import median

from kb_builder.ingest.pdf_glyphs import Box, Glyph
from kb_builder.ingest.pdf_lines import base_rows, is_cjk

EVERYWHERE = Box(-inf, inf, -inf, inf)
_GAP = 0.9
"""Heights of a character; a wider gap parts a printed line in two."""
_HALF_GUTTER = 3.0
_STEP = 2.0
_STEPS = 300
_MIN_LINES = 5
_MIN_FILL = 0.5
_MIN_WORDS = 3
_DEEPEST = 6
_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2})*\s+\S*[A-Za-z]")


def printed_boxes(glyphs: Sequence[Glyph]) -> list[Box]:
    """The pieces of printed lines between wide gaps."""
    boxes: list[Box] = []
    for row in base_rows(glyphs):
        run: list[Glyph] = []
        for glyph in row.glyphs:
            if glyph.text == " ":
                continue
            if run and glyph.x0 - run[-1].x1 > _GAP * row.stroke:
                boxes.append(_box(run))
                run = []
            run.append(glyph)
        if run:
            boxes.append(_box(run))
    return boxes


def reading_order(boxes: Sequence[Box], page: Box, depth: int = 0) -> list[Box]:
    """The regions of the page in reading order; together they cover it."""
    cut = _gutter(boxes, page) if depth < _DEEPEST else None
    if cut is None:
        return [page]
    x, top, bottom = cut
    parts = (
        Box(page.x0, page.x1, page.top, top),
        Box(page.x0, x, top, bottom),
        Box(x, page.x1, top, bottom),
        Box(page.x0, page.x1, bottom, page.bottom),
    )
    regions: list[Box] = []
    for part in parts:
        inside = [b for b in boxes if part.holds((b.x0 + b.x1) / 2, b.middle)]
        if inside:
            regions += reading_order(inside, part, depth + 1)
    return regions


def _box(run: Sequence[Glyph]) -> Box:
    text = ""
    for before, glyph in zip([None, *run], run, strict=False):
        gap = before is not None and not is_cjk(glyph.text[0]) and glyph.x0 - before.x1 > 0.15 * glyph.stroke
        text += f" {glyph.text}" if gap else glyph.text
    return Box(run[0].x0, run[-1].x1, min(g.top for g in run), max(g.bottom for g in run), text)


def _gutter(boxes: Sequence[Box], page: Box) -> tuple[float, float, float] | None:
    """The best gutter: its place, and the top and bottom of the band it stands in."""
    if len(boxes) < 2 * _MIN_LINES:
        return None
    left, right = min(b.x0 for b in boxes), max(b.x1 for b in boxes)
    best: tuple[float, float, float, float, float] | None = None
    x = left + 0.25 * (right - left)
    while x <= left + 0.75 * (right - left):
        crossing = sorted((b for b in boxes if b.x0 < x + _HALF_GUTTER and b.x1 > x - _HALF_GUTTER), key=lambda b: b.top)
        edges = [page.top, *(y for b in crossing for y in (b.top, b.bottom)), page.bottom]
        for top, bottom in zip(edges[0::2], edges[1::2], strict=True):
            if bottom - top <= 0:
                continue
            inside = [b for b in boxes if top <= b.middle < bottom and not (b.x0 < x + _HALF_GUTTER and b.x1 > x - _HALF_GUTTER)]
            before, after = [b for b in inside if b.x1 <= x], [b for b in inside if b.x0 >= x]
            if _is_columns(before, x - left, after, right - x):
                room = min(b.x0 for b in after) - max(b.x1 for b in before)
                score = (float(min(len(before), len(after))), room, x, top, bottom)
                best = max(best, score) if best else score
        x += max(_STEP, (right - left) / _STEPS)
    if best is None:
        return None
    return best[2], best[3], best[4]


def _is_columns(before: Sequence[Box], before_width: float, after: Sequence[Box], after_width: float) -> bool:
    """Whether both sides are columns of prose, or both are columns of a table of contents."""
    if min(len(before), len(after)) < _MIN_LINES:
        return False
    if all(2 * sum(bool(_NUMBERED.match(b.text)) for b in side) >= len(side) for side in (before, after)):
        return True
    return _is_prose(before, before_width) and _is_prose(after, after_width)


def _is_prose(side: Sequence[Box], width: float) -> bool:
    return median(b.x1 - b.x0 for b in side) >= _MIN_FILL * width and median(_words(b.text) for b in side) >= _MIN_WORDS


def _words(text: str) -> int:
    return len(text.split()) + sum(is_cjk(c) for c in text) // 2
