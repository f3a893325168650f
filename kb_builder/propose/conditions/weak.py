"""The old and the weak named together: "elderly and debilitated patients" are any of them, though "and" joins them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from kb_builder.propose.conditions.restrictions import Restriction
from ontology.model.facts import Axis
from ontology.model.guards import AnyOf, Guard, HasCondition, Interval, Opaque, leaves
from ontology.text.sought import sought

_OLD = r"(?:elderly|geriatric)"
_WEAK = r"(?:debilitated|frail|infirm|fragile|cachectic|malnourished|undernourished|weak(?:ened)?|asthenic)"
_PEOPLE = r"(?:\s+(?:patients|adults|individuals|persons|people|subjects))"
_JOINT = r"(?:\s*/\s*|\s*,\s*(?:(?:and/or|and|or)\s+)?|\s+(?:and/or|and|or)\s+)(?:(?:in|for)\s+)?(?:the\s+)?"
_MEMBER = rf"(?:{_OLD}|{_WEAK})"
_TOGETHER = sought(rf"\b{_MEMBER}(?:{_PEOPLE}?{_JOINT}{_MEMBER})+\b(?!{_PEOPLE}?\s+(?:with|who|whose|or|and)\b)(?:{_PEOPLE}\b)?", re.IGNORECASE)
_EACH = re.compile(_MEMBER, re.IGNORECASE)
_OLD_WORD = re.compile(_OLD, re.IGNORECASE)
_AGED = Decimal(65)


def weak_and_old(text: str, start: int, end: int, found: Sequence[Restriction]) -> list[Restriction]:
    """The restrictions of `[start, end)`, with those on the old and the weak as one where the text names them side by side and says no more of them."""
    out = list(found)
    for m in _TOGETHER.finditer(text, start, end):
        words = [w[0].lower() for w in _EACH.finditer(m[0])]
        if not any(_OLD_WORD.fullmatch(w) for w in words) or all(_OLD_WORD.fullmatch(w) for w in words):
            continue
        touched = [r for r in out if r.start < m.end() and m.start() < r.end]
        if not touched or any(r.start < m.start() - 4 or r.end > m.end() for r in touched) or any(isinstance(r.guard, AnyOf) for r in touched):
            continue
        states = [leaf for r in touched for leaf in leaves(r.guard) if isinstance(leaf, HasCondition)]
        parts = [_guard(w, states) for w in dict.fromkeys(words)]
        at = out.index(touched[0])
        out = [r for r in out if r not in touched]
        out.insert(at, Restriction(AnyOf(tuple(parts)), m.start(), m.end()))
    return out


def _guard(word: str, states: Sequence[HasCondition]) -> Guard:
    """The age or the state that one word names; a state in the words that a reader gave it."""
    if _OLD_WORD.fullmatch(word):
        return Interval(Axis.AGE, _AGED, None, "a", term=word)
    return next((s for s in states if word in s.words.lower()), Opaque(word))
