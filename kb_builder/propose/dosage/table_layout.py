"""The layout of a dosing table: what its columns hold when their cells are seen too, and which rows hold values.

Tables whose markup names no columns are read too where their first rows do: rows of words over rows of numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from kb_builder.propose.dosage.table_cells import timing_of
from kb_builder.propose.dosage.table_doses import doses_in, paragraphs_of
from kb_builder.propose.dosage.table_head_rows import grid_of, head_rows, is_dose, second_heads, titles_of
from kb_builder.propose.dosage.table_headers import STEPS, Column, column_of, is_number
from kb_builder.propose.dosage.table_schedule import follow_on, read_stretch
from kb_builder.propose.dosage.table_spreads import without_spreads
from kb_builder.propose.dosage.table_words import ColumnKind, table_words
from ontology.model.dosing import PhaseKind
from ontology.text.tables import Cell, RowKind, Table

_STARTS = re.compile(r"^(?:recommended |initial )*(?:starting|loading|induction|initial) (?:dos(?:e|age)s?|regimen)", re.IGNORECASE)
_SO_FAR = re.compile(r"^(?:if )?(?:current(?:ly)?|last|previous)\b(?: \w+){0,3} dos(?:e|age)\b|^(?:current|previous) dos(?:e|age)\b")
"""The name of a column of doses that are changed for the reason that the columns beside it name."""
_RUNG = re.compile(r"\breduc|\blevel\b", re.IGNORECASE)
_NTH_REDUCTION = re.compile(r"\b(?:first|second|third|fourth|fifth|[1-5] ?(?:st|nd|rd|th))\s*(?:dos(?:e|age|ing) )?reduc")
_ADJUSTMENT = re.compile(
    r"(?:recommended )?(?:dose|dosage) adjustments?(?: (?:for|of|to|in) (?:the )?(?!patients\b|adults\b|children\b)[\w®-]+(?: [\w®-]+)?)?", re.IGNORECASE
)
_ADJUSTED_FOR = re.compile(
    r"\b(?:impairment|insufficiency|renal|hepatic|kidney|liver|clearance|crcl|clcr|e?gfr|child-pugh|genotype|metaboli[sz]er|inhibitors?|inducers?|concomitant|co-?administered)\b",
    re.IGNORECASE,
)
"""Columns beside which adjustments are doses for those patients, not steps of titration."""
_VOLUME = re.compile(r"\bvol\w*|\bnumber of\b|\bml\b", re.IGNORECASE)
_COUNT = re.compile(
    r"^\d+ ?[x×] ?\d|^(?:an?|one|two|three|four|five|six|seven|eight|\d+|½|\d/\d)\s+(?:[\d.]+[- ]?m?c?g\s+)?(?:\w+ ){0,2}(?:tablets?|capsules?|packets?|pellets?|vials?|syringes?|pens?|sachets?|bottles?)\b",
    re.IGNORECASE,
)
_MAY_HOLD = (ColumnKind.CONDITION, ColumnKind.INDICATION, ColumnKind.SKIP, ColumnKind.FORMULATION, ColumnKind.FREQUENCY)
_APART = re.compile(r"\d|\b(?:first|second|third|fourth|adults?|pediatric|children|infants|neonates|mild|moderate|severe)\b", re.IGNORECASE)
_SO_OFTEN = re.compile(r"\b(?:once|twice|\w+ times) (?:a|per) day\b")
_TOTAL = re.compile(r"\btotal daily dos(?:e|age)\b")
"""A column of the day's sum beside columns of the doses that make it up."""
_PEOPLE = re.compile(r"\b(?:adults?|children|pediatric|infants|adolescents|patients|kg)\b")
_GOES_ON = re.compile(r"\s*(?:then|followed|thereafter|after|subsequent)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d[\d.,]*")
_LINE = 100_000  # numbers of rows that stand for a line of a row
_MOST = 0.7  # share of a column's filled cells that must be doses where its name does not say so
_ADVICE_WORDS = re.compile(
    r"^(?:-+|—|n/?a|none|not applicable|not recommended|avoid|contraindicated|(?:permanently )?(?:discontinue|stop|interrupt|withhold)|use of [^.]{3,80} (?:is|are) not recommended|do not (?:use|give)|ask an? (?:doctor|physician)|consult (?:an? |your )?(?:doctor|physician))\b|^\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a table that is read, the rows that hold values, and what each cell of them covers.

    `banners` are cells as wide as the table that stand among the rows: each says of whom the rows below it speak.
    """

    columns: tuple[Column, ...]
    rows: tuple[int, ...]
    grid: dict[tuple[int, int], Cell]
    banners: tuple[Cell, ...] = ()
    real: dict[int, int] = field(default_factory=dict)

    def printed(self, row: int) -> int:
        """The row of the table that a row of the layout stands in: several where the cells of one row hold lines of several."""
        return self.real.get(row, row)

    def banner(self, row: int) -> Cell | None:
        """The banner over a row, or None."""
        return next((cell for cell in reversed(self.banners) if cell.row < self.printed(row)), None)

    def of(self, *kinds: ColumnKind) -> tuple[Column, ...]:
        """The columns of some kinds."""
        return tuple(c for c in self.columns if c.kind in kinds)


def read_layout(table: Table, text: str) -> Layout | None:
    """The layout of a dosing table; None where the names of its columns do not show that it is one."""
    body = [r for r, kind in enumerate(table.kinds) if kind is RowKind.BODY]
    grid = grid_of(table, body)
    titles = titles_of(table)
    heads = second_heads(table, body, grid, text) if table.heads and not titles else head_rows(table, body, grid, text)
    if not body[heads:] or table.width < 2:
        return None
    among = tuple(c for r in body[heads:] for c in table.rows[r] if c.text and c.colspan == table.width)
    banners, wide = (*titles, *among), {c.row for c in among}
    rows = tuple(r for r in body[heads:] if r not in wide and (any(c.text for c in table.rows[r]) or any((r, i) in grid for i in range(table.width))))
    columns = [column_of(table, index, rows, grid, body[:heads]) for index in range(table.width)]
    if titles and not heads:
        columns = [Column(c.index, ColumnKind.CONDITION, (), "", named=False) for c in columns]
    columns = _settled(_steps(columns), rows, grid, text, table.caption.text if table.caption is not None else "")
    kinds = {ColumnKind.DOSE if c.kind is ColumnKind.STEP else c.kind for c in columns}
    plan = all(c.kind is ColumnKind.STEP for c in columns) or (
        kinds.isdisjoint(_MAY_HOLD[:2])
        and len(columns_of_doses := [c for c in columns if c.kind is ColumnKind.DOSE]) > 1
        and len(rows) <= 2
        and all(c.phase for c in columns_of_doses)
    )
    if ColumnKind.REJECT in kinds or ColumnKind.DOSE not in kinds or not (plan or kinds & {ColumnKind.CONDITION, ColumnKind.INDICATION, ColumnKind.DRUG}):
        return None
    return _by_lines(Layout(tuple(columns), rows, grid, banners), text)


def _steps(columns: list[Column]) -> list[Column]:
    """The columns with those named by stretches of treatment that follow one another as steps of plans, where no other column is rejected."""
    stretches = {c.index: s for c in columns if c.heads and (s := read_stretch(c.heads[-1].text)) is not None and s.first is not None}
    if not follow_on(list(stretches.values())):
        return columns
    return [replace(c, kind=ColumnKind.STEP) if c.index in stretches else c for c in columns]


def _by_lines(layout: Layout, text: str) -> Layout:
    """The layout with each row whose naming cell and doses have equally many paragraphs as so many rows, where each paragraph names a band, a rung or people."""
    rows: list[int] = []
    grid, real = dict(layout.grid), dict(layout.real)
    for row in layout.rows:
        name = grid.get((row, layout.columns[0].index))
        lines = paragraphs_of(text, name) if name is not None and name.placed else []
        cells = {c.index: cell for c in layout.columns if (cell := grid.get((row, c.index))) is not None and cell.placed}
        parts = {i: paragraphs_of(text, cell) for i, cell in cells.items()}
        doses = [parts[c.index] for c in layout.of(ColumnKind.DOSE) if c.index in parts]
        if (
            len(lines) < 2
            or name is None
            or name.rowspan > 1
            or not doses
            or not all(_APART.search(text[slice(*line)]) for line in lines)
            or any(_GOES_ON.match(text[slice(*p)]) for d in doses for p in d)
            or any(len(d) != len(lines) or not all(doses_in(text, *p) for p in d) for d in doses)
        ):
            rows.append(row)
            continue
        for n in range(len(lines)):
            line = _LINE + len(real)
            rows.append(line)
            real[line] = row
            for i, cell in cells.items():
                place = parts[i][n] if len(parts[i]) == len(lines) else (cell.start, cell.end)
                grid[line, i] = replace(cell, text=text[slice(*place)], start=place[0], end=place[1], pieces=(place,))
    return replace(layout, rows=tuple(rows), grid=grid, real=real)


def _settled(columns: list[Column], rows: Sequence[int], grid: dict[tuple[int, int], Cell], text: str, title: str = "") -> list[Column]:
    """The columns with those that hold doses although their name is another thing's."""
    out: list[Column] = []
    adjusts = any(_ADJUSTED_FOR.search(words) for words in (*(c.words for c in columns), title))
    for column in columns:
        if adjusts and _ADJUSTMENT.fullmatch(column.words):
            column = replace(column, kind=ColumnKind.DOSE, phase=PhaseKind.ADJUSTED)
        if not column.named and column.index > 0 and counts_products(_filled_in(grid, rows, column.index)):
            column = replace(column, kind=ColumnKind.SKIP)
        frequency = column.kind is ColumnKind.FREQUENCY
        if column.kind in _MAY_HOLD and column.index > 0 and not _says_other(column):
            cells = _filled_in(grid, rows, column.index)
            holding = sum(is_dose(c, text) for c in cells)
            if holding and holding >= _MOST * sum(1 for c in cells if not _ADVICE_WORDS.match(c.text)):
                phase = table_words().phase(column.words)
                bound = table_words().bound.search(column.words) is not None
                column = Column(
                    column.index,
                    ColumnKind.DOSE,
                    column.heads,
                    column.words,
                    column.axis,
                    phase,
                    bound,
                    named=frequency or not table_words().tells(column.words),
                )
        out.append(column)
    out = _steps_first(_rungs(out), rows, grid, text)
    out = without_spreads(_timings(out, rows, grid))
    doses = [c for c in out if c.kind is ColumnKind.DOSE]
    if len({c.words for c in doses}) < len(doses):
        out = [replace(c, kind=ColumnKind.REJECT) for c in out]
    if any(_SO_OFTEN.search(c.words) for c in doses):
        out = [replace(c, kind=ColumnKind.SKIP) if c in doses and _TOTAL.search(c.words) and not _SO_OFTEN.search(c.words) else c for c in out]
        doses = [c for c in out if c.kind is ColumnKind.DOSE]
    if any(not _VOLUME.search(c.words) and any(is_dose(cell, text) or is_number(cell.text) for cell in _filled_in(grid, rows, c.index)) for c in doses):
        out = [replace(c, kind=ColumnKind.SKIP) if c in doses and _VOLUME.search(c.words) else c for c in out]
    first, *others = out
    doses_so_far = all(is_dose(c, text) for c in _filled_in(grid, rows, first.index))
    if (
        first.kind is ColumnKind.REJECT
        and _SO_FAR.match(first.words)
        and others
        and all(c.kind is ColumnKind.DOSE and (_ADJUSTED_FOR.search(c.words) or (_ADJUSTED_FOR.search(title) and doses_so_far)) for c in others)
    ):
        return [replace(first, kind=ColumnKind.CONDITION), *(replace(c, phase=PhaseKind.ADJUSTED) for c in others)]
    after = [c for c in others if c.kind is ColumnKind.DOSE]
    if _STARTS.match(first.words) and after and all(not c.named and _ADJUSTED_FOR.search(c.words) for c in after):
        return [replace(first, kind=ColumnKind.CONDITION, phase=None), *(replace(c, phase=PhaseKind.ADJUSTED) if c in after else c for c in others)]
    names = _filled_in(grid, rows, first.index)
    starts = _STARTS.match(first.words) and 2 * sum(is_dose(c, text) for c in names) >= len(names)
    if starts and after and not any(_RUNG.search(c.words) for c in after):
        return [replace(first, kind=ColumnKind.DOSE, phase=table_words().phase(first.words)), *others]
    if first.kind is ColumnKind.DOSE and any(c.kind is ColumnKind.DOSE for c in others):
        out[0] = replace(first, kind=ColumnKind.CONDITION, phase=None, bound=False, named=False)
    return out


def _timings(columns: list[Column], rows: Sequence[int], grid: dict[tuple[int, int], Cell]) -> list[Column]:
    """The columns with those named as doses that say only how often as columns of that ("Dose Regimen": "BID or TID")."""
    said = {c.index: _filled_in(grid, rows, c.index) for c in columns if c.kind is ColumnKind.DOSE and c.index > 0}
    often = [i for i, cells in said.items() if cells and all(not re.search(r"\d", c.text) and timing_of(c.text).frequency is not None for c in cells)]
    return [replace(c, kind=ColumnKind.FREQUENCY) if c.index in often else c for c in columns]


def _rungs(columns: list[Column]) -> list[Column]:
    """The columns with all that are named alike, as rungs of one ladder or by numbers, as doses where one of them is: a rung may hold "stop" alone."""
    rungs = [c for c in columns if c.index > 0 and _NTH_REDUCTION.search(c.words) and not (c.heads and _skipped(c.heads[-1].text))]
    if any(c.kind is ColumnKind.DOSE for c in rungs):
        columns = [replace(c, kind=ColumnKind.DOSE, phase=PhaseKind.ADJUSTED, named=False) if c in rungs else c for c in columns]
    shapes = {_NUMBER.sub("#", c.words) for c in columns if c.index > 0 and c.kind is ColumnKind.DOSE and _NUMBER.search(c.words)}
    alike = [c for c in columns if c.index > 0 and c.kind is ColumnKind.CONDITION and not c.named and _NUMBER.sub("#", c.words) in shapes]
    return [replace(c, kind=ColumnKind.DOSE, phase=PhaseKind.ADJUSTED) if c in alike else c for c in columns]


def _steps_first(columns: list[Column], rows: Sequence[int], grid: dict[tuple[int, int], Cell], text: str) -> list[Column]:
    """The columns with a first one of steps as what its rows are, and with those named by people beside doses of other people as doses too."""
    first, *others = columns
    if first.kind is ColumnKind.SKIP and _says_steps(first) and not any(is_dose(c, text) for c in _filled_in(grid, rows, 0)):
        first = replace(first, kind=ColumnKind.CONDITION)
    if any(c.kind is ColumnKind.DOSE and not c.named for c in others):
        cells = {c.index: _filled_in(grid, rows, c.index) for c in others if c.kind is ColumnKind.CONDITION and not c.named and _PEOPLE.search(c.words)}
        halves = {i for i, filled in cells.items() if filled and 2 * sum(is_dose(c, text) for c in filled) >= len(filled)}
        others = [replace(c, kind=ColumnKind.DOSE) if c.index in halves else c for c in others]
    return [first, *others]


def _skipped(name: str) -> bool:
    """True for a name of a column that the data skips."""
    row = table_words().column(name.lower())
    return row is not None and row.kind is ColumnKind.SKIP


def _says_steps(column: Column) -> bool:
    row = table_words().column(column.words)
    return row is not None and row.id == STEPS


def _filled_in(grid: dict[tuple[int, int], Cell], rows: Iterable[int], index: int) -> list[Cell]:
    """The cells with words of a column, each once."""
    return list({id(c): c for r in rows if (c := grid.get((r, index))) is not None and c.text}.values())


def counts_products(cells: Sequence[Cell]) -> bool:
    """True for a column that says how many tablets or packets make up the dose that another column states."""
    counts = sum(_COUNT.match(c.text) is not None for c in cells)
    return counts > 0 and counts >= _MOST * len([c for c in cells if not _ADVICE_WORDS.match(c.text)])


def _says_other(column: Column) -> bool:
    """True for a column that the data skips by name: its amounts are no doses."""
    row = table_words().column(column.words) if column.words else None
    return row is not None and row.kind is ColumnKind.SKIP
