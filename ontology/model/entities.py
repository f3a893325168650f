"""Kinds of entity and the entity value itself."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ontology.model.identifiers import Code, EntityId


class EntityType(StrEnum):
    """What an id denotes; the value is the first part of every entity id and the graph's node label."""

    DRUG = "Drug"
    INGREDIENT = "Ingredient"
    BRAND = "Brand"
    DRUG_CLASS = "DrugClass"
    ENZYME_ROLE = "EnzymeRole"
    CONDITION = "Condition"
    EFFECT = "Effect"
    ALLERGEN = "Allergen"
    LAB_TEST = "LabTest"
    POPULATION = "Population"
    FOOD = "Food"
    HERB = "Herb"
    LIFESTYLE = "Lifestyle"
    SYMPTOM = "Symptom"
    ROUTE = "Route"
    PROCEDURE = "Procedure"


@dataclass(frozen=True, slots=True)
class Label:
    """A name of an entity: text, BCP 47 language, and where the name comes from. Names are never identity."""

    text: str
    language: str
    source: str
    preferred: bool = False


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing claims speak of. `codes` are all codes that denote it; `labels` all its names."""

    id: EntityId
    type: EntityType
    name: str
    codes: tuple[Code, ...] = ()
    labels: tuple[Label, ...] = ()

    @property
    def coded(self) -> bool:
        """False for a concept that only a label's words name: it takes part in no hierarchy."""
        return self.id.system != "uncoded"
