"""Pairs of a drug and the antidote kept ready against it: ordering both is care and raises no interaction."""

from __future__ import annotations

from functools import lru_cache

from cds_service.audit.clinical import antidotes
from cds_service.audit.knowledge import Knowledge, Terms, entities_named
from cds_service.audit.roster import Medication
from ontology.model.entities import EntityType
from ontology.model.identifiers import EntityId

_TYPES = (EntityType.INGREDIENT, EntityType.DRUG_CLASS)


def are_antidotes(first: Medication, second: Medication, knowledge: Knowledge) -> bool:
    """True when one of the two is kept ready against the other."""
    for drug, antidote, as_needed in antidote_entities(knowledge.terminology):
        for one, other in ((first, second), (second, first)):
            if antidote & other.ingredients and drug & one.closure.keys() and (not as_needed or other.as_needed):
                return True
    return False


@lru_cache(maxsize=8)
def antidote_entities(terms: Terms) -> tuple[tuple[frozenset[EntityId], frozenset[EntityId], bool], ...]:
    """The pairs of the data file as entities of the release's terminology."""
    found = ((entities_named(terms, p.drug, _TYPES), entities_named(terms, p.antidote, _TYPES), p.as_needed) for p in antidotes())
    return tuple((drug, antidote, as_needed) for drug, antidote, as_needed in found if drug and antidote)
