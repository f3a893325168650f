"""How often and for how long: the timing of a dosage as times within days, a count, a duration."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from cds_service.intake.fhir.concepts import code_words, concept_of, words_of
from cds_service.intake.fhir.values import Resource, day, items, mapping, number, text
from cds_service.intake.sigs.often import times_of_hours
from cds_service.intake.sigs.read import read_sig
from cds_service.intake.tables import table
from ontology.model.quantities import Unit

_ONE, _DAY, _WEEK = Decimal(1), Decimal(1), Decimal(7)
_HOURLY = re.compile(r"Q\d+H")
_MEALS = frozenset({"C", "AC", "PC"})
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Timing(Struct, frozen=True):
    """Times within a period of days as a range, administrations in all, duration in days; `unread` names what was said and not understood."""

    times_low: Decimal | None = None
    times_high: Decimal | None = None
    period_days: Decimal = _DAY
    every_hours_low: Decimal | None = None
    every_hours_high: Decimal | None = None
    weekdays: tuple[str, ...] = ()
    count: Decimal | None = None
    days: Decimal | None = None
    over_hours: Decimal | None = None
    as_needed: bool = False
    once: bool = False
    unread: tuple[str, ...] = ()

    @property
    def low(self) -> Decimal | None:
        """The fewest times a day."""
        return None if self.times_low is None else self.times_low / self.period_days

    @property
    def high(self) -> Decimal | None:
        """The most times a day."""
        return None if self.times_high is None else self.times_high / self.period_days


def read_timing(value: object) -> Timing:
    """The timing of a dosage. A repeat decides; a coded timing is used where the repeat gives no frequency."""
    timing = mapping(value)
    repeat = mapping(timing.get("repeat"))
    unread: list[str] = []
    once = _is_once(timing, repeat)
    often = _frequency(repeat, unread)
    if often is None and timing.get("code") is not None:
        often = _coded(timing["code"], unread, once=once)
    often = often or Timing()
    return replace(
        often,
        count=_ONE if once else often.count or _count(timing, repeat),
        days=_days(repeat, unread) or often.days,
        over_hours=_run(repeat, unread),
        once=once,
        unread=(*often.unread, *unread),
    )


def _frequency(repeat: Resource, unread: list[str]) -> Timing | None:
    """Times within days, lowest and highest. FHIR counts a missing frequency as 1; a missing period unit is not made up."""
    period = number(repeat.get("period"))
    unit = text(repeat.get("periodUnit")) or text(repeat.get("periodUnits"))
    weekdays = tuple(d for d in _WEEKDAYS if d in {str(w).lower() for w in items(repeat.get("dayOfWeek"))})
    listed = _listed(repeat)
    if period is None and unit is None:
        if weekdays:
            return _on(weekdays, listed or _ONE, _ONE)
        if listed is None and "frequency" in repeat:
            unread.append("frequency without a period")
        return None if listed is None else Timing(listed, listed)
    share = _per_day_of(unit)
    if period is None or period <= 0 or share is None:
        unread.append("period unit missing or unknown" if share is None else "period missing or not positive")
        return None
    times = number(repeat.get("frequency"))
    times = _ONE if times is None else times
    if times <= 0:
        unread.append("frequency not positive")
        return None
    most = max(times, number(repeat.get("frequencyMax")) or times)
    longest = max(period, number(repeat.get("periodMax")) or period)
    if weekdays and (unit == "wk" or (unit == "d" and period == 1)):
        return _on(weekdays, (listed or times) if unit == "d" else (listed or _ONE), period if unit == "wk" else _ONE)
    if listed is not None and unit == "d" and period == longest:
        times, most = max(times, listed), max(most, listed)
    within = _within(times, most, period, longest, share)
    return replace(within, weekdays=weekdays) if weekdays else within


def _within(times: Decimal, most: Decimal, period: Decimal, longest: Decimal, share: tuple[Decimal, Decimal]) -> Timing:
    """So many times in a period of that unit; a period within a day is an interval of hours."""
    a_day, days = share
    if a_day > 1:
        hours_low, hours_high = period * 24 / a_day, longest * 24 / a_day
        if times == most == _ONE:
            low, high, whole = times_of_hours(hours_low, hours_high)
            return Timing(low, high, whole, hours_low, hours_high)
        return Timing(times * a_day / longest, most * a_day / period)
    if period == longest:
        return Timing(times, most, period * days)
    return Timing(times * period, most * longest, period * longest * days)


def _on(weekdays: Sequence[str], a_day: Decimal, weeks: Decimal) -> Timing:
    """So many times on each of these weekdays, every week or every so many weeks."""
    times = a_day * len(weekdays)
    return Timing(times, times, _WEEK * weeks, weekdays=tuple(weekdays))


def _listed(repeat: Resource) -> Decimal | None:
    """Times a day where clock times or day events are listed; meals without a number are three."""
    clocks, events = items(repeat.get("timeOfDay")), [str(w) for w in items(repeat.get("when"))]
    if clocks or not events:
        return Decimal(len(clocks)) if clocks else None
    meals = [e for e in events if e in _MEALS]
    return Decimal(len(events) - len(meals)) + (3 if meals and repeat.get("frequency") is None else len(meals))


def _per_day_of(unit: str | None) -> tuple[Decimal, Decimal] | None:
    """A period unit as (units in a day, days in the unit); one of them is 1."""
    row = table("timing_codes")["periods"].get(unit) if unit else None
    if row is None:
        return None
    return (Decimal(row["per_day"]), _ONE) if "per_day" in row else (_ONE, Decimal(row["days"]))


def _coded(code: object, unread: list[str], *, once: bool) -> Timing | None:
    """A timing by its code, else by the words of it ("every 6 hours as needed")."""
    rows, needed = table("timing_codes")["codes"], tuple(table("timing_codes")["as_needed"]["codes"])
    words = words_of(code) or ""
    for word in (*code_words(concept_of(code)), words):
        key = word.upper().replace(".", "").replace(" ", "")
        if key in needed:
            return Timing(as_needed=True)
        ending = next((n for n in needed if key.endswith(n)), "")
        row = rows.get(key.removesuffix(ending))
        if row is not None:
            times, days = Decimal(row["times"]), Decimal(row["days"])
            hours = days * 24 / times if _HOURLY.match(key) else None
            return Timing(times, times, days, hours, hours, as_needed=bool(ending))
    said = read_sig(words)[0] if words and not once else None
    if said is not None and said.times_high is not None and not said.unread:
        return Timing(
            said.times_low,
            said.times_high,
            said.period_days,
            said.every_hours_low,
            said.every_hours_high,
            said.weekdays,
            said.count,
            said.duration_days,
            as_needed=said.as_needed,
        )
    if not once:
        unread.append(f"timing code {words or ', '.join(code_words(concept_of(code))) or 'without words'}")
    return None


def _is_once(timing: Resource, repeat: Resource) -> bool:
    count, most = number(repeat.get("count")), number(repeat.get("countMax"))
    if count == 1 and (most is None or most == 1):
        return True
    if not repeat and timing.get("code") is None and len(items(timing.get("event"))) == 1:
        return True
    once = {c.upper() for c in table("timing_codes")["once"]["codes"]}
    return any(w.upper().replace(" ", "") in once for w in (*code_words(timing.get("code")), words_of(timing.get("code")) or ""))


def _count(timing: Resource, repeat: Resource) -> Decimal | None:
    """Administrations in all: the highest count, else the dates that are listed."""
    count = max((n for n in (number(repeat.get("count")), number(repeat.get("countMax"))) if n is not None), default=None)
    if count is not None:
        return count if count > 0 else None
    events = items(timing.get("event"))
    return Decimal(len(events)) if events and not repeat else None


def _run(repeat: Resource, unread: list[str]) -> Decimal | None:
    """The hours that one administration runs, of a range the shortest, which is the fastest."""
    run = number(repeat.get("duration"))
    unit = text(repeat.get("durationUnit")) or text(repeat.get("durationUnits"))
    if run is None or run <= 0:
        return None
    share = _per_day_of(unit)
    if share is None:
        unread.append("duration of one administration without a known unit")
        return None
    return run * 24 * share[1] / share[0]


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
