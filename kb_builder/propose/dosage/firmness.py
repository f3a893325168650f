"""How firmly a sentence puts its dose: an order, a ceiling, or no more than a suggestion or what is usual in practice."""

from __future__ import annotations

import re

from kb_builder.propose.dosage.words import dosage_words
from ontology.model.claims import Strength
from ontology.model.dosing import Limit, Regimen

_CLAUSE = re.compile(r"[;\x01]|[.:]\s|,\s*(?:but|however|although|whereas|while)\b|\bhowever,")


def firmness(blank: str, sentence: tuple[int, int], dose: tuple[int, int], payload: Regimen | Limit) -> Strength:
    """MUST for a ceiling, SHOULD for a dose, CONSIDER for either where the words of its clause only suggest it."""
    clause = _clause(blank, sentence, dose)
    words = dosage_words()
    if isinstance(payload, Limit):
        return Strength.CONSIDER if words.practice.search(clause) and not words.ruled.search(clause) else Strength.MUST
    return Strength.CONSIDER if words.hedged.search(clause) and not words.ruled.search(clause) else Strength.SHOULD


def _clause(blank: str, sentence: tuple[int, int], dose: tuple[int, int]) -> str:
    """The part of the sentence around the dose."""
    start, end = sentence
    behind = _CLAUSE.search(blank, dose[1], end)
    before = max((m.start() for m in _CLAUSE.finditer(blank, start, dose[0])), default=start)
    return blank[before : behind.start() if behind is not None else end]
