"""Loaded terminologies of a release: a table on disk that is asked when the terms in memory do not know a code or a name.

It holds codes and names alone. Hand-kept terms and the labels' own codes come first; a code or name of theirs is never in it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from ontology.model.errors import TerminologyError
from ontology.model.identifiers import Code, EntityId

LOADED = "loaded-terms.sqlite"
"""The file's name in a release."""

SCHEMA = """
CREATE TABLE composition (id INTEGER PRIMARY KEY, ingredients TEXT NOT NULL UNIQUE);
CREATE TABLE drug (key TEXT, composition INTEGER, form TEXT, route TEXT, strength TEXT, PRIMARY KEY (key, composition)) WITHOUT ROWID;
CREATE TABLE drug_name (key TEXT, composition INTEGER, brand INTEGER, PRIMARY KEY (key, composition)) WITHOUT ROWID;
CREATE TABLE first_word (word TEXT PRIMARY KEY, longest INTEGER) WITHOUT ROWID;
CREATE TABLE ingredient (id TEXT PRIMARY KEY, name TEXT, rxcui TEXT) WITHOUT ROWID;
CREATE TABLE meaning (key TEXT, value TEXT, PRIMARY KEY (key, value)) WITHOUT ROWID;
CREATE TABLE concept_name (key TEXT, value TEXT, code TEXT, PRIMARY KEY (key, value, code)) WITHOUT ROWID;
"""
"""`drug.key` and `meaning.key` are `system:code`. A meaning is an entity id, or `code:system:value` of a standard code. Keys of drug names
are their tokens, keys of concept names the compared form of `ontology.terms.names`."""

MAX_NAME_TOKENS = 12
_BATCH = 400
_REMEMBERED = 4096

Key = tuple[str, ...]
Composition = tuple[EntityId, ...]


@dataclass(frozen=True, slots=True)
class LoadedDrug:
    """What a code stands for."""

    ingredients: Composition
    form: str | None
    route: str | None
    strength: str | None


class LoadedTerms:
    """Look-ups over the table. Safe for threads and forks when the connections it is given are."""

    def __init__(self, connection: Callable[[], sqlite3.Connection]) -> None:
        self._connection = connection
        self._composition = lru_cache(_REMEMBERED)(self._read_composition)
        self.drugs_of = lru_cache(_REMEMBERED)(self._drugs_of)
        self._first_words = {word: int(longest) for word, longest in self._rows("SELECT word, longest FROM first_word")}

    def _rows(self, query: str, *values: object) -> list[tuple[str, ...]]:
        try:
            return [tuple(row) for row in self._connection().execute(query, values)]
        except sqlite3.DatabaseError as e:
            raise TerminologyError(f"{LOADED}: {e}; copy the release again or build it again") from e

    def _drugs_of(self, key: str) -> tuple[LoadedDrug, ...]:
        """The drugs a code key stands for; several where its sources disagree."""
        rows = self._rows("SELECT composition, form, route, strength FROM drug WHERE key = ? ORDER BY composition", key)
        return tuple(LoadedDrug(self._composition(number), form or None, route or None, strength or None) for number, form, route, strength in rows)

    def _read_composition(self, number: object) -> Composition:
        (row,) = self._rows("SELECT ingredients FROM composition WHERE id = ?", number)
        return tuple(EntityId.parse(i) for i in json.loads(row[0]))

    def holds(self, composition: Composition) -> bool:
        """True when a loaded drug or name has exactly this composition."""
        return bool(self._rows("SELECT 1 FROM composition WHERE ingredients = ?", json.dumps([str(i) for i in composition])))

    def runs_of(self, tokens: Key) -> set[Key]:
        """The runs of tokens that may be names, by their first words; the first words are the one thing that is kept in memory."""
        starts = ((at, min(self._first_words.get(word, 0), len(tokens) - at)) for at, word in enumerate(tokens))
        return {tokens[at : at + length] for at, most in starts for length in range(1, most + 1)}

    def names_among(self, keys: Collection[Key]) -> Iterator[tuple[Key, Composition, bool]]:
        """Which of the token keys are names of drugs, of which compositions, and whether as a brand."""
        texts = sorted(" ".join(k) for k in keys)
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            for key, number, brand in self._rows(f"SELECT key, composition, brand FROM drug_name WHERE key IN ({','.join('?' * len(batch))})", *batch):  # noqa: S608
                yield tuple(key.split(" ")), self._composition(number), bool(brand)

    def ingredient(self, ingredient: EntityId) -> tuple[str, str | None] | None:
        """Name and RxCUI of an ingredient that only loaded terms know, or None."""
        rows = self._rows("SELECT name, rxcui FROM ingredient WHERE id = ?", str(ingredient))
        return (rows[0][0], rows[0][1] or None) if rows else None

    def entities_of(self, key: str) -> tuple[EntityId, ...]:
        """The entities that a code key means."""
        rows = self._rows("SELECT value FROM meaning WHERE key = ? AND value NOT LIKE 'code:%' ORDER BY value", key)
        return tuple(EntityId.parse(row[0]) for row in rows)

    def codes_of(self, key: str) -> tuple[Code, ...]:
        """The standard codes that a site's code key means."""
        rows = self._rows("SELECT value FROM meaning WHERE key = ? AND value LIKE 'code:%' ORDER BY value", key)
        return tuple(Code(system, value) for _, system, value in (row[0].split(":", 2) for row in rows))

    def concepts_named(self, key: str) -> tuple[EntityId, ...]:
        """The concepts whose loaded name has this key."""
        return tuple(EntityId.parse(row[0]) for row in self._rows("SELECT DISTINCT value FROM concept_name WHERE key = ? ORDER BY value", key))
