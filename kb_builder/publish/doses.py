"""Regimens and limits as flat doses: one a phase and amount; amounts of which any is right ("1 or 2 mg") are told as their range."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from ontology.model.dosing import Amount, AmountBasis, Frequency, Limit, Measure, PerWhat, Phase, PhaseKind, Regimen

Dose = dict[str, Any]

_UNITS = {"ug": "mcg", "[USP'U]": "unit", "{tbl}": "tablet", "{capsule}": "capsule", "{puff}": "puff", "{patch}": "patch", "[drp]": "drop"}
_PHASES = {PhaseKind.TITRATION: "usual", PhaseKind.TAPER: "adjusted", PhaseKind.LEVEL: "adjusted"}
_HOURS = Decimal(24)
_CALENDAR = (Decimal(30), Decimal(365))
"""Days that stand for months and years: these are no count of hours."""
_CAPS = {Measure.SINGLE: "max_single", Measure.DAY: "max_daily"}


def doses_of(payload: Regimen | Limit) -> Iterator[Dose]:
    """The doses a payload states; an amount given as a formula or as a step of titration, and a limit other than on a dose or a day, give none."""
    if isinstance(payload, Limit):
        yield from _limit(payload)
        return
    for phase in (p for p in payload.phases if not p.increment):
        for amount in phase.amounts:
            yield from _phase_doses(phase, amount)


def _limit(limit: Limit) -> Iterator[Dose]:
    cap = _CAPS.get(limit.measure)
    value = limit.amount.high if limit.amount.high is not None else limit.amount.low
    if cap is None or value is None or limit.amount.basis in (AmountBasis.FRACTION, AmountBasis.FORMULA):
        return
    yield {"unit": _unit(limit.amount.unit), "basis": limit.amount.basis.value, "per": "day" if cap == "max_daily" else "dose", cap: value, "phase": "maximum"}


def _phase_doses(phase: Phase, amount: Amount) -> Iterator[Dose]:
    if amount.basis is AmountBasis.FORMULA:
        return
    rest: Dose = {"phase": _PHASES.get(phase.kind, phase.kind.value), **_timing(phase.frequency), **_duration(phase)}
    if amount.basis is AmountBasis.FRACTION:
        yield from ({"factor": factor, **rest} for factor in dict.fromkeys((amount.low, amount.high)) if factor is not None)
        return
    weekly = phase.frequency is not None and phase.frequency.period_days == 7
    head: Dose = {"unit": _unit(amount.unit), "basis": amount.basis.value, "per": PerWhat.WEEK.value if weekly else amount.per.value}
    tail: Dose = {"max_single" if amount.per is PerWhat.DOSE else "max_daily": amount.cap} if amount.cap is not None else {}
    if amount.choices:
        yield {"low": min(amount.choices), "high": max(amount.choices), **head, **rest, **tail}
        return
    low = amount.low if amount.low is not None else amount.high
    yield {"low": low, "high": amount.high if amount.high is not None else low, **head, **rest, **tail}


def _timing(frequency: Frequency | None) -> Dose:
    if frequency is None:
        return {}
    low, high = frequency.times_low, frequency.times_high
    if frequency.every_hours_low is not None and low is None and high is None:
        longest = frequency.every_hours_high
        if longest is None or longest == frequency.every_hours_low or not frequency.every_hours_low:
            return {"every_hours": frequency.every_hours_low}
        low, high = _a_day(longest), _a_day(frequency.every_hours_low)
    elif frequency.period_days not in (1, 7):
        steady = low == high == 1 and not any(frequency.period_days % length == 0 for length in _CALENDAR)
        return {"every_hours": frequency.period_days * _HOURS} if steady else {}
    return {k: v for k, v in (("times_low", low if low is not None else high), ("times_high", high if high is not None else low)) if v is not None}


def _a_day(hours: Decimal) -> Decimal:
    return (_HOURS / hours).quantize(Decimal("0.001")).normalize()


def _duration(phase: Phase) -> Dose:
    days = phase.duration_days_high if phase.duration_days_high is not None else phase.duration_days_low
    return {} if days is None else {"duration_days": days}


def _unit(code: str) -> str:
    return _UNITS.get(code, code.strip("{}"))
