"""How often and how long, put together from the pieces that the grammar of labels finds in one part of an instruction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from cds_service.intake.sigs.lexicon import SECTIONS, Phrases, Words, any_of
from ontology.model.dosing import Frequency
from ontology.text.dosing.chinese import find_han_timing
from ontology.text.dosing.durations import bare_duration, find_durations
from ontology.text.dosing.numbers import COUNT, number_of
from ontology.text.dosing.pieces import Kind, Piece, apart, overlaps
from ontology.text.dosing.timing import find_timing

_HAN = re.compile(r"[一-鿿]")
_DAY_OF = {name: day for day, names in SECTIONS["weekdays"].items() for name in names}
_DAY_NAMES = Phrases(_DAY_OF, behind="(?!次)")
_EXCEPT = re.compile(rf"{any_of(SECTIONS['except']['words'])}[^.;]{{0,40}}", re.IGNORECASE)
_PARTS_OF_DAY = [(slot, Phrases(names)) for slot, names in SECTIONS["parts_of_day"].items()]
_MEALS = Phrases(SECTIONS["meals"]["three"])
_BEDTIME_TOO = re.compile(rf"\s*{any_of(SECTIONS['meals']['bedtime_too'])}", re.IGNORECASE)
_ONCE = Phrases(SECTIONS["once"]["words"])
_DOSES = re.compile(rf"\bfor\s+(?:a\s+total\s+of\s+)?(?P<n>{COUNT})\s+doses\b|\bx\s*(?P<n2>\d+)\s+doses\b", re.IGNORECASE)
_CLOCK = re.compile(
    r"\b(?:\d{1,2}(?::\d{2})?\s*[ap]\.?m\b\.?|\d{1,2}:\d{2}\b|(?:[01]\d|2[0-3])[0-5]\d\s*(?:h|hours)\b|(?<=at )(?:[01]\d|2[0-3])[0-5]\d\b(?!\s*(?:mg|mcg|g|mL|units?)\b)|(?<=and )(?:[01]\d|2[0-3])[0-5]\d\b(?!\s*(?:mg|mcg|g|mL|units?)\b))",
    re.IGNORECASE,
)
_DAY_LIST = re.compile(r"\d{1,3}")
_WEEKS = re.compile(r"(?:at|on)\s+weeks?\s+\d.*", re.IGNORECASE)
_DAY_RANGE = re.compile(r"\d\s*(?:-|to|through)\s*(?:days?\s+)?\d", re.IGNORECASE)
Spans = Sequence[tuple[int, int]]

_DAYS_APART = re.compile(rf"(?P<low>{COUNT})\s*(?:-|to|or)\s*(?P<high>{COUNT})[\s-]*(?:days?|weeks?|months?)", re.IGNORECASE)
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


def read_often(text: str, words: Words, start: int, end: int, without: Spans, soft: Spans) -> Often:
    """How often and how long by `[start, end)`; pieces within the spans `without` do not count, those within `soft` say at most how often."""
    part = text[start:end]
    pieces = [*find_timing(part, 0, len(part)), *find_durations(part, 0, len(part))]
    if not part.isascii() and _HAN.search(part):
        pieces += find_han_timing(part, 0, len(part))
    for slot, names in _PARTS_OF_DAY:
        pieces += [Piece(m.start(), m.end(), Kind.FREQUENCY, Frequency(_ONE, _ONE, event=slot)) for m in names.find_all(part, words)]
    blocked = sorted((a - start, b - start) for a, b in without)
    kept = apart([p for p in pieces if not overlaps(blocked, p.start, p.end)])
    out = _with_weekdays(part, words, _folded(part, words, kept), blocked)
    if out.low is None and out.count is None:
        out = _unsaid(part, words, out, blocked)
    spans, days, count, low = out.spans, out.days, out.count, out.low
    bare = bare_duration(part, max(p.end for p in kept), len(part)) if out.high is not None and days is None and kept else None
    if bare is not None and not overlaps(blocked, bare.start, bare.end):
        days, spans = bare.days_high, (*spans, (bare.start, bare.end))
    counted = _DOSES.search(part) if "doses" in words else None
    if counted is not None:
        count, spans = number_of(counted["n"] or counted["n2"]), (*spans, counted.span())
    placed = tuple((a + start, b + start) for a, b in spans)
    if out.high is not None and any(a < d and b > c for a, b in soft for c, d in placed):
        low = min(_ONE, out.high)
    return replace(out, low=low, days=days, count=count, spans=placed) if placed else out


def _folded(part: str, words: Words, pieces: Sequence[Piece]) -> Often:
    """The pieces as one frequency: a printed count or interval before what parts of the day imply; those add up."""
    if not pieces:
        meals = _MEALS.find(part, words, 0, len(part))
        return Often() if meals is None else _at_meals(part, meals, at_night=False, spans=())
    spans = tuple((p.start, p.end) for p in pieces)
    cycle = Often()
    days: Decimal | None = None
    count: Decimal | None = None
    divided = False
    slots: set[str] = set()
    together = Decimal(0)
    counts: list[Frequency] = []
    for piece in pieces:
        f = piece.frequency
        if piece.kind in (Kind.DURATION, Kind.UNTIL):
            days = days or piece.days_high
        elif piece.kind is Kind.DAYS_OF_CYCLE:
            cycle = _on_days(part, piece)
            days = days or cycle.days
        elif piece.kind is Kind.DIVIDED:
            divided = True
            counts += [f] if f is not None and f.times_high is not None else []
        elif f is not None and f.event == "single dose":
            count = _ONE
        elif f is not None and f.event is not None and f.times_high is None and (weeks := _WEEKS.match(f.event)) is not None:
            count = Decimal(len(_DAY_LIST.findall(weeks[0])))
        elif f is not None and f.event is not None and f.times_high is not None:
            slots |= slots_of(f.event)
            together = max(together, f.times_high, Decimal(len(slots)))
        elif f is not None and (f.times_high is not None or f.every_hours_high is not None):
            counts.append(_spread(part[piece.start : piece.end], f))
    plain = max(counts, key=_weight, default=None)
    meals = _MEALS.find(part, words, 0, len(part)) if plain is None else None
    if meals is not None:
        return replace(_at_meals(part, meals, at_night="night" in slots, spans=spans), days=days, count=count or cycle.count, divided=divided)
    if together and (plain is None or (plain.every_hours_high is None and plain.period_days == _DAY and plain.times_high == _ONE and together > _ONE)):
        plain = Frequency(together, together)
    count = count or cycle.count
    if plain is None:
        return Often(cycle.low, cycle.high, cycle.period, count=count, days=days, divided=divided, spans=spans)
    if cycle.low is not None and plain.period_days == _DAY and cycle.period > _DAY:  # so often on each of the days of a cycle
        low, high, _ = _per_day(plain)
        return Often(low, high, count=count * high if count is not None else None, days=days, divided=divided, spans=spans)
    low, high, period = _per_day(plain)
    return Often(low, high, period, plain.every_hours_low, plain.every_hours_high, (), count, days, divided, spans)


def _spread(said: str, f: Frequency) -> Frequency:
    """The frequency with both ends of "every 2 to 3 days", of which the grammar of labels gives the shorter."""
    ends = _DAYS_APART.search(said) if f.period_days > _DAY and f.times_high == _ONE else None
    short, long = (number_of(ends["low"]), number_of(ends["high"])) if ends is not None else (None, None)
    if not short or not long or long <= short:
        return f
    return replace(f, times_low=short, times_high=long, period_days=f.period_days * long)


def _at_meals(part: str, meals: re.Match[str], *, at_night: bool, spans: tuple[tuple[int, int], ...]) -> Often:
    """Every meal, and bedtime where that is said too."""
    bedtime = _BEDTIME_TOO.match(part, meals.end())
    times = Decimal(4 if at_night or bedtime is not None else 3)
    return Often(times, times, spans=(*spans, (meals.start(), bedtime.end() if bedtime is not None else meals.end())))


def slots_in(words: str) -> set[str]:
    """The parts of the day that the words name."""
    low = words.lower()
    return {slot for slot, names in SECTIONS["slots"].items() if any(n in low for n in names)}


def slots_of(words: str) -> set[str]:
    """The parts of the day that the words name, at least the words themselves."""
    low = words.lower()
    return {slot for slot, names in SECTIONS["slots"].items() if low == slot or any(n in low for n in names)} or {low}


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


def _on_days(part: str, piece: Piece) -> Often:
    """Days of a course or a cycle: a run of days is a duration; single days are so many administrations, spaced evenly or not."""
    said = part[piece.start : piece.end]
    f = piece.frequency
    if f is not None and f.times_high is not None:
        return Often(f.times_low, f.times_high, f.period_days, days=piece.days_high)
    days = [int(n) for n in _DAY_LIST.findall(said)]
    if not days:
        return Often()
    if _DAY_RANGE.search(said) and len(days) == 2 and days[0] < days[1]:
        return Often(days=Decimal(days[1] - days[0] + 1))
    gaps = {b - a for a, b in pairwise(days)}
    if not gaps or gaps == {1}:
        return Often(_ONE, _ONE, days=Decimal(len(days)))
    if len(gaps) == 1 and min(gaps) > 1:
        return Often(_ONE, _ONE, Decimal(min(gaps)), count=Decimal(len(days)))
    return Often(count=Decimal(len(days)))


def _with_weekdays(part: str, words: Words, out: Often, blocked: Spans) -> Often:
    """With the weekdays that the part names: the times of a day on each of them."""
    found = [m for m in _DAY_NAMES.find_all(part, words) if not overlaps(blocked, m.start(), m.end())]
    if not found:
        return out
    excluded = _EXCEPT.search(part)
    said = {_DAY_OF[m[0].lower()] for m in found}
    spans = (*out.spans, *(m.span() for m in found), *([excluded.span()] if excluded is not None else []))
    on = tuple(d for d in SECTIONS["weekdays"] if (d in said) is (excluded is None))
    if out.period == _WEEK and out.high == len(on):
        return replace(out, weekdays=on, spans=spans)
    if out.low is None or out.high is None:
        return replace(out, low=Decimal(len(on)), high=Decimal(len(on)), period=_WEEK, weekdays=on, spans=spans)
    if out.period != _DAY:
        return out
    return replace(out, low=out.low * len(on), high=out.high * len(on), period=_WEEK, weekdays=on, hours_low=None, hours_high=None, spans=spans)


def _unsaid(part: str, words: Words, out: Often, blocked: Spans) -> Often:
    """Where no frequency is printed: clock times, else once."""
    clocks = [m for m in _CLOCK.finditer(part) if not overlaps(blocked, m.start(), m.end())]
    if clocks:
        times = Decimal(len({m[0].lower() for m in clocks}))
        return replace(out, low=times, high=times, spans=(*out.spans, *(m.span() for m in clocks)))
    once = next((m for m in _ONCE.find_all(part, words) if not overlaps(blocked, m.start(), m.end())), None)
    return out if once is None else replace(out, count=_ONE, spans=(*out.spans, once.span()))
