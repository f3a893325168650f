"""What else a clause says of its patients and no condition was read of: the drug given together with the product, why they take it, in which uses.

Left out, advice for some would hold for the whole population.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.entities import EntityType
from ontology.model.guards import AnyOf, Exposure, Opaque

_TOGETHER = re.compile(r"\bwith\s+(?:(?:an?|any|the|other)\s+)*(?=\S)", re.IGNORECASE)
_GIVEN = re.compile(
    r"\b(?:give|given|giving|use|used|administer\w*|co-?administer\w*|taken?|prescribed?|conjunction|combination|together|concurrently|concomitantly|simultaneously)\b",
    re.IGNORECASE,
)
_RUN_ENDS = re.compile(r"[(;.,]|\s(?:to|in|for|because|unless|if|when|should|is|are)\s")
_FOR_WHAT = re.compile(
    r"\bwho\s+(?:are|is)\s+(?P<words>(?:currently\s+|already\s+)?(?:receiving|taking|on|being\s+treated\s+with)\s+[^.;,()]{3,90}?\bfor\s+[^.;,()]{3,60})",
    re.IGNORECASE,
)
_USES = re.compile(r"\bin\s+(?P<words>(?:conditions|indications|diseases|disorders|uses)\s+(?:for|in)\s+which\s+[^.;()]{3,120})", re.IGNORECASE)
_BOTH = re.compile(
    r"\b(?:should|must)\s+not\s+be\s+(?:used|given|administered|taken)\s+(?:concomitantly|concurrently|simultaneously|together|in\s+combination)\b",
    re.IGNORECASE,
)
_NOT_WITH = re.compile(
    r"\b(?:avoid|(?:do|should|must)\s+not\s+(?:use|give|take|administer))\s+(?:(?:the|any|concomitant|concurrent|co-?administration|administration|use|of|other|with)\s+)*(?=\S)",
    re.IGNORECASE,
)
"""What the clause forbids is another drug beside the product."""
_LEFT_OPEN = (_FOR_WHAT, _USES)
_PARTNERS = frozenset({EntityType.INGREDIENT, EntityType.DRUG_CLASS, EntityType.ENZYME_ROLE})


def left_open(reading: Reading, clause: tuple[int, int], limits: Sequence[Restriction]) -> Iterator[Restriction]:
    """The restrictions of a clause that none of `limits` stands on."""
    for pattern in _LEFT_OPEN:
        m = pattern.search(reading.blank, *clause)
        if m is not None and not _covered(m.span("words"), limits):
            yield Restriction(Opaque(" ".join(m["words"].split())), *m.span("words"))
    joint = _BOTH.search(reading.blank, *clause)
    others = (
        [t for t in reading.things_in(clause[0], joint.start()) if t.kind is Kind.PARTNER and t.type in _PARTNERS and not t.own] if joint is not None else []
    )
    forbidden = _NOT_WITH.search(reading.blank, *clause)
    if forbidden is not None:
        others += [
            t
            for t in reading.things_in(forbidden.end(), clause[1])
            if t.kind is Kind.PARTNER and t.type in _PARTNERS and not t.own and t.start == forbidden.end()
        ]
    if others and not _covered((others[0].start, others[-1].end), limits):
        yield _beside(others, (others[0].start, others[-1].end))
        return
    for m in _TOGETHER.finditer(reading.blank, *clause):
        if _GIVEN.search(reading.blank, max(clause[0], m.start() - 60), m.end()) is None:
            continue
        stop = _RUN_ENDS.search(reading.blank, m.end(), clause[1])
        place = (m.end(), stop.start() if stop is not None else clause[1])
        partners = [t for t in reading.things_in(*place) if t.kind is Kind.PARTNER and t.type in _PARTNERS and not t.own]
        if partners and partners[0].start == m.end() and not _covered(place, limits):
            yield _beside(partners, place)
            return


def _beside(partners: Sequence[Thing], place: tuple[int, int]) -> Restriction:
    """Any of the drugs beside the product."""
    targets = [target for t in partners for target in t.targets]
    guards = tuple(dict.fromkeys(Exposure(target.id) for target in targets))
    entities = tuple(target.entity for target in targets if target.entity is not None)
    return Restriction(guards[0] if len(guards) == 1 else AnyOf(guards), *place, entities)


def _covered(place: tuple[int, int], limits: Sequence[Restriction]) -> bool:
    return any(r.start < place[1] and place[0] < r.end for r in limits)
