"""Sets of names that are looked for token by token, the longest first."""

from __future__ import annotations

from collections.abc import Iterator

from ontology.terms.names import tokens

Key = tuple[str, ...]

OPEN = {"(": ")", "[": "]", "{": "}"}
CLOSE = frozenset(OPEN.values())
_UNMATCHED = frozenset({"-", *OPEN, *CLOSE})


class Phrases:
    """A set of token keys that can be matched longest first at a position; hyphens between tokens do not count."""

    def __init__(self) -> None:
        self._longest: dict[str, int] = {}
        self._keys: set[Key] = set()

    def add(self, text: str) -> Key:
        """Adds the key of the text and returns it; texts without tokens are not added."""
        key = phrase_key(text)
        self.add_key(key)
        return key

    def add_key(self, key: Key) -> None:
        """Adds a key; the empty one is not added."""
        if key:
            self._keys.add(key)
            self._longest[key[0]] = max(self._longest.get(key[0], 0), len(key))

    def has(self, key: Key) -> bool:
        """True when the key was added."""
        return key in self._keys

    def match(self, stream: tuple[str, ...], at: int) -> tuple[Key, int] | None:
        """The longest key that begins at the position, and the position after it."""
        return max(self.matches(stream, at), key=_end, default=None) if stream[at] in self._longest else None

    def matches(self, stream: tuple[str, ...], at: int) -> Iterator[tuple[Key, int]]:
        """Every key that begins at the position, shortest first, each with the position after it."""
        limit = self._longest.get(stream[at], 0)
        key: list[str] = []
        for position in range(at, len(stream)):
            if stream[position] == "-":
                continue
            key.append(stream[position])
            if len(key) > limit:
                break
            if tuple(key) in self._keys:
                yield tuple(key), position + 1


def _end(match: tuple[Key, int]) -> int:
    return match[1]


def phrase_key(text: str) -> Key:
    """The tokens of a name without its hyphens and brackets."""
    return tuple(t for t in tokens(text) if t not in _UNMATCHED)
