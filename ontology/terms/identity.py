"""What a name or code was resolved to."""

from __future__ import annotations

from dataclasses import dataclass

from ontology.model.identifiers import EntityId


@dataclass(frozen=True, slots=True)
class IngredientRef:
    """An active ingredient at the level interactions and allergies speak of (the base, not the salt)."""

    id: EntityId
    name: str
    rxcui: str | None = None


@dataclass(frozen=True, slots=True)
class DrugIdentity:
    """A drug that was identified.

    `subject` is the ingredient of a single-ingredient drug, or the Drug entity of a combination; it is the key of the dossier. `how` is
    `code` or `name`; `documents` are labels that list the very product code. `form`, `route` and `strength` are what the code or the
    name says, None where it says nothing.
    """

    subject: EntityId
    name: str
    ingredients: tuple[IngredientRef, ...]
    how: str
    matched: str
    documents: tuple[str, ...] = ()
    form: str | None = None
    route: str | None = None
    strength: str | None = None


@dataclass(frozen=True, slots=True)
class UnidentifiedDrug:
    """A drug that was not identified: the text shown to the user, and why (`unknown`, `ambiguous`, `no-name`, `conflict`)."""

    text: str
    reason: str
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConceptMatch:
    """A condition, allergen or other concept found for a code or a name; `how` is `code`, `name` or `text` (words only)."""

    id: EntityId
    name: str
    how: str
    matched: str
