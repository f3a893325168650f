"""How often and for how long: the timing of a dosage as times per day, days, and whether it is given once."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from cds_service.intake.fhir.concepts import code_words, concept_of, words_of
from cds_service.intake.fhir.values import Resource, day, items, mapping, number, text
from cds_service.intake.tables import table
from ontology.model.quantities import Unit


@dataclass(frozen=True, slots=True)
class Timing:
    """Times per day as a range, duration in days, `once` for a single administration; `unread` names what was said and not understood."""

    low: Decimal | None = None
    high: Decimal | None = None
    days: Decimal | None = None
    once: bool = False
    unread: tuple[str, ...] = ()


def read_timing(value: object) -> Timing:
    """The timing of a dosage. A repeat decides; a coded timing is used where the repeat gives no frequency."""
    timing = mapping(value)
    repeat = mapping(timing.get("repeat"))
    unread: list[str] = []
    rate = _frequency(repeat, unread)
    once = _is_once(timing, repeat)
    if rate is None and timing.get("code") is not None:
        rate = _coded(timing["code"], unread, once)
    low, high = rate or (None, None)
    return Timing(low, high, _days(repeat, unread), once, tuple(unread))


def _frequency(repeat: Resource, unread: list[str]) -> tuple[Decimal, Decimal] | None:
    """Times per day, lowest and highest. FHIR counts a missing frequency as 1; a missing period unit is not made up."""
    per_day = _administrations(repeat)
    period = number(repeat.get("period"))
    unit = text(repeat.get("periodUnit")) or text(repeat.get("periodUnits"))
    if period is None and unit is None:
        if per_day is None:
            if "frequency" in repeat:
                unread.append("frequency without a period")
            return None
        return per_day, per_day
    share = _per_day_of(unit)
    if period is None or period <= 0 or share is None:
        unread.append("period unit missing or unknown" if share is None else "period missing or not positive")
        return None
    longest = max(period, number(repeat.get("periodMax")) or period)
    times = number(repeat.get("frequency"))
    times = Decimal(1) if times is None else times
    most = max(times, number(repeat.get("frequencyMax")) or times)
    if times <= 0:
        unread.append("frequency not positive")
        return None
    if per_day is not None:
        return per_day, per_day
    numerator, denominator = share
    return times * numerator / (longest * denominator), most * numerator / (period * denominator)


def _administrations(repeat: Resource) -> Decimal | None:
    """Times per day where clock times, day events or weekdays are listed."""
    at = len(items(repeat.get("timeOfDay"))) or len(items(repeat.get("when")))
    weekdays = {w for w in items(repeat.get("dayOfWeek")) if isinstance(w, str)}
    if weekdays:
        times = number(repeat.get("frequency")) if not at else None
        period_is_day = number(repeat.get("period")) == 1 and text(repeat.get("periodUnit")) == "d"
        a_day = Decimal(at) if at else (times if times and times > 0 and period_is_day else Decimal(1))
        return a_day * len(weekdays) / 7
    every_day = repeat.get("period") is None or (number(repeat.get("period")) == 1 and text(repeat.get("periodUnit")) == "d")
    return Decimal(at) if at and every_day else None


def _per_day_of(unit: str | None) -> tuple[Decimal, Decimal] | None:
    """A period unit as a fraction (periods per day)."""
    row = table("timing_codes")["periods"].get(unit) if unit else None
    if row is None:
        return None
    return (Decimal(row["per_day"]), Decimal(1)) if "per_day" in row else (Decimal(1), Decimal(row["days"]))


def _coded(code: object, unread: list[str], once: bool) -> tuple[Decimal, Decimal] | None:
    rows = table("timing_codes")["codes"]
    for word in (*code_words(concept_of(code)), words_of(code) or ""):
        row = rows.get(word.upper().replace(".", "").replace(" ", ""))
        if row is not None:
            rate = Decimal(row["times"]) / Decimal(row["days"])
            return rate, rate
    if not once:
        unread.append(f"timing code {words_of(code) or ', '.join(code_words(concept_of(code))) or 'without words'}")
    return None


def _is_once(timing: Resource, repeat: Resource) -> bool:
    count, most = number(repeat.get("count")), number(repeat.get("countMax"))
    if count == 1 and (most is None or most == 1):
        return True
    once = {c.upper() for c in table("timing_codes")["once"]["codes"]}
    return any(w.upper().replace(" ", "") in once for w in (*code_words(timing.get("code")), words_of(timing.get("code")) or ""))


def _days(repeat: Resource, unread: list[str]) -> Decimal | None:
    """Duration in days from the bounds; of a range the longest."""
    period = mapping(repeat.get("boundsPeriod"))
    start, end = day(period.get("start")), day(period.get("end"))
    if start and end and end >= start:
        return Decimal((end - start).days)
    bounds = repeat.get("boundsDuration") or repeat.get("boundsQuantity") or mapping(repeat.get("boundsRange")).get("high")
    if bounds is None:
        return None
    length = duration_days(bounds)
    if length is None:
        unread.append("duration without a known unit")
    return length


def duration_days(value: object) -> Decimal | None:
    """A duration or simple quantity of time in days, or None."""
    quantity = mapping(value)
    amount = number(quantity.get("value"))
    unit = Unit.find(text(quantity.get("code"))) or Unit.find(text(quantity.get("unit")))
    if amount is None or unit is None or unit.dimension != "time":
        return None
    return amount * (Decimal(30) if unit.code == "mo" else unit.factor)
