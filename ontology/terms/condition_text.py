"""The condition a problem's words head with: `deep vein thrombosis of left leg` is a deep vein thrombosis.

Words before the head that only grade it (acute, chronic, recurrent ...) are passed over; what follows the head must begin with a word that
restricts it (of, with, due to ...). A word before the head that is not in the table (`pulmonary hypertension`) or any word that denies or
moves the statement (no, family history of, risk of ...) leaves the text unmatched.
"""

from __future__ import annotations

from collections.abc import Iterable

from ontology.terms.entries import Word
from ontology.terms.names import name_key, singular_key, tokens

_PUNCTUATION = frozenset({",", ";", "(", "[", "-", ":", "/"})


class ConditionPhrases:
    """Finds the known condition name that a text begins with."""

    def __init__(self, names: Iterable[str], words: Iterable[Word]) -> None:
        self._names = frozenset(names)
        self._longest = max((name.count(" ") + 1 for name in self._names), default=0)
        tables: dict[str, set[str]] = {"grade": set(), "restriction": set(), "denial": set()}
        for word in words:
            if word.table in tables:
                tables[word.table].add(name_key(word.text))
        self._grades, self._restrictions, self._denials = (frozenset(tables[t]) for t in ("grade", "restriction", "denial"))

    def head_of(self, text: str) -> str | None:
        """The key of the known name the text heads with, or None."""
        key = f" {name_key(text)} "
        if any(f" {denial} " in key for denial in self._denials):
            return None
        stream = tokens(text)
        for start, token in enumerate(stream):
            for end in range(min(len(stream), start + self._longest * 2), start, -1):
                if end == len(stream) or stream[end] in _PUNCTUATION or stream[end] in self._restrictions or stream[end].isdigit():
                    head = singular_key(name_key(" ".join(stream[start:end])))
                    if head in self._names:
                        return head
            if not (token in self._grades or token in _PUNCTUATION or token.isdigit()):
                return None
        return None
