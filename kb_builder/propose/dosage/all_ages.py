"""Doses that a label states for adults and children alike: the claim says so, for a dose of no stated age is an adult's."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.drafts import Draft
from ontology.model.dosing import Regimen
from ontology.model.facts import Axis
from ontology.model.guards import Interval, leaves

_ADULTS = r"adults?(?:\s+patients)?"
_CHILDREN = r"(?:p(?:a)?ediatrics?(?:\s+(?:patients|population|populations))?|children|infants(?:,?\s+(?:and\s+)?children)?)"
_BOTH = re.compile(
    rf"\b(?:{_ADULTS}\s*(?:,\s*)?(?:and|or|&)\s+(?:for\s+|in\s+)?{_CHILDREN}|{_CHILDREN}\s*(?:,\s*)?(?:and|or|&)\s+(?:for\s+|in\s+)?{_ADULTS})\b"
    r"(?![^.;:]{0,40}(?:\d\s*(?:\w+\s+){0,2}(?:years|months|weeks|days|kg)\b|\byears\b|\bmonths\b))",
    re.IGNORECASE,
)
"""Adults and children in one breath, with no age or weight behind them."""
_SIZES = frozenset({Axis.AGE, Axis.POSTNATAL_AGE, Axis.GESTATIONAL_AGE, Axis.WEIGHT, Axis.BSA})
_RUN_IN = re.compile(r"[^.;:\n]{1,100}:\s*$")
"""Words that end right before a sentence and open it."""
_REACH = 120


def for_all_ages(draft: Draft) -> Draft:
    """The draft; a dose of no stated age or size with the words that give it to adults and children, in its sentence or a heading above it."""
    if not isinstance(draft.payload, Regimen) or any(getattr(leaf, "axis", None) in _SIZES for r in draft.limits for leaf in leaves(r.guard)):
        return draft
    start, end = draft.statement
    opening = _RUN_IN.search(draft.reading.blank, max(0, start - _REACH), start)
    start = opening.start() if opening is not None else start
    at = draft.statement[0]
    above = next((b.heading for b in draft.reading.blocks if b.heading is not None and any(s.start <= at < s.end for s in b.statements)), None)
    places = [(max(start, draft.place[0] - _REACH), min(end, draft.place[1] + _REACH)), *([above] if above else []), *(p for p, _ in draft.cited)]
    for place in places:
        if (found := _BOTH.search(draft.reading.blank, *place)) is not None:
            words = " ".join(found[0].lower().replace(",", " ").split())
            return replace(draft, limits=(*draft.limits, Restriction(Interval(Axis.AGE, Decimal(0), None, "a", term=words), found.start(), found.end())))
    return draft
