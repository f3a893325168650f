"""The amounts of a sentence with what stands around them: which are ceilings, which are no doses, caps, brackets, rates."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from ontology.model.dosing import Amount, AmountBasis, Frequency, Measure, PerWhat
from ontology.text.dosing.attach import Attached
from ontology.text.dosing.cues import (
    binds,
    find_ceilings,
    is_content,
    is_diluent,
    is_exceeded_behind,
    is_history,
    is_over,
    is_threshold,
    is_weighed,
    measure_of,
)
from ontology.text.dosing.groups import Group, is_restated, rate_of
from ontology.text.dosing.numbers import COUNT
from ontology.text.dosing.quantities import Role, converted, is_counted, is_mass

_OPENED = re.compile(
    r"(?:\s+\w+)?\s*[(\[]\s*(?:or\s+)?(?:in\s+excess\s+of\s+|i\.e\.,?\s*|approximately\s+|about\s+|for\s+a\s+)?(?:(?:a\s+)?(?:total|daily|maximum|recommended)\s+)*(?:dos(?:e|age)\s*(?:of|:|is)?\s*)?",
    re.IGNORECASE,
)
_THEN = re.compile(r"\b(?:then|followed|maintenance|continu\w+|thereafter|subsequent\w*)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[.;,|]|\b(?:with|and)\s+(?:an?\s+|the\s+)?(?:maximum|maximal|total)\b")
_SUBSEQUENT = re.compile(r"\b(?:subsequent|second|another|repeat(?:ed)?|additional)\s+$", re.IGNORECASE)
_AFTER_FIRST = re.compile(rf"\s*-?\s*dose\s+(?:{COUNT})(?:\s+and\s+(?P<second>{COUNT}))?\s+hours\s+(?:after\s+the\s+first(?:\s+dose)?|later)\b", re.IGNORECASE)
_GIVEN = re.compile(r"\b(?:inject|administer|give|given|take|dose|dosage|drink|swallow|instill|apply|inhale|spray|place)\w*\b[^.;]{0,40}$", re.IGNORECASE)
_APPLIED = frozenset({"[drp]", "{puff}", "{spray}", "{patch}", "{application}"})
_CLEARANCE = re.compile(r"clearance|CrCl|CLcr|GFR|filtration|creatinine|renal", re.IGNORECASE)
_INFUSED = re.compile(r"infus|\brate\b|inject|\bdrip\b", re.IGNORECASE)
_CONCENTRATED = re.compile(r"concentrat|dilut", re.IGNORECASE)
_DAILY_DOSE = re.compile(r"\b(?:daily|24-hour)\s+(?:\w+\s+){0,2}(?:dose|dosage)s?\b", re.IGNORECASE)
_TOTAL_DOSE = re.compile(r"\btotal\s+(?:[\w-]+\s+){0,2}(?:dose|dosage)\b", re.IGNORECASE)
_ONE_DOSE = re.compile(r"[^.;]{0,80}\bsingle\s+(?:[\w-]+\s+)?dose\b", re.IGNORECASE)
_TIMES_A_DAY = re.compile(
    r"\b(?:once|one\s+time|twice|(?:two|three|four|\d)\s+times|(?:a\s+)?single(?:\s+dose)?)[\s-]+(?:a\s+day|daily|per\s+day|each\s+day)|(?:一|每|1)?[日天周][^,;。]{0,4}?[\d一二两三四]次",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Reading:
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


def judge(text: str, readings: list[Reading], concentrations: list[Group], start: int, end: int) -> list[Reading]:
    """The readings that are doses, ceilings or rates, with their caps, rates and concentrations set."""
    _set_ceilings(text, readings, start, end)
    _drop_what_is_no_dose(text, readings, start, end)
    _hand_over_rates(text, readings, concentrations)
    _share_in_brackets(text, readings)
    _set_caps(text, readings)
    _count_subsequent(text, readings, end)
    return [r for r in readings if not r.dropped]


def _set_ceilings(text: str, readings: list[Reading], start: int, end: int) -> None:
    for ceiling in find_ceilings(text, start, end):
        nearest = next((r for r in readings if r.group.start >= ceiling.end), None)
        if nearest is None or any(r.group.start <= ceiling.start < r.group.end for r in readings):
            continue
        if nearest.ceiling is None and binds(ceiling, text, nearest.group.start):
            nearest.ceiling = (ceiling.start, ceiling.end)
    for before, reading in zip((None, *readings), readings, strict=False):
        if reading.ceiling is None and is_exceeded_behind(text, reading.end, end) and is_over(text, start, reading.group.start, reading.end, end) is None:
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


def _drop_what_is_no_dose(text: str, readings: list[Reading], start: int, end: int) -> None:
    for r in readings:
        g = r.group
        if r.ceiling is None:
            over = is_over(text, start, g.start, r.end, end)
            if over:
                r.ceiling = (r.start, r.end)
            elif over is False or (is_threshold(text, g.end, end) and g.fraction is None):
                r.dropped = True
                continue
        if g.fraction is not None:
            continue
        r.dropped = r.dropped or is_content(text, start, g.start, g.end, end) or (_may_be_history(text, r) and is_history(text, start, g.start, g.end, end))
        if g.parts[0].product and r.attached.frequency is None and r.ceiling is None:
            r.dropped = True
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
            said = r.attached.frequency is not None or r.ceiling is not None or g.per is not None
            r.dropped = r.dropped or not (said or (g.unit in _APPLIED and _GIVEN.search(text, max(start, g.start - 40), g.start)))
        elif g.unit == "g" and g.basis is AmountBasis.FLAT:
            r.dropped = r.dropped or is_weighed(text, start, g.start)


def _may_be_history(text: str, r: Reading) -> bool:
    return r.ceiling is None or text[r.ceiling[0] : r.ceiling[1]].lower().startswith("up")


def _hand_over_rates(text: str, readings: list[Reading], concentrations: list[Group]) -> None:
    """Rates and concentrations behind an amount go to it; a rate that is a ceiling, and one without an amount, stands alone."""
    last: Reading | None = None
    for r in readings:
        if r.group.role is Role.DOSE:
            last = r if not r.dropped else last
        elif (
            last is not None and not r.dropped and r.ceiling is None and r.group.start - last.end < 160 and _THEN.search(text, last.end, r.group.start) is None
        ):
            last.rate, last.end, r.dropped = rate_of(r.group.parts[0]), max(last.end, r.end), True
    for c in concentrations:
        before = next((r for r in reversed(readings) if r.group.end <= c.start and not r.dropped and r.group.role is Role.DOSE), None)
        if before is not None and c.start - before.end < 120 and _CONCENTRATED.search(text, before.end, c.start):
            before.concentration, before.end = rate_of(c.parts[0]), max(before.end, c.end)


def _share_in_brackets(text: str, readings: list[Reading]) -> None:
    """A dose and its bracket on another basis share their timing; a bracket that only restates the day's total goes."""
    for before, r in pairwise(readings):
        if r.dropped or before.dropped or not before.group.parts or not r.group.parts:
            continue
        if _OPENED.fullmatch(text, before.group.end, r.group.start) is None and _OPENED.fullmatch(text, before.end, r.group.start) is None:
            continue
        a, b = before.group.parts[-1], r.group.parts[0]
        f = before.attached.frequency or r.attached.frequency
        times = _times_a_day(before.attached.frequency)
        if before.ceiling is not None and r.ceiling is None and b.per is PerWhat.DAY and times is not None and times > 1 and is_restated(a, b, times):
            r.ceiling, r.start, before.dropped = before.ceiling, before.start, True  # the day's total is the ceiling, however it is divided
        elif before.ceiling is not None and r.ceiling is None and is_restated(b, replace(a, per=PerWhat.DAY), _times_a_day(r.attached.frequency)):
            r.dropped = True
            before.end = max(before.end, r.end)
        elif is_restated(a, b, _times_a_day(f)) or (b.per is PerWhat.DAY and not is_mass(a.unit) and is_mass(b.unit)):
            r.dropped = True
            before.end = max(before.end, r.end)
            before.attached = before.attached.filled(r.attached)
        elif (r.ceiling is None) is (before.ceiling is None):
            mine, other = before.attached, r.attached
            before.attached, r.attached = mine.filled(other), other.filled(mine)
            before.end, r.start = max(before.end, before.attached.end), min(r.start, r.attached.start)


