"""Doses in tables of Chinese inserts: a row's numbers are read with the name and the unit of their column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kb_builder.propose.chinese.bounds import find_chinese_bounds
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.chinese_before import Before, read_before, words_at
from kb_builder.propose.dosage.chinese_rulings import drafts_of
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Target
from ontology.model.dosing import PhaseKind
from ontology.model.facts import Axis
from ontology.model.guards import Category, Interval, Opaque, leaves
from ontology.model.spans import SpanRole
from ontology.text.doses import DosePhrase, read_doses
from ontology.text.tables import Cell, RowKind, Table

_UNIT = re.compile(r"\(([^()]*(?:/|kg|公斤|千克|岁|月|日)[^()]*)\)|m[lL]/(?:min|分钟?)|kg|公斤|千克|岁")
_MEASURE = re.compile(r"年龄|月龄|周龄|日龄|体重|清除率|滤过率|体表面积|肌酐|Ccr|CrCl|GFR", re.IGNORECASE)
_DOSE_UNIT = re.compile(
    r"[(/](?P<unit>(?:mg|g|μg|ug|mcg|m[lL]|毫克|微克|克|毫升|单位|IU|U|片|粒|袋|支|丸|滴)(?:/(?:kg|公斤|千克|m2|日|天|d|次))*)\)?(?![A-Za-z])"
)
_BARE = re.compile(r"\d+(?:\.\d+)?(?:\s*(?:~|-|至|到)\s*\d+(?:\.\d+)?)?")
_OFTEN = re.compile(r"次")
_FIRST = re.compile(r"首剂|首次|负荷|第[一1]日")
_NEXT = re.compile(r"维持|以后|随后")


def table_dose_drafts(reading: Reading, table: Table, lexicon: Lexicon, anyone: Target) -> Iterator[Draft]:
    """The doses in cells, under what their row and column say; a cell whose headers say nothing of patients or uses gives none."""
    caption = _captioned(reading, table, lexicon)
    for cell in table.cells:
        if table.kinds[cell.row] is not RowKind.BODY or not cell.placed or cell.column < table.stubs:
            continue
        line = [c for c in table.cells if c.row <= cell.row < c.row + c.rowspan and c.placed and table.kinds[c.row] is RowKind.BODY]
        rows = [c for c in line if c is not cell and (c in table.row_headers(cell) or _measures(reading, table, c))]
        columns = table.column_headers(cell)
        heads = [c for c in (*rows, *columns) if c.placed]
        before = _headed(reading, table, heads, lexicon)
        statement = (min(c.start for c in line if c.row == cell.row), max(c.end for c in line if c.row == cell.row))
        above = [((c.start, c.end), SpanRole.CELL) for c in line if c.row < cell.row and c not in rows]
        cited = (*(((c.start, c.end), SpanRole.ROW_HEADER if c in rows else SpanRole.COLUMN_HEADER) for c in heads), *above)
        kind = _phase_of_column(" ".join(c.text for c in columns))
        at = cell.start
        for phrase in _phrases(reading, cell, columns, [c for c in line if c is not cell]):
            own = read_before(reading, at, phrase.start, lexicon)
            limits = (*before.limits, *own.limits)
            joined = Before((*(c for c in caption if not _axes(c) & {a for r in limits for a in _axes(r)}), *limits), own.uses or before.uses, own.route)
            if before.limits or joined.uses or own.limits:
                yield from drafts_of(reading, replace(phrase, phase=kind or phrase.phase), joined, anyone, statement, at, cited)
            at = phrase.end


def _phrases(reading: Reading, cell: Cell, columns: Sequence[Cell], others: Sequence[Cell]) -> list[DosePhrase]:
    """The doses of a cell: as it says them, or its bare number with the words and the unit of its column ("75" under "最大剂量(mg/日)")."""
    said = read_doses(reading.blank, cell.start, cell.end)
    name = "".join(words_at(reading, c.start, c.end) for c in columns if c.placed)
    unit = _DOSE_UNIT.search(name)
    if said or unit is None or _MEASURE.search(name) or _BARE.fullmatch(words_at(reading, cell.start, cell.end)) is None:
        return said
    often = next((words for c in others if _OFTEN.search(words := words_at(reading, c.start, c.end))), "")
    written = f"{_DOSE_UNIT.sub('', name)}{words_at(reading, cell.start, cell.end)}{unit['unit']}{',' if often else ''}{often}"
    found = read_doses(written)[:1]
    return [replace(phrase, start=cell.start, end=cell.end) for phrase in found if phrase.amounts]


def _measures(reading: Reading, table: Table, cell: Cell) -> bool:
    """True for a cell that bounds a measure of the patient which its column names."""
    over = [words_at(reading, c.start, c.end) for c in table.column_headers(cell) if c is not cell and c.placed]
    return bool(over) and _MEASURE.search(over[-1]) is not None and _bound(over[-1], words_at(reading, cell.start, cell.end)) is not None


def _axes(restriction: Restriction) -> set[Axis]:
    return {leaf.axis for leaf in leaves(restriction.guard) if isinstance(leaf, Interval | Category)}


def _phase_of_column(words: str) -> PhaseKind | None:
    return PhaseKind.LOADING if _FIRST.search(words) else PhaseKind.MAINTENANCE if _NEXT.search(words) else None


def _captioned(reading: Reading, table: Table, lexicon: Lexicon) -> tuple[Restriction, ...]:
    """What the caption restricts: a usual dose that the table changes is told in its words."""
    caption = table.caption
    if caption is None or caption.end <= caption.start:
        return ()
    if read_doses(reading.blank, caption.start, caption.end):
        return (Restriction(Opaque(words_at(reading, caption.start, caption.end)), caption.start, caption.end),)
    return tuple(r for r in read_before(reading, caption.start, caption.end, lexicon).limits if not isinstance(r.guard, Opaque))


def _headed(reading: Reading, table: Table, heads: list[Cell], lexicon: Lexicon) -> Before:
    """What the headers of a cell say: numbers of a row are read with the words and the unit of the column they stand in; what is not read restricts in words."""
    limits: list[Restriction] = []
    uses: list[tuple[Target, tuple[int, int]]] = []
    for head in heads:
        over = [words_at(reading, c.start, c.end) for c in table.column_headers(head) if c is not head and c.placed]
        words = words_at(reading, head.start, head.end)
        joined = _bound(over[-1], words) if over else None
        if joined is not None:
            limits.append(Restriction(joined, head.start, head.end))
            continue
        unit = _DOSE_UNIT.search(reading.blank, head.start, head.end)
        read = read_before(reading, head.start, head.end if unit is None or _MEASURE.search(words) else unit.start(), lexicon)
        limits += read.limits
        uses += read.uses
        if not read.limits and not read.uses and re.search(r"\d", words):
            limits.append(Restriction(Opaque(words), head.start, head.end))
    return Before(tuple(limits), tuple(uses))


def _bound(name: str, value: str) -> Interval | None:
    """The bound that a number under a column's name and unit says ("肌酐清除率(ml/min)" over "30~50"); None where it says none."""
    if not re.search(r"\d", value):
        return None
    plain = re.sub(r"\([^()]*\)", "", name).strip()
    unit = _UNIT.search(name)
    written = value if unit is None or _UNIT.search(value) else f"{value}{unit[1] or unit[0]}"
    found = find_chinese_bounds(f"{plain}{written}")
    return found[0].interval if len(found) == 1 else None
