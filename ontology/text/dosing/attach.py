"""Which timing, duration and end belongs to which amount of a sentence."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from ontology.model.dosing import Frequency
from ontology.text.dosing.durations import bare_duration
from ontology.text.dosing.groups import Group
from ontology.text.dosing.pieces import Kind, Piece, apart

_BREAK = re.compile(
    r"[;•]|(?<!\.\w)\.\s|\b(?:monitor\w*|check\w*|measur\w*|assess\w*|evaluat\w*|obtain\w*|re-?evaluat\w*|examin\w*|wait\w*|unless|not\s+respond\w*|who\s+have|despite|taking|received|previous\w*|followed\s+by|then|discontinu\w*|stable\s+for|before|prior\s+to|increas(?:e|ed|es|ing)|titrat\w+|adjust\w*|escalat\w+|decreas\w+|reduc\w+|doubl(?:e|ed|ing)|taper\w*|rais(?:e|ed))\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(r"\b(?:increas|titrat|adjust|escalat|decreas|reduc|doubl|taper|rais|chang)\w*\b[^.;]*$", re.IGNORECASE)
_NO_OFTENER = re.compile(r"\b(?:frequently|frequent|often|sooner) than\s+(?:once\s+|at\s+)?$", re.IGNORECASE)
_LEADS = re.compile(r"\s+(?:is|of|should\s+be)\s+|\s*:\s*", re.IGNORECASE)
_FOLLOWED = re.compile(r"\bfollowed\s+$", re.IGNORECASE)
_BY = re.compile(r"\s+(?:by|with)\b", re.IGNORECASE)
_STEP_NOUN = re.compile(r"^\s*(?:dose\s+)?(?:increase|decrease|reduction|increment)s?\b", re.IGNORECASE)
_IF = re.compile(r"\b(?:if|when|after)\b", re.IGNORECASE)
_HAN = re.compile(r"[一-鿿]")
_REACH = 170
_BEFORE_REACH = 45
_DAY = Decimal(1)
_HOURS = Decimal(24)
_AS_NEEDED = Frequency(as_needed=True)


@dataclass(frozen=True, slots=True)
class Attached:
    """What belongs to an amount besides itself, and the span of it all."""

    start: int
    end: int
    frequency: Frequency | None = None
    days_low: Decimal | None = None
    days_high: Decimal | None = None
    until: str | None = None
    divided: bool = False
    spaced: bool = False  # the frequency is how far steps lie apart

    def filled(self, other: Attached) -> Attached:
        """With what this lacks taken from the other; the span covers what was taken."""
        timed = self.days_low is not None or self.days_high is not None
        out = replace(
            self,
            frequency=self.frequency or other.frequency,
            days_low=self.days_low if timed else other.days_low,
            days_high=self.days_high if timed else other.days_high,
            until=self.until or other.until,
        )
        return self if out == self else replace(out, start=min(self.start, other.start), end=max(self.end, other.end))


def attach_pieces(text: str, groups: Sequence[Group], pieces: list[Piece], end: int) -> list[Attached]:
    """What belongs to each group, in their order."""
    out = [Attached(g.start, g.end) for g in groups]
    starts, ends = [g.start for g in groups], [g.end for g in groups]
    for piece in _either(text, apart(pieces)):
        index = _followed(text, starts, piece)
        index = _owner(text, starts, ends, out, piece) if index is None else index
        if index is not None:
            out[index] = _with(out[index], _as_spacing(text, piece) if piece.end <= starts[index] else piece)
    for index, mine in enumerate(tuple(out)):
        limit = starts[index + 1] if index + 1 < len(groups) else end
        if mine.frequency is not None and mine.days_high is None and mine.days_low is None:
            bare = bare_duration(text, mine.end, limit)
            if bare is not None:
                out[index] = _with(mine, bare)
    for index in range(len(groups) - 1, 0, -1):
        between = text[out[index - 1].end : groups[index].start]
        if re.fullmatch(r"[\s,)\]]*(?:or\s+|或)", between, re.IGNORECASE):
            out[index - 1] = out[index - 1].filled(out[index])
        elif out[index - 1].frequency is None and re.fullmatch(r"\s*(?:,|,?\s*and)\s+", between, re.IGNORECASE):
            shared = out[index].frequency
            plain = replace(shared, event=None) if shared is not None and shared.times_low is not None else shared
            out[index - 1] = replace(out[index - 1], frequency=plain, end=out[index].end if plain is not None else out[index - 1].end)
    return out


def _either(text: str, pieces: list[Piece]) -> list[Piece]:
    """The pieces, two counts of one period joined by "or" as one ("three times a day or four times a day")."""
    out: list[Piece] = []
    for piece in pieces:
        last = out[-1] if out else None
        if last is not None and last.kind is piece.kind is Kind.FREQUENCY and last.frequency is not None and piece.frequency is not None:
            a, b = last.frequency, piece.frequency
            counted = a.times_high is not None and b.times_high is not None and a.times_high < b.times_high and a.period_days == b.period_days
            if counted and a.event is None and b.event is None and re.fullmatch(r"\s*,?\s*or\s+", text[last.end : piece.start], re.IGNORECASE):
                out[-1] = replace(last, end=piece.end, frequency=replace(a, times_high=b.times_high))
                continue
        out.append(piece)
    return out


def _followed(text: str, starts: Sequence[int], piece: Piece) -> int | None:
    """The amount behind a timing that stands inside "followed ... by": it is that of what follows ("840 mg, followed every 3 weeks by 420 mg")."""
    if _FOLLOWED.search(text, max(0, piece.start - 16), piece.start) is None or _BY.match(text, piece.end) is None:
        return None
    index = bisect_left(starts, piece.end)
    return index if index < len(starts) else None


def _owner(text: str, starts: list[int], ends: list[int], attached: list[Attached], piece: Piece) -> int | None:
    before: int | None = bisect_right(ends, piece.start) - 1
    after = bisect_left(starts, piece.end)
    if before is not None and (before < 0 or not _reaches(text, max(attached[before].end, ends[before]), piece)):
        before = None
    if after < len(starts) and piece.kind is not Kind.UNTIL:
        words = text[piece.end : min(starts[after], piece.end + _BEFORE_REACH + 1)]
        near = len(words) <= _BEFORE_REACH and not re.search(r"[;:|]|,\s*(?:then|followed)|\b(?:may|can|then|should|followed|until)\b", words)
        if piece.kind is Kind.DURATION and len(words) > 14:
            near = False
        single = piece.frequency is not None and piece.frequency.event == "single dose" and (len(words) <= 3 or _LEADS.fullmatch(words) is not None)
        named = piece.kind is Kind.DAYS_OF_CYCLE and len(words) <= 3 and (piece.words or "").lower().startswith("day")
        full = before is not None and piece.frequency is not None and _is_timed(attached[before]) and _HAN.search(words) is not None
        if piece.frequency is not None and piece.frequency == _AS_NEEDED and _HAN.search(words) is None:
            near = False
        if near and (named or full or before is None or (single and piece.start - ends[before] > 3)):
            return after
    return before


def _as_spacing(text: str, piece: Piece) -> Piece:
    """The piece as how far steps lie apart where words of change stand before it ("doubled every two weeks up to 200 mg")."""
    rare = piece.kind is Kind.FREQUENCY and piece.frequency is not None and piece.frequency.period_days > _DAY
    changes = _CHANGE.search(text, max(0, piece.start - 40), piece.start) or _NO_OFTENER.search(text, max(0, piece.start - 40), piece.start)
    return replace(piece, kind=Kind.SPACING) if rare and changes else piece


def _is_timed(mine: Attached) -> bool:
    return mine.frequency is not None and (mine.frequency.times_low is not None or mine.frequency.every_hours_low is not None)


def _reaches(text: str, at: int, piece: Piece) -> bool:
    gap = _STEP_NOUN.sub("", text[at : piece.start]) if piece.start > at else ""
    if len(gap) > _REACH or _BREAK.search(gap):
        return False
    return not (len(gap) > 30 and _IF.search(gap))


def _with(mine: Attached, piece: Piece) -> Attached:
    grown = replace(mine, start=min(mine.start, piece.start), end=max(mine.end, piece.end))
    if piece.kind is Kind.DURATION:
        return mine if mine.days_low is not None or mine.days_high is not None else replace(grown, days_low=piece.days_low, days_high=piece.days_high)
    if piece.kind is Kind.UNTIL:
        return mine if mine.until else replace(grown, until=piece.words)
    if piece.kind is Kind.DIVIDED:
        return replace(grown, divided=True, frequency=_divided(mine.frequency, piece.frequency))
    if piece.kind is Kind.DAYS_OF_CYCLE and mine.frequency is not None and (mine.frequency.times_low is not None or mine.frequency.every_hours_low is not None):
        if mine.frequency.event is None:
            grown = replace(grown, frequency=replace(mine.frequency, event=piece.words))
        if piece.days_low is not None and mine.days_low is None and mine.days_high is None:
            return replace(grown, days_low=piece.days_low, days_high=piece.days_high)
        return grown
    if piece.kind is Kind.DAYS_OF_CYCLE:
        days = (piece.days_low, piece.days_high) if mine.days_low is None and mine.days_high is None else (mine.days_low, mine.days_high)
        return replace(grown, frequency=_merged(mine.frequency, piece.frequency), days_low=days[0], days_high=days[1])
    if piece.kind is Kind.SPACING:
        return mine if mine.frequency is not None else replace(grown, frequency=piece.frequency, spaced=True)
    if mine.spaced:
        return replace(grown, frequency=piece.frequency, spaced=False)
    merged = _merged(mine.frequency, piece.frequency, divided=mine.divided)
    return mine if merged == mine.frequency else replace(grown, frequency=merged)


def _divided(mine: Frequency | None, shares: Frequency | None) -> Frequency | None:
    """The day's dose in shares: "daily" alone says nothing more of how often."""
    daily = mine is not None and mine.times_high == 1 and mine.period_days == _DAY and mine.every_hours_low is None
    if shares is None:
        return None if daily else mine
    if mine is None or daily:
        return replace(shares, event=mine.event if mine is not None and mine.event != "single dose" else None)
    return mine if mine.times_low is not None else replace(mine, times_low=shares.times_low, times_high=shares.times_high)


