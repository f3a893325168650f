"""Pairs of a drug and the antidote kept ready against it: ordering both is care and raises no interaction."""

from __future__ import annotations

from collections.abc import Mapping

from cds_service.audit.kept import kept_with
from cds_service.audit.knowledge import Knowledge, Terms
from cds_service.audit.roster import Medication
from ontology.model.identifiers import EntityId

AS_NEEDED = "as-needed"
"""The note of a pair of which only an as-needed or one-time order of the antidote is meant."""


def are_antidotes(first: Medication, second: Medication, knowledge: Knowledge) -> bool:
    """True when one of the two is kept ready against the other."""
    pairs = antidote_pairs(knowledge.terminology)
    for one, other in ((first, second), (second, first)):
        for antidote in other.ingredients & pairs.keys():
            if any(drug in one.closure and (always or other.as_needed) for drug, always in pairs[antidote]):
                return True
    return False


@kept_with
def antidote_pairs(terms: Terms) -> Mapping[EntityId, tuple[tuple[EntityId, bool], ...]]:
    """What each antidote of the release's terminology is given against, and whether every order of it is meant so."""
    found: dict[EntityId, list[tuple[EntityId, bool]]] = {}
    for edge in terms.edge_rows():
        if edge.predicate == "antidote_of":
            found.setdefault(edge.subject, []).append((edge.object, edge.note != AS_NEEDED))
    return {antidote: tuple(against) for antidote, against in found.items()}
