"""Dose phrases as phases, regimens and limits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.starts import at_the_start, part_of_start
from kb_builder.propose.dosage.words import dosage_words
from kb_builder.propose.reading.things import Target
from ontology.model.dosing import Amount, AmountBasis, FractionOf, Frequency, Limit, LimitScope, Measure, Phase, PhaseKind, Regimen
from ontology.text.doses import DosePhrase


@dataclass(frozen=True, slots=True)
class Ruling:
    """A payload with the phrases it stands on and the conditions and indication that hold for it."""

    payload: Regimen | Limit
    start: int
    end: int
    conditions: tuple[Restriction, ...]
    indication: Target | None
    route: str | None


_PHASE_CUES = (
    (PhaseKind.LOADING, re.compile(r"\b(?:loading|bolus|priming)\b", re.IGNORECASE)),
    (PhaseKind.STARTING, re.compile(r"\b(?:initial\w*|start\w*|initiat\w*|begin\w*|beginning|lead-?in\s+dos\w+)\b", re.IGNORECASE)),
    (PhaseKind.MAINTENANCE, re.compile(r"\b(?:maintenance|maintain\w*|thereafter|continue\w*)\b", re.IGNORECASE)),
    (PhaseKind.TITRATION, re.compile(r"\b(?:increas\w+|titrat\w+|rais\w+|doubl\w+|escalat\w+|target)\b", re.IGNORECASE)),
    (PhaseKind.ADJUSTED, re.compile(r"\b(?:reduc\w+|decreas\w+|lower\w*|adjust\w*|halv\w+)\b", re.IGNORECASE)),
)
_BOTH_PHASES = re.compile(
    r"\b(?:starting|initial)(?:\s+dos(?:es?|ages?))?\s+(?:and|or|and/or)\s+(?:the\s+)?(?:maintenance|subsequent|target|continued)(?:\s+daily)?\s+dos(?:es?|ages?|ing)\b[^.;:]*$",
    re.IGNORECASE,
)
_FOR_BOTH = re.compile(r"[^.;,\d]{0,30}\bfor\s+both\s+(?:initial|starting)\s+and\s+maintenance\b", re.IGNORECASE)
"""Words that make a dose the first one and the one that is gone on with."""
_NEAR = 90
_STEPS = re.compile(r"\b(?:increas|titrat|escalat|adjust|rais|chang|decreas|reduc|taper|increment|modif)\w*", re.IGNORECASE)
"""Words of a change: what is to lie so far apart are its steps, and not the doses."""
_AFTER_A_DRUG = re.compile(r"\b(?:discontinu|switch|stopp|cessation|withdraw)\w*|\blast dose of\b", re.IGNORECASE)
"""Words of an end: what is to lie so far apart are two drugs, or two treatments."""
_STEPS_EXCEED = re.compile(
    r"\b(?:increments?|increases|increase|adjustments?|steps?|decrements?)\s+(?:(?:in|of|to)\s+(?:the\s+)?(?:\w+\s+)?(?:dose|dosage)\s+)?(?:(?:should|must|may|are|do|is|of|ought)\s+)?(?:not\s+|no\s+|never\s+)(?:to\s+)?(?:be\s+)?(?:exceed|(?:more|greater|larger|higher)\s+than)\s+(?:\d[\d.,]*\s*(?:mg|mcg|g|units?)\s+(?:(?:once|twice|two times|three times|four times)\s+)?(?:daily\s+|a day\s+)?\(\s*)?$|\b(?:increments?|steps?)\s+(?:of\s+)?(?:up\s+to|at\s+most)\s+$"
    r"|\b(?:increas|titrat|escalat|rais|adjust|decreas|reduc|taper|chang|then)\w*\s+(?:[^.;,\d]{0,60}\s)?by\s+(?:up\s+to|(?:no|not)\s+more\s+than|at\s+most|a\s+maximum\s+of)\s+$",
    re.IGNORECASE,
)
_GOES_HIGHER = re.compile(r"(?:\s*(?:/|per\s+|a\s+)(?:day|dose))?\s*,?\s*(?:and\s+)?then\b", re.IGNORECASE)
"""Behind a ceiling: it holds up to a later step, which has one of its own."""
_RESERVED = re.compile(r"\s*(?:(?:daily\s+)?(?:dosage|dose)\s+)?(?:of\s+[\w-]+\s+)?(?:is|are|should be)\s+(?:restricted|reserved|limited)\b", re.IGNORECASE)
"""Behind a dose: it is kept for those who already have it or are named."""
_SINGLE = re.compile(r"\b(?:single|one-time|one time)(?: (?:oral|intravenous|dose of|loading|intramuscular))?\s*$", re.IGNORECASE)
_PARTS_OF_DAYS = re.compile(r"\b(?:\d|two|three|four)\s+(?:equally\s+)?divided\s+doses\s*,?\s+on\s+days?\s+\d", re.IGNORECASE)
_ANCHOR = re.compile(
    r"[\s,-]*(?:dose\s+)?(?:(?:should be|is|to be)\s+)?(?:given|administered|taken)?\s*(?:orally\s+|intravenously\s+|approximately\s+|\d+ (?:to \d+ )?(?:minutes|hours?) )*"
    r"(?P<event>(?:before|with|after|prior to)\s+(?:the\s+)?(?:breakfast|evening meal|dinner|supper|bedtime|induction|surgery|anesthesia|procedure|start of surgery)|at bedtime|in the (?:morning|evening))\b",
    re.IGNORECASE,
)


def phase_kind(blank: str, phrase: DosePhrase, floor: int) -> PhaseKind:
    """The phase of a dose: as the phrase says, else by the nearest word before it in the sentence, else the one right behind it."""
    if phrase.phase is not None and phrase.phase is not PhaseKind.USUAL:
        return phrase.phase
    head = blank[max(floor, phrase.start - _NEAR) : phrase.start]
    found = [(m.start(), kind) for kind, pattern in _PHASE_CUES for m in pattern.finditer(head)]
    if re.search(r"\b(?:followed by|then|thereafter)\b[^,;]*$", head, re.IGNORECASE) and {k for _, k in found} <= {PhaseKind.LOADING, PhaseKind.STARTING}:
        return PhaseKind.MAINTENANCE
    if found:
        return max(found, key=lambda f: f[0])[1]
    tail = blank[phrase.end : phrase.end + 24]
    return next((kind for kind, pattern in _PHASE_CUES[:3] if pattern.search(tail)), PhaseKind.USUAL)


def phase_of(blank: str, phrase: DosePhrase, floor: int) -> Phase | None:
    """A phrase as a phase; None for one without amounts."""
    if not phrase.amounts:
        return None
    kind = phase_kind(blank, phrase, floor)
    if all(a.basis is AmountBasis.FRACTION for a in phrase.amounts) and kind in (PhaseKind.USUAL, PhaseKind.TITRATION):
        kind = PhaseKind.ADJUSTED
    if kind is PhaseKind.ADJUSTED and (first := part_of_start(blank, floor, phrase)) is not None:
        kind, phrase = PhaseKind.STARTING, first
    return Phase(
        kind,
        phrase.amounts,
        _timing(blank, phrase) or _anchored(blank, phrase, floor),
        phrase.days_low,
        phrase.days_high,
        phrase.until,
        phrase.rate,
        phrase.concentration,
        increment=phrase.increment,
    )


def _timing(blank: str, phrase: DosePhrase) -> Frequency | None:
    """How often, without the count of the parts that a course is divided in: each is given on a day of its own."""
    if phrase.frequency is None or _PARTS_OF_DAYS.search(blank, max(0, phrase.start - 60), phrase.end) is None:
        return phrase.frequency
    return Frequency(event=phrase.frequency.event) if phrase.frequency.event is not None else None


def _anchored(blank: str, phrase: DosePhrase, floor: int) -> Frequency | None:
    """Once, for a single dose or one that a meal, a time of the day or an event sets; None where nothing says how often."""
    single = _SINGLE.search(blank[max(floor, phrase.start - 24) : phrase.start])
    anchor = _ANCHOR.match(blank, phrase.end)
    if phrase.increment or (single is None and anchor is None):
        return None
    return Frequency(Decimal(1), Decimal(1), event="single dose" if single is not None else " ".join(anchor["event"].split()) if anchor is not None else None)


def limits_of(phrase: DosePhrase) -> list[Limit]:
    """A ceiling as limits, one an amount: whichever is lower holds; none where it has no amount that a limit can hold."""
    if phrase.bound is None:
        return []
    found = [phrase.rate] if phrase.bound is Measure.RATE and phrase.rate is not None else list(phrase.amounts)
    if phrase.bound is Measure.DURATION and phrase.days_high is not None:
        found = [Amount(None, phrase.days_high, "d")]
    if phrase.bound is Measure.MINIMUM_INTERVAL and phrase.frequency is not None and phrase.frequency.every_hours_low is not None:
        found = [Amount(phrase.frequency.every_hours_low, None, "h")]
    return [Limit(phrase.bound, LimitScope.PRODUCT, a) for a in found if a.fraction_of is not FractionOf.CURRENT]


def limit_of(phrase: DosePhrase) -> Limit | None:
    """The first of a ceiling's limits; None where it has none."""
    return next(iter(limits_of(phrase)), None)


