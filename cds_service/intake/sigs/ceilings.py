"""The maxima that an instruction states: an amount or a number of doses a day, an amount at a time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from cds_service.intake.sigs.lexicon import SECTIONS, Phrases, Words, any_of
from ontology.model.dosing import AmountBasis, PerWhat
from ontology.model.quantities import Quantity, Unit
from ontology.text.dosing.numbers import COUNT, HAN, number_of
from ontology.text.dosing.quantities import Quantified, Role, is_counted

_WORDS = SECTIONS["ceiling"]
_CUE = Phrases(_WORDS["words"])
_SOFT = Phrases(_WORDS["soft"])
_FILL = re.compile(rf"(?:[\s,:]*(?:{any_of(_WORDS['fill'])}))*[\s,:]*", re.IGNORECASE)
_NAME = r"(?!(?:once|twice|thrice|three|four|times|every|each|then|with|daily)\b)[a-z]{4,}"
"""A word of the drug's name between an amount and its stretch ("4 g of acetaminophen in 24 hours")."""

_DAY = re.compile(rf"\s*(?:total\s*|(?:of\s+)?{_NAME}(?:\s+{_NAME})?\s*)?{any_of(_WORDS['day'])}", re.IGNORECASE)
_DAY_BEFORE = re.compile(rf"{any_of(_WORDS['day_before'])}", re.IGNORECASE)
_DAY_AHEAD = re.compile(rf"{any_of(_WORDS['day_before'])}\s*$", re.IGNORECASE)
_NAMES = re.compile(rf"(?:of\s+)?(?:{_NAME}\s+){{1,2}}", re.IGNORECASE)
_SINGLE = re.compile(rf"\s*{any_of(_WORDS['single'])}", re.IGNORECASE)
_LIFE = re.compile(rf"\s*{any_of(_WORDS['life'])}", re.IGNORECASE)
_TIMES = re.compile(rf"(?P<n>{COUNT}|{HAN})\s*(?:times|doses|dose|x|次)", re.IGNORECASE)
_NUMBER = re.compile(rf"(?P<n>{COUNT})(?=\s*(?:/|per\b|a\s+day|in\b|daily))", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Ceilings:
    """The maxima, and where they stand. `soft` holds the places of frequencies that are said as "up to"."""

    single: Quantity | None = None
    day: Quantity | None = None
    doses_a_day: Decimal | None = None
    doses: Decimal | None = None  # in all
    lifetime: Quantity | None = None
    spans: tuple[tuple[int, int], ...] = ()
    soft: tuple[tuple[int, int], ...] = ()
    unclear: tuple[tuple[int, int], ...] = ()  # amounts that are a maximum of nothing that is said: no doses, and unread


def read_ceilings(text: str, words: Words, quantities: Sequence[Quantified]) -> Ceilings:
    """The maxima of the text. A maximum without a stretch of time, or of what is not counted, stays unread."""
    single: Quantity | None = None
    day: Quantity | None = None
    doses: Decimal | None = None
    in_all: Decimal | None = None
    lifetime: Quantity | None = None
    spans: list[tuple[int, int]] = []
    soft: list[tuple[int, int]] = []
    unclear: list[tuple[int, int]] = []
    at = 0
    while (cue := _CUE.find(text, words, at, len(text))) is not None:
        at = cue.end()
        fill = _FILL.match(text, at)
        begin = fill.end() if fill is not None else at
        daily = _DAY_BEFORE.search(text, cue.start(), begin) is not None or _DAY_AHEAD.search(text, max(0, cue.start() - 12), cue.start()) is not None
        is_soft = _SOFT.is_one(cue[0])
        times, bare = _TIMES.match(text, begin), _NUMBER.match(text, begin)
        named = _NAMES.match(text, begin)
        starts = (begin, begin + 1, named.end()) if named is not None and not is_soft else (begin, begin + 1)
        amount = next((q for q in quantities if q.start in starts), None)
        if amount is not None and amount.unit != "{dose}":
            end, kind = _stretch(text, amount, daily=daily)
            kind = None if is_soft and text[amount.end : end].strip().lower() == "daily" else kind
            value = _ceiling(amount)
            if value is None or kind is None:
                unclear += [] if is_soft else [(cue.start(), amount.end)]
                continue
            day = value if kind == "day" and day is None else day
            single = value if kind == "single" else single
            lifetime = value if kind == "life" else lifetime
            spans.append((cue.start(), end))
        elif (found := times or bare) is not None:
            behind = _DAY.match(text, found.end())
            number = number_of(found["n"])
            if number is None or (times is None and behind is None and not daily):
                continue
            if behind is None and not daily:
                in_all = number
                spans.append((cue.start(), found.end()))
                at = found.end()
                continue
            end = behind.end() if behind is not None else found.end()
            form = next((q.unit for q in quantities if is_counted(q.unit) and q.unit != "{dose}"), None) if times is None else None
            unit = Unit.find(form) if form is not None else None
            if unit is not None:
                day = Quantity(number, unit) if day is None else day
                spans.append((cue.start(), end))
            elif is_soft:
                doses = number
                soft.append((cue.start(), end))
            else:
                doses = number
                spans.append((cue.start(), end))
        at = max([at, *(b for _, b in spans)])
    return Ceilings(single, day, doses, in_all, lifetime, tuple(spans), tuple(soft), tuple(unclear))


def _stretch(text: str, amount: Quantified, *, daily: bool) -> tuple[int, str | None]:
    """Where a maximum ends, and what it bounds: `day`, `single`, `life`, or None where it says no stretch."""
    behind = _DAY.match(text, amount.end)
    if behind is not None:
        return behind.end(), "day"
    if amount.per is PerWhat.DAY or daily:
        return amount.end, "day"
    once = _SINGLE.match(text, amount.end)
    if once is not None or amount.per is PerWhat.DOSE:
        return (once.end() if once is not None else amount.end), "single"
    life = _LIFE.match(text, amount.end)
    return (life.end(), "life") if life is not None else (amount.end, None)


def _ceiling(amount: Quantified) -> Quantity | None:
    unit = Unit.find(amount.unit)
    plain = unit is not None and amount.role in (Role.DOSE, Role.STRENGTH) and amount.basis is AmountBasis.FLAT and amount.formula is None
    return Quantity(amount.high, unit) if plain and unit is not None else None