def _count_subsequent(text: str, readings: list[Reading], end: int) -> None:
    """The same dose again some hours after the first counts as one more time."""
    for before, r in pairwise(readings):
        if r.dropped or before.dropped or not r.group.parts or before.group.amounts(PerWhat.DOSE) != r.group.amounts(PerWhat.DOSE):
            continue
        again = _AFTER_FIRST.match(text, r.group.end, end)
        if again is None or _SUBSEQUENT.search(text, before.group.end, r.group.start) is None:
            continue
        times = Decimal(2 if again["second"] is None else 3)
        event = before.attached.frequency.event if before.attached.frequency is not None else None
        before.attached = replace(before.attached, frequency=Frequency(times, times, event=event))
        before.end, r.dropped = max(before.end, again.end()), True


def _times_a_day(f: Frequency | None) -> Decimal | None:
    if f is None:
        return None
    if f.every_hours_low and f.every_hours_low == f.every_hours_high:
        return Decimal(24) / f.every_hours_low
    return f.times_low if f.times_low == f.times_high and f.period_days == 1 else None


def _set_caps(text: str, readings: list[Reading]) -> None:
    """An absolute ceiling right behind an amount per kg or m2 is its cap; where it stands in words of its own it is a ceiling as well."""
    for before, r in pairwise(readings):
        if r.ceiling is None or before.ceiling is not None or before.dropped or r.dropped or not before.group.parts or not r.group.parts:
            continue
        a, b = before.group.parts[-1], r.group.parts[-1]
        if a.basis not in (AmountBasis.PER_KG, AmountBasis.PER_M2) or b.basis is not AmountBasis.FLAT or r.ceiling[0] < before.group.end:
            continue
        gap = text[max(before.group.end, min(before.end, r.ceiling[0])) : r.ceiling[0]]
        value = converted(b.high, b.unit, a.unit)
        what = measure(text, r)
        daily = _is_daily(before)
        fits = (what is Measure.DAY and daily) or (what is Measure.SINGLE and (before.group.per is not PerWhat.DAY or "dose" not in b.over))
        fits = fits or (what is Measure.WEEK and before.attached.frequency is None and r.attached.frequency is not None)
        if value is None or not fits or len(gap) > 60 or ";" in gap:
            continue
        before.cap = value
        before.end = max(before.end, r.end)
        if re.fullmatch(r"[\s,]*[(\[]?\s*(?:with\s+a\s+|to\s+a\s+|but\s+)?", gap):
            r.dropped = True
            before.attached = before.attached.filled(r.attached)


