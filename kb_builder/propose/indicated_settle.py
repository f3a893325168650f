"""Doubles among the uses of one document: the full text wins over the Highlights, and one use under one restriction is said once."""

from __future__ import annotations

from kb_builder.propose.drafts import Draft
from kb_builder.propose.indicated_names import clean_name
from ontology.text.mentions import singular, words_key


def settle_uses(drafts: list[Draft]) -> list[Draft]:
    """One draft a use and guard; of the Highlights only what the full text does not say."""
    full = [d for d in drafts if not d.highlight]
    kept = full + [d for d in drafts if d.highlight and not any(_same(d, f) for f in full)]
    out: list[Draft] = []
    for draft in kept:
        if not any(d.polarity is draft.polarity and (_key(d) == _key(draft) or _is_one(d, draft)) and _guard(d) >= _guard(draft) for d in out):
            out.append(draft)
    return out


def _is_one(first: Draft, second: Draft) -> bool:
    return first.target.id == second.target.id and _alike(first, second)


def _same(first: Draft, second: Draft) -> bool:
    """True when two drafts of one polarity name one use."""
    if first.polarity is not second.polarity:
        return False
    return first.target.id == second.target.id or _alike(first, second)


def _alike(first: Draft, second: Draft) -> bool:
    """True for two names of which one holds the other, or that share most words."""
    a, b = _key(first), _key(second)
    return a <= b or b <= a or len(a & b) / len(a | b) >= _ALIKE


_ALIKE = 0.6
"""Share of words from which two names are one use said twice."""


def _key(draft: Draft) -> frozenset[str]:
    return frozenset(singular(w) for w in words_key(clean_name(draft.target.words)).split() if w not in {"of", "the", "a", "and", "or", "in", "with", "to"})


def _guard(draft: Draft) -> frozenset[str]:
    return frozenset(repr(r.guard) for r in draft.limits)
