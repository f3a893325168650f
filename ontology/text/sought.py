"""Patterns that are tried only where a word stands that every match of theirs holds.

Most sentences hold none of the words that a pattern is about, and to look for a word costs a small part of what the pattern costs. The words are
read off the pattern itself, so that both always agree; a pattern that needs no certain word is tried everywhere. What is found is the same in any
text that is folded (`offsets.fold` leaves no letter that is one of ASCII in another dress; the dotless i stands alone and is not looked for).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import ahocorasick

from ontology.text.needed_words import needed_words

_FEW = 16
"""So many words are looked for one by one faster than all at once."""


class Sought:
    """A compiled pattern with the words it needs. `search`, `finditer` and `match` answer as the pattern does."""

    __slots__ = ("_any", "_few", "_lower", "compiled", "pattern", "words")

    def __init__(self, pattern: re.Pattern[str]) -> None:
        """Reads the needed words off the pattern; `words` is empty for one that is tried everywhere."""
        needed = needed_words(pattern)
        self.compiled = pattern
        self.pattern = pattern.pattern
        self.words = needed.words
        self._lower = needed.any_case
        self._few = needed.words if len(needed.words) <= _FEW else ()
        self._any = None if len(needed.words) <= _FEW else _automaton(needed.words)

    def may_stand(self, text: str, start: int = 0, end: int = sys.maxsize) -> bool:
        """False where `[start, end)` holds no match, told by its words alone."""
        part = text if start <= 0 and end >= len(text) else text[max(start, 0) : end]
        if self._lower:
            part = part.lower()
        for word in self._few:
            if word in part:
                return True
        return not self.words if self._any is None else next(self._any.iter(part), None) is not None

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """The first match within `[start, end)`, or None."""
        return self.compiled.search(text, start, end) if self.may_stand(text, start, end) else None

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        """The matches within `[start, end)` from left to right."""
        return self.compiled.finditer(text, start, end) if self.may_stand(text, start, end) else _NONE

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """The match that begins at `start`, or None."""
        return self.compiled.match(text, start, end)


class SoughtAmong:
    """Many patterns read in one text: which of them may stand there is told by one pass over it."""

    __slots__ = ("_always", "_any", "_lower")

    def __init__(self, patterns: Sequence[re.Pattern[str]]) -> None:
        """Patterns by their place in the sequence."""
        owners: dict[str, list[int]] = {}
        always: list[int] = []
        needed = [needed_words(p) for p in patterns]
        self._lower = any(n.any_case for n in needed)
        for index, one in enumerate(needed):
            words = {w.lower() for w in one.words} if self._lower else one.words
            for word in words:
                owners.setdefault(word, []).append(index)
            if not words:
                always.append(index)
        self._always = frozenset(always)
        self._any = _automaton(owners, owners)

    def due(self, text: str) -> Sequence[int]:
        """The places of the patterns that may stand in the text, in order."""
        part = text.lower() if self._lower else text
        places = set(self._always)
        if self._any is not None:
            for _, owners in self._any.iter(part):
                places.update(owners)
        return sorted(places)


class Stretches:
    """Cuts a text to the stretches that may hold a match: those between two `breaks`, which no match holds, around a word that every match does.

    What a pattern looks at behind its match must be no break.
    """

    __slots__ = ("_any", "_breaks")

    def __init__(self, needing: re.Pattern[str], breaks: str) -> None:
        """`needing` is the pattern, or a part of it that every match holds, and ignores case. Raises ValueError where it needs no certain word."""
        needed = needed_words(needing)
        if not needed.words or not needed.any_case:
            raise ValueError(f"no word is needed in any case by {needing.pattern!r}")
        self._any = _automaton(needed.words)
        self._breaks = breaks

    def of(self, text: str) -> Iterator[tuple[int, int]]:
        """The stretches from left to right, none overlapping."""
        done = 0
        for last, _ in self._any.iter(lowered(text)):
            if last < done:
                continue
            start = max(done, *(text.rfind(char, done, last) + 1 for char in self._breaks))
            done = min((at for char in self._breaks if (at := text.find(char, last)) >= 0), default=len(text))
            yield start, done


_NONE: Iterator[re.Match[str]] = iter(())


def lowered(text: str) -> str:
    """The text in lower case, of the same length."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def sought(pattern: str, flags: int = 0) -> Sought:
    """The pattern compiled, with the words it needs."""
    return Sought(re.compile(pattern, flags))


def _automaton(words: Sequence[str] | dict[str, list[int]], owners: dict[str, list[int]] | None = None) -> Any:
    """All words as one automaton, each with its owners; None without any."""
    if not words:
        return None
    automaton = ahocorasick.Automaton()
    for word in words:
        automaton.add_word(word, tuple(owners[word]) if owners is not None else True)
    automaton.make_automaton()
    return automaton
