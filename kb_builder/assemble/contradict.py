"""Contradiction: same subject, predicate, object, guard, route and form, but advice that cannot be followed together.

Advice stands on levels; "monitor" and "adjust the dose" are one level and add up, "avoid" and "monitor" are two and do not. Inside one
label the stricter statement is released and the milder one marked. Between labels both are released and the stricter one is marked, so
that its card can say that labels differ. Nothing is dropped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field

from ontology.model.advice import Action, Advice
from ontology.model.claims import Claim, Polarity
from ontology.model.codec import normal_guard
from ontology.model.identifiers import content_hash

_LEVELS: tuple[tuple[Action, ...], ...] = (
    (Action.CONTRAINDICATED, Action.STOP),
    (Action.AVOID, Action.NOT_RECOMMENDED),
    (Action.ADJUST_DOSE, Action.SEPARATE, Action.MONITOR, Action.CAUTION),
    (Action.NO_ADJUSTMENT,),
)
_DENIED = len(_LEVELS) - 1
_LEVEL_OF = {action: level for level, actions in enumerate(_LEVELS) for action in actions}


@dataclass(frozen=True, slots=True)
class Stance:
    """What a claim's statement can be compared by: the hazard it speaks of, its level (0 is strictest), and its own word for it."""

    key: bytes
    level: int
    word: str


def stance_of(claim: Claim) -> Stance | None:
    """The stance of a claim that advises.

    None for regimens, limits and edges, and for "not studied" and "no recommendation", which contradict nothing.
    """
    if not isinstance(claim.payload, Advice):
        return None
    placed = _placed(claim, claim.payload)
    if placed is None:
        return None
    hazard = {
        "predicate": claim.predicate,
        "subject": str(claim.subject),
        "object": str(claim.object),
        "guard": normal_guard(claim.guard),
        "routes": sorted(claim.scope.routes),
        "forms": sorted(claim.scope.forms),
    }
    return Stance(hashlib.blake2b(content_hash(hazard).encode(), digest_size=12).digest(), *placed)


def _placed(claim: Claim, advice: Advice) -> tuple[int, str] | None:
    denied = claim.polarity is Polarity.NEGATIVE
    if claim.predicate == "indicated_for":
        return (0, "not indicated") if denied else (1, "indicated")
    if denied:
        return _DENIED, "no such effect"
    level = _LEVEL_OF.get(advice.strictest)
    return None if level is None else (level, advice.strictest.value)


def contradicted_within(claims: Iterable[tuple[Claim, Stance | None]]) -> dict[str, str]:
    """The claims of one label that a stricter statement of the same label overrules, by id with the reason."""
    listed = [(claim, stance) for claim, stance in claims if stance is not None]
    strictest: dict[bytes, Stance] = {}
    for _, stance in listed:
        seen = strictest.setdefault(stance.key, stance)
        if stance.level < seen.level:
            strictest[stance.key] = stance
    return {
        claim.id: f"the same label also says {strictest[stance.key].word}, which is stricter"
        for claim, stance in listed
        if stance.level > strictest[stance.key].level
    }


@dataclass(slots=True)
class _Range:
    strictest: int
    mildest: int
    mildest_word: str
    mildest_in: str


@dataclass(slots=True)
class LabelComparison:
    """The strictest word of every label on every hazard, so that differences between labels show. Small: one entry a hazard."""

    _ranges: dict[bytes, _Range] = field(default_factory=dict)

    def add(self, set_id: str, stances: Iterable[Stance]) -> None:
        """Takes in the stances of one label."""
        own: dict[bytes, Stance] = {}
        for stance in stances:
            seen = own.setdefault(stance.key, stance)
            if stance.level < seen.level:
                own[stance.key] = stance
        for key, stance in own.items():
            known = self._ranges.setdefault(key, _Range(stance.level, stance.level, stance.word, set_id))
            known.strictest = min(known.strictest, stance.level)
            if (-stance.level, set_id) < (-known.mildest, known.mildest_in):
                known.mildest, known.mildest_word, known.mildest_in = stance.level, stance.word, set_id

    def difference(self, claim: Claim, stance: Stance) -> str | None:
        """Why the claim is marked: it is the strictest word on its hazard and another label is milder. None otherwise.

        Indications differ between products; that is no contradiction.
        """
        seen = self._ranges.get(stance.key)
        if seen is None or claim.predicate == "indicated_for" or stance.level != seen.strictest or seen.mildest == seen.strictest:
            return None
        return f"labels differ: {seen.mildest_in} says {seen.mildest_word}"
