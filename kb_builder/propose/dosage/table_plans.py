"""Plans in tables: one regimen whose phases stand in rows or columns named by weeks or days, or in one cell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.table_cells import Lent, lent_by, read_cell, timing_of
from kb_builder.propose.dosage.table_guards import head_conditions, prose_conditions
from kb_builder.propose.dosage.table_head_rows import grid_of
from kb_builder.propose.dosage.table_headers import Column, column_of
from kb_builder.propose.dosage.table_layout import Layout, counts_products
from kb_builder.propose.dosage.table_schedule import Stretch, follow_on, plan_in_words, plan_of, read_stretch
from kb_builder.propose.dosage.table_words import PART_OF_DAY, ColumnKind, table_words
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from ontology.model.dosing import Phase, Regimen
from ontology.model.guards import Exposure, leaves
from ontology.text.tables import Cell, RowKind, Table

Place = tuple[int, int]

_STEP = re.compile(r"^\W*(?:weeks?|days?|months?|cycles?|step|dose) ?\d", re.IGNORECASE)
_COUNTED = re.compile(r"\d{1,3}(?:\s*(?:-|–|to|and|through)\s*\d{1,3})?(?:\s*(?:\+|and (?:beyond|after|onwards?)|onwards?))?", re.IGNORECASE)
_UNIT = re.compile(r"(?:treatment |study )?(?P<unit>week|day|month)s?(?: (?:number|no\.?|of treatment|of therapy))?(?: ?#)?", re.IGNORECASE)
_SUM = re.compile(r"\btotal daily dos(?:e|age)\b")
"""A column of the day's sum beside the column of the doses that make it up."""
_NONE = re.compile(r"\W*(?:none|no dose|n/?a|not applicable)?\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Plan:
    """A regimen of steps with the cells it is read from, the names of its column, and the conditions these and the cells hold."""

    regimen: Regimen
    cells: tuple[Cell, ...]
    heads: tuple[Cell, ...]
    limits: tuple[Restriction, ...]

    @property
    def place(self) -> Place:
        """The stretch of text from the first to the last step."""
        return min(c.start for c in self.cells), max(c.end for c in self.cells)


def names_steps(table: Table) -> bool:
    """True where rows of a table are named by stretches of treatment."""
    return sum(_stretch(table, c) is not None for c in _names(table)) > 1


def names_only_steps(table: Table) -> bool:
    """True where most rows of a table are named by weeks, days or steps: no row by itself is a rule."""
    names = _names(table)
    return 2 * sum(_STEP.match(c.text) is not None for c in names) >= len(names)


def _stretch(table: Table, cell: Cell) -> Stretch | None:
    """The stretch of treatment that a naming cell is, by the name of its column where it is a number alone ("Week": "2")."""
    found = read_stretch(cell.text)
    if found is not None or not _COUNTED.fullmatch(cell.text.strip()):
        return found
    unit = next((m["unit"] for h in table.column_headers(cell) if (m := _UNIT.fullmatch(h.text.strip())) is not None), None)
    return read_stretch(f"{unit} {cell.text.strip()}") if unit is not None else None


def _names(table: Table) -> list[Cell]:
    return [row[0] for r, row in enumerate(table.rows) if row and table.kinds[r] is RowKind.BODY and row[0].column == 0]


def plans_of_rows(reading: Reading, lexicon: Lexicon, table: Table, lent: Lent) -> list[Plan]:
    """The plans of a table whose rows are the steps; none where a row is no step, a step has no single dose, or columns disagree for no reason."""
    body = [r for r, kind in enumerate(table.kinds) if kind is RowKind.BODY]
    grid = grid_of(table, body)
    stretches = {r: _stretch(table, c) for r in body if (c := grid.get((r, 0))) is not None}
    first = next((r for r in body if stretches.get(r) is not None), None)
    if first is None:
        return []
    heads, rows = [r for r in body if r < first], [r for r in body if r >= first and not (table.rows[r] and table.rows[r][0].colspan == table.width)]
    steps = [s for r in rows if (s := stretches.get(r)) is not None]
    if len(steps) != len(rows) or not follow_on(steps) or (heads and table.heads):
        return []
    plans: list[Plan] = []
    columns = [column_of(table, index, rows, grid, heads) for index in range(1, table.width)]
    if any(c.kind is ColumnKind.REJECT and c.heads for c in columns):
        return []
    parts = [c for c in columns if (meant := table_words().column(c.words)) is not None and meant.id == PART_OF_DAY]
    if parts:
        whole = len(parts) == len(columns) and _halves([[grid.get((r, c.index)) for r in rows] for c in parts])
        columns = [replace(parts[0], kind=ColumnKind.DOSE, heads=())] if whole else []
        lent = replace(lent, frequency=timing_of("twice daily").frequency)
    for column in columns:
        index = column.index
        if len(columns) > 1 and _SUM.search(column.words):
            continue
        if column.bound or counts_products([c for r in rows if (c := grid.get((r, index))) is not None and c.text]):
            continue
        column = replace(column, kind=ColumnKind.DOSE, phase=None, named=column.kind is not ColumnKind.CONDITION)
        plan = _plan(reading, lexicon, steps, [grid.get((r, index)) for r in rows], column, lent)
        if plan is not None:
            plans.append(replace(plan, cells=(*(c for r in rows if (c := grid.get((r, 0))) is not None and c.placed), *plan.cells)))
    return [p for i, p in enumerate(plans) if all(p.regimen != q.regimen for q in plans[:i])] if _apart(plans) else []


def _halves(columns: Sequence[Sequence[Cell | None]]) -> bool:
    """True where the morning's and the evening's dose are the same in each row."""
    return len(columns) == 2 and all(
        a is not None and b is not None and a.text.strip() and a.text.split() == b.text.split() for a, b in zip(*columns, strict=True)
    )


def plan_of_columns(reading: Reading, lexicon: Lexicon, layout: Layout, row: int, lent: Lent) -> Plan | None:
    """The plan of a row of a table whose columns are the steps; columns behind the last dose hold none."""
    columns = layout.of(ColumnKind.STEP)
    cells = [layout.grid.get((row, c.index)) for c in columns]
    while cells and (cells[-1] is None or _NONE.fullmatch(cells[-1].text)):
        cells.pop()
    steps = [s for c in columns[: len(cells)] if (s := read_stretch(c.heads[-1].text)) is not None]
    if not cells or len(steps) != len(cells):
        return None
    heads = tuple(dict.fromkeys(h for c in columns[: len(cells)] for h in c.heads))
    plan = _plan(reading, lexicon, steps, cells, replace(columns[0], heads=heads, kind=ColumnKind.DOSE, phase=None), lent, conditions=False)
    if plan is None:
        return None
    names = [c for i in range(columns[0].index) if (c := layout.grid.get((row, i))) is not None and c.placed and c.rowspan == 1]
    return replace(plan, cells=(*names, *plan.cells))


def plan_of_cell(reading: Reading, lexicon: Lexicon, cell: Cell, column: Column, lent: Lent) -> Plan | None:
    """The plan that one cell spells out, or None."""
    steps = plan_in_words(reading.shadow.text[cell.start : cell.end])
    if steps is None:
        return None
    parts = [
        replace(cell, text=reading.shadow.text[start:end], start=start, end=end, pieces=((start, end),))
        for start, end in ((cell.start + a, cell.start + b) for _, a, b in steps)
    ]
    plan = _plan(reading, lexicon, [s for s, _, _ in steps], parts, column, lent, conditions=False)
    return None if plan is None else replace(plan, cells=(cell,))


def _plan(
    reading: Reading, lexicon: Lexicon, steps: Sequence[Stretch], cells: Sequence[Cell | None], column: Column, lent: Lent, *, conditions: bool = True
) -> Plan | None:
    placed = [c for c in cells if c is not None and c.placed and c.text]
    if len(placed) != len(cells):
        return None
    near = lent_by(*(h.text for h in column.heads))
    lent = replace(lent, frequency=near.frequency or lent.frequency, daily=near.daily or lent.daily, phase=None)
    phases: list[tuple[Stretch, Phase]] = []
    limits: list[Restriction] = list(head_conditions(reading, lexicon, column)) if conditions else []
    for step, cell in zip(steps, placed, strict=True):
        found = read_cell(reading.shadow.text, cell, column, lent, reading.things_in(cell.start, cell.end))
        regimens = [d.payload for d in found if isinstance(d.payload, Regimen)]
        if len(regimens) != 1 or len(regimens[0].phases) != 1 or regimens[0].phases[0].increment or found[0].label or found[0].former:
            return None
        told = prose_conditions(reading, lexicon, (cell.start, cell.end))
        if told and cell is not placed[-1] and not all(isinstance(leaf, Exposure) for r in told for leaf in leaves(r.guard)):
            return None
        limits += [r for r in told if all(r.guard != o.guard for o in limits)]
        phases.append((step, regimens[0].phases[0]))
    return Plan(plan_of(phases), tuple(dict.fromkeys(placed)), column.heads, tuple(limits))


def _apart(plans: Sequence[Plan]) -> bool:
    """True where plans that differ are for different patients."""
    return all(a.regimen == b.regimen or {repr(r.guard) for r in a.limits} != {repr(r.guard) for r in b.limits} for a in plans for b in plans)