def _is_daily(r: Reading) -> bool:
    f = r.attached.frequency
    once = f is not None and f.times_high == 1 and f.period_days == 1 and f.every_hours_low is None
    return r.group.per is PerWhat.DAY or r.attached.divided or once


def measure(text: str, r: Reading) -> Measure:
    """What a ceiling bounds: by the stretch of its amount, its frequency and its words; a dose where nothing says more."""
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
    tail = _CLAUSE.search(text, r.end, min(len(text), r.end + 36))
    behind = text[r.group.end : max(r.end, tail.start() if tail else min(len(text), r.end + 36))]
    words = _TIMES_A_DAY.sub("", text[max(0, low - 40 if _is_clause(text, low) else low) : r.group.start]) + " " + behind
    named = measure_of(_TIMES_A_DAY.sub("", words) if f is not None else words)
    if named is not None and not (named is Measure.DAY and f is not None and f.times_high is not None and f.times_high > 1 and not _DAILY_DOSE.search(words)):
        return named
    if f is not None and (_is_daily(r) or f.every_hours_low == 24 or r.attached.divided):
        return Measure.DAY
    if f is None and _TOTAL_DOSE.search(text, max(0, low - 60), r.group.start) is not None and _ONE_DOSE.match(text, r.group.end):
        return Measure.DAY
    return Measure.SINGLE


def _is_clause(text: str, at: int) -> bool:
    return (
        re.search(
            r"\b(?:daily|weekly|single|cumulative|lifetime)\s+(?:\w+\s+){0,4}$|\bin\s+(?:any|a|one|each)\s+(?:week|day|24[\s-]+hours?(?:[\s-]+period)?)\s*,?\s*(?:take\s+|give\s+|use\s+)?$",
            text[max(0, at - 40) : at],
            re.IGNORECASE,
        )
        is not None
    )
