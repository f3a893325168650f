"""Dose phrases: amounts with their timing, duration, route and phase, put together from the pieces of one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from ontology.model.dosing import Amount, AmountBasis, Frequency, Measure, PerWhat, PhaseKind
from ontology.text.dosing.attach import attach_pieces
from ontology.text.dosing.chinese import find_han_fractions, find_han_quantities, find_han_timing, han_phase, han_route, has_han, is_han_beside
from ontology.text.dosing.cues import is_content, is_diluent, is_under, phase_of, route_of, step_sign
from ontology.text.dosing.durations import find_durations
from ontology.text.dosing.fractions import find_fractions
from ontology.text.dosing.groups import Group, group_quantities, rate_of
from ontology.text.dosing.pieces import overlaps
from ontology.text.dosing.quantities import Role, find_quantities, is_counted
from ontology.text.dosing.readings import Reading, judge, measure
from ontology.text.dosing.spans_of_time import find_time_ceilings
from ontology.text.dosing.timing import find_timing
from ontology.text.sentences import split_units
from ontology.text.sought import sought

_NUMBER = re.compile(r"\d|[一二两三四五六七八九十半倍]|\b(?:one|two|three|four|half|halv\w+|third|quarter|double\w*|twice)\b", re.IGNORECASE)
_PART = sought(r"%|percent|half|halv|doubl|tripl|third|fourth|quarter|twice|fifth|[123]/[234]", re.IGNORECASE)
_TIME_CEILING = sought(r"exceed|longer|more than|limited|duration|apart|between|sooner|elapse|often|frequently|interval|beyond|超过|多于", re.IGNORECASE)
_BARE_CEILING = sought(r"\bmax(?:imum|\.)?\s*(?:of\s+)?(?P<n>\d{1,2})\s*(?:/|per|a|in)\s*(?:day|d|24\s*h(?:ou)?r?s?)\b", re.IGNORECASE)
_DAILY_DOSE = re.compile(r"\b(?:daily|24-hour)\s+(?:\w+\s+){0,2}(?:dose|dosage)s?\b", re.IGNORECASE)
_DAILY_BEHIND = re.compile(r"\s*(?:total\s+)?daily\s+(?:dose|dosage)", re.IGNORECASE)
_TOTALING = sought(r"\bdaily\s+(?:\w+\s+)?total(?:ing|ling)\s+$", re.IGNORECASE)
_WEEKLY_DOSE = sought(r"\bweekly\s+(?:dose|dosage)s?\b", re.IGNORECASE)
_LOWER_START = sought(r"\b(?:starting|initial|lower)\b", re.IGNORECASE)
_LISTED = re.compile(r"(?:\s*(?:of\s+)?(?:(?!(?:and|or)\b)[A-Za-z-]+\s*){0,4})(?:,\s*(?:and\s+)?|\s+(?:and|or)\s+)", re.IGNORECASE)
_IS_MOST = re.compile(
    r"(?:\s+(?:once|twice|three times|four times))?(?:\s+(?:a day|daily|per day))?\s*,\s*(?:which|this)\s+is\s+(?:also\s+)?the\s+(?:usual\s+|recommended\s+)*(?:maximum|maximal|highest)(?:\s+recommended)?\b(?:\s+(?P<one>single)|\s+(?:total\s+)?(?P<day>daily))?",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[.;:,()|]")


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


_COUNT = r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)"
_PIECES = rf"(?:as |given as |using |with )?(?:an? )?{_COUNT}(?: ?[x×] ?| of (?:the )?| )\d[\d.,]*[ -]?(?:mg|mcg|g)\b(?:(?!\b(?:daily|times|twice|once|every|each|[ap]m)\b)[^()\d]){{0,30}}"
_MADE_OF = re.compile(
    rf"\(\s*\d{{1,2}}\s?[x×]\s?\d[\d.,]*[\s-]?(?:mg|mcg|g)\b[^()\d]{{0,30}}\)|(?:(?<=mg)|(?<=mcg)|(?<=\dg)|(?<= g)|(?<=grams)|(?<=dose)|(?<=daily)|(?<=day))(?: ?[a-d*†‡])? ?\({_PIECES}(?:(?<= )or {_PIECES}|(?:(?<= )(?:plus|and)|[+,])\s?{_PIECES}){{0,3}}\)",
    re.IGNORECASE,
)
"""A bracket that says which products make up the dose before it ("800 mg (2 x 400 mg) twice daily", "600 mg (two 300 mg injections)")."""


def read_doses(text: str, start: int = 0, end: int | None = None) -> list[DosePhrase]:
    """The dose phrases of folded text in order of their starts. Never raises."""
    stop = len(text) if end is None else min(end, len(text))
    if _MADE_OF.search(text, max(0, start), stop):
        text = text[: max(0, start)] + _MADE_OF.sub(lambda m: " " * len(m[0]), text[max(0, start) : stop]) + text[stop:]
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


def _sentence(text: str, start: int, end: int) -> Iterator[DosePhrase]:
    if _NUMBER.search(text, start, end) is None:
        return
    of_time = find_time_ceilings(text, start, end) if _TIME_CEILING.search(text, start, end) else []
    yield from (DosePhrase(c.start, c.end, (), c.frequency, days_high=c.days, bound=c.measure) for c in of_time)
    han = has_han(text, start, end)
    quantities = find_han_quantities(text, start, end) if han else find_quantities(text, start, end)
    fractions = find_fractions(text, start, end) if _PART.search(text, start, end) else []
    groups = group_quantities(text, quantities, [*fractions, *find_han_fractions(text, start, end)] if han else fractions)
    if not any(g.role in (Role.DOSE, Role.RATE) for g in groups):
        return
    timing = [*find_timing(text, start, end), *(find_han_timing(text, start, end) if han else ())]
    if any(g.unit == "{dose}" for g in groups):
        counted = sorted((p.start, p.end) for p in timing)
        groups = [g for g in groups if g.unit != "{dose}" or not overlaps(counted, g.start, g.end)]
    taken, ceilings = [(g.start, g.end) for g in groups], sorted((c.start, c.end) for c in of_time)
    pieces = [p for p in (*timing, *find_durations(text, start, end)) if not overlaps(taken, p.start, p.end) and not overlaps(ceilings, p.start, p.end)]
    dosed = _without_contents(text, [g for g in groups if g.role in (Role.DOSE, Role.RATE)], start, end)
    if not dosed:
        return
    attached = attach_pieces(text, dosed, pieces, end)
    readings = [Reading(g, a, min(g.start, a.start), max(g.end, a.end)) for g, a in zip(dosed, attached, strict=True)]
    form = next((g.unit for g in dosed if is_counted(g.unit)), None)
    if form is not None:
        yield from _bare_ceilings(text, form, start, end)
    for reading in judge(text, readings, [g for g in groups if g.role is Role.CONCENTRATION], start, end):
        phrase = _phrase(text, reading, start, end)
        if phrase is not None:
            yield phrase
            top = _topmost(text, reading, phrase, end)
            if top is not None:
                yield top


def _topmost(text: str, reading: Reading, phrase: DosePhrase, end: int) -> DosePhrase | None:
    """The dose as a ceiling too where a clause says so ("40 mg once daily, which is the maximum"); None where none does."""
    said = _IS_MOST.match(text, reading.group.end, end)
    if said is None or phrase.bound is not None or phrase.increment or reading.group.fraction is not None:
        return None
    once = phrase.frequency is not None and phrase.frequency.times_high == 1 and phrase.frequency.period_days == 1 and phrase.frequency.event != "single dose"
    shared = phrase.frequency is not None and not once and phrase.frequency.event != "single dose" and all(a.per is PerWhat.DOSE for a in phrase.amounts)
    if shared and said["day"] is not None:
        return None  # the ceiling is the day's total, which is not printed
    daily = said["day"] is not None or (said["one"] is None and (once or any(a.per is PerWhat.DAY for a in phrase.amounts)))
    return replace(phrase, end=max(phrase.end, said.end()), bound=Measure.DAY if daily else Measure.SINGLE, frequency=None, phase=None)


def _bare_ceilings(text: str, unit: str, start: int, end: int) -> Iterator[DosePhrase]:
    """Ceilings a day without a unit, as orders write them behind a count ("1-2 tabs q4h, max 8/day")."""
    for m in _BARE_CEILING.finditer(text, start, end):
        value = Decimal(m["n"])
        yield DosePhrase(m.start(), m.end(), (Amount(value, value, unit, per=PerWhat.DAY),), bound=Measure.DAY)


def _without_contents(text: str, groups: list[Group], start: int, end: int) -> list[Group]:
    """The groups that do not stand beside a dose; a list of contents goes as a whole ("contains 400 mg of one and 100 mg of the other")."""
    out: list[Group] = []
    last: Group | None = None
    for group in groups:
        if _is_beside(text, group, start, end) or (last is not None and _LISTED.fullmatch(text, last.end, group.start) is not None):
            last = group
        else:
            out.append(group)
    return out


def _is_beside(text: str, group: Group, start: int, end: int) -> bool:
    """True for what stands beside a dose and has no timing of its own: contents of a product, volumes of diluent."""
    if group.fraction is not None:
        return False
    if has_han(text, max(start, group.start - 12), min(end, group.end + 12)):
        return is_han_beside(text, start, group.start, group.end, end)
    return is_content(text, start, group.start, group.end, end) or (
        group.unit == "mL" and group.basis is AmountBasis.FLAT and is_diluent(text, start, group.start, group.end, end)
    )


def _phrase(text: str, r: Reading, start: int, end: int) -> DosePhrase | None:
    g, a = r.group, r.attached
    if g.role is Role.RATE:
        step = step_sign(text, start, g.start, g.end, end) != 0
        bound = Measure.RATE if r.ceiling is not None and not step else None
        rate, route = rate_of(g.parts[0]), _route(text, r, start)
        return DosePhrase(r.start, r.end, (), a.frequency, a.days_low, a.days_high, a.until, rate=rate, route=route, bound=bound, increment=step)
    before = text[max(start, g.start - 60) : g.start]
    per = PerWhat.DOSE
    frequency = a.frequency
    if a.divided or _TOTALING.search(before) or (frequency is None and (_DAILY_DOSE.search(before) or _DAILY_BEHIND.match(text, g.end, end))):
        per = PerWhat.DAY
    elif _WEEKLY_DOSE.search(before) and frequency is None:
        per = PerWhat.WEEK
    amounts = g.amounts(per)
    sign = step_sign(text, start, g.start, g.end, end) if g.fraction is None else 0
    under = g.fraction is None and r.ceiling is None and is_under(text, start, g.start)
    if under and _LOWER_START.search(before) is None:
        return None
    if under:
        amounts = tuple(replace(x, low=None, choices=()) for x in amounts)
    if sign < 0:
        amounts = tuple(_negative(x) for x in amounts)
    if r.cap is not None:
        amounts = (*amounts[:-1], replace(amounts[-1], cap=r.cap))
    bound = measure(text, r) if r.ceiling is not None and g.fraction is None and not sign else None
    if bound is Measure.SINGLE:
        bound = {PerWhat.DAY: Measure.DAY, PerWhat.WEEK: Measure.WEEK}.get(per, Measure.COURSE if g.unit == "{dose}" else bound)
    if bound is not None and frequency is not None and frequency.event == "single dose":
        frequency = None
    step = bool(sign) or (g.fraction is not None and g.fraction.step)
    phase = han_phase(text, start, g.start) or phase_of(text, start, g.start, g.end, end) if g.fraction is None else PhaseKind.ADJUSTED
    if g.fraction is not None and "首" in text[g.start : g.end]:
        phase = PhaseKind.LOADING
    if sign:
        phase = PhaseKind.TAPER if sign < 0 else PhaseKind.TITRATION
    if a.spaced and not step and (phase is PhaseKind.TITRATION or a.start < g.start):
        frequency = None
    return DosePhrase(r.start, r.end, amounts, frequency, a.days_low, a.days_high, a.until, r.rate, r.concentration, _route(text, r, start), phase, bound, step)


def _negative(amount: Amount) -> Amount:
    low, high = amount.low, amount.high
    return replace(amount, low=-high if high is not None else None, high=-low if low is not None else None, choices=tuple(-c for c in amount.choices))


def _route(text: str, r: Reading, start: int) -> str | None:
    """The route within the phrase and the words around it."""
    if has_han(text, start, r.end):
        return han_route(text, start, r.group.start, r.end)
    tail = _CLAUSE_END.search(text, r.end, min(len(text), r.end + 40))
    return route_of(text, r.group.start, tail.start() if tail else r.end) or route_of(text, max(start, r.start - 40), r.end, adverbs=True)
