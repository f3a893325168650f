"""Tables that give single points of an axis ("20 mL/min: 310 mg, 30 mL/min: 465 mg"): between two points both neighbours speak.

A table of two axes (clearance by weight) is one of each of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

from msgspec import structs

from cds_service.audit.evidence import Statement
from cds_service.audit.pest.guards import without
from ontology.model.guards import AllOf, Guard, Interval, leaves
from ontology.model.identifiers import EntityId

_Key = tuple[EntityId, Guard | None, Interval]


def widened(statements: Iterable[Statement]) -> list[Statement]:
    """The statements, each row of a point table reaching to its neighbours' points; the first and the last row end where they are printed."""
    listed = list(statements)
    groups: dict[_Key, set[Decimal]] = {}
    for s in listed:
        for point in _points(s.rule.guard):
            if point.low is not None:
                groups.setdefault(_key(s, point), set()).add(point.low)
    return [_wide(s, groups) for s in listed] if groups else listed


def _wide(s: Statement, groups: dict[_Key, set[Decimal]]) -> Statement:
    guard = s.rule.guard
    for point in _points(guard):
        if (reach := _reach(point, groups[_key(s, point)])) is not None:
            guard = _replaced(guard, point, reach)
    return s if guard is s.rule.guard else structs.replace(s, rule=replace(s.rule, guard=guard))


def _reach(point: Interval, printed: set[Decimal]) -> Interval | None:
    """The point as far as its neighbours; None where it has none."""
    values = sorted(printed)
    if point.low is None or len(values) == 1:
        return None
    at = values.index(point.low)
    return replace(point, low=values[max(0, at - 1)], high=values[min(len(values) - 1, at + 1)], low_open=at > 0, high_open=at < len(values) - 1)


def _points(guard: Guard | None) -> list[Interval]:
    parts = guard.parts if isinstance(guard, AllOf) else (guard,)
    return [p for p in parts if isinstance(p, Interval) and p.low is not None and p.low == p.high and p.term is None]


def _key(s: Statement, point: Interval) -> _Key:
    rest = without(s.rule.guard, lambda leaf: leaf == point) if len(leaves(s.rule.guard)) > 1 else None
    return s.rule.object, rest, replace(point, low=Decimal(0), high=Decimal(0))


def _replaced(guard: Guard | None, old: Interval, new: Interval) -> Guard | None:
    if isinstance(guard, AllOf):
        return AllOf(tuple(new if p == old else p for p in guard.parts))
    return new if guard == old else guard
