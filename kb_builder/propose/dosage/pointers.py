"""Words that point at patients already told ("in such patients", "if concomitant use is unavoidable")."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.bands import is_state
from ontology.model.guards import Opaque

POINTER = re.compile(
    r"\b(?:in|for|to|of)?\s*(?:such|these|those) (?:patients|individuals|persons|children|infants|cases|(?:patient )?(?:groups|populations))\b(?! (?:with|who|whose|on|taking|receiving))"
    r"|\b(?:if|when)\s+(?:such\s+|the\s+)?(?:concomitant|concurrent|co-?administ\w+|combined)\s*(?:use|administration|therapy|treatment)?\s+(?:is unavoidable|is necessary|is required|cannot be avoided|must be used)",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"\d[\d.,]*\s*(?:mg|mcg|g|units?|mL|%|tablets?|capsules?)\b", re.IGNORECASE)


def points_back(blank: str, start: int, end: int) -> bool:
    """True for a sentence whose order is for patients already told; behind its last semicolon they are those of its own beginning."""
    found = POINTER.search(blank, start, end)
    return found is not None and not (";" in blank[start : found.start()] and _AMOUNT.search(blank, found.end(), end) is None)


def is_aside(blank: str, start: int, restriction: Restriction) -> bool:
    """True for words that point at patients behind the semicolon of a sentence that begins with its own ("...; monitor levels in these patients during X")."""
    if not isinstance(restriction.guard, Opaque) or POINTER.match(restriction.guard.text) is None:
        return False
    return ";" in blank[start : restriction.start] and _AMOUNT.search(blank, restriction.start, restriction.end + 60) is None


def without_pointers(found: Sequence[Restriction]) -> tuple[Restriction, ...]:
    """The restrictions without words that only point at patients or a use already told ("if concomitant use is unavoidable")."""
    return tuple(r for r in found if not (isinstance(r.guard, Opaque) and POINTER.fullmatch(r.guard.text)))


def other_state(taken: Restriction, own: Sequence[Restriction]) -> bool:
    """True for a state of the sentence before where this one tells of patients in another."""
    return is_state(taken.guard) and any(is_state(r.guard) for r in own)
