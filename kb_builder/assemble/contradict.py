"""Contradiction: statements on one hazard, for the same product, route and form, that cannot be followed together.

Inside one label the stricter statement is released and the milder one marked, where they cannot be followed together; advice of two strengths can,
and doses and ceilings are alternatives there. Between labels of one product, or of a brand and its copies, both are released and the stricter one is
marked, so that its card can say that labels differ. Guards need not be equal: bands that overlap count where the other label says nothing of the very
band. Nothing is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from kb_builder.assemble.bands import overlap
from kb_builder.assemble.stances import Ask, Stance
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


class _Word(NamedTuple):
    level: Decimal
    ask: Ask | None
    brands: frozenset[str]


@dataclass(slots=True)
class LabelComparison:
    """The strictest word of every label on every hazard, so that differences between labels show.

    Small: labels with the same word on a hazard are kept as one, and a band has an entry for each of its labels.
    """

    _words: dict[bytes, dict[_Word, tuple[str, Stance]]] = field(default_factory=dict)
    _families: dict[bytes, list[tuple[str, Stance]]] = field(default_factory=dict)

    def add(self, set_id: str, stances: Iterable[Stance]) -> None:
        """Takes in the stances of one label."""
        for stance in _own_word(stances):
            said = self._words.setdefault(stance.key, {})
            word = _Word(stance.level, stance.ask, stance.brands)
            said[word] = min(said.get(word, (set_id, stance)), (set_id, stance), key=lambda s: s[0])
            if stance.family is not None:
                self._families.setdefault(stance.family, []).append((set_id, stance))

    def difference(self, claim: Claim, stance: Stance) -> str | None:
        """Why the claim is marked: it is the strictest word on its hazard and another label is milder. None otherwise.

        Indications differ between products; that is no contradiction.
        """
        said = self._words.get(stance.key)
        if said is None or claim.predicate == "indicated_for":
            return None
        others = [(set_id, one) for set_id, one in said.values() if one.is_of_product(stance)]
        milder = sorted(((set_id, one) for set_id, one in others if one.differs_from(stance)), key=_mildest_first)
        if milder and stance.level == min(one.level for _, one in others):
            return f"labels differ: {milder[0][0]} says {milder[0][1].word}"
        return self._over_bands(claim.document, stance) if stance.family is not None else None

    def _over_bands(self, set_id: str, stance: Stance) -> str | None:
        """The milder word of a label whose band overlaps and that says nothing of the claim's own band."""
        family = self._families.get(stance.family or b"", [])
        told = {other for other, one in family if one.key == stance.key}
        if set_id not in told:
            return None
        for other, one in sorted(family, key=_mildest_first):
            if other != set_id and other not in told and one.level > stance.level and one.differs_from(stance) and overlap(stance.bands, one.bands):
                return f"labels differ: {other} says {one.word} for patients who stand in both bands"
        return None


def _mildest_first(said: tuple[str, Stance]) -> tuple[Decimal, str]:
    return -said[1].level, said[0]


def _own_word(stances: Iterable[Stance]) -> list[Stance]:
    """What one label says on each hazard: its strictest word; nothing where it gives several doses or ceilings, which are alternatives."""
    own: dict[bytes, Stance] = {}
    levels: dict[bytes, set[Decimal]] = {}
    for stance in stances:
        seen = own.setdefault(stance.key, stance)
        levels.setdefault(stance.key, set()).add(stance.level)
        if stance.level < seen.level:
            own[stance.key] = stance
    return [stance for key, stance in own.items() if not (stance.alternative and len(levels[key]) > 1)]
