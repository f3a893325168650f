"""Claims: the only form in which the knowledge base knows anything.

A claim cannot be constructed without a verbatim source span. Its id is a hash of set id, predicate, subject, object, normalised guard and
payload, polarity included and offsets left out, so that it survives rebuilds and moves with its sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ontology.model.advice import Advice
from ontology.model.codec import encode, normal_guard
from ontology.model.dosing import Limit, Regimen
from ontology.model.errors import InvalidClaim
from ontology.model.guards import Guard
from ontology.model.identifiers import EntityId, content_hash
from ontology.model.periods import RecordedPeriod, ValidPeriod
from ontology.model.predicates import PREDICATES, PayloadKind, PredicateSpec
from ontology.model.spans import Span, SpanRole


class Polarity(StrEnum):
    """Whether the source affirms or denies the relation."""

    POSITIVE = "positive"
    NEGATIVE = "negative"


class Strength(StrEnum):
    """How strongly the source puts it."""

    MUST = "must"
    SHOULD = "should"
    CONSIDER = "consider"
    INFORMATIONAL = "informational"


class Basis(StrEnum):
    """What the source rests the statement on."""

    ESTABLISHED = "established"
    REPORTED = "reported"
    PREDICTED = "predicted"
    ANIMAL = "animal"
    OTHER_FORMULATION = "other-formulation"
    CLASS_MEMBER = "class-member"


class ClaimStatus(StrEnum):
    """Where a claim stands; only APPROVED and CONFLICTED claims are released."""

    CANDIDATE = "candidate"
    GROUNDED = "grounded"
    ONTOLOGY_VALID = "ontology-valid"
    ENTITY_RESOLVED = "entity-resolved"
    CONTRADICTION_CHECKED = "contradiction-checked"
    RISK_SCORED = "risk-scored"
    APPROVED = "approved"
    REJECTED = "rejected"
    HELD = "held"
    CONFLICTED = "conflicted"


@dataclass(frozen=True, slots=True)
class Edge:
    """Payload of a pure graph edge: nothing but an optional note of the source."""

    note: str | None = None


Payload = Advice | Regimen | Limit | Edge

KIND_OF_PAYLOAD: dict[type, PayloadKind] = {
    Advice: PayloadKind.ADVICE,
    Regimen: PayloadKind.REGIMEN,
    Limit: PayloadKind.LIMIT,
    Edge: PayloadKind.EDGE,
}


@dataclass(frozen=True, slots=True)
class Scope:
    """What the claim's label covers: ingredient set, routes, dose forms, brand limits. Empty means not limited by the label."""

    ingredients: tuple[EntityId, ...] = ()
    routes: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    brands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who proposed the claim: extractor and version, and the model and prompt version where one was used."""

    extractor: str
    version: str
    model: str | None = None
    prompt_version: str | None = None


@dataclass(frozen=True, slots=True)
class Approval:
    """Who approved a claim and how: `policy:<name>@<version>` by rule, or a person's id; `read_by_person` says whether one has read it."""

    by: str
    method: str
    read_by_person: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of one document. Raises InvalidClaim without a statement span, or with a payload its predicate does not take."""

    predicate: str
    subject: EntityId
    object: EntityId
    payload: Payload
    evidence: tuple[Span, ...]
    provenance: Provenance
    guard: Guard | None = None
    polarity: Polarity = Polarity.POSITIVE
    strength: Strength = Strength.MUST
    basis: Basis = Basis.ESTABLISHED
    scope: Scope = Scope()
    valid: ValidPeriod = ValidPeriod()
    recorded: RecordedPeriod | None = None
    status: ClaimStatus = ClaimStatus.CANDIDATE
    reason: str | None = None
    approval: Approval | None = None
    words: str | None = None
    id: str = field(init=False, default="")

    def __post_init__(self) -> None:
        spec = PREDICATES.get(self.predicate)
        if spec is None:
            raise InvalidClaim(f"predicate {self.predicate!r} is not in the registry")
        if not any(s.role is SpanRole.STATEMENT for s in self.evidence):
            raise InvalidClaim(f"claim {self.subject} {self.predicate} {self.object} has no statement span")
        if len({s.document for s in self.evidence}) != 1:
            raise InvalidClaim(f"claim {self.subject} {self.predicate} {self.object} cites more than one document")
        kind = KIND_OF_PAYLOAD[type(self.payload)]
        if kind not in spec.payloads:
            raise InvalidClaim(f"{self.predicate} does not take the payload {kind.value}")
        object.__setattr__(self, "id", claim_id(self))

    @property
    def document(self) -> str:
        """Set id of the document the claim stands in."""
        return self.evidence[0].document

    @property
    def spec(self) -> PredicateSpec:
        """The registry row of the predicate."""
        return PREDICATES[self.predicate]

    @property
    def statement(self) -> Span:
        """The span of the statement itself."""
        return next(s for s in self.evidence if s.role is SpanRole.STATEMENT)


def claim_id(claim: Claim) -> str:
    """`c` and 20 hex digits over what the claim says, without where it stands."""
    return "c" + content_hash({"doc": claim.document, **meaning(claim)})[:20]


def edge_claim_id(document: str, predicate: str, subject: EntityId, object_: EntityId) -> str:
    """The id that a document's positive, unguarded edge claim has, so that it can be looked up without being searched."""
    said = _meaning(predicate, subject, object_, None, Edge(), Polarity.POSITIVE)
    return "c" + content_hash({"doc": document, **said})[:20]


def rule_key(claim: Claim) -> str:
    """`r` and 20 hex digits over what the claim says in any document: claims with one key are one rule with many evidences."""
    return "r" + content_hash({**meaning(claim), "routes": sorted(claim.scope.routes)})[:20]


def meaning(claim: Claim) -> dict[str, object]:
    """What a claim says, as plain data."""
    return _meaning(claim.predicate, claim.subject, claim.object, claim.guard, claim.payload, claim.polarity)


def _meaning(predicate: str, subject: EntityId, object_: EntityId, guard: Guard | None, payload: Payload, polarity: Polarity) -> dict[str, object]:
    return {
        "predicate": predicate,
        "subject": str(subject),
        "object": str(object_),
        "guard": normal_guard(guard),
        "payload": encode(payload),
        "polarity": polarity.value,
    }
