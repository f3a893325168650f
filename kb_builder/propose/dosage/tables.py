"""Dose rules, ceilings and advice from tables: each cell of a column of doses with all that its row, its columns and its caption say.

A table whose columns are not all known gives nothing: one misread heading would make as many false claims as the table has cells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from kb_builder.propose.conditions.restrictions import Restriction, joined
from kb_builder.propose.dosage.standing import EVERYONE, Scopes, Standing
from kb_builder.propose.dosage.table_beside import is_partners, partner_of
from kb_builder.propose.dosage.table_cells import CellDose, Lent, cell_action, lent_by
from kb_builder.propose.dosage.table_closed import read_closed_cell
from kb_builder.propose.dosage.table_guards import FORM, head_conditions, note_conditions
from kb_builder.propose.dosage.table_headers import Column, routes_of
from kb_builder.propose.dosage.table_ladders import ladder_drafts
from kb_builder.propose.dosage.table_layout import Layout, read_layout
from kb_builder.propose.dosage.table_note_doses import note_drafts
from kb_builder.propose.dosage.table_plans import Plan, names_only_steps, names_steps, plan_of_cell, plan_of_columns, plans_of_rows
from kb_builder.propose.dosage.table_roles import both_beside_either
from kb_builder.propose.dosage.table_rows import RowReader, RowScope
from kb_builder.propose.dosage.table_spreads import read_spread, spreads_of
from kb_builder.propose.dosage.table_stretches import gaps_of
from kb_builder.propose.dosage.table_timing import Usual, once_daily, timed, timings_apart
from kb_builder.propose.dosage.table_told import CellReader
from kb_builder.propose.dosage.table_turned import turned
from kb_builder.propose.dosage.table_uses import with_uses
from kb_builder.propose.dosage.table_wider import consistent, without_wider
from kb_builder.propose.dosage.table_words import ColumnKind, table_words
from kb_builder.propose.dosage.words import dosage_words
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Target
from ontology.model.advice import Action, Step
from ontology.model.claims import Polarity
from ontology.model.dosing import Regimen
from ontology.model.entities import EntityType
from ontology.model.facts import Axis
from ontology.model.guards import Category, Interval, Opaque, leaves
from ontology.model.identifiers import EntityId
from ontology.model.spans import SpanRole
from ontology.text.sections import Zone, split_parts
from ontology.text.tables import Cell, RowKind, Table

Place = tuple[int, int]

_SILENT = frozenset({"technique", "missed", "conversion", "stopping", "monitoring", "premedication"})
_DOSES = re.compile(r"\b(?:dos(?:e|es|age|ages|ing)|regimens?)\b")
"""What the caption of a table says that is about doses whatever heading it stands under."""
_LONGEST_ROW = 420
_WHOM = re.compile(r"patients|adult|pediatric|renal|hepatic|children|weigh|years", re.IGNORECASE)
_ADVICE_AXES: tuple[tuple[str, frozenset[Axis]], ...] = (
    ("renal", frozenset({Axis.RENAL, Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR, Axis.SCR, Axis.DIALYSIS})),
    ("hepatic", frozenset({Axis.HEPATIC, Axis.CHILD_PUGH})),
    ("genotype", frozenset({Axis.GENOTYPE})),
    ("pregnancy", frozenset({Axis.PREGNANCY})),
    ("lactation", frozenset({Axis.LACTATION})),
)


def table_drafts(reading: Reading, scopes: Scopes, lexicon: Lexicon, indications: str = "") -> Iterator[Draft]:
    """The drafts of a section's tables. `indications` is the label's text on indications in lower case, as for `scopes_of`."""
    drafts: list[Draft] = []
    summaries = [(p.start, p.end) for p in split_parts(reading.shadow.text, reading.blank) if p.zone is Zone.HIGHLIGHTS]
    usual = once_daily(reading) if reading.tables.placed else None
    for table in reading.tables.placed:
        if table.nested or not table.lines:
            continue
        standing = _outside(scopes.at(table.start), table, reading.tables.placed)
        found = both_beside_either(list(_Table(reading, standing, lexicon, indications, table, usual).drafts()))
        brief = reading.section.repeats is not None or any(s <= table.start < e for s, e in summaries)
        drafts += [replace(d, highlight=True) for d in found] if brief else found
    full = {_key(d) for d in drafts if not d.highlight}
    seen: set[object] = set()
    for draft in drafts:
        key = (_key(draft), draft.target.id, repr(joined(draft.limits)))
        if key in seen or (draft.highlight and _key(draft) in full):
            continue
        seen.add(key)
        yield draft


def _outside(standing: Standing, table: Table, tables: Sequence[Table]) -> Standing:
    """What stands over a table but for the captions and cells of other tables."""
    places = [p for t in tables if t is not table for p in ((t.start, t.end), *([(t.caption.start, t.caption.end)] if t.caption is not None else []))]
    kept = tuple(r for r in standing.conditions if not any(start <= r.start < end for start, end in places))
    return standing if len(kept) == len(standing.conditions) else replace(standing, conditions=kept)


def _key(draft: Draft) -> str:
    return repr((draft.predicate, draft.payload, draft.steps if draft.payload is None else ()))


class _Table:
    """Reads one table."""

    def __init__(self, reading: Reading, standing: Standing, lexicon: Lexicon, indications: str, table: Table, usual: Usual | None) -> None:
        self._reading = reading
        self._text = reading.shadow.text
        self._standing = standing
        self._lexicon = lexicon
        self._indications = indications
        self._table = turned(table)
        self._usual = usual
        self._cells = CellReader(reading, lexicon)

    def drafts(self) -> Iterator[Draft]:
        caption = self._table.caption
        title = caption.text.lower() if caption is not None else ""
        if (self._standing.topic in _SILENT and not _DOSES.search(title)) or table_words().told_elsewhere(title):
            return
        if caption is not None and caption.end <= caption.start and _WHOM.search(title):
            return
        rows = RowReader(self._reading, self._standing, self._lexicon, self._indications, self._table, self._usual)
        if names_steps(self._table):
            base = rows.caption()
            plans = plans_of_rows(self._reading, self._lexicon, self._table, base.lent)
            for plan in plans:
                yield from self._plan(plan, base)
            if plans:
                return
        if names_only_steps(self._table):
            return
        layout = read_layout(self._table, self._text)
        if layout is None:
            return
        layout = with_uses(self._reading, self._lexicon, layout, self._indications)
        base = rows.caption()
        yield from ladder_drafts(self._reading, self._table, base)
        heads = self._heads(layout)
        for row in layout.rows:
            scope = rows.row(layout, row, base)
            if scope is not None:
                steps = plan_of_columns(self._reading, self._lexicon, layout, row, scope.lent) if layout.of(ColumnKind.STEP) else None
                yield from self._plan(steps, scope) if steps is not None else ()
                yield from self._doses(layout, row, scope, heads)

    def _plan(self, plan: Plan, scope: RowScope) -> Iterator[Draft]:
        """The steps of a plan as one rule."""
        limits = (*without_wider(plan.limits, scope.conditions), *plan.limits)
        whom = consistent(limits)
        if whom is None:
            return
        for target in scope.indications or (EVERYONE,):
            yield Draft(
                reading=self._reading,
                predicate="has_dose_rule",
                target=target,
                place=plan.place,
                statement=plan.place,
                limits=_distinct(whom),
                payload=plan.regimen,
                cited=(*scope.cited, *(((h.start, h.end), SpanRole.COLUMN_HEADER) for h in plan.heads if h.placed)),
                routes=scope.routes,
            )

    def _heads(self, layout: Layout) -> dict[int, tuple[Restriction, ...]]:
        """The conditions in the names of each column of doses; where two columns else say the same, the name of the product or route in each is one."""
        columns = layout.of(ColumnKind.DOSE)
        found = {c.index: tuple(head_conditions(self._reading, self._lexicon, c)) for c in columns}
        twins = Counter((c.phase, c.bound, repr(joined(found[c.index]))) for c in columns)
        for c in columns:
            if (
                twins[c.phase, c.bound, repr(joined(found[c.index]))] > 1
                and c.heads
                and c.heads[-1].placed
                and FORM.search(c.heads[-1].text)
                and not table_words().is_route(c.heads[-1].text)
                and len({x.words for x in columns}) > 1
            ):
                leaf = c.heads[-1]
                found[c.index] = (*found[c.index], Restriction(Opaque(" ".join(leaf.text.split())), leaf.start, leaf.end))
        return found

    def _doses(self, layout: Layout, row: int, scope: RowScope, heads: dict[int, tuple[Restriction, ...]]) -> Iterator[Draft]:
        columns = [c for c in layout.of(ColumnKind.DOSE) if not is_partners(self._reading, c)]
        beside = [
            r for c in layout.of(ColumnKind.DOSE) if c not in columns for r in partner_of(self._reading, self._lexicon, c, layout.grid.get((row, c.index)))
        ]
        done: set[int] = set()
        timings, spreads = timings_apart(layout), spreads_of(layout.columns)
        for column in columns:
            cell = layout.grid.get((row, column.index))
            if cell is None or not cell.placed or id(cell) in done:
                continue
            over = [c for c in columns if cell.column <= c.index < cell.column + cell.colspan]
            shared = len(over) == len(columns) > 1
            if shared:
                done.add(id(cell))
            of_column = () if shared else without_wider(scope.own, heads[column.index])
            cited = [*scope.cited, *(((h.start, h.end), SpanRole.COLUMN_HEADER) for h in column.heads if h.placed)]
            called = self._table.footnotes_of(cell)
            column_notes = [n for h in column.heads for n in self._table.footnotes_of(h)]
            notes = [*note_conditions((*called, *column_notes))]
            limits = (*without_wider(of_column, scope.conditions), *of_column, *beside, *notes)
            noted = replace(scope, conditions=(*without_wider(of_column, scope.conditions), *of_column))
            yield from note_drafts(self._reading, self._lexicon, self._indications, (*called, *column_notes), noted)
            lent = _lent(lent_by(*(h.text for h in column.heads)), scope.lent)
            for timing in timings.get(column.index, ()):
                said = layout.grid.get((row, timing.index))
                lent = timed(timing, said, lent) if said is not None and said.text else lent
            things = self._reading.things_in(cell.start, cell.end)
            steps = plan_of_cell(self._reading, self._lexicon, cell, column, lent)
            if steps is not None:
                yield from self._plan(replace(steps, limits=(*steps.limits, *limits)), scope)
                continue
            named = replace(column, phase=None, bound=False) if shared else column
            found = read_closed_cell(self._text, cell, named, lent, things, gaps_of(self._reading, cell))
            if column.index in spreads:
                group = spreads[column.index]
                read = partial(self._alone, named, lent)
                found = read_spread(found, [layout.grid.get((row, i)) for i in group], column.index not in group, read)
            for dose in found:
                told = self._cells.conditions(cell, dose, found)
                dose = dose if dose.routes or shared else replace(dose, routes=routes_of(column))
                yield from self._dose(layout.printed(row), cell, dose, scope, (*without_wider(told, limits), *told), tuple(cited))
            if not found and (action := cell_action(self._text, cell)) is not None:
                yield from self._advice(layout.printed(row), cell, action, limits, (*scope.own, *of_column), tuple(cited))

    def _alone(self, column: Column, lent: Lent, cell: Cell) -> list[CellDose]:
        """The doses of one of the cells that stand side by side."""
        return read_closed_cell(self._text, cell, column, lent, self._reading.things_in(cell.start, cell.end), gaps_of(self._reading, cell))

    def _dose(
        self, row: int, cell: Cell, dose: CellDose, scope: RowScope, limits: Sequence[Restriction], cited: tuple[tuple[Place, SpanRole], ...]
    ) -> Iterator[Draft]:
        routes = dose.routes or scope.routes
        if dose.label is not None:
            named = dosage_words().routes_in(self._text[slice(*dose.label)])
            routes = named if len(named) == 1 else routes
        whom = consistent(limits)
        if whom is None:
            return
        regimen = isinstance(dose.payload, Regimen)
        for target in scope.indications or (EVERYONE,):
            yield Draft(
                reading=self._reading,
                predicate="has_dose_rule" if regimen else "has_limit",
                target=target,
                place=dose.place,
                statement=self._statement(row, cell) if dose.after is None else dose.after,
                limits=_distinct(whom),
                payload=dose.payload,
                cited=cited,
                routes=routes,
            )

    def _advice(
        self, row: int, cell: Cell, action: Action, limits: Sequence[Restriction], own: Sequence[Restriction], cited: tuple[tuple[Place, SpanRole], ...]
    ) -> Iterator[Draft]:
        """Advice in place of a dose, where the row or column says for which of the special populations."""
        axes = {leaf.axis for r in own for leaf in leaves(r.guard) if isinstance(leaf, Interval | Category)}
        found = [code for code, members in _ADVICE_AXES if axes & members]
        if len(found) == 1:
            yield Draft(
                reading=self._reading,
                predicate="population_advice",
                target=Target(EntityId(EntityType.POPULATION, "pharmgraph", found[0]), found[0]),
                place=(cell.start, cell.end),
                statement=self._statement(row, cell),
                steps=(Step(action),),
                limits=_distinct(limits),
                polarity=Polarity.NEGATIVE if action is Action.NO_ADJUSTMENT else Polarity.POSITIVE,
                cited=cited,
            )

    def _statement(self, row: int, cell: Cell) -> Place:
        """The row's stretch of text where the cell stands in it and it is short, else the cell's."""
        cells = [c for c in self._table.rows[row] if c.placed and self._table.kinds[c.row] is RowKind.BODY]
        if cell in cells:
            start, end = min(c.start for c in cells), max(c.end for c in cells)
            if end - start <= _LONGEST_ROW:
                return start, end
        return cell.start, cell.end


def _lent(near: Lent, far: Lent) -> Lent:
    """What a column lends, and where it lends nothing what the row or caption does."""
    return Lent(
        near.frequency or far.frequency,
        near.days if near.days != (None, None) else far.days,
        near.daily or far.daily,
        near.phase or far.phase,
        far.always,
    )


def _distinct(found: Sequence[Restriction]) -> tuple[Restriction, ...]:
    out: list[Restriction] = []
    for r in found:
        if all(r.guard != o.guard for o in out):
            out.append(r)
    return tuple(out)
