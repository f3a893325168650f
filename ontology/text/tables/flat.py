"""Flat text without white space, in which the words of tables are looked up, with the place of every word.

Where a table's markup stands in the text itself (Markdown), its tags are no text and its character references are the characters they mean.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from ontology.text.offsets import fold
from ontology.text.tables.model import Place

SEPARATOR = "\ue000"
_WORD = re.compile(r"[^\s\x00-\x1f\x7f]+")
_GAP = re.compile(r"[\s\x00-\x1f\x7f]+")
_MARKUP = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>|&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,31});?|[^\s\x00-\x1f\x7f<&]+|[<&]", re.DOTALL)
_TABLE_TAG = re.compile(r"<(/?)table\b[^<>]*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Flat:
    """Folded text without white space, as words: the squeezed offset of each, and where it begins and ends in the folded text."""

    text: str
    squeezed: str
    offsets: list[int]
    begins: list[int]
    ends: list[int]

    def place(self, start: int, end: int) -> Place:
        """The place in the folded text of some squeezed characters, at least one."""
        return self._character(start)[0], self._character(end - 1)[1]

    def apart(self, start: int, end: int) -> bool:
        """True when the squeezed characters do not begin or end inside a word of the text."""
        return not (self._glued(start) or self._glued(end))

    def _character(self, at: int) -> Place:
        """Where one squeezed character stands; the characters that a reference stands for share its place."""
        word = bisect_right(self.offsets, at) - 1
        begin, end = self.begins[word], self.ends[word]
        if self.offsets[word + 1] - self.offsets[word] != end - begin:
            return begin, end
        begin += at - self.offsets[word]
        return begin, begin + 1

    def _glued(self, at: int) -> bool:
        """True when the characters before and at a squeezed offset stand in one word."""
        if not 0 < at < len(self.squeezed):
            return False
        left, right = self.squeezed[at - 1], self.squeezed[at]
        return left.isascii() and right.isascii() and left.isalnum() and right.isalnum() and self._character(at - 1)[1] == self._character(at)[0]


def squeeze(text: str) -> Flat:
    """Folded text without white space."""
    words: list[str] = []
    begins: list[int] = []
    ends: list[int] = []
    at = 0
    for start, end in [*table_regions(text), (len(text), len(text))]:
        for m in _WORD.finditer(text, at, start):
            words.append(m[0])
            begins.append(m.start())
            ends.append(m.end())
        for m in _MARKUP.finditer(text, start, end):
            word = m[0]
            if word[0] == "<" and len(word) > 1:
                continue
            if word[0] == "&" and len(word) > 2:
                word = squeeze_words(html.unescape(word))
            if word:
                words.append(word)
                begins.append(m.start())
                ends.append(m.end())
        at = end
    return Flat(text, "".join(words), [0, *accumulate(map(len, words))], begins, ends)


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
