"""Ceilings: every limit that applies binds, and what it bounds is summed over the orders of the same ingredient."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from cds_service.audit.pest.amounts import Given, OrderedAmounts
from cds_service.audit.pest.applicability import Applied
from cds_service.audit.pest.bands import limit_value
from cds_service.audit.pest.compare import exceeds
from cds_service.audit.pest.sizes import BodySizes
from ontology.model.dosing import Limit, Measure, PerWhat
from ontology.model.facts import Facts
from ontology.model.guards import Truth, evaluate

_WEEK = Decimal(7)
_EXACT = Decimal("1.005")


@dataclass(frozen=True, slots=True)
class Excess:
    """A limit that an order is above: by how much, over which measure, and the data without which it is not sure."""

    applied: Applied
    ratio: Decimal
    measure: Measure
    ceiling: Decimal
    dimension: str
    needs: frozenset[str] = frozenset()


def exceeded(limits: Iterable[Applied], ordered: OrderedAmounts, totals: dict[str, Given], sizes: BodySizes, facts: Facts, tolerance: Decimal) -> list[Excess]:
    """The limits that the order, or for a day the sum of the ingredient's orders, is above; those that another one overrides are left out.

    `tolerance` is for ceilings by weight or surface alone; absolute ones have none.
    """
    listed = list(limits)
    replaced = {p.overrides for a in listed if a.outcome.truth is Truth.TRUE and isinstance(p := a.rule.payload, Limit) and p.overrides}
    found: list[Excess] = []
    for a in listed:
        limit = a.rule.payload
        if not isinstance(limit, Limit) or any(c.id in replaced for c in a.rule.claims):
            continue
        if limit.exception is not None and evaluate(limit.exception, facts).truth is not Truth.FALSE:
            continue
        excess = _excess(a, limit, ordered, totals, sizes, 1 + tolerance)
        if excess is not None:
            found.append(excess)
    return found


def _excess(a: Applied, limit: Limit, ordered: OrderedAmounts, totals: dict[str, Given], sizes: BodySizes, rounded: Decimal) -> Excess | None:
    value = limit_value(limit, sizes)
    if value is None:
        return None
    dimension, ceiling, scaled, needs = value
    if limit.measure is Measure.DURATION:
        over = ordered.days / ceiling if dimension == "time" and ordered.days is not None and ordered.days > ceiling else None
        return Excess(a, over, limit.measure, ceiling, dimension) if over is not None else None
    if limit.measure is Measure.MINIMUM_INTERVAL:
        return _too_soon(a, limit, ordered, ceiling, dimension)
    per_day = limit.measure in (Measure.DAY, Measure.WEEK)
    given = (totals if per_day else ordered.given).get(dimension)
    if given is None or limit.measure not in (Measure.DAY, Measure.WEEK, Measure.SINGLE):
        return None
    if limit.measure is Measure.WEEK and limit.amount.per is PerWhat.WEEK:
        ceiling = ceiling / _WEEK
    elif limit.measure is Measure.WEEK:
        return None
    slack = max(rounded, _EXACT) if scaled else _EXACT
    over = exceeds(given, ceiling, "single" if limit.measure is Measure.SINGLE else "day", slack)
    return Excess(a, over, limit.measure, ceiling, dimension, needs) if over is not None else None


def _too_soon(a: Applied, limit: Limit, ordered: OrderedAmounts, ceiling: Decimal, dimension: str) -> Excess | None:
    times = next((g.times for g in ordered.given.values() if g.times is not None), None)
    if dimension != "time" or not times:
        return None
    days = 1 / times
    return Excess(a, ceiling / days, limit.measure, ceiling, dimension) if days * _EXACT < ceiling else None
