"""What a dose rule allows this patient: printed amounts times body size, fractions of the usual dose, per dose and per day."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from msgspec import Struct

from ontology.model.dosing import Amount, AmountBasis, FractionOf, Frequency, Limit, PerWhat, Phase, PhaseKind, Regimen
from ontology.model.quantities import Unit

_DAYS = {PerWhat.DAY: Decimal(1), PerWhat.WEEK: Decimal(7)}
_HOURS = Decimal(24)


@dataclass(frozen=True, slots=True)
class Size:
    """A body size as the record gives it: `low` = `high` when it is known, else what is plausible, with what is missing."""

    low: Decimal
    high: Decimal
    needs: frozenset[str] = frozenset()


Sizes = Callable[[AmountBasis, str | None], Size | None]
"""Body size by basis and the label's weight (actual, ideal ...), None where nothing can be said."""


class Band(Struct, frozen=True):
    """Amounts allowed in one dimension's reference unit: a single dose and a day's, None where the rule does not say them.

    `period_days` is above 1 for what is not given daily. `scaled` is True for amounts by body size or fractions, which are rounded when ordered.
    `needs` are the data without which the band spans every plausible body size.
    """

    dimension: str
    single_low: Decimal | None
    single_high: Decimal | None
    daily_low: Decimal | None
    daily_high: Decimal | None
    period_days: Decimal
    scaled: bool
    kind: PhaseKind
    days_high: Decimal | None = None
    needs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Usual:
    """The usual dose that a fraction is taken of, in its dimension's reference unit; `needs` as of a band.

    `first` is the usual first dose and `later` the one that is gone on with, where they are told.
    """

    dimension: str
    single: tuple[Decimal, Decimal] | None
    daily: tuple[Decimal, Decimal] | None
    needs: frozenset[str] = frozenset()
    first: Usual | None = None
    later: Usual | None = None


def regimen_bands(regimen: Regimen, sizes: Sizes, usual: Usual | None) -> list[Band]:
    """The bands of a regimen's phases; steps of titration and amounts that cannot be worked out give none."""
    return [band for phase in regimen.phases if not phase.increment for amount in phase.amounts for band in _band(amount, phase, sizes, usual)]


def limit_value(limit: Limit, sizes: Sizes) -> tuple[str, Decimal, bool, frozenset[str]] | None:
    """Dimension, ceiling in the reference unit over the limit's measure, whether it is scaled, and what is missing to know it exactly."""
    amount = limit.amount
    unit = Unit.find(amount.unit)
    highest = amount.high if amount.high is not None else amount.low
    if unit is None or highest is None:
        return None
    by, needs = Decimal(1), frozenset[str]()
    if amount.basis in (AmountBasis.PER_KG, AmountBasis.PER_M2):
        size = sizes(amount.basis, amount.weight)
        if size is None:
            return None
        by, needs = size.high, size.needs
    elif amount.basis is not AmountBasis.FLAT:
        return None
    value = highest * unit.factor * by
    return unit.dimension, min(value, amount.cap * unit.factor) if amount.cap is not None else value, amount.basis is not AmountBasis.FLAT, needs


def _band(amount: Amount, phase: Phase, sizes: Sizes, usual: Usual | None) -> Iterator[Band]:
    if amount.basis is AmountBasis.FRACTION:
        yield from _fraction(amount, phase, usual)
        return
    unit = Unit.find(amount.unit)
    ends = _ends(amount)
    if unit is None or ends is None or amount.basis in (AmountBasis.AUC, AmountBasis.FORMULA):
        return
    low, high, needs = ends[0] * unit.factor, ends[1] * unit.factor, frozenset[str]()
    if amount.basis in (AmountBasis.PER_KG, AmountBasis.PER_M2):
        size = sizes(amount.basis, amount.weight)
        if size is None:
            return
        low, high, needs = low * size.low, high * size.high, size.needs
    if amount.cap is not None:
        low, high = min(low, amount.cap * unit.factor), min(high, amount.cap * unit.factor)
    least, most, period = times_a_day(phase.frequency)
    scaled = amount.basis is not AmountBasis.FLAT
    single: tuple[Decimal | None, Decimal | None]
    daily: tuple[Decimal | None, Decimal | None]
    if amount.per is PerWhat.DOSE:
        single = (low, high)
        daily = (None if least is None else low * least, None if most is None else high * most)
    elif amount.per in _DAYS:
        daily = (low / _DAYS[amount.per], high / _DAYS[amount.per])
        single = (daily[0] / most if most else None, daily[1] / least if least else None)
        period = _DAYS[amount.per]  # an amount a day is given daily; what else is said of time is how it is raised
    else:
        return
    yield Band(unit.dimension, single[0], single[1], daily[0], daily[1], period, scaled, phase.kind, phase.duration_days_high, needs)


def _fraction(amount: Amount, phase: Phase, usual: Usual | None) -> Iterator[Band]:
    ends = _ends(amount)
    if usual is None or ends is None or (amount.fraction_of is FractionOf.RULE and phase.kind is not PhaseKind.STARTING):
        return
    if phase.kind is PhaseKind.STARTING and usual.first is not None:
        usual = usual.first
    elif amount.fraction_of is FractionOf.MAINTENANCE:
        usual = usual.later or usual
    by = Decimal("0.01") if amount.unit == "%" else Decimal(1)
    low, high = ends[0] * by, ends[1] * by
    single, daily = _part(usual.single, low, high), _part(usual.daily, low, high)
    yield Band(usual.dimension, single[0], single[1], daily[0], daily[1], Decimal(1), True, phase.kind, needs=usual.needs)


def _part(span: tuple[Decimal, Decimal] | None, low: Decimal, high: Decimal) -> tuple[Decimal | None, Decimal | None]:
    return (span[0] * low, span[1] * high) if span is not None else (None, None)


def _ends(amount: Amount) -> tuple[Decimal, Decimal] | None:
    """Lowest and highest printed amount; an open end is 0 below and none above."""
    if amount.choices:
        return min(amount.choices), max(amount.choices)
    if amount.high is None:
        return None
    return (amount.low if amount.low is not None else Decimal(0)), amount.high


def times_a_day(frequency: Frequency | None) -> tuple[Decimal | None, Decimal | None, Decimal]:
    """Fewest and most administrations a day, and the days of one period."""
    if frequency is None:
        return None, None, Decimal(1)
    if frequency.every_hours_low is not None or frequency.every_hours_high is not None:
        soon = frequency.every_hours_low or frequency.every_hours_high or _HOURS
        late = frequency.every_hours_high or soon
        most = _HOURS / soon
        if frequency.times_high is not None:
            most = min(most, frequency.times_high / frequency.period_days)
        return _HOURS / late, most, max(Decimal(1), late / _HOURS)
    known = [t / frequency.period_days for t in (frequency.times_low, frequency.times_high) if t is not None]
    return (min(known), max(known), frequency.period_days) if known else (None, None, frequency.period_days)
