"""Weeks of pregnancy that a sentence names ("at about 30 weeks of gestation and later"), as trimesters and the label's words."""

from __future__ import annotations

import re

from kb_builder.propose.conditions.restrictions import Restriction
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, Category, Opaque

_NUMBER = r"(?P<low>\d{1,2})(?:\s*(?:weeks?\s*)?(?:to|and|-|through)\s*(?P<high>\d{1,2}))?"
_OF = r"\s*-?weeks?'?(?:\s*(?:of\s+)?(?:gestation(?:al age)?|pregnan\w+)|(?=\s+(?:and|or)\s+(?:later|beyond|after|more|greater)\s+in\s+(?:the\s+)?pregnan)|(?=\s+on(?:wards?)?\b))"
_BEFORE = r"(?P<before>between|from|at least|at|after|beyond|past|over|more than|greater than|≥|>|before|until|up to|less than|earlier than|<|≤|the first|first)?\s*(?:about\s+|approximately\s+)?"
_BEHIND = r"(?P<behind>\s*(?:and|or)\s+(?:later|beyond|after|thereafter|greater|more|onwards?|earlier|less)(?:\s+in\s+(?:the\s+)?pregnancy)?)?"
_WEEKS = re.compile(rf"\b{_BEFORE}{_NUMBER}{_OF}{_BEHIND}|(?:≥|>|<|≤)\s*{_NUMBER.replace('low', 'alow').replace('high', 'ahigh')}{_OF}", re.IGNORECASE)
_BORN = re.compile(r"\bborn\s+$", re.IGNORECASE)
_UNTIL = frozenset({"before", "until", "up to", "less than", "earlier than", "<", "≤", "the first", "first"})
_STARTS = ((0, "first-trimester"), (14, "second-trimester"), (28, "third-trimester"))
"""Weeks in which the trimesters begin (ACOG, obstetric definitions: the second from 14 0/7, the third from 28 0/7 weeks)."""
_TERM = 45


def weeks_of_pregnancy(text: str, start: int, end: int) -> Restriction | None:
    """The weeks that `[start, end)` of folded text names: the trimesters they lie in, and the words where they are not whole trimesters."""
    m = next((m for m in _WEEKS.finditer(text, start, end) if _BORN.search(text, max(start, m.start() - 20), m.start()) is None), None)
    if m is None:
        return None
    low = int(m["low"] or m["alow"])
    high = m["high"] or m["ahigh"]
    before, behind = (m["before"] or "").lower(), (m["behind"] or "").lower()
    first, last = low, int(high) if high else _TERM
    if high is None and (before in _UNTIL or "earlier" in behind or "less" in behind):
        first, last = 0, low
    elif high is None and before in {"", "at"} and not behind:
        last = low + 1
    values = tuple(name for (begins, name), ends in zip(_STARTS, (14, 28, _TERM), strict=True) if begins < last and first < ends)
    if not values:
        return None
    words = " ".join(m[0].split())
    category = Category(Axis.PREGNANCY, values, detail=words)
    whole = (first in {0, 14, 28}) and (last in {14, 28, _TERM})
    return Restriction(category if whole else AllOf((category, Opaque(words))), m.start(), m.end())
