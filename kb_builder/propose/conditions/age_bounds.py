"""Ages that words and numbers give together: a printed number wins over the word beside it, and groups that meet become one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Guard, Interval
from ontology.model.units import UNITS

_LIMITLESS = Decimal("Infinity")
_GROWN = 12 * UNITS["a"].factor  # a band up to a later age spans groups of children


def narrowed(word: Interval, number: Guard) -> Guard:
    """The printed age of people whom a word names ("pediatric patients 6 years and older"): only the side stays that the number leaves open."""
    if not isinstance(number, Interval) or number.axis is not word.axis or (number.low is not None and number.high is not None):
        return number
    if number.low is not None:
        if word.high is None or _days(number.low, number.unit) >= _days(word.high, word.unit):
            return number
        if word.unit == number.unit:
            return replace(number, high=word.high, high_open=word.high_open, term=word.term)
        return AllOf((number, replace(word, low=None, low_open=False)))
    if word.low is None or number.high is None or word.unit != "a" or _days(word.low, word.unit) >= _days(number.high, number.unit) or word.unit != number.unit:
        return number
    return replace(number, low=word.low, low_open=word.low_open, term=word.term)


def united(parts: Sequence[Guard]) -> Guard | None:
    """Any of the parts; ages that overlap or meet are one interval. None where all ages together leave nobody out."""
    ages = sorted((p for p in parts if isinstance(p, Interval) and p.axis is Axis.AGE), key=lambda i: (_low(i), _high(i)))
    if _leaves_nobody_out(ages):
        return None
    ages = _without_words(ages)
    merged: list[Guard] = []
    for one in ages:
        last = merged[-1] if merged else None
        if isinstance(last, Interval) and _meet(last, one):
            merged[-1] = _hull(last, one)
        else:
            merged.append(one)
    unique = tuple(dict.fromkeys((*merged, *(p for p in parts if not (isinstance(p, Interval) and p.axis is Axis.AGE)))))
    return unique[0] if len(unique) == 1 else AnyOf(unique) if unique else None


def _without_words(ages: Sequence[Interval]) -> list[Interval]:
    """The ages without those of words that a printed band behind a list says of all its members ("children and adolescents (10 to 17 years)")."""
    printed = [a for a in ages if a.term is None and a.low is not None and a.high is not None and _high(a) >= _GROWN]
    return [a for a in ages if a.term is None or a.high is None or not any(_covers(a, p) or _covers(p, a) for p in printed)]


def _covers(wide: Interval, narrow: Interval) -> bool:
    return _low(wide) <= _low(narrow) and _high(narrow) <= _high(wide) + (0 if wide.high_open else UNITS[wide.unit].factor)


def _leaves_nobody_out(parts: Sequence[Guard]) -> bool:
    """True where the ages together are all ages."""
    ages = sorted((p for p in parts if isinstance(p, Interval) and p.axis is Axis.AGE), key=lambda i: (_low(i), _high(i)))
    reach = Decimal(0)
    for one in ages:
        if _low(one) > reach:
            return False
        reach = max(reach, _high(one))
    return bool(ages) and reach == _LIMITLESS and _low(ages[0]) == 0


def _meet(first: Interval, second: Interval) -> bool:
    """True where the second age begins within the first one, or right where it ends, and both can be one interval of one unit."""
    if _low(second) > _high(first):
        return False
    hull_low, hull_high = first, first if _high(first) >= _high(second) else second
    return hull_low.unit == hull_high.unit and not (_low(first) == 0 and _high(hull_high) == _LIMITLESS)


def _hull(first: Interval, second: Interval) -> Interval:
    end = first if _high(first) >= _high(second) else second
    term = " and ".join(dict.fromkeys(t for t in (first.term, end.term) if t)) or None
    return replace(first, high=end.high, high_open=end.high_open, term=term)


def _low(age: Interval) -> Decimal:
    return Decimal(0) if age.low is None else _days(age.low, age.unit)


def _high(age: Interval) -> Decimal:
    return _LIMITLESS if age.high is None else _days(age.high, age.unit)


def _days(number: Decimal, unit: str) -> Decimal:
    return number * UNITS[unit].factor
