"""Whether a patient is used to opioids, as far as the medication list tells: who takes none is not tolerant, who takes one may be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.reading.lexicon import Lexicon
from ontology.model.entities import EntityType
from ontology.model.guards import AllOf, AnyOf, Exposure, Guard, Not, Opaque

_NOT_USED = re.compile(
    r"\bopioid(?:\s+analgesic)?[\s-]+na[iï]ve\b|\b(?:opioid[\s-]+)?(?:not|non)[\s-]+(?:yet\s+)?(?:opioid[\s-]+)?tolerant\b(?:\s+to\s+(?:the\s+effects\s+of\s+)?opioids?\b)?",
    re.IGNORECASE,
)
_USED = re.compile(r"\bopioid[\s-]+tolerant\b|\btolerant\s+to\s+(?:the\s+effects\s+of\s+)?opioids?\b", re.IGNORECASE)
_OPIOID = re.compile(r"\bopioid", re.IGNORECASE)
_AROUND = 40  # code points on both sides of what a reader took for a condition
_GROUP = "opioids"


def told_by_opioids(blank: str, restrictions: Sequence[Restriction], lexicon: Lexicon) -> tuple[Restriction, ...]:
    """The restrictions; words on tolerance to opioids as what the medication list tells of it, once."""
    out: list[Restriction] = []
    for one in restrictions:
        told = _told(blank, one, lexicon) if isinstance(one.guard, Opaque) else one
        if told is one or all(r.guard != told.guard for r in out):
            out.append(told)
    return tuple(out)


def _told(blank: str, one: Restriction, lexicon: Lexicon) -> Restriction:
    start, end = max(0, one.start - _AROUND), one.end + _AROUND
    for pattern, used in ((_NOT_USED, False), (_USED, True)):
        m = next((m for m in pattern.finditer(blank, start, end) if m.start() < one.end and one.start < m.end()), None)
        if m is None or _OPIOID.search(m[0]) is None or not _is_all(one, m):
            continue
        found = lexicon.lookup(_GROUP, frozenset({EntityType.DRUG_CLASS}))
        return replace(one, guard=_guard(Exposure(found[0]), used=used), start=min(one.start, m.start()), end=max(one.end, m.end())) if found else one
    return one


def _is_all(one: Restriction, m: re.Match[str]) -> bool:
    """True where what was taken for a condition says no more than the words on tolerance."""
    words = set(re.findall(r"[^\W\d_]+", one.guard.text.lower())) if isinstance(one.guard, Opaque) else set()
    return words <= set(re.findall(r"[^\W\d_]+", m[0].lower())) | {"in", "for", "with", "patients", "who", "are", "and"}


def _guard(opioids: Exposure, *, used: bool) -> Guard:
    return AllOf((opioids, Opaque("opioid tolerant"))) if used else AnyOf((Not(opioids), Opaque("not opioid tolerant")))
