"""The words of a label's indications, and those by which a use's name runs on, ends and is led to (`restated.toml`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from ontology.text.mentions import singular

PART = re.compile(r"[A-Za-z]+|\d+")
"""A word inside a compound."""


@dataclass(frozen=True, slots=True)
class Uses:
    """The words of a label's indications: `text` in lower case, `words` apart, `letters` the abbreviations with what they stand for."""

    text: str
    words: frozenset[str]
    letters: Mapping[str, str]

    @classmethod
    def of(cls, text: str, letters: Mapping[str, str]) -> Uses:
        """The words of the indications `text`."""
        lower = text.lower()
        return cls(lower, frozenset(w for m in PART.finditer(lower) for w in (m[0], singular(m[0]))), letters)

    def names(self, word: str) -> bool:
        """True for a word of the indications, a compound of such words, or letters that stand for such words."""
        if word in self.letters:
            return all(p.lower() in self.words or p.lower() in joints().joints for p in PART.findall(self.letters[word]))
        return all(self._has(part) for part in PART.findall(word))

    def _has(self, part: str) -> bool:
        if part in self.letters:
            return self.names(part)
        return part.lower() in self.words or singular(part.lower()) in self.words


@dataclass(frozen=True, slots=True)
class Joints:
    """The lists: words inside a name, words at which it ends, words that lead to it, words of a heading around it."""

    joints: frozenset[str]
    ends: frozenset[str]
    weak: frozenset[str]
    edges: frozenset[str]


@cache
def joints() -> Joints:
    """The lists that ship with the package."""
    data = tomllib.loads(files("kb_builder.propose.dosage").joinpath("restated.toml").read_text(encoding="utf-8"))
    return Joints(*(frozenset(" ".join(data[name]["words"]).split()) for name in ("joints", "ends", "weak", "edges")))
