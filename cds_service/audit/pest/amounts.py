"""What an order gives, by dimension: single and daily amounts of one ingredient in reference units, over all instructions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal

from msgspec import Struct

from cds_service.audit.ordered import OrderedDose
from ontology.model.quantities import Quantity


@dataclass(frozen=True, slots=True)
class Given:
    """Amounts of one dimension in its reference unit (mg, mL, tablets ...): a single dose and a day's, None where the order does not say them.

    `times` are administrations a day at most, `days` how long, `once` a single administration. `words` is the amount as ordered.
    """

    single_low: Decimal | None
    single_high: Decimal | None
    daily_low: Decimal | None
    daily_high: Decimal | None
    times: Decimal | None
    once: bool
    words: str


class OrderedAmounts(Struct, frozen=True):
    """What an order gives in each dimension it can be counted in, and what is missing to know it."""

    given: dict[str, Given]
    missing: frozenset[str]
    days: Decimal | None
    as_needed: bool
    schedule: str | None
    changing: bool  # a taper or a course of several phases


def ordered_amounts(doses: tuple[OrderedDose, ...], multiply: Callable[[str], Decimal | None]) -> OrderedAmounts:
    """The amounts of an order; those ordered per kg or m2 are multiplied with what `multiply` says of the patient (None: not known)."""
    rows: dict[str, list[Given]] = {}
    missing: set[str] = set()
    for dose in doses:
        by = multiply(dose.per) if dose.per else Decimal(1)
        if by is None:
            missing.add("weight")
            continue
        missing |= dose.missing
        for given in _of(dose, by):
            rows.setdefault(given[0], []).append(given[1])
    instructions = [d.instruction for d in doses]
    changing = len({i.sequence for i in instructions if i.sequence is not None}) > 1
    together = _most if changing else _sum
    lasting = [i.duration_days for i in instructions if i.duration_days is not None]
    return OrderedAmounts(
        {dimension: together(found) for dimension, found in rows.items() if len(found) == len(doses)},
        frozenset(missing),
        sum(lasting, Decimal(0)) if changing and len(lasting) == len(instructions) else max(lasting, default=None),
        bool(instructions) and all(i.as_needed for i in instructions),
        next((i.schedule for i in instructions if i.schedule), None),
        changing,
    )


def _of(dose: OrderedDose, by: Decimal) -> Iterable[tuple[str, Given]]:
    """The amounts in the ingredient's own dimension, and in tablets or millilitres where the order counts those."""
    instruction = dose.instruction
    measured = dose.single_high or dose.daily_high or dose.ceiling
    if measured is not None:
        daily = _capped(_times(dose.daily_high, by), dose.ceiling, measured.unit.dimension)
        yield measured.unit.dimension, _given(dose, _times(dose.single_low, by), _times(dose.single_high, by), _times(dose.daily_low, by), daily)
    counted = instruction.counted or instruction.dose_high
    if counted is not None and (measured is None or counted.unit.dimension != measured.unit.dimension):
        low, high = _number(instruction.counted or instruction.dose_low or counted), _number(counted)
        daily = _capped(None if dose.times_high is None else high * dose.times_high, instruction.max_per_day, counted.unit.dimension)
        yield counted.unit.dimension, _given(dose, low, high, None if dose.times_low is None else low * dose.times_low, daily)


def _given(dose: OrderedDose, low: Decimal | None, high: Decimal | None, daily_low: Decimal | None, daily_high: Decimal | None) -> Given:
    doses = dose.instruction.max_doses_per_day
    if doses is not None and high is not None:
        daily_high = high * doses if daily_high is None else min(daily_high, high * doses)
    return Given(low, high, daily_low, daily_high, dose.times_high, dose.instruction.count == 1, dose.instruction.text or "")


def _capped(daily: Decimal | None, ceiling: Quantity | None, dimension: str) -> Decimal | None:
    """A day's amount, no more than the order's own ceiling."""
    if ceiling is None or ceiling.unit.dimension != dimension:
        return daily
    return _number(ceiling) if daily is None else min(daily, _number(ceiling))


def _number(quantity: Quantity) -> Decimal:
    return quantity.value * quantity.unit.factor


def _times(quantity: Quantity | None, by: Decimal) -> Decimal | None:
    return None if quantity is None else _number(quantity) * by


def _sum(found: list[Given]) -> Given:
    """Instructions side by side: the day's amounts add up."""
    if len(found) == 1:
        return found[0]
    low, high = [g.daily_low for g in found], [g.daily_high for g in found]
    return Given(
        min((g.single_low for g in found if g.single_low is not None), default=None),
        max((g.single_high for g in found if g.single_high is not None), default=None),
        None if None in low else sum((x for x in low if x is not None), Decimal(0)),
        None if None in high else sum((x for x in high if x is not None), Decimal(0)),
        None if any(g.times is None for g in found) else sum((g.times for g in found if g.times is not None), Decimal(0)),
        all(g.once for g in found),
        "; ".join(dict.fromkeys(g.words for g in found if g.words)),
    )


def _most(found: list[Given]) -> Given:
    """Phases one after the other: the highest of each."""
    pick = max(found, key=lambda g: (g.daily_high or Decimal(0), g.single_high or Decimal(0)))
    lows = [g.daily_low for g in found if g.daily_low is not None]
    singles = [g.single_low for g in found if g.single_low is not None]
    return Given(min(singles, default=None), pick.single_high, min(lows, default=None), pick.daily_high, pick.times, pick.once, pick.words)
