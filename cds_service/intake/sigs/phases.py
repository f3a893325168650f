"""The dose instruction of each part, and what parts that follow one another or stand side by side take over from each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from cds_service.intake.prescription import DoseInstruction
from cds_service.intake.sigs.asides import Asides
from cds_service.intake.sigs.lexicon import SECTIONS, any_of
from cds_service.intake.sigs.often import Often
from cds_service.intake.sigs.parts import THEN, Part
from cds_service.intake.sigs.restated import Dosed
from ontology.model.quantities import Quantity

_SOFT = re.compile(rf"{any_of(SECTIONS['ceiling']['soft'])}\s*$", re.IGNORECASE)
_EXCEPT = re.compile(any_of(SECTIONS["except"]["words"]), re.IGNORECASE)
_OTHER_DAYS = re.compile(any_of(SECTIONS["other_days"]["words"]), re.IGNORECASE)
_DAYS = tuple(SECTIONS["weekdays"])
_ONE, _WEEK = Decimal(1), Decimal(7)


def instruct(text: str, part: Part, often: Often, asides: Asides) -> DoseInstruction:
    """The part's own dose, frequency and asides."""
    dose, rate = part.dose, part.rate
    low = None if dose is None or _SOFT.search(text, part.start, dose.start) else dose.low
    out = DoseInstruction(
        dose_low=low,
        dose_high=dose.high if dose is not None else None,
        dose_per=dose.per if dose is not None else None,
        counted=dose.counted if dose is not None else None,
        **_how_often(often),
        count=_ONE if often.count is None and often.low is None and part.days == 1 and dose is not None else often.count,
        as_needed=asides.as_needed,
        as_needed_for=asides.reason,
        max_doses_per_day=asides.most if often.count is None else None,
        duration_days=Decimal(part.days) if part.days else often.days,
        rate=rate.amount if rate is not None else None,
        rate_per=rate.per if rate is not None else None,
        over_hours=asides.infusion,
        route=_route(asides.route, dose),
        schedule=asides.schedule,
        read_from="words",
    )
    if dose is None:
        return out
    if often.divided or (dose.of_day and dose.high.unit.dimension in ("mass", "activity", "volume")):
        return _of_day(out, dose, low)
    if (dose.of_day or dose.of_week) and often.low is None:
        return replace(out, times_low=_ONE, times_high=_ONE, period_days=_WEEK if dose.of_week else _ONE)
    return out


def _how_often(often: Often) -> dict[str, Any]:
    """The members of an instruction that say how often."""
    return {
        "times_low": often.low,
        "times_high": often.high,
        "period_days": often.period,
        "every_hours_low": often.hours_low,
        "every_hours_high": often.hours_high,
        "weekdays": often.weekdays,
    }


def with_rate(out: DoseInstruction, part: Part) -> DoseInstruction:
    """The instruction with the rate that the part says, where it has none."""
    return replace(out, rate=part.rate.amount, rate_per=part.rate.per) if part.rate is not None and out.rate is None else out


def _route(said: str | None, dose: Dosed | None) -> str | None:
    """The route that is said; what is puffed by mouth is inhaled."""
    return "inhalation" if dose is not None and dose.high.unit.dimension == "puff" and said in (None, "oral") else said


def _of_day(out: DoseInstruction, dose: Dosed, low: Quantity | None) -> DoseInstruction:
    """An amount of a day: the single dose is its share, where the number of doses is known."""
    times = out.times_low if out.times_low == out.times_high and out.period_days == 1 else None
    single_low = Quantity(low.value / times, low.unit) if times and low is not None else None
    single_high = Quantity(dose.high.value / times, dose.high.unit) if times else None
    return replace(out, day_low=low, day_high=dose.high, dose_low=single_low, dose_high=single_high)


def complete(out: DoseInstruction, often: Often, asides: Asides) -> DoseInstruction:
    """The instruction with what it does not say yet."""
    if out.times_high is None and out.count is None:
        out = replace(
            out,
            **_how_often(often),
            count=often.count,
        )
    elif out.count is None and often.count is not None and often.count > 1:
        out = replace(out, count=often.count)
    return replace(
        out,
        duration_days=out.duration_days or often.days,
        as_needed=out.as_needed or asides.as_needed,
        as_needed_for=out.as_needed_for or asides.reason,
        route=out.route or asides.route,
        schedule=out.schedule or asides.schedule,
        over_hours=out.over_hours or asides.infusion,
        max_doses_per_day=out.max_doses_per_day or (asides.most if out.count is None else None),
    )


def link(before: Sequence[DoseInstruction], after: DoseInstruction, part: Part, text: str, begin: int) -> list[DoseInstruction]:
    """The instructions with one more: a phase behind them, or beside the last. Each takes over what only its neighbour says.

    `begin` is where the part before begins.
    """
    last = before[-1]
    after = replace(after, route=after.route or last.route)
    if after.dose_high is None and after.day_high is None and after.rate is None:
        after = replace(after, dose_low=last.dose_low, dose_high=last.dose_high, dose_per=last.dose_per, counted=last.counted)
    both_last = last.duration_days is not None and after.duration_days is not None and not last.weekdays
    if part.link != THEN and not both_last:
        between = text[begin : part.dose.start if part.dose is not None else part.end]
        return [*before[:-1], *_side_by_side(last, after, between, text[part.start : part.end])]
    if after.times_high is None and after.count is None and last.times_high is not None and after.rate is None:
        after = replace(after, times_low=last.times_low, times_high=last.times_high, period_days=last.period_days, weekdays=last.weekdays)
        after = replace(after, every_hours_low=last.every_hours_low, every_hours_high=last.every_hours_high)
    if last.times_high is None and last.count is None and last.duration_days is None and last.day_high is None and last.dose_high is not None:
        last = replace(last, count=_ONE)
    numbered = [replace(i, sequence=i.sequence or 1) for i in (*before[:-1], last)]
    return [*numbered, replace(after, sequence=(last.sequence or 1) + 1)]


def _side_by_side(last: DoseInstruction, after: DoseInstruction, between: str, said: str) -> list[DoseInstruction]:
    """Two parts of one phase; what is excepted from the first is the time of the second."""
    if last.times_high is None and last.count is None and after.times_high is not None and not after.weekdays:
        last = replace(last, times_low=after.times_low, times_high=after.times_high, period_days=after.period_days)
    if last.weekdays and not after.weekdays and _OTHER_DAYS.search(said):
        after = _on(after, last.weekdays)
    if after.weekdays and last.period_days == 1 and last.times_high == _ONE and _EXCEPT.search(between):
        last = _on(last, after.weekdays)
    return [last, replace(after, sequence=last.sequence)]


def _on(instruction: DoseInstruction, taken: Sequence[str]) -> DoseInstruction:
    """The instruction once on each weekday that is not taken."""
    others = tuple(d for d in _DAYS if d not in taken)
    return replace(instruction, times_low=Decimal(len(others)), times_high=Decimal(len(others)), period_days=_WEEK, weekdays=others)


def alternate(instructions: Sequence[DoseInstruction]) -> list[DoseInstruction]:
    """Instructions that take turns: each as often as there are, over so much longer a period."""
    turns = Decimal(len(instructions))
    return [replace(i, period_days=i.period_days * turns) if i.times_high is not None else i for i in instructions]
