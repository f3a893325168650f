"""The product that a label describes, as an entity of its own: what only it contains is said of it, not of its ingredient."""

from __future__ import annotations

from ontology.model.entities import Entity, EntityType
from ontology.model.identifiers import mint
from ontology.text.document import Document


def product_entity(document: Document) -> Entity:
    """The product that a label describes, known by its set id."""
    return Entity(mint(EntityType.DRUG.value, "setid", document.set_id), EntityType.DRUG, document.title or document.set_id)
