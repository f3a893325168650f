"""Dose phrases of a stretch that stands by itself: what is printed before and behind a cell is another cell's."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from ontology.text.doses import DosePhrase, read_doses


def doses_in(text: str, start: int, end: int) -> list[DosePhrase]:
    """The phrases within `[start, end)`, with offsets in the text."""
    return [replace(p, start=p.start + start, end=p.end + start) for p in doses_of_words(text[start:end])]


@lru_cache(maxsize=4096)
def doses_of_words(words: str) -> tuple[DosePhrase, ...]:
    """The phrases of some words, with offsets in the words."""
    return tuple(read_doses(words))
