"""What the rows and columns of a grid are: names of columns, values, headings over rows, footnotes, the caption; and which columns name rows.

The markup's own word (`<thead>`, `<th>`, `<tfoot>`) comes first; where all cells are alike, bold type and the contrast of words over numbers decide.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass

from ontology.text.tables.grid import Grid, GridCell
from ontology.text.tables.markup import Part
from ontology.text.tables.model import RowKind

CAPTION_START = re.compile(
    r"(?:(?:table|tab\.|exhibit)\s*(?:\d{1,3}|[A-Z]\b|[IVX]{1,5}\b)|[附续]?表\s*\d{0,3}[\s.::、]|表\s*[一二三四五六七八九十]+)", re.IGNORECASE
)
NOTE_START = re.compile(r"\s*(?:[*†‡§¶‖#]+|\(?[a-z1-9]\)?[.:=)]?\s+(?=[\"A-Z<>≤≥])|(?:foot)?notes?\s*[:.]|abbreviations?\b|[注註]\s*[::\d])", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_NUMBER_ONLY = re.compile(r"[\s\d.,%()<>≤≥±=/+-]*\d[\s\d.,%()<>≤≥±=/+-]*")
_SENTENCE = re.compile(r"[.;。;]\s*$|[.;]\s+[A-Z]")
_NAMING = re.compile(
    r"\b(?:drugs?|agents?|medications?|class(?:es)?|dos(?:e|es|age|ages|ing)|indications?|population|patients?|age|weight|recommend\w*|recommended|regimen|route|frequency|duration|effects?|impact|"
    r"intervention|management|comments?|rationale|examples?|mechanism|adjustments?|modifications?|reactions?|toxicity|severity|grade|clearance|function|impairment|concomitant|parameter|system|"
    r"organ|strength|volume|rate|interval|interaction|substances?|inhibitors?|inducers?|action|time|category|infection|organism|description|instructions?)\b|"
    r"(?:药物|药品|剂量|用量|用法|适应症|体重|年龄|建议|处理|影响|机制|给药|途径|频率|肾功能|肌酐清除率|患者|人群|不良反应|分级|措施|备注|说明|名称|类别|后果|疗程)",
    re.IGNORECASE,
)
MAX_HEADING = 200
"""Characters of a heading over rows; a longer single cell is text."""
MAX_NAME_WORDS = 16
"""Words of a column's name where only its content tells."""
MAX_HEAD_ROWS = 6


@dataclass(frozen=True, slots=True)
class Roles:
    """The kind of each row, and the number of leading columns that name rows."""

    kinds: tuple[RowKind, ...]
    stubs: int


def assign_roles(grid: Grid) -> Roles:
    """The roles of a grid's rows and columns."""
    kinds = [_first_guess(grid, row) for row in range(len(grid.rows))]
    if RowKind.HEAD in kinds and all(k in (RowKind.HEAD, RowKind.NOTES) for k in kinds) and len(kinds) > MAX_HEAD_ROWS:
        kinds = [RowKind.BODY if k is RowKind.HEAD else k for k in kinds]
    _mark_top(grid, kinds)
    _mark_notes(grid, kinds)
    _mark_middle(grid, kinds)
    _mark_groups(grid, kinds)
    return Roles(tuple(kinds), _stubs(grid, kinds))


def _first_guess(grid: Grid, row: int) -> RowKind:
    part = grid.parts[row]
    if part is Part.FOOT:
        return RowKind.NOTES
    alone = _alone(grid, row)
    if part is Part.HEAD:
        return RowKind.CAPTION if alone is not None and CAPTION_START.match(alone.words) and grid.width > 1 else RowKind.HEAD
    return RowKind.BODY


