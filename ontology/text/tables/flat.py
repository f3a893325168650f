"""Flat text without white space, in which the words of tables are looked up, with the place of every character.

Where a table's markup stands in the text itself (Markdown), its tags are no text and its character references are the characters they mean.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ontology.text.offsets import fold
from ontology.text.tables.model import Place

SEPARATOR = "\ue000"
_WORD = re.compile(r"[^\s\x00-\x1f\x7f]+")
_GAP = re.compile(r"[\s\x00-\x1f\x7f]+")
_MARKUP = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>|&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,31});?|[^\s\x00-\x1f\x7f<&]+|[<&]", re.DOTALL)
_TABLE_TAG = re.compile(r"<(/?)table\b[^<>]*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Flat:
    """Folded text without white space: `begins[i]` and `ends[i]` enclose the folded text of its character `i`."""

    text: str
    squeezed: str
    begins: list[int]
    ends: list[int]

    def place(self, start: int, end: int) -> Place:
        """The place in the folded text of some squeezed characters, at least one."""
        return self.begins[start], self.ends[end - 1]

    def apart(self, start: int, end: int) -> bool:
        """True when the squeezed characters do not begin or end inside a word of the text."""
        return not (self._glued(start - 1) or self._glued(end - 1))

    def _glued(self, at: int) -> bool:
        """True when the character at an index and the next one stand in one word."""
        if at < 0 or at + 1 >= len(self.squeezed) or self.ends[at] != self.begins[at + 1]:
            return False
        left, right = self.squeezed[at], self.squeezed[at + 1]
        return left.isascii() and right.isascii() and left.isalnum() and right.isalnum()


def squeeze(text: str) -> Flat:
    """Folded text without white space."""
    words: list[str] = []
    begins: list[int] = []
    ends: list[int] = []
    at = 0
    for start, end in [*table_regions(text), (len(text), len(text))]:
        for m in _WORD.finditer(text, at, start):
            words.append(m[0])
            begins.extend(range(m.start(), m.end()))
            ends.extend(range(m.start() + 1, m.end() + 1))
        for m in _MARKUP.finditer(text, start, end):
            word = m[0]
            if word[0] == "<" and len(word) > 1:
                continue
            if word[0] == "&" and len(word) > 2:
                word = squeeze_words(html.unescape(word))
                begins.extend([m.start()] * len(word))
                ends.extend([m.end()] * len(word))
            else:
                begins.extend(range(m.start(), m.end()))
                ends.extend(range(m.start() + 1, m.end() + 1))
            words.append(word)
        at = end
    return Flat(text, "".join(words), begins, ends)


def squeeze_words(words: str) -> str:
    """Words as they stand in squeezed text."""
    return _GAP.sub("", fold(words).text)


def squeeze_runs(runs: list[str]) -> list[str]:
    """Each run of text as it stands in squeezed text."""
    joined = SEPARATOR.join(run.replace(SEPARATOR, " ") for run in runs)
    return squeeze_words(joined).split(SEPARATOR) if runs else []


def table_regions(text: str) -> Iterator[Place]:
    """Where the markup of tables stands in the text, inner tables within the outer ones; an unclosed table reaches to the end."""
    depth = start = 0
    for m in _TABLE_TAG.finditer(text):
        if m[1]:
            if depth == 1:
                yield start, m.end()
            depth = max(0, depth - 1)
        else:
            start = start if depth else m.start()
            depth += 1
    if depth:
        yield start, len(text)
