"""How often and how long, put together from the pieces that the grammar of labels finds in one part of an instruction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from cds_service.intake.sigs.lexicon import SECTIONS, any_of
from ontology.model.dosing import Frequency
from ontology.text.dosing.chinese import find_han_timing
from ontology.text.dosing.durations import bare_duration, find_durations
from ontology.text.dosing.numbers import COUNT, number_of
from ontology.text.dosing.pieces import Kind, Piece, apart, overlaps
from ontology.text.dosing.timing import find_timing

_HAN = re.compile(r"[一-鿿]")
_DAY_NAMES = {day: re.compile(any_of(words), re.IGNORECASE) for day, words in SECTIONS["weekdays"].items()}
_ANY_DAY = re.compile(any_of(w for words in SECTIONS["weekdays"].values() for w in words) + r"(?!次)", re.IGNORECASE)
_EXCEPT = re.compile(rf"{any_of(SECTIONS['except']['words'])}[^.;]{{0,40}}", re.IGNORECASE)
_MEALS = re.compile(any_of(SECTIONS["meals"]["three"]), re.IGNORECASE)
_BEDTIME_TOO = re.compile(rf"\s*{any_of(SECTIONS['meals']['bedtime_too'])}", re.IGNORECASE)
_ONCE = re.compile(any_of(SECTIONS["once"]["words"]), re.IGNORECASE)
_DOSES = re.compile(rf"\bfor\s+(?:a\s+total\s+of\s+)?(?P<n>{COUNT})\s+doses\b|\bx\s*(?P<n2>\d+)\s+doses\b", re.IGNORECASE)
_CLOCK = re.compile(
    r"\b(?:\d{1,2}(?::\d{2})?\s*[ap]\.?m\b\.?|\d{1,2}:\d{2}\b|(?:[01]\d|2[0-3])[0-5]\d\s*(?:h|hours)\b|(?<=at )(?:[01]\d|2[0-3])[0-5]\d\b(?!\s*(?:mg|mcg|g|mL|units?)\b)|(?<=and )(?:[01]\d|2[0-3])[0-5]\d\b(?!\s*(?:mg|mcg|g|mL|units?)\b))",
    re.IGNORECASE,
)
_DAY_LIST = re.compile(r"\d{1,3}")
_DAY_RANGE = re.compile(r"\d\s*(?:-|to|through)\s*(?:days?\s+)?\d", re.IGNORECASE)
_ONE, _DAY, _WEEK = Decimal(1), Decimal(1), Decimal(7)
_HOURS = Decimal(24)


@dataclass(frozen=True, slots=True)
class Often:
    """How often: `low` to `high` times in `period` days, `count` administrations in all. `spans` are the places that said so."""

    low: Decimal | None = None
    high: Decimal | None = None
    period: Decimal = _DAY
    hours_low: Decimal | None = None
    hours_high: Decimal | None = None
    weekdays: tuple[str, ...] = ()
    count: Decimal | None = None
    days: Decimal | None = None
    divided: bool = False
    spans: tuple[tuple[int, int], ...] = ()


def read_often(text: str, start: int, end: int, without: Sequence[tuple[int, int]], soft: Sequence[tuple[int, int]]) -> Often:
    """How often and how long by `[start, end)`; pieces within the spans `without` do not count, those within `soft` say at most how often."""
    part = text[start:end]
    pieces = [*find_timing(part, 0, len(part)), *find_durations(part, 0, len(part))]
    if _HAN.search(part):
        pieces += find_han_timing(part, 0, len(part))
    blocked = sorted((a - start, b - start) for a, b in without)
    kept = apart([p for p in pieces if not overlaps(blocked, p.start, p.end)])
    out = _with_weekdays(part, _folded(part, kept), blocked)
    if out.low is None and out.count is None:
        out = _unsaid(part, out, blocked)
    if out.high is not None and out.days is None and kept:
        bare = bare_duration(part, max(p.end for p in kept), len(part))
        if bare is not None and not overlaps(blocked, bare.start, bare.end):
            out = replace(out, days=bare.days_high, spans=(*out.spans, (bare.start, bare.end)))
    counted = _DOSES.search(part)
    if counted is not None:
        out = replace(out, count=number_of(counted["n"] or counted["n2"]), spans=(*out.spans, counted.span()))
    if out.high is not None and any(a < b2 + start and b > a2 + start for a, b in soft for a2, b2 in out.spans):
        out = replace(out, low=min(_ONE, out.high))
    return replace(out, spans=tuple((a + start, b + start) for a, b in out.spans))


def _folded(part: str, pieces: Sequence[Piece]) -> Often:
    """The pieces as one frequency: a printed count or interval before what parts of the day imply; those add up."""
    out = Often(spans=tuple((p.start, p.end) for p in pieces))
    slots: set[str] = set()
    together = Decimal(0)
    counts: list[Frequency] = []
    for piece in pieces:
        f = piece.frequency
        if piece.kind in (Kind.DURATION, Kind.UNTIL):
            out = replace(out, days=out.days or piece.days_high)
        elif piece.kind is Kind.DAYS_OF_CYCLE:
            out = _on_days(part, piece, out)
        elif piece.kind is Kind.DIVIDED:
            out = replace(out, divided=True)
            counts += [f] if f is not None and f.times_high is not None else []
        elif f is not None and f.event == "single dose":
            out = replace(out, count=_ONE)
        elif f is not None and f.event is not None and f.times_high is not None:
            slots |= slots_of(f.event)
            together = max(together, f.times_high, Decimal(len(slots)))
        elif f is not None and (f.times_high is not None or f.every_hours_high is not None):
            counts.append(f)
    plain = max(counts, key=_weight, default=None)
    meals = _MEALS.search(part) if plain is None else None
    if meals is not None:
        bedtime = _BEDTIME_TOO.match(part, meals.end()) is not None or "night" in slots
        plain = Frequency(Decimal(4 if bedtime else 3), Decimal(4 if bedtime else 3))
    if plain is not None and plain.every_hours_high is None and plain.period_days == _DAY and together > (plain.times_high or 0) and plain.times_high == _ONE:
        plain = Frequency(together, together)
    if plain is None and together:
        plain = Frequency(together, together)
    if plain is None:
        return out
    if out.low is not None and plain.period_days == _DAY and out.period > _DAY:  # so often on each of the days of a cycle
        return replace(out, low=plain.times_low, high=plain.times_high, period=_DAY)
    low, high, period = _per_day(plain)
    return replace(out, low=low, high=high, period=period, hours_low=plain.every_hours_low, hours_high=plain.every_hours_high)


def slots_of(words: str) -> set[str]:
    """The parts of the day that the words name, at least the words themselves."""
    return {slot for slot, names in SECTIONS["slots"].items() if any(n in words.lower() for n in names)} or {words.lower()}


def _weight(f: Frequency) -> tuple[bool, bool]:
    """Intervals before counts, counts above one before "daily"."""
    return f.every_hours_high is not None, f.times_high != _ONE or f.period_days != _DAY


def _per_day(f: Frequency) -> tuple[Decimal, Decimal, Decimal]:
    """Fewest and most times within a period of days."""
    if f.every_hours_low and f.every_hours_high:
        return times_of_hours(f.every_hours_low, f.every_hours_high)
    return f.times_low or f.times_high or _ONE, f.times_high or _ONE, f.period_days


def times_of_hours(low: Decimal, high: Decimal) -> tuple[Decimal, Decimal, Decimal]:
    """Fewest and most times, and the days they lie in, of doses that many hours apart; exact where the hours divide the day or are longer."""
    if low == high and low > _HOURS:
        return _ONE, _ONE, low / _HOURS
    if high < 1:  # minutes, which the grammar gives as a rounded part of an hour
        low, high = (Decimal(round(h * 60)) / 60 if round(h * 60) else h for h in (low, high))
    return _HOURS / high, _HOURS / low, _DAY


def _on_days(part: str, piece: Piece, out: Often) -> Often:
    """Days of a course or a cycle: a run of days is a duration; single days are so many administrations, spaced evenly or not."""
    words = part[piece.start : piece.end]
    f = piece.frequency
    if f is not None and f.times_high is not None:
        return replace(out, low=f.times_low, high=f.times_high, period=f.period_days, days=out.days or piece.days_high)
    days = [int(n) for n in _DAY_LIST.findall(words)]
    if not days:
        return out
    if _DAY_RANGE.search(words) and len(days) == 2 and days[0] < days[1]:
        return replace(out, days=out.days or Decimal(days[1] - days[0] + 1))
    gaps = {b - a for a, b in pairwise(days)}
    if not gaps or gaps == {1}:
        return replace(out, days=out.days or Decimal(len(days)), low=_ONE, high=_ONE, period=_DAY)
    if len(gaps) == 1 and min(gaps) > 1:
        return replace(out, low=_ONE, high=_ONE, period=Decimal(min(gaps)), count=Decimal(len(days)))
    return replace(out, count=Decimal(len(days)))


def _with_weekdays(part: str, out: Often, blocked: Sequence[tuple[int, int]]) -> Often:
    """With the weekdays that the part names: the times of a day on each of them."""
    found = [m for m in _ANY_DAY.finditer(part) if not overlaps(blocked, m.start(), m.end())]
    if not found:
        return out
    excluded = _EXCEPT.search(part)
    named = tuple(day for day, words in _DAY_NAMES.items() if any(words.fullmatch(m[0]) for m in found))
    spans = (*out.spans, *((m.start(), m.end()) for m in found), *([excluded.span()] if excluded is not None else []))
    on = tuple(d for d in _DAY_NAMES if d not in named) if excluded is not None else named
    if out.period == _WEEK and out.high == len(on):
        return replace(out, weekdays=on, spans=spans)
    if out.low is None or out.high is None:
        return replace(out, low=Decimal(len(on)), high=Decimal(len(on)), period=_WEEK, weekdays=on, spans=spans)
    if out.period != _DAY:
        return replace(out, spans=out.spans)
    return replace(out, low=out.low * len(on), high=out.high * len(on), period=_WEEK, weekdays=on, hours_low=None, hours_high=None, spans=spans)


def _unsaid(part: str, out: Often, blocked: Sequence[tuple[int, int]]) -> Often:
    """Where no frequency is printed: clock times, else once."""
    clocks = [m for m in _CLOCK.finditer(part) if not overlaps(blocked, m.start(), m.end())]
    if clocks:
        times = Decimal(len({m[0].lower() for m in clocks}))
        return replace(out, low=times, high=times, spans=(*out.spans, *(m.span() for m in clocks)))
    once = next((m for m in _ONCE.finditer(part) if not overlaps(blocked, m.start(), m.end())), None)
    return out if once is None else replace(out, count=_ONE, spans=(*out.spans, once.span()))
