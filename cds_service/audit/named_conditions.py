"""Conditions that words name: their concepts, and their words with abbreviations written out. Labels and records are read alike."""

from __future__ import annotations

import re

from cds_service.audit.clinical import table
from cds_service.audit.kept import kept_with
from cds_service.audit.knowledge import Terms
from cds_service.audit.profile.notes import condition_names
from cds_service.audit.profile.record import content_words
from ontology.model.identifiers import EntityId
from ontology.text.offsets import fold

_LAST_WORD = re.compile(r"([A-Za-z]+)[\s-]+$")


@kept_with
def named_concepts(terms: Terms, text: str) -> tuple[EntityId, ...]:
    """The coded conditions that a text names, from left to right."""
    return tuple(dict.fromkeys(i for mention in condition_names(terms).find(fold(text)) for i in mention.ids))


@kept_with
def kinds_named(terms: Terms, text: str) -> tuple[tuple[EntityId, str], ...]:
    """The coded conditions that a text names, each with the word right before it that makes it one kind of them ("eosinophilic" leukemia), empty where none does."""
    folded = fold(text)
    degrees = frozenset(table("indications")["degrees"]["words"])

    def kind(at: int) -> str:
        before = _LAST_WORD.search(folded.text[:at])
        return before[1].lower() if before is not None and before[1].lower() not in degrees else ""

    return tuple((i, kind(mention.start)) for mention in condition_names(terms).find(folded) for i in mention.ids)


def grades() -> frozenset[str]:
    """The words that grade a disease."""
    return frozenset(table("indications")["degrees"]["grades"])


def expanded(text: str) -> frozenset[str]:
    """The words of a condition, abbreviations written out beside them."""
    said = content_words(text)
    rows = table("indications")["abbreviations"]
    short = rows.keys() & said
    return said.union(*(content_words(rows[s]) for s in short)) if short else said
