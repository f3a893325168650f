"""The words of sigs, read from `words.toml`, and matchers made of them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Set
from importlib.resources import files
from typing import Any

_TOKEN = re.compile(r"\{[^}]+\}|(?:[A-Za-z]\.){2,}[A-Za-z]?\.?|\d+(?:[.,/]\d+)*|[A-Za-z]+(?:'[a-z]+)?|[一-鿿]|\S")
_HAN = re.compile(r"[一-鿿]")

SECTIONS: dict[str, Any] = tomllib.loads(files(__package__).joinpath("words.toml").read_text("utf-8"))

Words = Set[str]
"""The words of a text, as `words_in` gives them."""


def tokens_of(text: str) -> Iterator[tuple[int, int, str]]:
    """The words, numbers and signs of a text as (start, end, word in lower case without dots)."""
    for m in _TOKEN.finditer(text):
        word = m[0].lower()
        yield m.start(), m.end(), word.replace(".", "") if word[0].isalpha() else word


class Phrases:
    """A list of phrases that are looked for as a whole. `pattern` matches any of them, the longest first, white space and hyphens alike.

    A text that lacks a word of each of them is not searched.
    """

    __slots__ = ("_rest", "_search", "_starts", "pattern")

    def __init__(self, phrases: Iterable[str], behind: str = "") -> None:
        """`behind` is what must follow a phrase, as a pattern."""
        kept = tuple(phrases)
        self.pattern = any_of(kept)
        rest: dict[str, set[frozenset[str]]] = {}
        for first, *more in ([word for _, _, word in tokens_of(p)] for p in kept):
            rest.setdefault(first, set()).add(frozenset(w for w in more if w.isalpha()))
        self._rest = {first: tuple(sorted(sets, key=len)) for first, sets in rest.items()}
        self._starts = frozenset(rest)
        self._search = re.compile(self.pattern + behind, re.IGNORECASE)

    def find(self, text: str, words: Words, start: int, end: int) -> re.Match[str] | None:
        """The first phrase in `[start, end)`; None where there is none."""
        return self._search.search(text, start, end) if self._may_stand_in(words) else None

    def find_all(self, text: str, words: Words) -> list[re.Match[str]]:
        """Every phrase of the text, in order."""
        return list(self._search.finditer(text)) if self._may_stand_in(words) else []

    def _may_stand_in(self, words: Words) -> bool:
        return not self._starts.isdisjoint(words) and any(rest <= words for first in self._starts & words for rest in self._rest[first])

    def is_one(self, said: str) -> bool:
        """True when the words are one of the phrases."""
        return self._search.fullmatch(said) is not None


def any_of(words: Iterable[str]) -> str:
    """A group that matches any of the phrases as whole words, the longest first."""
    return "(?:" + "|".join(_bounded(w) for w in sorted(set(words), key=lambda w: (-len(w), w))) + ")"


def _bounded(word: str) -> str:
    body = re.escape(word).replace(r"\ ", r"[\s-]+")
    if _HAN.match(word):
        return body
    return (r"(?<![\w-])" if word[0].isalnum() else "") + body + (r"(?![\w])" if word[-1].isalnum() else "")