def rulings(
    blank: str, place: tuple[int, int], phrases: Sequence[DosePhrase], held: Sequence[tuple[Restriction, ...]], indications: Sequence[Target | None]
) -> list[Ruling]:
    """The regimens and limits of one sentence: phrases in sequence under the same conditions are phases of one regimen."""
    floor, end = place
    out: list[Ruling] = []
    last: int | None = None
    for i, phrase in enumerate(phrases):
        if phrase.bound is None and _RESERVED.match(blank, phrase.end):
            phrase = replace(phrase, phase=PhaseKind.MAINTENANCE)
        if phrase.bound is not None and _is_on_steps(blank, floor, phrase, phrases[i + 1].start if i + 1 < len(phrases) else end):
            continue
        if phrase.bound in (Measure.DAY, Measure.SINGLE) and _GOES_HIGHER.match(blank, phrase.end) and any(p.bound is phrase.bound for p in phrases[i + 1 :]):
            continue
        phrase = at_the_start(blank, floor, phrase)
        if phrase.bound is not None:
            out += [Ruling(limit, phrase.start, phrase.end, held[i], indications[i], phrase.route) for limit in limits_of(phrase)]
            continue
        phase = phase_of(blank, phrase, floor if i == 0 else phrases[i - 1].end)
        if phase is None:
            continue
        if phase.kind is PhaseKind.STARTING and phase.duration_days_high is None and i + 1 < len(phrases) and phrases[i + 1].bound is Measure.DURATION:
            phase = replace(phase, duration_days_high=phrases[i + 1].days_high)
        before = out[last] if last is not None else None
        if before is not None and isinstance(before.payload, Regimen) and _goes_on(blank, before, phrase, held[i], indications[i]):
            out[last or 0] = Ruling(
                Regimen((*before.payload.phases, phase), before.payload.partners, before.payload.indication),
                before.start,
                phrase.end,
                before.conditions,
                before.indication,
                before.route or phrase.route,
            )
            continue
        kinds = _kinds(blank, floor if i == 0 else phrases[i - 1].end, phrase, phase)
        out += [Ruling(Regimen((replace(phase, kind=kind),)), phrase.start, phrase.end, held[i], indications[i], phrase.route) for kind in kinds]
        last = len(out) - 1
    return [r for r in out if not _only_steps(r.payload)]


