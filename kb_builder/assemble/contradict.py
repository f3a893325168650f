"""Contradiction: same subject, predicate, object, guard, route and form, but another action or polarity.

Inside one label the stricter statement is released and the other one marked. Between labels both are released and the stricter one is
marked, so that its card can say that labels differ. Nothing is dropped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field

from ontology.model.advice import ACTION_RANK, Advice
from ontology.model.claims import Claim, Polarity
from ontology.model.codec import normal_guard
from ontology.model.identifiers import content_hash

_DENIED = len(ACTION_RANK)


@dataclass(frozen=True, slots=True)
class Stance:
    """What a claim's statement can be compared by: the hazard it speaks of and how strict it is (0 is strictest)."""

    key: bytes
    rank: int


def stance_of(claim: Claim) -> Stance | None:
    """The stance of a claim that advises; None for regimens, limits and edges, which cannot contradict each other this way."""
    if not isinstance(claim.payload, Advice):
        return None
    hazard = {
        "predicate": claim.predicate,
        "subject": str(claim.subject),
        "object": str(claim.object),
        "guard": normal_guard(claim.guard),
        "routes": sorted(claim.scope.routes),
        "forms": sorted(claim.scope.forms),
    }
    return Stance(hashlib.blake2b(content_hash(hazard).encode(), digest_size=12).digest(), _rank(claim))


def _rank(claim: Claim) -> int:
    denied = claim.polarity is Polarity.NEGATIVE
    if claim.predicate == "indicated_for":
        return 0 if denied else 1
    assert isinstance(claim.payload, Advice)  # noqa: S101 - narrows the type; `stance_of` has checked it
    return _DENIED if denied else ACTION_RANK.index(claim.payload.strictest)


def word_of(predicate: str, rank: int) -> str:
    """How a rank reads in a reason."""
    if predicate == "indicated_for":
        return "not indicated" if rank == 0 else "indicated"
    return "no such effect" if rank == _DENIED else ACTION_RANK[rank].value


def contradicted_within(claims: Iterable[tuple[Claim, Stance | None]]) -> dict[str, str]:
    """The claims of one label that a stricter statement of the same label overrules, by id with the reason."""
    listed = [(claim, stance) for claim, stance in claims if stance is not None]
    strictest: dict[bytes, int] = {}
    for _, stance in listed:
        strictest[stance.key] = min(strictest.get(stance.key, stance.rank), stance.rank)
    return {
        claim.id: f"the same label also says {word_of(claim.predicate, strictest[stance.key])}, which is stricter"
        for claim, stance in listed
        if stance.rank > strictest[stance.key]
    }


@dataclass(slots=True)
class _Range:
    strictest: int
    mildest: int
    mildest_in: str


@dataclass(slots=True)
class LabelComparison:
    """The strictest word of every label on every hazard, so that differences between labels show. Small: one entry a hazard."""

    _ranges: dict[bytes, _Range] = field(default_factory=dict)

    def add(self, set_id: str, stances: Iterable[Stance]) -> None:
        """Takes in the stances of one label."""
        own: dict[bytes, int] = {}
        for stance in stances:
            own[stance.key] = min(own.get(stance.key, stance.rank), stance.rank)
        for key, rank in own.items():
            seen = self._ranges.setdefault(key, _Range(rank, rank, set_id))
            seen.strictest = min(seen.strictest, rank)
            if (-rank, set_id) < (-seen.mildest, seen.mildest_in):
                seen.mildest, seen.mildest_in = rank, set_id

    def difference(self, claim: Claim, stance: Stance) -> str | None:
        """Why the claim is marked: it is the strictest word on its hazard and another label is milder. None otherwise."""
        seen = self._ranges.get(stance.key)
        if seen is None or claim.predicate == "indicated_for" or stance.rank != seen.strictest or seen.mildest == seen.strictest:
            return None
        return f"labels differ: {seen.mildest_in} says {word_of(claim.predicate, seen.mildest)}"
