"""Doubles among the uses of one document: the full text wins over the Highlights, and one use under one restriction is said once."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from kb_builder.propose.drafts import Draft
from kb_builder.propose.indications.names import clean_name
from kb_builder.propose.reading.things import uncoded
from ontology.model.entities import EntityType
from ontology.text.mentions import singular, words_key


def settle_uses(drafts: list[Draft]) -> list[Draft]:
    """One draft a use and guard; of the Highlights only what the full text does not say."""
    full = [d for d in drafts if not d.highlight]
    kept = full + [d for d in drafts if d.highlight and not any(_same(d, f) for f in full)]
    out: list[Draft] = []
    for draft in kept:
        if not any(d.polarity is draft.polarity and (_key(d) == _key(draft) or _is_one(d, draft)) and _guard(d) >= _guard(draft) for d in out):
            out.append(_apart(draft, out))
    return out


def _apart(draft: Draft, others: list[Draft]) -> Draft:
    """The draft with a target of its own words where another use has its entity and guard: a prevention beside a treatment, a disease coded with a kin."""
    twins = [d for d in others if d.target.id == draft.target.id and d.polarity is draft.polarity and _guard(d) == _guard(draft)]
    if not twins or draft.target.entity is not None or any(_says_no_more(draft, d) and _prevents(d) is _prevents(draft) for d in twins):
        return draft
    return draft if draft.target.words.isupper() else replace(draft, target=uncoded(EntityType(draft.target.id.type), draft.target.words))


def _prevents(draft: Draft) -> bool:
    return draft.target.words.startswith("prevention of ")


def _is_one(first: Draft, second: Draft) -> bool:
    return first.target.id == second.target.id and _prevents(first) is _prevents(second) and _says_no_more(second, first)


def _same(first: Draft, second: Draft) -> bool:
    """True when two drafts of one polarity name one use."""
    if first.polarity is not second.polarity:
        return False
    return first.target.id == second.target.id or _alike(first, second)


def _says_no_more(draft: Draft, than: Draft) -> bool:
    """True for a name whose words another one has too, or nearly."""
    a, b = _key(draft), _key(than)
    return a <= b or len(a & b) / len(a | b) >= _ALIKE


def _alike(first: Draft, second: Draft) -> bool:
    """True for two names of which one holds the other, or that share most words."""
    a, b = _key(first), _key(second)
    return a <= b or b <= a or len(a & b) / len(a | b) >= _ALIKE


_ALIKE = 0.6
"""Share of words from which two names are one use said twice."""


def _key(draft: Draft) -> frozenset[str]:
    return _words(draft.target.words)


@lru_cache(maxsize=1024)
def _words(name: str) -> frozenset[str]:
    return frozenset(singular(w) for w in words_key(clean_name(name)).split() if w not in {"of", "the", "a", "and", "or", "in", "with", "to"})


def _guard(draft: Draft) -> frozenset[str]:
    return frozenset(repr(r.guard) for r in draft.limits)
