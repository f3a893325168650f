"""What a clause on a population says beside its people: sex, the time around birth, the uses in children."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.restrictions import Restriction
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Category, Opaque

_FEMALE = re.compile(r"\b(?:females?|wom[ae]n)\b", re.IGNORECASE)
_MALE = re.compile(r"\b(?:males?|men)\b", re.IGNORECASE)
_PARTNERS = re.compile(
    r"\b(?:females?|wom[ae]n)\s+(?:sexual\s+)?partners?\b|\b(?:contact|intercourse)\s+with\s+(?:\w+\s+)?(?:females?|wom[ae]n)\b|\bpartners?\s+who\s+are\s+(?:females?|wom[ae]n)",
    re.IGNORECASE,
)
_BIRTH = re.compile(
    r"\b(?:near |at )term\b(?:\s*\([^()]*\))?(?:[^.;]{0,40}\b(?:labou?r|delivery)\b)*|(?:\b(?:one|two|\d+)\s+(?:months?|weeks?|days?)\s+)?(?:\b(?:prior to|before|during|immediately before)\s+)(?:the\s+|expected\s+|anticipated\s+)*(?:labou?r|delivery|parturition)\b(?:\s+(?:and|or)\s+delivery|\s+date)?",
    re.IGNORECASE,
)
_USES = re.compile(
    r"\b(?:patients?|children|populations?|adolescents?|infants?|years(?: of age)?(?: and older)?)\s+for\s*:?\s+(?P<uses>[^.;\x01]{4,400})", re.IGNORECASE
)
_NEXT_USE = re.compile(r"\s+(?=(?:prevention|treatment|management|prophylaxis|relief|reduction|maintenance)\s+of\b)", re.IGNORECASE)
_LEADING = re.compile(r"^(?:the|and|or|any|other)\s+", re.IGNORECASE)


def sexes(text: str, clause: tuple[int, int]) -> list[Restriction]:
    """The sex that a clause speaks to; none where it speaks to both or to neither."""
    partners = [m.span() for m in _PARTNERS.finditer(text, *clause)]
    female = next((m for m in _FEMALE.finditer(text, *clause) if not any(s <= m.start() < e for s, e in partners)), None)
    male = _MALE.search(text, *clause)
    m = female or male
    if m is None or (female is not None and male is not None):
        return []
    return [Restriction(Category(Axis.SEX, ("female" if female is not None else "male",)), m.start(), m.end())]


def around_birth(text: str, clause: tuple[int, int]) -> Restriction | None:
    """The time around birth that a clause names: the last trimester, and of it only what the words say."""
    m = _BIRTH.search(text, *clause)
    if m is None:
        return None
    words = " ".join(m[0].split())
    return Restriction(AllOf((Category(Axis.PREGNANCY, ("third-trimester",), detail=words), Opaque(words))), m.start(), m.end())


def uses_of_children(text: str, clause: tuple[int, int], found: Sequence[Restriction]) -> list[Restriction]:
    """The uses that a clause names behind "in pediatric patients for", as words; nothing where a restriction stands on them already."""
    m = _USES.search(text, *clause)
    if m is None or any(r.start < m.end("uses") and m.start("uses") < r.end for r in found):
        return []
    uses = [_LEADING.sub("", " ".join(u.split()).strip(" ,:")) for u in _NEXT_USE.split(m["uses"])]
    parts = tuple(Opaque(u) for u in dict.fromkeys(uses) if re.search(r"\w{3}", u))
    return [Restriction(parts[0] if len(parts) == 1 else AnyOf(parts), m.start("uses"), m.end("uses"))] if parts else []
