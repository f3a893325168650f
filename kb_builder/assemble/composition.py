"""Claims on composition and class that a document's metadata makes, each on the span that states it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb_builder.ingest.classes import classes_of
from kb_builder.ingest.markdown import METADATA
from kb_builder.ingest.overlay import label_substances
from kb_builder.propose.composition.products import product_entity as product_entity
from ontology.model.claims import Claim, Edge, Provenance
from ontology.model.entities import EntityType
from ontology.model.identifiers import EntityId
from ontology.model.spans import Span
from ontology.terms.terminology import Terminology
from ontology.text.document import Document

PROVENANCE = Provenance("metadata", "1")
_NAMED_IN: tuple[tuple[str, str | None], ...] = (
    ("openfda.substance_name", None),
    ("openfda.generic_name", None),
    (METADATA, "substances:"),
    ("spl_product_data_elements", "Active Ingredient"),
    ("active_ingredient", ""),
    ("description", ""),
    ("product_names", ""),
    ("highlights", ""),
    ("preamble", ""),
)
"""Sections that name a product's substances, best first, and the words behind which they stand there."""
_PREDICATE_OF = {EntityType.DRUG_CLASS.value: "belongs_to", EntityType.ENZYME_ROLE.value: "has_role"}


def metadata_claims(document: Document, subject: EntityId, terminology: Terminology) -> Iterator[Claim]:
    """`has_ingredient` of the combination, or of the label's product; `belongs_to` and `has_role` for a single ingredient, whose classes are unambiguous."""
    combination = subject.type == EntityType.DRUG.value
    yield from _ingredients(document, subject if combination else product_entity(document).id, terminology)
    if not combination:
        yield from _classes(document, subject, terminology)


def _ingredients(document: Document, product: EntityId, terminology: Terminology) -> Iterator[Claim]:
    for substance in label_substances(document):
        ingredient, _ = terminology.subject_of([substance])
        span = substance_span(document, substance[0])
        if span is not None and ingredient != product:
            yield Claim("has_ingredient", product, ingredient, Edge(), (span,), PROVENANCE, words=substance[0])


def _classes(document: Document, subject: EntityId, terminology: Terminology) -> Iterator[Claim]:
    for stated in classes_of(document):
        target = terminology.class_of(stated.name)
        if target is not None:
            span = document.span(stated.section, stated.start, stated.end)
            yield Claim(_PREDICATE_OF[target.type], subject, target, Edge(), (span,), PROVENANCE, words=stated.name)


def substance_span(document: Document, name: str) -> Span | None:
    """Where the document names a substance: its own line in the metadata, else within the first section that names products and holds it."""
    whole = re.compile(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])" if name.isascii() else re.escape(name), re.IGNORECASE)
    for key, start_at in _NAMED_IN:
        section = document.section(key)
        if section is None:
            continue
        line = next((m for m in re.finditer(r"[^\n]+", section.text) if m.group().strip() == name), None) if start_at is None else None
        start = max(section.text.find(start_at), 0) if start_at else 0
        found = line or whole.search(section.text, start)
        if found:
            return document.span(key, found.start(), found.end())
    return None
