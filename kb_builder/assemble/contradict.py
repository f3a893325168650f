"""Contradiction: statements on one hazard, for the same product, route and form, that cannot be followed together.

Inside one label the stricter statement is released and the milder one marked, where they cannot be followed together; advice of two strengths can,
and doses are alternatives there. Between labels both are released and the stricter one is marked, so that its card can say that labels differ. Guards need not be equal: bands that
overlap count where the other label says nothing of the very band. Nothing is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from kb_builder.assemble.bands import overlap
from kb_builder.assemble.stances import Stance
from ontology.model.claims import Claim


def contradicted_within(claims: Iterable[tuple[Claim, Stance | None]]) -> dict[str, str]:
    """The claims of one label that a stricter statement of the same label overrules, by id with the reason."""
    listed = [(claim, stance) for claim, stance in claims if stance is not None and not stance.alternative]
    told: dict[bytes, list[Stance]] = {}
    for _, stance in listed:
        told.setdefault(stance.key, []).append(stance)
    out: dict[str, str] = {}
    for claim, stance in listed:
        stricter = min((other for other in told[stance.key] if stance.yields_to(other)), key=lambda other: other.level, default=None)
        if stricter is not None:
            out[claim.id] = f"the same label also says {stricter.word}, which is stricter"
    return out


@dataclass(slots=True)
class _Range:
    strictest: Decimal
    mildest: Decimal
    mildest_word: str
    mildest_in: str


@dataclass(slots=True)
class LabelComparison:
    """The strictest word of every label on every hazard, so that differences between labels show. Small: one entry a hazard, and one a band."""

    _ranges: dict[bytes, _Range] = field(default_factory=dict)
    _families: dict[bytes, list[tuple[str, Stance]]] = field(default_factory=dict)

    def add(self, set_id: str, stances: Iterable[Stance]) -> None:
        """Takes in the stances of one label."""
        for stance in _own_word(stances):
            known = self._ranges.setdefault(stance.key, _Range(stance.level, stance.level, stance.word, set_id))
            known.strictest = min(known.strictest, stance.level)
            if (-stance.level, set_id) < (-known.mildest, known.mildest_in):
                known.mildest, known.mildest_word, known.mildest_in = stance.level, stance.word, set_id
            if stance.family is not None:
                self._families.setdefault(stance.family, []).append((set_id, stance))

    def difference(self, claim: Claim, stance: Stance) -> str | None:
        """Why the claim is marked: it is the strictest word on its hazard and another label is milder. None otherwise.

        Indications differ between products; that is no contradiction.
        """
        seen = self._ranges.get(stance.key)
        if seen is None or claim.predicate == "indicated_for":
            return None
        if stance.level == seen.strictest and seen.mildest != seen.strictest:
            return f"labels differ: {seen.mildest_in} says {seen.mildest_word}"
        return self._over_bands(claim.document, stance) if stance.family is not None else None

    def _over_bands(self, set_id: str, stance: Stance) -> str | None:
        """The milder word of a label whose band overlaps and that says nothing of the claim's own band."""
        family = self._families.get(stance.family or b"", [])
        told = {other for other, one in family if one.key == stance.key}
        for other, one in sorted(family, key=lambda f: (-f[1].level, f[0])):
            if other != set_id and other not in told and one.level > stance.level and overlap(stance.bands, one.bands):
                return f"labels differ: {other} says {one.word} for patients who stand in both bands"
        return None


def _own_word(stances: Iterable[Stance]) -> list[Stance]:
    """What one label says on each hazard: its strictest word; nothing where it gives several doses, which are alternatives."""
    own: dict[bytes, Stance] = {}
    levels: dict[bytes, set[Decimal]] = {}
    for stance in stances:
        seen = own.setdefault(stance.key, stance)
        levels.setdefault(stance.key, set()).add(stance.level)
        if stance.level < seen.level:
            own[stance.key] = stance
    return [stance for key, stance in own.items() if not (stance.alternative and len(levels[key]) > 1)]
