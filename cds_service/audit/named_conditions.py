"""Conditions that words name: their concepts, and their words with abbreviations written out. Labels and records are read alike."""

from __future__ import annotations

from cds_service.audit.clinical import table
from cds_service.audit.kept import kept_with
from cds_service.audit.knowledge import Terms
from cds_service.audit.profile.notes import condition_names
from cds_service.audit.profile.record import content_words
from ontology.model.identifiers import EntityId
from ontology.text.offsets import fold


@kept_with
def named_concepts(terms: Terms, text: str) -> tuple[EntityId, ...]:
    """The coded conditions that a text names, from left to right."""
    return tuple(dict.fromkeys(i for mention in condition_names(terms).find(fold(text)) for i in mention.ids))


def expanded(text: str) -> frozenset[str]:
    """The words of a condition, abbreviations written out beside them."""
    said = content_words(text)
    rows = table("indications")["abbreviations"]
    short = rows.keys() & said
    return said.union(*(content_words(rows[s]) for s in short)) if short else said
