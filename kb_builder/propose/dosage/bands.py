"""Bands of one axis beside each other: apart, one within the other, or a word and the number that explains it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from kb_builder.propose.conditions.restrictions import Restriction
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Category, Exposure, Guard, HasCondition, Interval, Opaque, leaves
from ontology.model.units import UNITS

_RENAL = frozenset({Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR, Axis.SCR})
_NEAR = 60
"""Most code points between "severe renal impairment" and the bracket that says it in numbers."""


def disjoint(one: Interval, other: Interval) -> bool:
    """True where no value lies in both."""
    return _below(one, other) or _below(other, one)


def within(inner: Interval, outer: Interval) -> bool:
    """True where the outer interval says nothing that the inner does not say."""
    low = outer.low is None or (inner.low is not None and _value(inner, inner.low) >= _value(outer, outer.low))
    high = outer.high is None or (inner.high is not None and _value(inner, inner.high) <= _value(outer, outer.high))
    return low and high


def without_words_of_numbers(found: Sequence[Restriction]) -> list[Restriction]:
    """The restrictions without the words of renal function that a number right behind them explains ("severe renal impairment (CrCl 15 to 29)")."""
    found = [replace(r, guard=_without_words(r.guard)) for r in found]
    numbers = [r for r in found if _defines(r.guard)]
    return [
        r
        for r in found
        if not (
            isinstance(r.guard, Category) and r.guard.axis is Axis.RENAL and any(abs(n.start - r.end) <= _NEAR or r.start <= n.start <= r.end for n in numbers)
        )
    ]


def is_state(guard: Guard) -> bool:
    """True for what tells patients apart by more than their age, weight and sex: organ function, a disease, another drug, genes, pregnancy."""
    return any(isinstance(leaf, HasCondition | Exposure) or (isinstance(leaf, Interval | Category) and leaf.axis in _STATES) for leaf in leaves(guard))


def narrowest(found: Sequence[Restriction]) -> tuple[Restriction, ...]:
    """The restrictions without those that a later one says more exactly."""
    unique = list(dict.fromkeys(found))
    return tuple(r for i, r in enumerate(unique) if not any(replaces(r, other) for other in unique[i + 1 :]))


def replaces(standing: Restriction, own: Restriction) -> bool:
    """True where the own condition takes the standing one's place: another band of its axis, a part of it, or organ function as a number."""
    return _replaces(own.guard, standing.guard)


def _defines(guard: Guard) -> bool:
    """True for a number that says what a word for weak kidneys means; a clearance without upper end holds the healthy too, and only narrows the word."""
    return isinstance(guard, Interval) and guard.axis in _RENAL and (guard.high is not None or guard.axis is Axis.SCR)


def _without_words(guard: Guard) -> Guard:
    """A choice whose members of words and numbers of renal function are their numbers alone ("ESRD (CrCl < 15)")."""
    if isinstance(guard, AnyOf):
        return AnyOf(tuple(_without_words(p) for p in guard.parts))
    if not isinstance(guard, AllOf) or not any(_defines(p) for p in guard.parts):
        return guard
    rest = tuple(p for p in guard.parts if not (isinstance(p, Category) and p.axis is Axis.RENAL))
    return rest[0] if len(rest) == 1 else AllOf(rest)


def _below(one: Interval, other: Interval) -> bool:
    if one.high is None or other.low is None:
        return False
    high, low = _value(one, one.high), _value(other, other.low)
    return high < low or (high == low and (one.high_open or other.low_open))


def _value(interval: Interval, number: Decimal) -> Decimal:
    """A bound in the base unit of its dimension; as printed where the unit is not of the table."""
    row = UNITS.get(interval.unit)
    return number * row.factor if row is not None else number


def _replaces(b: Guard, a: Guard) -> bool:
    if a == b or (isinstance(a, HasCondition) and isinstance(b, HasCondition) and (a.concept, a.state) == (b.concept, b.state)):
        return True
    if isinstance(a, Opaque) and isinstance(b, Opaque):
        return a.text.lower() == b.text.lower()
    if isinstance(a, AnyOf):
        return all(any(_replaces(one, part) and not _excludes(one, part) for part in a.parts) for one in (b.parts if isinstance(b, AnyOf) else (b,)))
    if isinstance(a, Interval) and isinstance(b, Interval) and a.axis is b.axis:
        return disjoint(a, b) or within(b, a)
    if isinstance(a, Category) and a.axis is Axis.RENAL and any(isinstance(leaf, Interval) and leaf.axis in _ORGANS[Axis.RENAL] for leaf in leaves(b)):
        return True
    if isinstance(a, Category) and a.axis in _ORGANS:
        same = isinstance(b, Category) and b.axis is a.axis and set(b.values) <= set(a.values)
        return same or (set(a.values) >= _IMPAIRED and any(isinstance(leaf, Interval | Category) and leaf.axis in _ORGANS[a.axis] for leaf in leaves(b)))
    return False


def _excludes(one: Guard, other: Guard) -> bool:
    return isinstance(one, Interval) and isinstance(other, Interval) and disjoint(one, other)


_ORGANS = {
    Axis.RENAL: frozenset({Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR, Axis.SCR, Axis.DIALYSIS}),
    Axis.HEPATIC: frozenset({Axis.CHILD_PUGH}),
}
_STATES = frozenset({*_ORGANS, *_ORGANS[Axis.RENAL], *_ORGANS[Axis.HEPATIC], Axis.GENOTYPE, Axis.PREGNANCY, Axis.LACTATION})
_IMPAIRED = frozenset({"mild", "moderate", "severe"})
