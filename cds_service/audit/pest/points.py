"""Tables that give single points of an axis ("20 mL/min: 310 mg, 30 mL/min: 465 mg"): between two points both neighbours speak."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

from cds_service.audit.evidence import Statement
from cds_service.audit.pest.guards import without
from ontology.model.guards import AllOf, Guard, Interval, leaves
from ontology.model.identifiers import EntityId


def widened(statements: Iterable[Statement]) -> list[Statement]:
    """The statements, each row of a point table reaching to its neighbours' points; the first and the last row end where they are printed."""
    listed = list(statements)
    groups: dict[tuple[EntityId, Guard | None, Interval], set[Decimal]] = {}
    for s in listed:
        if (point := _point(s.rule.guard)) is not None and point.low is not None:
            groups.setdefault(_key(s, point), set()).add(point.low)
    return [_wide(s, groups) for s in listed] if groups else listed


def _wide(s: Statement, groups: dict[tuple[EntityId, Guard | None, Interval], set[Decimal]]) -> Statement:
    point = _point(s.rule.guard)
    if point is None or point.low is None:
        return s
    values = sorted(groups[_key(s, point)])
    at = values.index(point.low)
    if len(values) == 1:
        return s
    reach = replace(point, low=values[max(0, at - 1)], high=values[min(len(values) - 1, at + 1)], low_open=at > 0, high_open=at < len(values) - 1)
    return replace(s, rule=replace(s.rule, guard=_replaced(s.rule.guard, point, reach)))


def _point(guard: Guard | None) -> Interval | None:
    parts = guard.parts if isinstance(guard, AllOf) else (guard,)
    return next((p for p in parts if isinstance(p, Interval) and p.low is not None and p.low == p.high and p.term is None), None)


def _key(s: Statement, point: Interval) -> tuple[EntityId, Guard | None, Interval]:
    rest = without(s.rule.guard, lambda leaf: leaf == point) if len(leaves(s.rule.guard)) > 1 else None
    return s.rule.object, rest, replace(point, low=Decimal(0), high=Decimal(0))


def _replaced(guard: Guard | None, old: Interval, new: Interval) -> Guard | None:
    if isinstance(guard, AllOf):
        return AllOf(tuple(new if p == old else p for p in guard.parts))
    return new if guard == old else guard
