"""What holds for the start of a treatment alone: ceilings, as starting doses with an open lower end, parts of the starting dose, and conditions of later steps."""

from __future__ import annotations

import re
from dataclasses import replace

from ontology.model.dosing import AmountBasis, FractionOf, Measure, PhaseKind
from ontology.text.doses import DosePhrase

_FIRST = r"(?P<kind>initial|starting|first|loading)"
_NOUN = r"(?:[\w-]+\s+){0,4}?dos(?:e|age)s?\b"
_PLAIN = r"(?:(?!\b(?:increas|titrat|maint|subsequ|adjust|maxim|then\b|and\b|but\b|which\b))[^.;,:\d\x01])"
_EXCEED = r"(?:exceed\w*|(?:more|greater|higher|larger)\s+than|above|over|up\s+to(?:\s+a\s+total\s+of)?|in\s+excess\s+of)\s+"
_BEFORE = re.compile(
    rf"\b{_FIRST}\s+{_NOUN}{_PLAIN}{{0,100}}\b{_EXCEED}(?:a\s+total\s+of\s+)?$"
    rf"|\b(?:maxim(?:um|al)|highest)\s+(?:recommended\s+|total\s+|single\s+)*(?:initial|starting)\s+{_NOUN}{_PLAIN}{{0,100}}$"
    rf"|\b(?:initiat\w*|start(?:ed|ing)?|begin\w*|begun|commenc\w*)\s+(?:of\s+)?(?:[\w-]+\s+){{0,2}}(?:therapy|treatment|dosing)\s+(?:at|with)\s+(?:[\w-]+\s+){{0,2}}dos(?:e|age)s?\s+(?:of\s+|that\s+are\s+)?{_EXCEED}$",
    re.IGNORECASE,
)
"""What leads to an amount that no first dose is to exceed."""
_BEHIND = re.compile(r"\s*(?:(?:daily|a day|per day|once daily|orally)\s+)*as\s+(?:an|the|a)\s+(?:initial|starting|first)\s+dos(?:e|age)\b", re.IGNORECASE)
_OF_THE_START = re.compile(r"\b(?:starting|initial)\s+(?:daily\s+)?dos(?:e|age)\b", re.IGNORECASE)
_START_LOWERED = re.compile(
    r"\b(?:reduc\w*|decreas\w*|lower\w*)\s+(?:in\s+|of\s+)?(?:[\w-]+\s+){0,3}(?:starting|initial)\s+(?:daily\s+)?dos(?:es?|ages?)\b[^.;,:]{0,40}$"
    r"|\b(?:starting|initial)\s+(?:daily\s+)?dos(?:es?|ages?)\b[^.;,:]{0,40}\b(?:should|must|is|are|to)\s+(?:to\s+)?be\s+"
    r"(?:(?:reduced|decreased|lowered)\s*(?:by\s*)?(?:approximately\s+|about\s+)?)?$",
    re.IGNORECASE,
)
"""What stands before the share by which a first dose is lowered."""
_LATER_STEP = re.compile(
    r"(?:,\s*|\s+)(?:and|but|then)\s+(?:(?:then|subsequently|thereafter|should|may|can|be|is|only)\s+)*(?:increas\w+|titrat\w+|rais\w+|escalat\w+|adjust\w+)\s+"
    r"(?:(?:the\s+)?dos(?:e|age)\s+)?(?:(?:gradually|slowly|cautiously|upwards?|thereafter|further)\s+)*(?:only\s+)?(?:after|if|when|once|as|until|according|based|following)\b",
    re.IGNORECASE,
)
"""How a sentence goes on to a later step, and when that may be taken."""
_REACH = 220
_OF_DOSES = (Measure.SINGLE, Measure.DAY)


def at_the_start(blank: str, floor: int, phrase: DosePhrase) -> DosePhrase:
    """The phrase; a ceiling on first doses as a first dose of at most its amount."""
    if phrase.bound not in _OF_DOSES or not phrase.amounts:
        return phrase
    before = _BEFORE.search(blank, max(floor, phrase.start - _REACH), phrase.start)
    if before is None and _BEHIND.match(blank, phrase.end) is None:
        return phrase
    kind = PhaseKind.LOADING if before is not None and (before["kind"] or "").lower() == "loading" else PhaseKind.STARTING
    amounts = tuple(replace(a, low=None, choices=(), high=a.high if a.high is not None else max(a.choices, default=a.low)) for a in phrase.amounts)
    return replace(phrase, bound=None, phase=kind, amounts=tuple(replace(a, cap=a.high) for a in amounts))


def part_of_start(blank: str, floor: int, phrase: DosePhrase) -> DosePhrase | None:
    """A share of the usual first dose ("one half of the usual starting dose", "the initial dose should be reduced by 50%"); None for other doses."""
    if not phrase.amounts or any(a.basis is not AmountBasis.FRACTION or a.fraction_of is FractionOf.CURRENT for a in phrase.amounts):
        return None
    if _START_LOWERED.search(blank, max(floor, phrase.start - _REACH), phrase.start) is not None:
        return replace(phrase, amounts=tuple(replace(a, fraction_of=FractionOf.USUAL) for a in phrase.amounts))
    usual = all(a.fraction_of is FractionOf.USUAL for a in phrase.amounts)
    return phrase if usual and _OF_THE_START.search(blank, phrase.start, phrase.end) is not None else None


def later_step(blank: str, at: int, end: int) -> int:
    """Where a sentence goes on, behind its last dose at `at`, to when that may be raised; `end` where it does not."""
    found = _LATER_STEP.search(blank, at, end)
    return found.start() if found is not None else end
