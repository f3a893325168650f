"""What a release answers with: rules with their evidence, label sets, closures, dossiers.

A *rule* is what equal claims of several labels consolidate to: one statement, many claims. A *dossier* is all a release knows of one subject
(an ingredient, or a combination of ingredients as one Drug), so that an audit needs one look-up a drug.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from ontology.model.claims import Approval, Basis, ClaimStatus, Payload, Polarity, Strength
from ontology.model.guards import Guard
from ontology.model.identifiers import EntityId
from ontology.model.spans import Span


@dataclass(frozen=True, slots=True)
class ClaimRecord:
    """One released claim as evidence of a rule: where it stands, what it is limited to, who approved it."""

    id: str
    document: str
    version: str
    evidence: tuple[Span, ...]
    routes: tuple[str, ...]
    forms: tuple[str, ...]
    status: ClaimStatus
    reason: str | None
    approval: Approval | None


@dataclass(frozen=True, slots=True)
class Rule:
    """One statement with all the claims that make it. `object_name` is the entity's name, `words` the label's words for it."""

    key: str
    predicate: str
    subject: EntityId
    object: EntityId
    object_name: str
    words: str | None
    guard: Guard | None
    payload: Payload
    polarity: Polarity
    strength: Strength
    basis: Basis
    claims: tuple[ClaimRecord, ...]


@dataclass(frozen=True, slots=True)
class LabelSet:
    """One label that can judge an order: which products it covers and how new it is."""

    document: str
    version: str
    effective: date | None
    title: str
    routes: tuple[str, ...]
    forms: tuple[str, ...]
    product_type: str | None
    product_codes: frozenset[str]  # `system:value`
    sections: tuple[tuple[str, str], ...]  # key -> SectionState value, for the sections that checks rest on
    url: str | None = None


@dataclass(frozen=True, slots=True)
class ClosureRow:
    """What a subject reaches in the graph: `relation` is `class`, `role`, `is-a`, `cross-reacts`; `path` the claims on the way, subject first."""

    relation: str
    target: EntityId
    target_name: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dossier:
    """All a release knows of one subject. `templates` are (template id, hash) of the queries that made it."""

    subject: EntityId
    name: str
    ingredients: tuple[EntityId, ...]
    labels: tuple[LabelSet, ...]
    rules: tuple[Rule, ...]
    closure: tuple[ClosureRow, ...]
    templates: tuple[tuple[str, str], ...] = ()

    def rules_of(self, predicate: str) -> tuple[Rule, ...]:
        """The rules with this predicate, in stored order."""
        return tuple(r for r in self.rules if r.predicate == predicate)


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """One version of a document as a release keeps it: everything but its sections. `version` is the version's key."""

    set_id: str
    version: str
    title: str
    kind: str
    language: str
    effective: date | None
    number: str | None
    content_hash: str
    product_type: str | None = None
    publisher: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class SectionRecord:
    """One section as received. `state` is a SectionState value; `tables` the HTML tables that belong to the field.

    `pages` are (offset, page number) pairs; `repeats` is the key of the section that one of the Highlights repeats.
    """

    key: str
    title: str
    loinc: str | None
    state: str
    text: str
    tables: tuple[str, ...] = ()
    pages: tuple[tuple[int, int], ...] = ()
    repeats: str | None = None
