"""Patients who are to get another route: what their sentence asks for is that the one named before it is not used.

"In patients with renal impairment the intravenous vehicle accumulates. The oral form should be given to these patients."
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.populations.settle import PopulationDraft
from ontology.model.advice import Action, Step
from ontology.model.guards import Guard, Opaque

_ORAL = re.compile(
    r"\W*oral (?:[\wø-]+ ){1,3}(?:should|must) be (?:administered|given|used|substituted)\b[^.;]*\b(?:to|in|for) (?:these|such|those) patients\b"
)
_VEINS_ALONE = re.compile(r"(?:the |an? )?intravenous(?: (?:infusions?|injections?|administration|use|dosing|doses|therapy))?")
_OF_VEINS = re.compile(r"\bintravenous\w*\b")


def by_another_route(one: PopulationDraft, lower: str, before: str, held: Mapping[str, tuple[Restriction, ...]]) -> PopulationDraft:
    """The advice; that oral doses are given instead of intravenous ones as advice against the latter, for whom the sentence before speaks of (`held`)."""
    if _ORAL.match(lower) is None or _OF_VEINS.search(before) is None or one.axis not in held:
        return one
    limits = tuple(dict.fromkeys(r for r in (*held[one.axis], *one.draft.limits) if not _is_that_route(r.guard)))
    return replace(one, action=Action.AVOID, draft=replace(one.draft, steps=(Step(Action.AVOID),), limits=limits, routes=("intravenous",)))


def _is_that_route(guard: Guard) -> bool:
    """True for words that only name the route which the advice is limited to."""
    return isinstance(guard, Opaque) and _VEINS_ALONE.fullmatch(guard.text.lower()) is not None
