"""What a ceiling is on: one dose, a day, or nothing after all where the words beside it say so."""

from __future__ import annotations

import re
from dataclasses import replace

from ontology.model.dosing import Frequency, Measure, PerWhat
from ontology.text.doses import DosePhrase

_NEXT = re.compile(r"\b(?:followed by|then)\b", re.IGNORECASE)
"""In what leads to an amount: the ceiling before it is on something else ("up to 8 cycles followed by 1,500 mg")."""
_OF_A_DAY = re.compile(r"\b(?:within|in|per|over|during|for)\s+(?:a|any|each|the|one)?\s*(?:24[- ]hours?|24[- ]hour period|day)\b|\bdaily\b", re.IGNORECASE)
_ONE_DOSE = re.compile(r"\bsingle\b|\bper dose\b|\bindividual dose\b", re.IGNORECASE)
_AT_LEAST = re.compile(r"\bat least\b", re.IGNORECASE)
_OFTEN = re.compile(
    r"[\d.,]+\s*(?:mg|mcg|g|units?|mL|tablets?|capsules?)(?:\s?/\s?kg)?,?\s+(?:orally\s+|given\s+|taken\s+|by mouth\s+)*(?:twice|thrice|(?:two|three|four|[2-6])\s+times|every|b\.?i\.?d|t\.?i\.?d|q\.?i\.?d|q\s?\d)",
    re.IGNORECASE,
)
"""An amount with how often it is given behind it: that of one dose, whatever the ceiling is called."""
_HOURS = 24


def with_ceiling(blank: str, phrase: DosePhrase, at: int) -> DosePhrase:
    """The phrase from its amount at `at` on, with its ceiling on what the words around it say."""
    if phrase.bound is not None and phrase.amounts and (_NEXT.search(blank, phrase.start, phrase.end) or _AT_LEAST.search(blank, phrase.start, phrase.end)):
        return replace(phrase, bound=None, start=at)
    once = _ONE_DOSE.search(blank, max(0, phrase.start - 12), phrase.end) is not None
    if phrase.bound is Measure.SINGLE and not once and phrase.frequency is None and _OF_A_DAY.search(blank, max(0, phrase.start - 40), phrase.end + 30):
        return replace(phrase, bound=Measure.DAY, start=at)
    if phrase.bound is Measure.DAY and phrase.amounts and _is_often(phrase.frequency) and phrase.amounts[0].per is PerWhat.DOSE and _OFTEN.match(blank, at):
        return replace(phrase, bound=Measure.SINGLE, start=at)
    return replace(phrase, start=at)


def measure_of(phrase: DosePhrase) -> Measure:
    """What an amount is the most of: a day's where it is given once a day, else one dose's."""
    once = phrase.frequency is not None and phrase.frequency.times_high == 1 and phrase.frequency.period_days == 1
    return Measure.DAY if once or phrase.amounts[0].per is PerWhat.DAY else Measure.SINGLE


def _is_often(frequency: Frequency | None) -> bool:
    """True for more than one dose a day."""
    if frequency is None:
        return False
    if frequency.every_hours_low is not None and frequency.every_hours_low < _HOURS:
        return True
    return frequency.times_high is not None and frequency.times_high > 1 and frequency.period_days == 1
