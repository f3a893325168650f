"""Mentions of named things in folded text: thousands of names found in one pass, whole words only, the longest first.

Names and text are compared as their words in lower case: punctuation, hyphens and slashes are gaps ("St. John's-wort" is `st john s wort`).
Plural and singular of a name's last word are one, and so are `antifungal` and `anti-fungal`. Chinese names need no word boundary.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import ahocorasick

from ontology.model.identifiers import EntityId
from ontology.text.offsets import Shadow, fold

_WORD = re.compile(r"[一-鿿]+|[^\W_一-鿿]+")
_SHORTEST = 3
_PREFIX = re.compile(r"\b(anti|non)(?: (?=[a-z]{4,})|(?=[a-z]{6,}))")
_MAX_FORMS = 8


@dataclass(frozen=True, slots=True)
class Mention:
    """A named thing at `[start, end)` of the folded text; `ids` are all entities of that name, sorted."""

    start: int
    end: int
    ids: tuple[EntityId, ...]

    def overlaps(self, start: int, end: int) -> bool:
        """True when the mention shares a character with `[start, end)`."""
        return self.start < end and start < self.end


class MentionIndex:
    """All names of a vocabulary as one automaton. Built once a process; safe to share between threads."""

    def __init__(self, names: Iterable[tuple[str, EntityId]]) -> None:
        """Index `(name, entity)` pairs; names shorter than three letters are left out unless they are Chinese.

        A name is kept with the gaps at its sides that bound it as whole words; a Chinese one needs none.
        """
        table: dict[str, set[EntityId]] = {}
        for name, entity in names:
            key = words_key(name)
            if len(key) < _SHORTEST and not (len(key) > 1 and _is_han(key[0])):
                continue
            for form in _forms(key):
                table.setdefault(form, set()).add(entity)
        self._automaton = ahocorasick.Automaton()
        for form, ids in table.items():
            before, behind = "" if _is_han(form[0]) else " ", "" if _is_han(form[-1]) else " "
            self._automaton.add_word(before + form + behind, (len(form), len(behind), tuple(sorted(ids))))
        if table:
            self._automaton.make_automaton()
        self._empty = not table

    def find(self, shadow: Shadow) -> list[Mention]:
        """The mentions of a folded text from left to right, none overlapping another."""
        if self._empty:
            return []
        words = list(_WORD.finditer(shadow.lower))
        if not words:
            return []
        starts: list[int] = []
        position = 0
        for m in words:
            starts.append(position)
            position += m.end() - m.start() + 1
        key = " ".join(m[0] for m in words)
        found: list[tuple[int, int, tuple[EntityId, ...]]] = []
        for last, (size, gap, ids) in self._automaton.iter(f" {key} "):
            end = last - gap
            found.append((end - size, -end, ids))
        found.sort(key=lambda f: (f[0], f[1]))
        out: list[Mention] = []
        free = 0
        for start, minus_end, ids in found:
            if start >= free:
                out.append(Mention(_place(words, starts, start, first=True), _place(words, starts, -minus_end - 1, first=False), ids))
                free = -minus_end
        return out


@lru_cache(maxsize=50_000)
def words_key(name: str) -> str:
    """The words of a name in lower case, joined by single spaces: the form in which names and text are compared."""
    return " ".join(m[0] for m in _WORD.finditer(fold(name).lower))


def singular(key: str) -> str:
    """The key with its last word in the singular, by spelling alone."""
    if key.endswith("ies") and len(key) > 5:
        return key[:-3] + "y"
    if key.endswith(("ses", "xes", "zes", "ches", "shes")) and len(key) > 5 and not key.endswith(("ases", "oses", "eses", "ises", "uses")):
        return key[:-2]
    if key.endswith("s") and len(key) > 4 and not key.endswith(("ss", "is", "us", "ous")):
        return key[:-1]
    return key


def _forms(key: str) -> tuple[str, ...]:
    if not key[-1:].isascii() or not key[-1:].isalpha():
        return (key,)
    one = singular(key)
    many = one[:-1] + "ies" if one.endswith("y") and one[-2:-1] not in "aeiou" else one + ("es" if one.endswith(("s", "x", "ch", "sh")) else "s")
    return tuple(dict.fromkeys(form for spelled in (key, one, many) for form in _prefixes(spelled)))


def _prefixes(key: str) -> list[str]:
    """The key with every `anti` and `non` both joined to its word and apart from it."""
    forms = [""]
    at = 0
    for m in _PREFIX.finditer(key):
        forms = [f + key[at : m.start()] + m[1] + gap for f in forms for gap in ("", " ")][:_MAX_FORMS]
        at = m.end()
    return [f + key[at:] for f in forms]


def _place(words: list[re.Match[str]], starts: list[int], position: int, *, first: bool) -> int:
    i = bisect_right(starts, position) - 1
    at = words[i].start() + position - starts[i]
    return at if first else at + 1


def _is_han(char: str) -> bool:
    return "一" <= char <= "鿿"
