"""Bands of one axis beside each other: apart, one within the other, or a word and the number that explains it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from kb_builder.propose.conditions.restrictions import Restriction
from ontology.model.facts import Axis
from ontology.model.guards import Category, Interval
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
    numbers = [r for r in found if isinstance(r.guard, Interval) and r.guard.axis in _RENAL]
    return [
        r
        for r in found
        if not (
            isinstance(r.guard, Category) and r.guard.axis is Axis.RENAL and any(abs(n.start - r.end) <= _NEAR or r.start <= n.start <= r.end for n in numbers)
        )
    ]


def _below(one: Interval, other: Interval) -> bool:
    if one.high is None or other.low is None:
        return False
    high, low = _value(one, one.high), _value(other, other.low)
    return high < low or (high == low and (one.high_open or other.low_open))


def _value(interval: Interval, number: Decimal) -> Decimal:
    """A bound in the base unit of its dimension; as printed where the unit is not of the table."""
    row = UNITS.get(interval.unit)
    return number * row.factor if row is not None else number