def _kinds(blank: str, floor: int, phrase: DosePhrase, phase: Phase) -> tuple[PhaseKind, ...]:
    """The kind of a phase; the first dose and the one gone on with where the sentence names both for it ("starting and maintenance doses")."""
    both = _BOTH_PHASES.search(blank, floor, phrase.start) is not None or _FOR_BOTH.match(blank, phrase.end) is not None
    return (PhaseKind.STARTING, PhaseKind.MAINTENANCE) if both and phase.kind is not PhaseKind.LOADING else (phase.kind,)


def _is_on_steps(blank: str, floor: int, phrase: DosePhrase, end: int) -> bool:
    """True for a ceiling on the steps of a titration, on how fast they follow, or on the time between two drugs: the doses themselves may be higher."""
    if phrase.bound is Measure.MINIMUM_INTERVAL:
        return _STEPS.search(blank, floor, phrase.end) is not None or _AFTER_A_DRUG.search(blank, floor, end) is not None
    return _STEPS_EXCEED.search(blank, max(floor, phrase.start - 90), phrase.start) is not None


def _goes_on(blank: str, before: Ruling, phrase: DosePhrase, held: tuple[Restriction, ...], indication: Target | None) -> bool:
    return before.conditions == held and before.indication == indication and dosage_words().sequence.search(blank, before.end, phrase.start) is not None


def _only_steps(payload: Regimen | Limit) -> bool:
    return isinstance(payload, Regimen) and all(p.increment for p in payload.phases)
