"""Amounts that say again, or say in parts, what the amount before them says: another unit, the shares of a day, the products that make a dose up."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from ontology.model.dosing import AmountBasis, Frequency, Measure, PerWhat
from ontology.text.doses import DosePhrase

_SAME = re.compile(r"[^()]{0,25}\(\s*(?:content of|contents of|equivalent to|i\.e\.,?|=|or|as|given as|administered as|that is)?\s*", re.IGNORECASE)
_COMPOSED = re.compile(r"[^().;]{0,20}\(\s*(?:given as |administered as |as )?(?:one|two|three|four|five|six|\d+\s*x|\d+)\s+(?=\d)", re.IGNORECASE)
_SEPARATE = re.compile(r"[^().;]{0,12}\((?=[^()]{0,60}\bas separate doses\))", re.IGNORECASE)
_OR = re.compile(r"\(\s*or\s+$", re.IGNORECASE)
"""Before another way to give the same day's dose: "100 mg once daily (or 50 mg twice daily)"."""
_ASIDE = re.compile(r"\s*\([^()\d]{1,40}\)")
"""A bracket without a number between an amount and the bracket that says it again ("(as free base) (given as ...)")."""
_DIVIDED = re.compile(r"\bdivided\b|\(", re.IGNORECASE)
_STEP_OPENS = re.compile(r"[^().;]{0,40}\(", re.IGNORECASE)
_DAYS = re.compile(r"\bdays?\s+\d", re.IGNORECASE)
_MOST_SHARES = 4


def told_once(blank: str, phrases: list[DosePhrase]) -> list[DosePhrase]:
    """The phrases without those in brackets that say the same dose in another unit: "10 mg (content of 1 capsule)"."""
    out: list[DosePhrase] = []
    for phrase in _without_shares(blank, phrases):
        before = out[-1] if out else None
        if before is not None and _is_composition(blank, before, phrase):
            out[-1] = _taken_over(before, phrase)
            continue
        if (
            before is not None
            and phrase.bound is None
            and before.amounts
            and phrase.amounts
            and (phrase.start <= before.end or _SAME.fullmatch(blank, _past_aside(blank, before.end), phrase.start))
        ):
            times = _times_up(before, phrase) if _OR.search(blank, before.end, phrase.start) is None else None
            if times is not None or _is_restated(before, phrase):
                out[-1] = _taken_over(before, phrase) if times is None or before.bound is not None else _of_a_day(before, times)
                continue
        out.append(phrase)
    return out


def _taken_over(before: DosePhrase, phrase: DosePhrase) -> DosePhrase:
    """The phrase with how often and how long of the one that says it again, where it has no timing of its own."""
    return before if before.frequency is not None else replace(before, frequency=phrase.frequency, days_low=phrase.days_low, days_high=phrase.days_high)


def _is_of_one_day(phrase: DosePhrase) -> bool:
    """True unless the amount is that of a week or a course, or is given on some days only: its parts are then the doses of those days."""
    if phrase.amounts[0].per not in (PerWhat.DAY, PerWhat.DOSE):
        return False
    return phrase.frequency is None or (phrase.frequency.period_days == 1 and not _DAYS.search(phrase.frequency.event or ""))


def _times_up(before: DosePhrase, phrase: DosePhrase) -> int | None:
    """How many times a day the second amount is given, where that comes to the first one: "800 mg (given as 400 mg twice daily)"."""
    whole, part = before.amounts[0], _only(phrase)
    if not _is_of_one_day(before):
        return None
    times = phrase.frequency.times_high if phrase.frequency is not None and phrase.frequency.period_days == 1 else None
    if part is None or times is None or times < 2 or whole.high is None or (whole.unit, whole.basis) != (phrase.amounts[0].unit, phrase.amounts[0].basis):
        return None
    return int(times) if part * times == whole.high else None


def _is_composition(blank: str, before: DosePhrase, phrase: DosePhrase) -> bool:
    """True inside the bracket that says of which products a dose is made up: "125 mg (one 100 mg capsule and one 25 mg capsule)"."""
    opened = _COMPOSED.match(blank, before.end) if before.amounts else None
    if opened is None and before.increment:
        opened = _STEP_OPENS.match(blank, before.end)
    if opened is None and before.amounts and before.amounts[0].per is PerWhat.DAY:
        opened = _SEPARATE.match(blank, before.end)
    closed = blank.find(")", opened.end()) if opened is not None else -1
    return opened is not None and phrase.bound is None and (closed < 0 or phrase.start < closed)


def _is_restated(before: DosePhrase, phrase: DosePhrase) -> bool:
    """True for another unit, or the share of a dose where the amount of a day stands before."""
    one, other = before.amounts[0], phrase.amounts[0]
    if {one.basis, other.basis} == {AmountBasis.PER_KG, AmountBasis.PER_M2}:
        return False
    daily = one.per is PerWhat.DAY or before.bound is Measure.DAY
    return one.unit != other.unit or (one.basis is other.basis and daily and other.per is PerWhat.DOSE)


def _past_aside(blank: str, at: int) -> int:
    found = _ASIDE.match(blank, at)
    return at if found is None else found.end()


def _without_shares(blank: str, phrases: list[DosePhrase]) -> list[DosePhrase]:
    """The phrases without the shares that an amount said to be divided is given in: "4.5 g a night divided in two: 2.25 g at bedtime and 2.25 g later"."""
    out: list[DosePhrase] = []
    skipped = 0
    for i, phrase in enumerate(phrases):
        if skipped:
            skipped -= 1
            continue
        skipped = _shares(blank, phrases, i)
        out.append(_of_a_day(phrase, skipped) if skipped and phrase.bound is None else phrase)
    return out


def _of_a_day(phrase: DosePhrase, shares: int) -> DosePhrase:
    """The phrase as the amount of a day in so many shares."""
    often = phrase.frequency is not None and phrase.frequency.times_high not in (None, Decimal(1))
    timing = phrase.frequency if often else Frequency(Decimal(shares), Decimal(shares))
    return replace(phrase, amounts=tuple(replace(a, per=PerWhat.DAY) for a in phrase.amounts), frequency=timing)


def _shares(blank: str, phrases: list[DosePhrase], i: int) -> int:
    """How many phrases behind the one at `i` are its shares: two or more that come to it, in a bracket or behind "divided"."""
    whole = _only(phrases[i])
    if whole is None or not _is_of_one_day(phrases[i]) or i + 2 >= len(phrases) or _DIVIDED.search(blank, phrases[i].start, phrases[i + 1].start) is None:
        return 0
    total = Decimal(0)
    for n, phrase in enumerate(phrases[i + 1 : i + 1 + _MOST_SHARES], start=1):
        part = _only(phrase)
        if (
            part is None
            or phrase.bound is not None
            or (phrase.amounts[0].unit, phrase.amounts[0].basis) != (phrases[i].amounts[0].unit, phrases[i].amounts[0].basis)
        ):
            return 0
        total += part
        if total >= whole:
            return n if n > 1 and total == whole else 0
    return 0


def _only(phrase: DosePhrase) -> Decimal | None:
    """The one value of a phrase; None for a range, a choice or none."""
    if len(phrase.amounts) != 1:
        return None
    amount = phrase.amounts[0]
    return amount.low if amount.low == amount.high and not amount.choices else None