def _fewer_times(mine: Frequency, more: Frequency) -> bool:
    """True for a count of doses a day behind their interval, where the day leaves room for more of them ("every 4 hours, 5 times a day")."""
    if mine.every_hours_low is None or mine.times_low is not None or more.times_high is None or more.every_hours_low is not None or more.event is not None:
        return False
    return more.period_days == _DAY and more.times_high > 1 and more.times_high * mine.every_hours_low <= _HOURS


def _merged(mine: Frequency | None, more: Frequency | None, *, divided: bool = False) -> Frequency | None:
    """Both sayings of how often; the first one to say a thing wins, but a printed count or interval wins over what an event implies."""
    if mine is None or more is None:
        return more if mine is None else mine
    if divided and more.times_high == 1 and more.period_days == _DAY and more.every_hours_low is None:
        return mine
    event = mine.event if mine.event not in (None, "single dose") else more.event if more.event != "single dose" or mine.times_low is None else None
    out = replace(mine, as_needed=mine.as_needed or more.as_needed, event=event)
    counts = more.times_low is not None or more.every_hours_low is not None
    if (mine.times_low is None and mine.every_hours_low is None) or (mine.event is not None and more.event is None and counts):
        return replace(
            out,
            times_low=more.times_low,
            times_high=more.times_high,
            period_days=more.period_days,
            every_hours_low=more.every_hours_low,
            every_hours_high=more.every_hours_high,
        )
    if _fewer_times(mine, more):
        return replace(out, times_low=more.times_low, times_high=more.times_high)
    if mine.every_hours_low is None and more.every_hours_low is not None and mine.period_days == _DAY:
        return replace(out, every_hours_low=more.every_hours_low, every_hours_high=more.every_hours_high)
    return out
