"""Ceilings that hold for the start of a treatment alone: later doses may be higher, so the claim is a starting dose with an open lower end."""

from __future__ import annotations

import re
from dataclasses import replace

from ontology.model.dosing import Measure, PhaseKind
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
