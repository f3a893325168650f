"""Lines of text from the characters of one column: words apart, superscripts written by a rule, bullets in front.

A raised number after a unit of length is an exponent (`m²`); after anything else it is `^2`, so that neither `10^5` nor a footnote mark
behind a dose ever reads as another number. Raised signs (†, ®) and lowered text (`B12`, `Cmax`) stand as they are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kb_builder.ingest.pdf_glyphs import BULLET, Dot, Glyph

_CJK = re.compile(r"[\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef【】「」]")
_EXPONENTS = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_LENGTH = re.compile(r"(?:^|[^A-Za-z])[cmkµμ]?m$")
_ORDINAL = re.compile(r"st|nd|rd|th", re.IGNORECASE)
_SMALL = 0.9
"""A run below this share of its neighbour's height is raised or lowered."""
_BASE_SHARE = 0.2
"""Share of a row's characters that its base text has at least: one letter of `Cmax`."""
_SAME_ROW = 0.2
_SPACE = 0.17
_CJK_SPACE = 0.8
"""Gaps in heights of the characters: between words, and between ideographs, whose lines are spread to fill the column."""


@dataclass(slots=True)
class Row:
    """Characters on one base line; `attached` are the raised and lowered ones, each with whether it is raised."""

    glyphs: list[Glyph]
    stroke: float
    top: float
    bottom: float
    attached: list[tuple[Glyph, bool]] = field(default_factory=list)
    dot: Dot | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One printed line: its text, box, character height, whether all of it is bold, and the width of its first word."""

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    stroke: float
    bold: bool
    first_word: float = 0.0


def read_lines(glyphs: Sequence[Glyph], dots: Sequence[Dot] = ()) -> list[Line]:
    """The lines of one column from top to bottom."""
    rows = _attach(base_rows(glyphs))
    _place_dots(rows, dots)
    lines = (_line(row) for row in sorted(rows, key=lambda r: (r.bottom, r.glyphs[0].x0)))
    return [line for line in lines if line.text]


def is_cjk(char: str) -> bool:
    """Whether the character is written without spaces around it."""
    return _CJK.match(char) is not None


def base_rows(glyphs: Iterable[Glyph]) -> list[Row]:
    """The characters by base line; characters of different height on one base line stay together."""
    rows: list[Row] = []
    for glyph in sorted(glyphs, key=lambda g: g.bottom):
        if rows and glyph.bottom - rows[-1].bottom <= _SAME_ROW * min(glyph.stroke, rows[-1].stroke):
            rows[-1].glyphs.append(glyph)
        else:
            rows.append(Row([glyph], glyph.stroke, glyph.top, glyph.bottom))
    for row in rows:
        inked = [g for g in row.glyphs if g.text != " "] or row.glyphs
        sizes = Counter(round(g.stroke, 1) for g in inked)
        row.stroke = max((size for size, count in sizes.items() if count >= _BASE_SHARE * len(inked)), default=sizes.most_common(1)[0][0])
        row.glyphs.sort(key=lambda g: g.x0)
        usual = [g for g in inked if abs(g.stroke - row.stroke) < 0.2] or inked
        row.top, row.bottom = min(g.top for g in usual), max(g.bottom for g in usual)
    return [row for row in rows if any(g.text != " " for g in row.glyphs)]


def _attach(rows: list[Row]) -> list[Row]:
    """The rows, with runs of smaller characters moved into the row that they are raised or lowered in."""
    for _ in range(2):  # a mark may stand behind another one: C, lowered max, raised b
        for index, row in enumerate(rows):
            near = [o for o in rows[max(0, index - 4) : index + 5] if o is not row and row.stroke < _SMALL * o.stroke and _overlap(row, o) > 0.3]
            if near and row.glyphs:
                _move_runs(row, near)
    return [row for row in rows if any(g.text != " " for g in row.glyphs)]


def _move_runs(row: Row, near: Sequence[Row]) -> None:
    left: list[Glyph] = []
    for run in _runs(row):
        base = max((o for o in near if _touches(run, o)), key=lambda o: _overlap(row, o), default=None)
        if base is None:
            left += run
        else:
            base.attached += [(g, row.bottom < base.bottom - 0.1 * base.stroke) for g in run if g.text != " "]
    row.glyphs = left


def _overlap(small: Row, big: Row) -> float:
    return (min(small.bottom, big.bottom) - max(small.top, big.top)) / max(small.bottom - small.top, 0.1)


def _runs(row: Row) -> list[list[Glyph]]:
    runs: list[list[Glyph]] = []
    for glyph in row.glyphs:
        if runs and glyph.x0 - runs[-1][-1].x1 < 0.5 * row.stroke:
            runs[-1].append(glyph)
        else:
            runs.append([glyph])
    return runs


def _touches(run: list[Glyph], base: Row) -> bool:
    """Whether a run stands directly behind or before a character of the row."""
    start, end = run[0].x0, run[-1].x1
    reach = 0.45 * base.stroke
    return any(g.text != " " and (-reach < start - g.x1 < reach or -0.2 * reach < g.x0 - end < reach) for g in base.glyphs) or any(
        abs(start - g.x1) < reach for g, _ in base.attached
    )


def _place_dots(rows: Sequence[Row], dots: Sequence[Dot]) -> None:
    """Gives each row the nearest dot to its left, at its height."""
    for dot in dots:
        beside = [r for r in rows if r.top <= dot.middle <= r.bottom and 0 <= _first(r).x0 - dot.x1 < 4 * r.stroke]
        if beside:
            row = min(beside, key=lambda r: _first(r).x0 - dot.x1)
            if row.dot is None or row.dot.x0 < dot.x0:
                row.dot = dot


def _first(row: Row) -> Glyph:
    return next(g for g in row.glyphs if g.text != " ")


def _line(row: Row) -> Line:
    height = max(row.stroke, 1.0)
    inline = [(g, g.stroke < 0.8 * height and g.bottom < row.bottom - 0.1 * height) for g in row.glyphs]
    placed = _once(sorted([*inline, *row.attached], key=lambda p: (p[0].x0, p[0].x1)), height)
    inked = [g for g, _ in placed if g.text != " "]
    text, first_word = _written(placed, height)
    if row.dot is not None and not text.startswith(BULLET):
        text = f"{BULLET} {text}"
    lettered = [g for g in inked if g.text.isalnum()]
    bold = bool(lettered) and all(g.bold for g in lettered)
    return Line(text, inked[0].x0, max(g.x1 for g in inked), row.top, row.bottom, height, bold, first_word)


def _once(placed: list[tuple[Glyph, bool]], height: float) -> list[tuple[Glyph, bool]]:
    """The characters without those that are printed a second time at the same place to look bold."""
    out: list[tuple[Glyph, bool]] = []
    near = 0.1 * height
    for glyph, raised in placed:
        twin = any(g.text == glyph.text and abs(g.x0 - glyph.x0) < near and abs(g.bottom - glyph.bottom) < near for g, _ in out[-3:])
        if not twin:
            out.append((glyph, raised))
    return out


def _written(placed: Sequence[tuple[Glyph, bool]], height: float) -> tuple[str, float]:
    """The text of a line, and the width of its first word."""
    text, raised_run = "", ""
    last: Glyph | None = None
    first_word = 0.0
    start = next(g.x0 for g, _ in placed if g.text != " ")
    blank = False
    for glyph, raised in placed:
        if glyph.text == " ":
            blank = True
            continue
        gap = glyph.x0 - last.x1 if last is not None else 0.0
        before = raised_run or text
        apart = bool(before) and last is not None and (_apart(before[-1], glyph.text[0], gap / height, blank) or _is_lowered_number(last, glyph, height))
        if raised_run and (apart or not raised):
            text, raised_run = _with_raised(text, raised_run), ""
        if apart:
            text += " "
            first_word = first_word or (last.x1 - start if last is not None else 0.0)
        if raised:
            raised_run += glyph.text
        else:
            text += glyph.text
        last, blank = glyph, False
    if raised_run:
        text = _with_raised(text, raised_run)
    return text, first_word or (last.x1 - start if last is not None else 0.0)


def _apart(before: str, after: str, gap: float, blank: bool) -> bool:
    """Whether a space stands between two characters, `gap` in heights. A printed blank without room is none."""
    if is_cjk(before) and is_cjk(after):
        return gap > _CJK_SPACE
    if is_cjk(before) or is_cjk(after):
        return gap > (_SPACE if blank else 2 * _SPACE)
    return gap > (0.05 if blank else _SPACE)


def _is_lowered_number(last: Glyph, glyph: Glyph, height: float) -> bool:
    """Whether a lowered digit stands before a digit of the line: together they would read as another number."""
    return last.text.isdigit() and glyph.text.isdigit() and last.stroke < _SMALL * height <= glyph.stroke


def _with_raised(text: str, run: str) -> str:
    """The text with a raised run behind it, by the rule of this module."""
    before = text[-1:]
    if not before.strip() or not any(c.isalnum() for c in run) or _ORDINAL.fullmatch(run):
        return text + run
    if re.fullmatch(r"[+\-−–]?\d{1,2}", run) and _LENGTH.search(text):
        return text + run.translate(_EXPONENTS)
    return f"{text}^{run}" if before.isalnum() or before in ")%" else text + run
