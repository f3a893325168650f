"""Words on how a treatment goes: they leave a step to the prescriber or say when a titration goes on, and are no condition of the patient."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.words import dosage_words
from ontology.model.dosing import Limit, PhaseKind, Regimen
from ontology.model.guards import Opaque

_UPWARDS = frozenset({PhaseKind.TITRATION, PhaseKind.MAINTENANCE})


def asked(found: Sequence[Restriction]) -> list[Restriction]:
    """The restrictions without those that leave the step to the prescriber ("if needed", "depending on clinical response")."""
    return [r for r in found if not (isinstance(r.guard, Opaque) and dosage_words().left_open.fullmatch(r.guard.text))]


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
