"""Dose phrases: amounts with their timing, duration, route and phase, put together from the pieces of one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from ontology.model.dosing import Amount, AmountBasis, Frequency, Measure, PerWhat, PhaseKind
from ontology.text.dosing.attach import Attached, attach_pieces
from ontology.text.dosing.cues import (
    binds,
    find_ceilings,
    is_content,
    is_diluent,
    is_exceeded_behind,
    is_history,
    is_over,
    is_threshold,
    is_under,
    is_weighed,
    measure_of,
    phase_of,
    route_of,
    step_sign,
)
from ontology.text.dosing.durations import find_durations
from ontology.text.dosing.fractions import find_fractions
from ontology.text.dosing.groups import Group, group_quantities, is_restated, rate_of
from ontology.text.dosing.quantities import Role, converted, find_quantities, is_counted
from ontology.text.dosing.spans_of_time import find_time_ceilings
from ontology.text.dosing.timing import find_timing
from ontology.text.sentences import split_units


@dataclass(frozen=True, slots=True)
class DosePhrase:
    """One dose or ceiling at `[start, end)` of the folded text.

    `bound` set is a ceiling on that measure, else it is a dose of a regimen. A ceiling on DURATION has no amounts but `days_high`, one on
    MINIMUM_INTERVAL no amounts but `frequency.every_hours_low`, one on RATE no amounts but `rate`; an infusion given as a rate alone has no amounts
    but `rate`. `amounts` are alternatives. With `increment` they are steps added to the dose before (a taper's are negative), not doses. `route` is
    an openFDA route in lower case.
    """

    start: int
    end: int
    amounts: tuple[Amount, ...]
    frequency: Frequency | None = None
    days_low: Decimal | None = None
    days_high: Decimal | None = None
    until: str | None = None
    rate: Amount | None = None
    concentration: Amount | None = None
    route: str | None = None
    phase: PhaseKind | None = None
    bound: Measure | None = None
    increment: bool = False


def read_doses(text: str, start: int = 0, end: int | None = None) -> list[DosePhrase]:
    """The dose phrases of folded text in order of their starts. Never raises."""
    stop = len(text) if end is None else min(end, len(text))
    out: list[DosePhrase] = []
    for unit in split_units(text, max(0, start), stop):
        for low, high in _cells(text, unit.start, unit.end):
            out += sorted(_sentence(text, low, high), key=lambda p: (p.start, p.end))
    return out


def _cells(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretches between the bars of a table's row."""
    at = start
    while (bar := text.find("|", at, end)) >= 0:
        yield at, bar
        at = bar + 1
    yield at, end


_ANY_DIGIT = re.compile(r"\d|\b(?:one|two|three|four|half|double|twice)\b", re.IGNORECASE)
_GIVEN = re.compile(r"\b(?:inject|administer|give|given|take|dose|dosage|drink|swallow|instill|apply)\w*\b[^.;]{0,40}$", re.IGNORECASE)
_CLEARANCE = re.compile(r"clearance|CrCl|CLcr|GFR|filtration|creatinine|renal", re.IGNORECASE)
_INFUSED = re.compile(r"infus|\brate\b|inject|\bdrip\b", re.IGNORECASE)
_CONCENTRATED = re.compile(r"concentrat|dilut", re.IGNORECASE)
_DAILY_DOSE = re.compile(r"\b(?:daily|24-hour)\s+(?:\w+\s+){0,2}(?:dose|dosage)s?\b", re.IGNORECASE)
_WEEKLY_DOSE = re.compile(r"\bweekly\s+(?:dose|dosage)s?\b", re.IGNORECASE)
_TIMES_A_DAY = re.compile(
    r"\b(?:once|one\s+time|twice|(?:two|three|four|\d)\s+times|(?:a\s+)?single(?:\s+dose)?)[\s-]+(?:a\s+day|daily|per\s+day|each\s+day)", re.IGNORECASE
)


@dataclass(slots=True)
class _Reading:
    """A group while its phrase is made."""

    group: Group
    attached: Attached
    start: int
    end: int
    ceiling: tuple[int, int] | None = None
    dropped: bool = False
    cap: Decimal | None = None
    rate: Amount | None = None
    concentration: Amount | None = None


def _sentence(text: str, start: int, end: int) -> Iterator[DosePhrase]:
    if _ANY_DIGIT.search(text, start, end) is None:
        return
    timing = find_timing(text, start, end)
    quantities = [q for q in find_quantities(text, start, end) if not (q.unit == "{dose}" and any(p.start <= q.start and q.end <= p.end for p in timing))]
    fractions = find_fractions(text, start, end)
    ceilings_of_time = find_time_ceilings(text, start, end)
    yield from (DosePhrase(c.start, c.end, (), c.frequency, days_high=c.days, bound=c.measure) for c in ceilings_of_time)
    groups = group_quantities(text, quantities, fractions)
    if not groups:
        return
    taken = [(g.start, g.end) for g in groups] + [(c.start, c.end) for c in ceilings_of_time]
    pieces = [p for p in (*timing, *find_durations(text, start, end)) if not any(a < p.end and p.start < b for a, b in taken)]
    dosed = [g for g in groups if g.role in (Role.DOSE, Role.RATE)]
    attached = attach_pieces(text, dosed, pieces, start, end)
    readings = [_Reading(g, a, min(g.start, a.start), max(g.end, a.end)) for g, a in zip(dosed, attached, strict=True)]
    _set_ceilings(text, readings, start, end)
    _drop_what_is_no_dose(text, readings, start, end)
    _hand_over_rates(text, readings, [g for g in groups if g.role is Role.CONCENTRATION])
    _share_in_brackets(readings)
    _set_caps(text, readings)
    for reading in readings:
        if not reading.dropped:
            phrase = _phrase(text, reading, start, end)
            if phrase is not None:
                yield phrase


def _set_ceilings(text: str, readings: list[_Reading], start: int, end: int) -> None:
    for ceiling in find_ceilings(text, start, end):
        nearest = next((r for r in readings if r.group.start >= ceiling.end), None)
        if nearest is None or any(r.group.start <= ceiling.start < r.group.end for r in readings):
            continue
        if nearest.ceiling is None and binds(ceiling, text, nearest.group.start):
            nearest.ceiling = (ceiling.start, ceiling.end)
    for before, reading in zip([None, *readings[:-1]], readings, strict=True):
        if reading.ceiling is None and is_exceeded_behind(text, reading.end, end):
            reading.ceiling = (reading.start, reading.end)
        joined = text[before.end : reading.group.start] if before is not None else ""
        if (
            reading.ceiling is None
            and before is not None
            and before.ceiling
            and re.fullmatch(r"[\s,]*\(?\s*(?:or|and)\s+(?:in\s+excess\s+of\s+)?", joined, re.IGNORECASE)
        ):
            reading.ceiling = before.ceiling
    for reading in readings:
        if reading.ceiling is not None:
            reading.start = (
                min(reading.start, reading.ceiling[0]) if reading.ceiling[1] <= reading.start and reading.start - reading.ceiling[0] < 400 else reading.start
            )


def _drop_what_is_no_dose(text: str, readings: list[_Reading], start: int, end: int) -> None:
    for r in readings:
        g = r.group
        if r.ceiling is None:
            over = is_over(text, start, g.start, r.end, end)
            if over:
                r.ceiling = (r.start, r.end)
            elif over is False or is_threshold(text, g.end, end):
                r.dropped = True
                continue
        if g.fraction is not None:
            continue
        r.dropped = r.dropped or is_content(text, start, g.start) or (r.ceiling is None and is_history(text, start, g.start))
        if g.role is Role.RATE:
            flat_volume = g.unit == "mL" and g.basis is AmountBasis.FLAT
            near = text[max(start, g.start - 90) : min(end, g.end + 50)]
            r.dropped = r.dropped or (flat_volume and (_CLEARANCE.search(near) is not None or _INFUSED.search(near) is None))
            continue
        if g.unit == "mL" and g.basis is AmountBasis.FLAT:
            said = r.attached.frequency is not None or r.ceiling is not None or _GIVEN.search(text, max(start, g.start - 60), g.start) is not None
            r.dropped = r.dropped or is_diluent(text, start, g.start, g.end, end) or not said
        elif g.unit == "{dose}":
            r.dropped = r.dropped or r.ceiling is None
        elif is_counted(g.unit) and g.basis is AmountBasis.FLAT:
            r.dropped = r.dropped or (r.attached.frequency is None and r.ceiling is None and g.per is None)
        elif g.unit == "g":
            r.dropped = r.dropped or is_weighed(text, start, g.start)


def _hand_over_rates(text: str, readings: list[_Reading], concentrations: list[Group]) -> None:
    """Rates and concentrations behind an amount go to it; a rate that is a ceiling, and one without an amount, stands alone."""
    last: _Reading | None = None
    for r in readings:
        if r.group.role is Role.DOSE:
            last = r if not r.dropped else last
        elif last is not None and not r.dropped and r.ceiling is None and r.group.start - last.end < 160:
            last.rate, last.end, r.dropped = rate_of(r.group.parts[0]), max(last.end, r.end), True
    for c in concentrations:
        before = next((r for r in reversed(readings) if r.group.end <= c.start and not r.dropped and r.group.role is Role.DOSE), None)
        if before is not None and c.start - before.end < 120 and _CONCENTRATED.search(text, before.end, c.start):
            before.concentration, before.end = rate_of(c.parts[0]), max(before.end, c.end)


def _share_in_brackets(readings: list[_Reading]) -> None:
    """A dose and its bracket on another basis share their timing; a bracket that only restates the day's total goes."""
    for before, r in zip(readings, readings[1:], strict=False):
        if r.group.bracket_of is None or r.dropped or before.dropped or not before.group.parts or r.ceiling is not None:
            continue
        a, b = before.group.parts[-1], r.group.parts[0]
        f = before.attached.frequency or r.attached.frequency
        if is_restated(a, b, _times_a_day(f)):
            r.dropped = True
            before.end = max(before.end, r.end)
            before.attached = before.attached.filled(r.attached)
        else:
            mine, other = before.attached, r.attached
            before.attached, r.attached = mine.filled(other), other.filled(mine)
            before.end, r.start = (max(before.end, r.end) if mine.frequency is None else before.end), (r.start if other.frequency else before.start)


def _times_a_day(f: Frequency | None) -> Decimal | None:
    if f is None:
        return None
    if f.every_hours_low and f.every_hours_low == f.every_hours_high:
        return Decimal(24) / f.every_hours_low
    return f.times_low if f.times_low == f.times_high and f.period_days == 1 else None


def _set_caps(text: str, readings: list[_Reading]) -> None:
    """An absolute ceiling right behind an amount per kg or m2 is its cap; where it stands in words of its own it is a ceiling as well."""
    for before, r in zip(readings, readings[1:], strict=False):
        if r.ceiling is None or before.ceiling is not None or before.dropped or r.dropped or not before.group.parts or not r.group.parts:
            continue
        a, b = before.group.parts[-1], r.group.parts[-1]
        if a.basis not in (AmountBasis.PER_KG, AmountBasis.PER_M2) or b.basis is not AmountBasis.FLAT or r.ceiling[0] < before.group.end:
            continue
        gap = text[max(before.group.end, min(before.end, r.ceiling[0])) : r.ceiling[0]]
        value = converted(b.high, b.unit, a.unit)
        measure = _measure(text, r)
        daily = _is_daily(before)
        fits = (measure is Measure.DAY and daily) or (measure is Measure.SINGLE and (before.group.per is not PerWhat.DAY or "dose" not in b.over))
        if value is None or not fits or len(gap) > 60 or ";" in gap:
            continue
        before.cap = value
        before.end = max(before.end, r.end)
        if re.fullmatch(r"[\s,]*[(\[]?\s*(?:with\s+a\s+|to\s+a\s+|but\s+)?", gap):
            r.dropped = True


def _is_daily(r: _Reading) -> bool:
    f = r.attached.frequency
    once = f is not None and f.times_high == 1 and f.period_days == 1 and f.every_hours_low is None
    return r.group.per is PerWhat.DAY or r.attached.divided or once


def _measure(text: str, r: _Reading) -> Measure:
    if r.group.role is Role.RATE:
        return Measure.RATE
    if r.group.per is PerWhat.DAY:
        return Measure.DAY
    if r.group.per in (PerWhat.WEEK, PerWhat.COURSE):
        return Measure.WEEK if r.group.per is PerWhat.WEEK else Measure.COURSE
    f = r.attached.frequency
    if f is not None and f.times_high is not None and f.period_days == 7:
        return Measure.WEEK if f.times_high == 1 else Measure.SINGLE
    low = min(r.start, r.ceiling[0] if r.ceiling else r.start)
    words = _TIMES_A_DAY.sub("", text[max(0, low - 40 if _is_clause(text, low) else low) : r.group.start]) + " " + text[r.group.end : r.end]
    named = measure_of(_TIMES_A_DAY.sub("", words) if f is not None else words)
    if named is not None and not (named is Measure.DAY and f is not None and f.times_high is not None and f.times_high > 1 and not _DAILY_DOSE.search(words)):
        return named
    if f is not None and (_is_daily(r) or f.every_hours_low == 24 or r.attached.divided):
        return Measure.DAY
    return Measure.SINGLE


def _is_clause(text: str, at: int) -> bool:
    return re.search(r"\b(?:daily|weekly|single|cumulative|lifetime)\s+(?:\w+\s+){0,4}$", text[max(0, at - 40) : at], re.IGNORECASE) is not None


def _phrase(text: str, r: _Reading, start: int, end: int) -> DosePhrase | None:
    g, a = r.group, r.attached
    if g.role is Role.RATE:
        bound = Measure.RATE if r.ceiling is not None else None
        return DosePhrase(
            r.start, r.end, (), a.frequency, a.days_low, a.days_high, a.until, rate=rate_of(g.parts[0]), route=_route(text, r, start), bound=bound
        )
    before = text[max(start, g.start - 60) : g.start]
    per = PerWhat.DOSE
    frequency = a.frequency
    if a.divided or (_DAILY_DOSE.search(before) and frequency is None):
        per = PerWhat.DAY
    elif _WEEKLY_DOSE.search(before) and frequency is None:
        per = PerWhat.WEEK
    amounts = g.amounts(per)
    sign = step_sign(text, start, g.start, g.end, end) if g.fraction is None else 0
    under = g.fraction is None and r.ceiling is None and is_under(text, start, g.start)
    if under and not re.search(r"\b(?:starting|initial|lower)\b", before, re.IGNORECASE):
        return None
    if under:
        amounts = tuple(replace(x, low=None, choices=()) for x in amounts)
    if sign < 0:
        amounts = tuple(_negative(x) for x in amounts)
    if r.cap is not None:
        amounts = (*amounts[:-1], replace(amounts[-1], cap=r.cap))
    bound = _measure(text, r) if r.ceiling is not None and g.fraction is None and not sign else None
    step = bool(sign) or (g.fraction is not None and g.fraction.step)
    phase = phase_of(text, start, g.start, g.end, end) if g.fraction is None else PhaseKind.ADJUSTED
    if sign:
        phase = PhaseKind.TAPER if sign < 0 else PhaseKind.TITRATION
    return DosePhrase(r.start, r.end, amounts, frequency, a.days_low, a.days_high, a.until, r.rate, r.concentration, _route(text, r, start), phase, bound, step)


def _negative(amount: Amount) -> Amount:
    low, high = amount.low, amount.high
    return replace(amount, low=-high if high is not None else None, high=-low if low is not None else None, choices=tuple(-c for c in amount.choices))


def _route(text: str, r: _Reading, start: int) -> str | None:
    """The route within the phrase and the words around it."""
    tail = re.compile(r"[.;:,()|]").search(text, r.end, min(len(text), r.end + 40))
    return route_of(text, r.group.start, tail.start() if tail else r.end) or route_of(text, max(start, r.start - 40), r.end)
