"""What a proposer is: it reads one document and yields candidate claims with verbatim spans. The gates decide what becomes knowledge.

Conventions that hold for every proposer:

- What may not be taken together is `interacts_with`, in whatever section it is printed ("Contraindications: concomitant use of pimozide" is
  an interaction whose action is `contraindicated`).
- `contraindicated_in` with an Ingredient, DrugClass or Allergen as object therefore always means hypersensitivity to it; the object may be
  the subject itself. With a Condition, Procedure, Symptom or LabTest it means the patient's state; with a Population it means the people whom
  the guard describes.
- One statement is one claim: its payload's steps are all that the label asks for, `otherwise` what it asks for when the first is not possible.
- A phrase that restricts the statement is in the guard, as an `Opaque` leaf where no axis holds it.
- A denied statement ("no dose adjustment is needed with digoxin") has negative polarity and the action `no-adjustment`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from kb_builder.propose.reading.lexicon import Lexicon
from ontology.model.claims import Claim
from ontology.model.entities import Entity
from ontology.model.identifiers import EntityId
from ontology.terms.identity import IngredientRef
from ontology.text.document import Document


@dataclass(frozen=True, slots=True)
class Subject:
    """What a document speaks of: the ingredient, or the Drug entity of a combination, and its base ingredients."""

    id: EntityId
    name: str
    ingredients: tuple[IngredientRef, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate claim, and the entities that it names by the label's words alone (uncoded)."""

    claim: Claim
    entities: tuple[Entity, ...] = ()


@dataclass(frozen=True, slots=True)
class Dropped:
    """Something that a proposer was told and could make no claim of: why. Counted in the build's report."""

    reason: str


class Proposer(Protocol):
    """A source of candidate claims: deterministic patterns, a model or a person's file. `propose` never raises on any text."""

    @property
    def name(self) -> str:
        """Its name in a claim's provenance."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever the same text may give other claims."""
        ...

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal | Dropped]:
        """The candidate claims of one document about its subject, and what none could be made of."""
        ...
