"""What each instruction of an order gives of one ingredient: the single and daily amounts, how often, and what is missing to know them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from cds_service.audit.strengths import Content, content_of
from cds_service.intake.prescription import DoseInstruction, Order
from ontology.model.identifiers import EntityId
from ontology.model.quantities import Quantity

DOSE, FREQUENCY, IDENTITY = "dose", "frequency", "drug-identity"

SET_ELSEWHERE = frozenset({"per-protocol", "sliding-scale", "titrated", "pharmacy-to-dose"})
"""Schedules by which dose and frequency are set elsewhere: an order that says neither lacks nothing."""

_HOURS = Decimal(24)


@dataclass(frozen=True, slots=True)
class OrderedDose:
    """The amounts of one ingredient by one instruction; `single_*`, `daily_*` and `ceiling` are per kg or m2 when `per` is set.

    `missing` says what the order lacks: `dose`, `frequency`, or `drug-identity` (a count of tablets or millilitres whose strength is not known).
    """

    instruction: DoseInstruction
    single_low: Quantity | None = None
    single_high: Quantity | None = None
    per: str | None = None
    times_low: Decimal | None = None
    times_high: Decimal | None = None
    daily_low: Quantity | None = None
    daily_high: Quantity | None = None
    ceiling: Quantity | None = None
    missing: frozenset[str] = frozenset()


def ordered_doses(medication_order: Order, ingredient: EntityId) -> tuple[OrderedDose, ...]:
    """What the order gives of the ingredient, one entry an instruction, in their order."""
    content = content_of(medication_order, ingredient)
    return tuple(_ordered(i, content) for i in medication_order.instructions)


def _ordered(instruction: DoseInstruction, content: Content) -> OrderedDose:
    i = instruction
    if i.rate is not None and i.dose_high is None and i.day_high is None:
        return _running(i, content)
    hourly = content.hourly or i.rate
    patches = i.dose_high if i.dose_high is not None and i.dose_high.unit.dimension == "patch" else None
    if hourly is not None and patches is not None:
        return _worn(i, patches, hourly)
    low, high = content.amount(i.dose_low), content.amount(i.dose_high)
    if high is None and i.dose_high is not None and i.counted is not None:
        low = high = content.amount(i.counted)
    day_low, day_high = content.amount(i.day_low), content.amount(i.day_high)
    most = i.times_per_day_high
    if most is not None and i.count is not None and i.times_high is not None:
        most = min(most, i.count) if i.period_days <= 1 else most
    if most is not None and i.max_doses_per_day is not None:
        most = min(most, i.max_doses_per_day)
    if most is None and i.times_high is None:
        most = i.max_doses_per_day or (i.count if i.count == 1 or i.as_needed else None)
    least = None if most is None else min(most, i.times_per_day_low if i.times_per_day_low is not None else Decimal(1))
    daily_low, daily_high = day_low or _daily(low, least, i), day_high or _daily(high, most, i)
    ceiling = content.amount(i.max_per_day)
    if ceiling is not None and i.dose_per is None:
        daily_high = _lesser(daily_high, ceiling) if daily_high is not None else ceiling
        daily_low = _lesser(daily_low, daily_high) if daily_low is not None else None
    return OrderedDose(i, low, high, i.dose_per, least, most, daily_low, daily_high, ceiling, _missing(i, high or day_high, daily_high))


def _missing(i: DoseInstruction, amount: Quantity | None, daily: Quantity | None) -> frozenset[str]:
    out = set()
    said = i.dose_high or i.day_high
    if said is None or said.unit.dimension == "application":
        out.add(DOSE)
    elif amount is None:
        out.add(IDENTITY)
    known = i.times_high is not None or i.count is not None or i.max_doses_per_day is not None or (i.as_needed and daily is not None)
    if not known:
        out.add(FREQUENCY)
    return frozenset() if i.schedule in SET_ELSEWHERE else frozenset(out)


def _daily(single: Quantity | None, times: Decimal | None, i: DoseInstruction) -> Quantity | None:
    """The amount of a day; exact where the doses lie in a period of days."""
    if single is None or times is None:
        return None
    if i.period_days > 1 and i.times_high is not None and times in (i.times_per_day_low, i.times_per_day_high):
        whole = i.times_high if times == i.times_per_day_high else i.times_low or i.times_high
        return Quantity(single.value * whole / i.period_days, single.unit)
    return Quantity(single.value * times, single.unit)


def _running(i: DoseInstruction, content: Content) -> OrderedDose:
    """An infusion that runs at a rate: no single dose, the day's amount is 24 hours of it."""
    hourly = content.amount(i.rate)
    daily = Quantity(hourly.value * _HOURS, hourly.unit) if hourly is not None else None
    missing = frozenset() if hourly is not None or i.schedule in SET_ELSEWHERE else frozenset({IDENTITY})
    return OrderedDose(i, None, None, i.rate_per, None, None, daily, daily, content.amount(i.max_per_day), missing)


def _worn(i: DoseInstruction, patches: Quantity, hourly: Quantity) -> OrderedDose:
    """Patches that give their drug by the hour: what they give in a day while they are worn, and from one change to the next."""
    day_low, day_high = (Quantity(hourly.value * _HOURS * p.value, hourly.unit) for p in (i.dose_low or patches, patches))
    times = i.times_per_day_high
    single_low, single_high = ((Quantity(d.value / times, d.unit) if times else None) for d in (day_low, day_high))
    missing = frozenset() if times is not None else frozenset({FREQUENCY})
    return OrderedDose(i, single_low, single_high, None, i.times_per_day_low, times, day_low, day_high, None, missing)


def _lesser(a: Quantity, b: Quantity) -> Quantity:
    return a if a.unit.dimension != b.unit.dimension or a.to(b.unit).value <= b.value else b
