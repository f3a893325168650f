"""What an order gives, by dimension: single and daily amounts of one ingredient in reference units, over all instructions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal

from cds_service.audit.ordered import OrderedDose
from cds_service.intake.prescription import DoseInstruction
from ontology.model.quantities import Quantity

ONCE_A_WEEK = Decimal(7)


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


@dataclass(frozen=True, slots=True)
class OrderedAmounts:
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
    instruction = dose.instruction
    once = instruction.count == 1
    if dose.single_high is not None or dose.daily_high is not None or dose.ceiling is not None:
        unit = (dose.single_high or dose.daily_high or dose.ceiling).unit  # type: ignore[union-attr]
        daily_high = dose.daily_high
        if dose.ceiling is not None and instruction.as_needed and dose.ceiling.unit.dimension == unit.dimension:
            daily_high = dose.ceiling if daily_high is None else min(daily_high, dose.ceiling, key=_number)
        low, high = _times(dose.single_low, by), _times(dose.single_high, by)
        yield unit.dimension, Given(low, high, _times(dose.daily_low, by), _times(daily_high, by), dose.times_high, once, _words(instruction))
    counted = instruction.counted or instruction.dose_high
    if counted is not None and (dose.single_high is None or counted.unit.dimension != dose.single_high.unit.dimension):
        least = _number(instruction.counted or instruction.dose_low or counted)
        most = _number(counted)
        yield (
            counted.unit.dimension,
            Given(
                least,
                most,
                None if dose.times_low is None else least * dose.times_low,
                None if dose.times_high is None else most * dose.times_high,
                dose.times_high,
                once,
                _words(instruction),
            ),
        )


def _number(quantity: Quantity) -> Decimal:
    return quantity.value * quantity.unit.factor


def _times(quantity: Quantity | None, by: Decimal) -> Decimal | None:
    return None if quantity is None else _number(quantity) * by


def _words(instruction: DoseInstruction) -> str:
    return instruction.text or ""


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
