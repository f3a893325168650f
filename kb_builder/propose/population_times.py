"""What a clause on reproduction or pregnancy says of sex and of the time around birth."""

from __future__ import annotations

import re

from kb_builder.propose.restrictions import Restriction
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, Category, Opaque

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
