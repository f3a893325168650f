"""Bands of organ function as alternatives: what a list of degrees, figures or classes says, one degree each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from kb_builder.propose.conditions.restrictions import Restriction
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Category, Guard, Interval, both, leaves

_PARTS = re.compile(r"[:\]—]")
"""Ends what heads the words behind it."""
_SCALED = frozenset({Axis.RENAL, Axis.HEPATIC, Axis.CHILD_PUGH})
_PAIR = frozenset({Axis.HEPATIC, Axis.CHILD_PUGH})
_CLASSES: dict[tuple[Decimal | None, Decimal | None], str] = {
    (Decimal(5), Decimal(6)): "A",
    (Decimal(7), Decimal(9)): "B",
    (Decimal(10), Decimal(15)): "C",
    (Decimal(10), None): "C",
    (Decimal(9), None): "C",
}
"""The class that a band of Child-Pugh scores is by definition (Pugh 1973): 5 to 6 A, 7 to 9 B, 10 to 15 C; above 9 is 10 and more."""


def apart(guard: AllOf, own: frozenset[Axis]) -> tuple[Guard, ...]:
    """The parts of a conjunction, with bands of one organ that cannot hold together joined as alternatives."""
    bands = [p for p in guard.parts if isinstance(p, Interval | Category) and p.axis in own]
    axes = [p.axis for p in bands]
    dialysis = set(axes) == {Axis.RENAL, Axis.DIALYSIS}
    if len(bands) <= 1 or (set(axes) <= _PAIR and len(set(axes)) == len(axes)) or dialysis or Axis.AGE in own:
        return guard.parts
    rest = tuple(p for p in guard.parts if p not in bands)
    return (AnyOf(tuple(bands)), *rest)


def nearest_age(text: str, own: Sequence[Restriction]) -> list[Restriction]:
    """The restrictions without ages that stand before a colon, bracket or dash behind which a sentence prints another ("aged 6 months and older: Less than 6 months: ...")."""
    return [r for r in own if not any(r.end <= other.start and _owns(text, r, other) for other in own)]


def _owns(text: str, before: Restriction, other: Restriction) -> bool:
    ages = (before.guard, other.guard)
    if not all(isinstance(g, Interval) and g.axis is Axis.AGE for g in ages) or before.guard == other.guard:
        return False
    printed = isinstance(other.guard, Interval) and other.guard.term is None
    return printed and _PARTS.search(text, before.end, other.start) is not None


def by_degree(guard: Guard) -> tuple[Guard, ...]:
    """The alternatives of a guard, each degree of a scale apart, scores as the class that they are."""
    if isinstance(guard, AnyOf):
        return tuple(p for part in guard.parts for p in by_degree(part))
    if isinstance(guard, Category) and guard.axis in _SCALED:
        return tuple(Category(guard.axis, values) for values in _degrees(guard.values))
    if isinstance(guard, AllOf) and {leaf.axis for leaf in leaves(guard) if isinstance(leaf, Interval | Category)} == _PAIR:
        return (_classed(guard.parts),)
    return (guard,)


def _degrees(values: tuple[str, ...]) -> list[tuple[str, ...]]:
    """One band a degree; what a label says of "severe" holds for end-stage disease too and stays one band with it."""
    if "severe" in values and "esrd" in values:
        return [*((v,) for v in values if v not in ("severe", "esrd")), ("severe", "esrd")]
    return [(v,) for v in values]


def _classed(parts: Iterable[Guard]) -> Guard:
    whole: Guard | None = None
    for part in parts:
        grade = _CLASSES.get((part.low, part.high)) if isinstance(part, Interval) and part.axis is Axis.CHILD_PUGH else None
        exact = isinstance(part, Interval) and (part.low != Decimal(9) or part.low_open)
        whole = both(whole, Category(Axis.CHILD_PUGH, (grade,)) if grade is not None and exact else part)
    return whole or AllOf(tuple(parts))
