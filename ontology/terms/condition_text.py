"""The condition a problem's words head with: `deep vein thrombosis of left leg` is a deep vein thrombosis.

Words before the head that only grade it (acute, chronic, recurrent ...) are passed over; what follows the head must begin with a word that
restricts it (of, with, due to ...). A word before the head that is not in the table (`pulmonary hypertension`) or any word that denies or
moves the statement (no, family history of, risk of ...) leaves the text unmatched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ontology.terms.entries import Word
from ontology.terms.names import name_key, singular_key, tokens

_PUNCTUATION = frozenset({",", ";", "(", "[", "-", ":", "/"})
_STAGES = frozenset("期级型")
_BETWEEN_CHINESE = re.compile(r"(?<=[㐀-鿿]) (?=[㐀-鿿\d])|(?<=[\d]) (?=[㐀-鿿])")


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
        if any((f" {denial} " if denial.isascii() else denial) in key for denial in self._denials):
            return None
        stream = tokens(text)
        start = 0
        while start < len(stream):
            for end in range(min(len(stream), start + self._longest * 2), start, -1):
                if end == len(stream) or self._ends_a_name(stream, end):
                    head = singular_key(name_key(_BETWEEN_CHINESE.sub("", " ".join(stream[start:end]))))
                    if head in self._names:
                        return head
            passed = self._passed_over(stream, start)
            if not passed:
                return None
            start += passed
        return None

    def _ends_a_name(self, stream: tuple[str, ...], at: int) -> bool:
        """True where a name may end before the token at the position."""
        token = stream[at]
        return token in _PUNCTUATION or token in self._restrictions or token.isdigit() or (token in _STAGES and stream[at - 1].isdigit())

    def _passed_over(self, stream: tuple[str, ...], at: int) -> int:
        """How many tokens at the position only grade what follows; a Chinese word is a token a character."""
        if stream[at] in self._grades or stream[at] in _PUNCTUATION or stream[at].isdigit():
            return 1
        return next((n for n in (2, 3) if not stream[at].isascii() and "".join(stream[at : at + n]) in self._grades), 0)