def _mark_top(grid: Grid, kinds: list[RowKind]) -> None:
    """The caption and the names of the columns above the first row of values."""
    row = 0
    while row < len(kinds) and kinds[row] is not RowKind.BODY:
        row += 1
    while row < len(kinds) and (alone := _alone(grid, row)) is not None and kinds[row] is RowKind.BODY:
        if not CAPTION_START.match(alone.words) or len(kinds) == 1:
            break
        kinds[row] = RowKind.CAPTION
        row += 1
    if row >= len(kinds):
        return
    if RowKind.HEAD in kinds[:row]:
        _mark_below(grid, kinds, row)
        return
    for at in range(row, min(row + 3, len(kinds) - 1)):
        if kinds[at] is not RowKind.BODY or (_alone(grid, at) is None and not _names_columns(grid, kinds, at)):
            return
        if _alone(grid, at) is None or grid.width == 1:
            if grid.width == 1 and not all(c.marked.header for c in grid.rows[at]):
                return
            kinds[at] = RowKind.HEAD
            for title in range(row, at):
                if any(c.words and c.colspan > 1 for c in grid.rows[title]):
                    kinds[title] = RowKind.HEAD
            for below in range(at + 1, min(at + max(c.rowspan for c in grid.rows[at]), len(kinds) - 1)):
                kinds[below] = RowKind.HEAD
            while at + 1 < len(kinds) and kinds[at + 1] is RowKind.HEAD:
                at += 1
            _mark_below(grid, kinds, at + 1)
            return


def _mark_below(grid: Grid, kinds: list[RowKind], row: int) -> None:
    """A further row of names below a header cell that covers several columns."""
    for at in range(row, min(row + 3, len(kinds) - 1)):
        over = [c for c in grid.rows[at - 1] if c.words and 1 < c.colspan < grid.width] if at else []
        words = _words(grid, at)
        if not over or kinds[at] is not RowKind.BODY or _alone(grid, at) is not None or len(words) < 2:
            return
        if not (all(c.bold or c.marked.header for c in words) or not any(_NUMBER_ONLY.fullmatch(c.words) or _DIGIT.search(c.words) for c in words)):
            return
        if any(_SENTENCE.search(c.words) for c in words) or not _numbers_below(grid, kinds, at, words):
            return
        kinds[at] = RowKind.HEAD


def _names_columns(grid: Grid, kinds: list[RowKind], row: int) -> bool:
    """True when a row names columns by its type or its words."""
    words = _words(grid, row)
    if len(words) < 2 or any(_NUMBER_ONLY.fullmatch(c.words) for c in words):
        return False
    if all(c.marked.header for c in words):
        return True
    below = [r for r in range(row + 1, len(kinds)) if kinds[r] is RowKind.BODY and _alone(grid, r) is None]
    if not below:
        return False
    if all(c.bold for c in words) and sum(_all_bold(grid, r) for r in below) * 2 <= len(below):
        return True
    if any(len(c.words.split()) > MAX_NAME_WORDS or len(c.words) > MAX_HEADING or _SENTENCE.search(c.words) for c in words):
        return False
    if sum(bool(_NAMING.search(c.words)) for c in words) == len(words) and not any(_DIGIT.search(c.words) for c in words):
        return True
    return _numbers_below(grid, kinds, row, [c for c in words if c.column > 0])


def _numbers_below(grid: Grid, kinds: list[RowKind], row: int, words: list[GridCell]) -> bool:
    """True when under a cell without digits most values have some."""
    names = {c.column for c in words if not _DIGIT.search(c.words)}
    under: Counter[int] = Counter()
    numbers: Counter[int] = Counter()
    for cell in (c for r in range(row + 1, len(kinds)) if kinds[r] is RowKind.BODY for c in grid.rows[r] if c.words and c.column in names):
        under[cell.column] += 1
        numbers[cell.column] += _DIGIT.search(cell.words) is not None
    return any(numbers[column] * 5 >= count * 3 for column, count in under.items())


def _mark_notes(grid: Grid, kinds: list[RowKind]) -> None:
    """Footnotes in the last rows, each a single cell."""
    for row in range(len(kinds) - 1, 0, -1):
        if kinds[row] is RowKind.NOTES or not _words(grid, row):
            continue
        alone = _alone(grid, row)
        if kinds[row] is not RowKind.BODY or alone is None or grid.width == 1 or not _is_note(alone):
            return
        kinds[row] = RowKind.NOTES


