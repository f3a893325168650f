"""Words on how a treatment goes: they leave a step to the prescriber or say when a titration goes on, and are no condition of the patient."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.words import dosage_words
from ontology.model.dosing import Limit, PhaseKind, Regimen
from ontology.model.guards import Opaque

_HOW_MANY = frozenset(["few", "a few", "occasional", "occasionally", "sometimes", "very few", "rare", "many"])
_RESPONDING = re.compile(r"\s+(?:adequately\s+|sufficiently\s+|fully\s+)?(?:respond\w*|controlled|achiev\w+|improv\w+)\b", re.IGNORECASE)
_UPWARDS = frozenset({PhaseKind.TITRATION, PhaseKind.MAINTENANCE})


def asked(blank: str, found: Sequence[Restriction]) -> list[Restriction]:
    """The restrictions without those that leave the step to the prescriber ("if needed", "patients not responding to 20 mg", "a few patients")."""
    return [r for r in found if not (isinstance(r.guard, Opaque) and (dosage_words().left_open.fullmatch(r.guard.text) or _is_vague(blank, r)))]


def _is_vague(blank: str, restriction: Restriction) -> bool:
    """True for words that only say how many patients, or that a response has not come."""
    words = blank[restriction.start : restriction.end].lower().strip()
    return words in _HOW_MANY or (words == "not" and _RESPONDING.match(blank, restriction.end) is not None)


def with_goal(payload: Regimen | Limit, found: Sequence[Restriction]) -> tuple[Regimen | Limit, tuple[Restriction, ...]]:
    """A titration with the response that it waits for in its phase, and the conditions that are left."""
    if not isinstance(payload, Regimen) or payload.phases[0].kind not in _UPWARDS:
        return payload, tuple(found)
    goals = [r for r in found if isinstance(r.guard, Opaque) and dosage_words().response.fullmatch(r.guard.text)]
    if not goals:
        return payload, tuple(found)
    first, *rest = payload.phases
    told = first.until or "; ".join(r.guard.text for r in goals if isinstance(r.guard, Opaque))
    return replace(payload, phases=(replace(first, until=told), *rest)), tuple(r for r in found if r not in goals)
