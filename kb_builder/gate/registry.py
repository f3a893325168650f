"""The registry gate: a claim says only what the predicate registry allows, of entities that exist."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ontology.model.claims import KIND_OF_PAYLOAD, Claim
from ontology.model.dosing import Limit, Regimen
from ontology.model.entities import EntityType
from ontology.model.guards import Exposure, Guard, HasCondition, leaves
from ontology.model.identifiers import EntityId
from ontology.model.predicates import PREDICATES

KnownEntity = Callable[[EntityId], bool]

MAX_INGREDIENTS = 40
"""More ingredients of one product are a broken join; multivitamin labels list up to about thirty."""

_REFLEXIVE = frozenset({"contraindicated_in"})
"""Hypersensitivity to the drug itself is said of the drug with the drug as object."""

_TYPES = {t.value: t for t in EntityType}


def registry_fault(claim: Claim, known: KnownEntity) -> str | None:
    """Which rule of the registry a claim breaks, or None. `known` says whether an entity exists."""
    spec = PREDICATES.get(claim.predicate)
    if spec is None:
        return f"predicate {claim.predicate!r} is not in the registry"
    kind = KIND_OF_PAYLOAD[type(claim.payload)]
    if kind not in spec.payloads:
        return f"{claim.predicate} does not take the payload {kind.value}"
    subject, target = _TYPES.get(claim.subject.type), _TYPES.get(claim.object.type)
    if subject not in spec.domain:
        return f"{claim.predicate} is not said of a {claim.subject.type} ({claim.subject})"
    if target not in spec.range:
        return f"{claim.predicate} does not lead to a {claim.object.type} ({claim.object})"
    if claim.subject == claim.object and claim.predicate not in _REFLEXIVE:
        return f"a claim about itself: {claim.subject}"
    if claim.object.system == "uncoded" and not (claim.words or "").strip():
        return f"uncoded object {claim.object} without the label's words"
    for entity, place in _mentioned(claim):
        if not known(entity):
            return f"{place} {entity} does not exist"
    return None


def _mentioned(claim: Claim) -> Iterator[tuple[EntityId, str]]:
    """Every entity a claim speaks of, with the place it stands in."""
    yield claim.subject, "subject"
    yield claim.object, "object"
    yield from _in_guard(claim.guard, "guard")
    if isinstance(claim.payload, Regimen):
        yield from ((partner, "regimen partner") for partner in claim.payload.partners)
        if claim.payload.indication is not None:
            yield claim.payload.indication, "regimen indication"
    if isinstance(claim.payload, Limit):
        yield from _in_guard(claim.payload.exception, "exception of the limit")


def _in_guard(guard: Guard | None, place: str) -> Iterator[tuple[EntityId, str]]:
    for leaf in leaves(guard):
        if isinstance(leaf, Exposure):
            yield leaf.target, f"{place} target"
            yield from ((member, f"{place} exception") for member in leaf.minus)
        elif isinstance(leaf, HasCondition):
            yield leaf.concept, f"{place} condition"


def too_many(claims: tuple[Claim, ...]) -> dict[str, str]:
    """Claims of one document that break a cardinality, by claim id with the reason: a second object of a single-valued predicate, a product of too many ingredients."""
    objects: dict[tuple[str, EntityId], dict[EntityId, None]] = {}
    for claim in claims:
        objects.setdefault((claim.predicate, claim.subject), {})[claim.object] = None
    faults = {}
    for claim in claims:
        found = list(objects[claim.predicate, claim.subject])
        if claim.spec.single and claim.object != found[0]:
            faults[claim.id] = f"{claim.predicate} takes one object; {claim.subject} already has {found[0]}"
        elif claim.predicate == "has_ingredient" and len(found) > MAX_INGREDIENTS:
            faults[claim.id] = f"{claim.subject} has {len(found)} ingredients in one product, more than {MAX_INGREDIENTS}"
    return faults
