"""Columns under one name that spans several: the doses that a row allows side by side, from the least to the most ("Dose Regimen": 200 BID, 300 BID, 400 BID)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from kb_builder.propose.dosage.table_cells import CellDose, timing_of
from kb_builder.propose.dosage.table_headers import Column
from kb_builder.propose.dosage.table_words import ColumnKind
from ontology.model.dosing import Frequency, PerWhat, Phase, Regimen
from ontology.text.tables import Cell

_FEWEST = 3  # columns under one name that stand for a range
_TOTAL = re.compile(r"\b(?:total|daily)\b[^|]*\bdos(?:e|age)s?\b[^|]*\b(?:range|day|daily)\b|\btotal daily dos(?:e|age)\b")
_NUMBER = re.compile(r"^[\d.,\s*†‡§-]*(?:to\s+[\d.,]+)?\s*")


def without_spreads(columns: Sequence[Column]) -> list[Column]:
    """The columns with those that stand side by side under one name as one: the first holds the doses, or none where another one holds the day's sum."""
    out = list(columns)
    for group in _groups(columns):
        total = any(c.kind is ColumnKind.DOSE and c.index not in group and _TOTAL.search(c.words) for c in columns)
        out = [replace(c, kind=ColumnKind.SKIP) if c.index in group and (total or c.index != group[0]) else c for c in out]
    return out


def spreads_of(columns: Sequence[Column]) -> dict[int, tuple[int, ...]]:
    """The columns that stand side by side for each column that holds their doses or their day's sum, by its place."""
    out: dict[int, tuple[int, ...]] = {}
    for group in _groups(columns):
        for c in columns:
            if c.kind is ColumnKind.DOSE and (c.index == group[0] or (c.index not in group and _TOTAL.search(c.words))):
                out[c.index] = group
    return out


def _groups(columns: Sequence[Column]) -> list[tuple[int, ...]]:
    heads = {id(c.heads[-1]): c.heads[-1] for c in columns if c.heads and c.kind in (ColumnKind.DOSE, ColumnKind.SKIP) and c.heads[-1].colspan >= _FEWEST}
    spans = [tuple(range(h.column, h.column + h.colspan)) for h in heads.values()]
    return [span for span in spans if len(span) < len(columns) and all(c.heads and c.heads[-1].column == span[0] for c in columns if c.index in span)]


def read_spread(own: Sequence[CellDose], cells: Sequence[Cell | None], beside: bool, read: Callable[[Cell], list[CellDose]]) -> list[CellDose]:
    """The doses of a row whose columns stand side by side: from the least to the most, or the day's sum (`beside`) with how often its parts are given."""
    placed = [c for c in cells if c is not None and c.placed and c.text]
    if beside:
        often = {timing_of(_NUMBER.sub("", c.text)).frequency for c in placed}
        frequency = next(iter(often)) if len(often) == 1 else None
        return [replace(d, payload=_given(d.payload, frequency)) if isinstance(d.payload, Regimen) else d for d in own]
    phases: list[Phase] = []
    for cell in placed:
        found = read(cell)
        if len(found) != 1 or not isinstance(found[0].payload, Regimen) or len(found[0].payload.phases) != 1 or len(found[0].payload.phases[0].amounts) != 1:
            return []
        phases.append(found[0].payload.phases[0])
    if not phases or len({(p.amounts[0].unit, p.amounts[0].basis, p.amounts[0].per, p.frequency, p.kind) for p in phases}) != 1:
        return []
    lows = [p.amounts[0].low for p in phases if p.amounts[0].low is not None]
    highs = [p.amounts[0].high for p in phases if p.amounts[0].high is not None]
    if len(lows) != len(phases) or len(highs) != len(phases):
        return []
    place = placed[0].start, placed[-1].end
    amount = replace(phases[0].amounts[0], low=min(lows), high=max(highs))
    return [CellDose(Regimen((replace(phases[0], amounts=(amount,)),)), place, None, (), place)]


def _given(regimen: Regimen, frequency: Frequency | None) -> Regimen:
    """The regimen of a day's sum with how often its parts are given."""
    phases = tuple(
        replace(p, frequency=frequency) if p.frequency is None and frequency is not None and all(a.per is PerWhat.DAY for a in p.amounts) else p
        for p in regimen.phases
    )
    return replace(regimen, phases=phases)
