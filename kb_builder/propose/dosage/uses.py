"""The uses that doses are for, as far apart as the label's indications keep them: by their whole names, each an object of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from kb_builder.propose.dosage.words import dosage_words
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.things import Target, uncoded
from ontology.model.entities import EntityType
from ontology.text.mentions import singular, words_key

_BEFORE = re.compile(r"(?:[A-Za-z][\w'-]*\s+){1,4}$")
_NO_PART = frozenset(
    ["with", "for", "of", "in", "to", "and", "or", "the", "a", "an", "patients", "treatment", "management", "prophylaxis", "prevention", "other"]
)


def widened(blank: str, start: int, end: int, floor: int, indications: str) -> int:
    """Where the name of the condition at `[start, end)` begins by the label's indications: "beta thalassemia" where the vocabulary has "thalassemia"."""
    before = _BEFORE.search(blank, max(floor, start - 60), start)
    if before is None or not indications:
        return start
    best = start
    for m in reversed(list(re.finditer(r"\S+", before[0]))):
        word = m[0].lower()
        at = before.start() + m.start()
        if word in _NO_PART or word in dosage_words().generic or " ".join(blank[at:end].lower().split()) not in indications:
            break
        best = at
    return best


def set_apart(drafts: Iterable[Draft], indications: str) -> list[Draft]:
    """The drafts; where two uses of the indications share a code, each later one is an object in its own words, so that limits of one never bind the other."""
    first: dict[object, frozenset[str]] = {}
    out: list[Draft] = []
    for draft in drafts:
        target = draft.target
        if target.entity is None and target.id.type == EntityType.CONDITION and target.words.lower() in indications and not target.words.isupper():
            words = _words(target)
            known = first.setdefault(target.id, words)
            if not (words <= known or known <= words):
                draft = replace(draft, target=uncoded(EntityType.CONDITION, target.words))
        out.append(draft)
    return out


def _words(target: Target) -> frozenset[str]:
    return frozenset(singular(w) for w in words_key(target.words).split()) - dosage_words().generic
