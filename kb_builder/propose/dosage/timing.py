"""How often the doses of a part are given, where one sentence says it for all of them ("take X once daily in the evening")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from kb_builder.propose.dosage.standing import Passage
from ontology.model.dosing import Frequency, Limit, PerWhat, PhaseKind, Regimen
from ontology.text.doses import DosePhrase, read_doses

_ONCE = re.compile(
    r"\b(?:(?:should|must) be (?:taken|administered|given|applied)|(?:is|are) (?:to be )?(?:taken|administered|given|applied)|^\W*(?:take|give|administer|apply))\b[^.;\d]{0,60}?"
    r"\bonce (?:daily|a day|each day|every day)\b",
    re.IGNORECASE,
)
_OTHER = re.compile(r"\d\s*(?:mg|mcg|g|units?|mL)\b|\b(?:twice|three times|divided|every \d+ hours|if|when|unless|not)\b", re.IGNORECASE)
_IN_WORDS = re.compile(r"\s*\([^()\d]{1,80}\)\s+")
"""A bracket of words behind an amount ("6 mg/kg (S. aureus bacteremia)")."""
_TIMING = re.compile(r"(?:once|twice|three times|four times|every|daily|q\s?\d)\b", re.IGNORECASE)
_OR_THE_OTHER = re.compile(
    r"\s*(?:\([^()\d]{1,80}\)|(?:for|in)\s+(?!(?:the\s+)?(?:morning|evening|afternoon|night|addition|combination|order)\b|divided\b|one\b|single\b)[^.;:,()\d]{3,60}?),?\s+(?:or|and)\s+",
    re.IGNORECASE,
)
"""What stands between the amounts for two uses or two kinds of patients."""
_ALONE = re.compile(r"\b(?:single|one-time|loading|bolus|initial|first|additional)\b[^,;.]{0,30}$", re.IGNORECASE)
"""Before an amount that is given by itself."""
_GOES_ON = frozenset({PhaseKind.USUAL, PhaseKind.STARTING, PhaseKind.MAINTENANCE})


def part_of(passage: Passage) -> str | None:
    """The numbered part that a passage stands in; None for text without numbers, where nothing shows how far a sentence reaches."""
    return passage.block.number


def tells_once_daily(blank: str, passage: Passage) -> bool:
    """True for a sentence without a dose of its own that says once a day."""
    return _ONCE.search(blank, passage.start, passage.end) is not None and _OTHER.search(blank, passage.start, passage.end) is None


def daily(payload: Regimen | Limit) -> Regimen | Limit:
    """A regimen with once a day where it does not say how often."""
    if not isinstance(payload, Regimen):
        return payload
    phases = tuple(
        replace(p, frequency=Frequency(Decimal(1), Decimal(1)))
        if p.frequency is None and not p.increment and p.kind in _GOES_ON and all(a.per is PerWhat.DOSE and a.fraction_of is None for a in p.amounts)
        else p
        for p in payload.phases
    )
    return replace(payload, phases=phases)


def shared_timing(blank: str, phrases: Sequence[DosePhrase], end: int) -> list[DosePhrase]:
    """The phrases with how often the label says it once for amounts side by side: "4 mg/kg (for A) or 6 mg/kg (for B) every 48 hours"."""
    out = [_timed_behind(blank, p, end) for p in phrases]
    for i in reversed(range(len(out) - 1)):
        one, other = out[i], out[i + 1]
        if one.frequency is None and other.frequency is not None and _is_bare(one) and _is_bare(other) and _alike(one, other):
            between = blank[one.end : other.start]
            if _OR_THE_OTHER.fullmatch(between) is not None and _ALONE.search(blank[max(0, one.start - 50) : one.start]) is None:
                out[i] = replace(one, frequency=other.frequency)
    return out


def _timed_behind(blank: str, phrase: DosePhrase, end: int) -> DosePhrase:
    """The phrase with the timing behind a bracket of words right after its amount."""
    bracket = _IN_WORDS.match(blank, phrase.end, end) if phrase.frequency is None and _is_bare(phrase) else None
    if bracket is None or _TIMING.match(blank, bracket.end()) is None:
        return phrase
    told = next(iter(read_doses("1 mg " + blank[bracket.end() : min(end, bracket.end() + 60)])), None)
    return replace(phrase, frequency=told.frequency) if told is not None and told.frequency is not None else phrase


def _is_bare(phrase: DosePhrase) -> bool:
    return phrase.bound is None and not phrase.increment and bool(phrase.amounts) and phrase.amounts[0].per is PerWhat.DOSE


def _alike(one: DosePhrase, other: DosePhrase) -> bool:
    return (one.amounts[0].unit, one.amounts[0].basis) == (other.amounts[0].unit, other.amounts[0].basis)