def _is_note(cell: GridCell) -> bool:
    return NOTE_START.match(cell.words) is not None or len(cell.words) > MAX_HEADING


def _mark_middle(grid: Grid, kinds: list[RowKind]) -> None:
    """Rows of header cells inside the body, which name the columns anew."""
    body = [r for r, k in enumerate(kinds) if k is RowKind.BODY]
    if not body:
        return
    bold = {r for r in body if len(_words(grid, r)) > 1 and _all_bold(grid, r) and not any(_NUMBER_ONLY.fullmatch(c.words) for c in _words(grid, r))}
    few = len(bold) * 3 <= len(body)
    for row in body:
        words = _words(grid, row)
        if len(words) < 2 or row + 1 >= len(kinds) or kinds[row + 1] is not RowKind.BODY or grid.above[row]:
            continue
        if all(c.marked.header for c in words) or (few and row in bold and row + 1 not in bold and RowKind.HEAD in kinds):
            kinds[row] = RowKind.HEAD


def _mark_groups(grid: Grid, kinds: list[RowKind]) -> None:
    """Headings over the rows below them: the only words of their row."""
    body = [r for r, k in enumerate(kinds) if k is RowKind.BODY]
    alone = {r: c for r in body if (c := _alone(grid, r)) is not None and _heads_rows(grid, c) and len(c.words) <= MAX_HEADING}
    if grid.width < 2 or len(alone) * 3 > len(body) * 2:
        return
    full = [r for r in body if r not in alone]
    ruled = sum(_is_ruled(grid, r) for r in full) * 2 >= len(full)
    for row, cell in alone.items():
        if not any(r > row for r in body) or (cell.colspan == 1 and _is_drawn_together(grid, row, ruled, row - 1 in full)):
            continue
        kinds[row] = RowKind.GROUP


def _heads_rows(grid: Grid, cell: GridCell) -> bool:
    """True for a cell in the first column, and for one that covers all columns of values."""
    return cell.column == 0 or (cell.column == 1 and cell.column + cell.colspan == grid.width and (cell.colspan > 1 or cell.bold))


def _is_drawn_together(grid: Grid, row: int, ruled: bool, follows: bool) -> bool:
    """True when rules show that a row without values shares those of a neighbour: no rule under its empty cells, or none under the row above it."""
    here = grid.rows[row]
    if here[0].marked.ruled and len(here) > 1 and not any(c.marked.ruled for c in here[1:]):
        return True
    return ruled and follows and not _is_ruled(grid, row - 1)


def _is_ruled(grid: Grid, row: int) -> bool:
    return any(c.marked.ruled for c in grid.rows[row])


def _stubs(grid: Grid, kinds: list[RowKind]) -> int:
    """The leading columns that name rows: the first, those of header cells, and a column that divides a cell which covers several rows."""
    body = [grid.rows[r] for r, k in enumerate(kinds) if k is RowKind.BODY]
    if grid.width < 2 or not body:
        return 0
    stubs = 1
    for column in range(1, grid.width - 1):
        here = [c for row in body for c in row if c.column == column and c.words]
        headed = bool(here) and sum(c.marked.header for c in here) * 2 > len(here)
        if not headed and not _divides(here, [c for row in body for c in row if c.column == column - 1 and c.rowspan > 1 and c.words]):
            break
        stubs = column + 1
    return stubs


def _divides(cells: list[GridCell], wide: list[GridCell]) -> bool:
    """True when some cell that covers several rows has two cells or more beside it."""
    begins = sorted(c.row for c in cells)
    return any(bisect_left(begins, w.row + w.rowspan) - bisect_left(begins, w.row) > 1 for w in wide)


def _words(grid: Grid, row: int) -> list[GridCell]:
    return [c for c in grid.rows[row] if c.words]


def _alone(grid: Grid, row: int) -> GridCell | None:
    """The only cell with words of a row into which no cell with words reaches from above."""
    words = _words(grid, row)
    return words[0] if len(words) == 1 and not any(c.words for c in grid.above[row]) else None


def _all_bold(grid: Grid, row: int) -> bool:
    words = _words(grid, row)
    return bool(words) and all(c.bold for c in words)
