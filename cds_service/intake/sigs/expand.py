"""Abbreviated instructions in plain words, with a map back to the text as received.

Pharmacists write `1-2 tabs po q4-6h prn`; the grammar reads prose. The words are swapped one by one and everything else is kept, so every
place of the plain text maps to the code points that it stands for.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from cds_service.intake.sigs.lexicon import SECTIONS, tokens_of
from ontology.text.dosing.numbers import number_of
from ontology.text.dosing.words import FORMS_MANY, FORMS_ONE, UNITS
from ontology.text.offsets import Shadow, fold

Token = tuple[int, int, str]
Saying = tuple[tuple[str, ...], str]

_NUMBER_WORDS = frozenset({"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "half"})
_JOINS = frozenset({"-", "to", "or", "~"})
_SLOT = re.compile(r"\{n(?:(?P<sign>[*+])(?P<by>[\d.]+))?\}")
_NEAR = 40


@dataclass(frozen=True, slots=True)
class Expanded:
    """The plain text of an instruction, its words, and where each piece of it stands in the folded text that it was made of."""

    folded: Shadow
    text: str
    tokens: tuple[Token, ...]
    words: frozenset[str]
    _at: tuple[int, ...]
    _from: tuple[int, ...]
    _to: tuple[int, ...]
    _same: tuple[bool, ...]

    def folded_span(self, start: int, end: int) -> tuple[int, int]:
        """The folded offsets that `[start, end)` of the plain text stands for; what was swapped maps to the whole of its abbreviation."""
        if not self._at or start >= end:
            at = self._to[-1] if self._at else 0
            return at, at
        first, last = bisect_right(self._at, start) - 1, bisect_right(self._at, end - 1) - 1
        low = self._from[first] + (start - self._at[first] if self._same[first] else 0)
        high = self._from[last] + (end - self._at[last]) if self._same[last] else self._to[last]
        return low, high

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """The offsets in the text as received that `[start, end)` of the plain text stands for."""
        return self.folded.raw_span(*self.folded_span(start, end))


def expand(raw: str) -> Expanded:
    """The instruction in plain words. Never raises."""
    folded = fold(raw)
    text = folded.text
    pieces: list[tuple[str, int, int, bool]] = []
    at = 0
    received = tuple(tokens_of(text))
    for start, end, words in _swaps(text, received):
        if start > at:
            pieces.append((text[at:start], at, start, True))
        before = text[start - 1 : start]
        padded = f"{' ' if words and before.isalnum() else ''}{words}{' ' if words[-1:].isalnum() and text[end : end + 1].isalnum() else ''}"
        if padded:
            pieces.append((padded, start, end, False))
        at = end
    if at < len(text):
        pieces.append((text[at:], at, len(text), True))
    places: list[int] = []
    length = 0
    for words, *_ in pieces:
        places.append(length)
        length += len(words)
    plain = "".join(p[0] for p in pieces)
    tokens = received if plain == text else tuple(tokens_of(plain))
    return Expanded(
        folded,
        plain,
        tokens,
        words_of(tokens),
        tuple(places),
        tuple(p[1] for p in pieces),
        tuple(p[2] for p in pieces),
        tuple(p[3] for p in pieces),
    )


def words_of(tokens: Sequence[Token]) -> frozenset[str]:
    """The words of a text, one with an apostrophe also without what follows it."""
    words = {t[2] for t in tokens}
    return frozenset(words | {w.split("'")[0] for w in words if "'" in w})


def _swaps(text: str, tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """What is swapped for which words, in order; the longest saying at a place wins."""
    i = 0
    while i < len(tokens):
        found = _saying(tokens, i)
        if found is None and tokens[i][2] in _CONTEXT:
            found = _one_of_two(text, tokens, i)
        if found is None:
            i += 1
            continue
        used, words = found
        yield tokens[i][0], tokens[i + used - 1][1], words
        i += used


def _saying(tokens: Sequence[Token], i: int) -> tuple[int, str] | None:
    word = tokens[i][2]
    follows = tokens[i + 1][2] if i + 1 < len(tokens) else ""
    sayings: Sequence[Saying] = _STARTING.get(word, ())
    taken = _number(tokens, i)
    if taken and i + taken < len(tokens):
        sayings = (*sayings, *_NUMBERED.get(tokens[i + taken][2], ()))
    best: tuple[int, str] | None = None
    for parts, words in sayings:
        if len(parts) > 1 and parts[1][0] != "{" and parts[0][0] != "{" and parts[1] != follows:
            continue
        fits = _fit(tokens, i, parts)
        written = _written(words, fits[1]) if fits is not None else None
        if fits is not None and written is not None and (best is None or fits[0] > best[0]):
            best = (fits[0], written)
    if best is not None:
        return best
    if word in _MORNINGS and not (i and _number(tokens, i - 1)):
        return 1, _MORNINGS[word]
    return None


def _fit(tokens: Sequence[Token], i: int, parts: Sequence[str]) -> tuple[int, tuple[str, ...]] | None:
    """How many tokens a saying takes from the i-th on, and its numbers; None where it does not stand there."""
    at = i
    numbers: tuple[str, ...] = ()
    for part in parts:
        if at >= len(tokens):
            return None
        if part == "{n}":
            taken = _number(tokens, at)
            if not taken:
                return None
            numbers, at = numbers or tuple(t[2] for t in tokens[at : at + taken]), at + taken
        elif part == "{f}":
            return (at - i, numbers) if tokens[at][2] in _FORMS else None
        elif tokens[at][2] == part:
            at += 1
        else:
            return None
    return at - i, numbers


def _number(tokens: Sequence[Token], i: int) -> int:
    """How many tokens make the count or range that begins at the i-th, 0 where none does."""
    if not _is_number(tokens[i][2]):
        return 0
    joined = i + 2 < len(tokens) and tokens[i + 1][2] in _JOINS and _is_number(tokens[i + 2][2])
    return 3 if joined else 1


def _is_number(word: str) -> bool:
    return word[0].isdecimal() or word in _NUMBER_WORDS


def _written(words: str, numbers: Sequence[str]) -> str | None:
    """The plain words with the numbers in their place; None where a number cannot be reckoned with."""
    slot = _SLOT.search(words) if numbers else None
    if slot is None:
        return words
    out = []
    for number in numbers:
        value = number_of(number) if slot["sign"] and number not in _JOINS else None
        if slot["sign"] is None or number in _JOINS:
            out.append(number)
        elif value is None:
            return None
        else:
            by = Decimal(slot["by"])
            out.append(format((value * by if slot["sign"] == "*" else value + by).normalize(), "f"))
    said = out[0] if len(out) == 1 else f"{out[0]} to {out[2]}"
    return words[: slot.start()] + said + words[slot.end() :]


def _one_of_two(text: str, tokens: Sequence[Token], i: int) -> tuple[int, str] | None:
    """An abbreviation of two meanings by the words around it."""
    start, end, word = tokens[i]
    row = _CONTEXT[word]
    around = set(text[max(0, start - _NEAR) : end + _NEAR].lower().replace(".", " ").replace(",", " ").split())
    words = row["then"] if around & set(row["beside"]) else row.get("otherwise")
    return None if words is None else (1, words)


def _by_start(sayings: Mapping[str, str], *, behind_numbers: bool) -> dict[str, list[Saying]]:
    """The sayings by the word that they begin with, or by the word behind the number that they begin with, the longest first."""
    out: dict[str, list[Saying]] = {}
    for saying, words in sayings.items():
        parts = tuple(word for _, _, word in tokens_of(saying))
        if (parts[0] == "{n}") is behind_numbers:
            plain = words.replace("{f}", "").rstrip() if parts[-1] == "{f}" else words
            out.setdefault(parts[1] if behind_numbers else parts[0], []).append((parts, plain))
    return {start: sorted(rows, key=lambda r: -len(r[0])) for start, rows in out.items()}


_SAYINGS = {**SECTIONS["abbreviations"], **SECTIONS["patterns"]}
_STARTING = _by_start(_SAYINGS, behind_numbers=False)
_NUMBERED = _by_start(_SAYINGS, behind_numbers=True)
_MORNINGS: dict[str, str] = SECTIONS["not_behind_a_number"]
_CONTEXT: dict[str, dict[str, Any]] = SECTIONS["context"]
_COUNTED = frozenset({*(w for w, code in UNITS.items() if code.startswith("{") or code == "[drp]"), *FORMS_ONE, *FORMS_MANY})
_FORMS = _COUNTED | {short for short, words in SECTIONS["abbreviations"].items() if words in _COUNTED}
