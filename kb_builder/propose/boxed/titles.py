"""The titles of a boxed warning: what stands in capitals behind the word WARNING, or before a sentence, cut into its subjects.

"WARNING: SUICIDAL THOUGHTS AND BEHAVIORS" has one subject, "INCREASED MORTALITY IN ELDERLY PATIENTS and HEPATOTOXICITY" two: a small "and" between
capitals parts subjects, each with its own patients.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb_builder.propose.boxed.book import boxed_book

_TOKEN = re.compile(r"\S+")
_LETTERS = re.compile(r"[^\W\d_]")
_SMALL_LETTERS = re.compile(r"[a-z]")
_SHOUTED = re.compile(r"[(\[\"“*]*[A-Z0-9][^a-z]*(?:s\b)?[^a-z]*$")
_PARTS = re.compile(r"\s*;\s*(?:and\s+)?|\s+(?:and|or|and/or)\s+|,?\s*\(?\b[A-D1-6]\)\s+|,?\s+AND\s+(?=(?:AN?\s+)?(?:INCREASED\s+)?(?:RISKS?|POTENTIAL)\b)")
_ENUMERATED = re.compile(r"^\s*\(?\b[A-D1-6][.)]\s+")
_VERB = re.compile(r"\s(?:IS|ARE|SHOULD|MUST|HAS|HAVE|CAN|MAY|WAS|WERE|OCCURS?|CAUSES?)\s")
_SENTENCE = re.compile(r"[a-z)]\.\s|[A-Z]{2,}\.\s+[A-Z]")
_LONGEST = 420
_SHORTEST = 4


@dataclass(frozen=True, slots=True)
class Title:
    """One subject of a title: its hazards' place, the place of what follows them, and the whole title's place."""

    head: tuple[int, int]
    rest: tuple[int, int]
    whole: tuple[int, int]


def find_titles(text: str) -> Iterator[tuple[int, int]]:
    """The places of the titles behind the word WARNING."""
    for m in boxed_book().title.finditer(text):
        end = shouted_end(text, m.end(), len(text))
        if end - m.end() >= _SHORTEST:
            yield m.end(), end


def shouted_end(text: str, start: int, end: int) -> int:
    """Where the capitals end that begin at `start`; `start` where none begin or a whole sentence is in capitals."""
    book = boxed_book()
    last, loud = start, False
    tokens = list(_TOKEN.finditer(text, start, min(end, start + _LONGEST)))
    ends: list[int] = []
    follow: str | None = None
    for m in tokens:
        word = m[0].strip(',;:.()[]"“”*–-')
        shouted = _SHOUTED.match(m[0]) is not None and not _SMALL_LETTERS.search(word.removesuffix("s") if len(word) > 2 else word)
        if shouted or not _LETTERS.search(m[0]):
            if boxed_book().title.match(text, m.start()) and loud:
                follow = None
                break
            ends.append(m.end())
            loud = loud or len(word) >= _SHORTEST
        elif loud and book.small.fullmatch(word):
            ends.append(-1)
        else:
            follow = m[0]
            break
    else:
        if tokens and tokens[-1].end() < end:
            return start
    while ends and ends[-1] < 0:
        ends.pop()
    if follow is not None and follow[:1].islower() and ends:
        ends.pop()  # a product's name in capitals opens the sentence
        while ends and ends[-1] < 0:
            ends.pop()
    if not loud or not ends:
        return start
    last = ends[-1]
    while last - 2 > start and re.search(r"\s[A-Z]$", text[start:last]):
        last = last - 2  # "A" opens the sentence
    if _VERB.search(text, start, last) or (_SENTENCE.search(text, start, last) and last - start > _LONGEST // 3):
        return start
    return last


def split_title(text: str, start: int, end: int) -> Iterator[Title]:
    """The subjects of a title, each with what follows its hazards."""
    opened = boxed_book().title.match(text, start, end)
    at = start = opened.end() if opened is not None else start
    loud = not _SMALL_LETTERS.search(re.sub(r"\b(?:and|or|in|of|with|from|to|the|for|s)\b", "", text[start:end]))
    cuts = [m.span() for m in _PARTS.finditer(text, start, end)] if loud else [m.span() for m in re.finditer(r"\s*;\s*", text[start:end])]
    if not loud:
        cuts = [(s + start, e + start) for s, e in cuts]
    ends = [s for s, _ in cuts[1:]] + [end]
    cuts = [cut for cut, behind in zip(cuts, ends, strict=bool(cuts)) if not boxed_book().joined.fullmatch(text[cut[1] : behind].strip())] if cuts else []
    for s, e in [*cuts, (end, end)]:
        opened = _ENUMERATED.match(text[at:s])
        first = at + opened.end() if opened is not None else at
        if s > first:
            m = boxed_book().part.search(text, first + 1, s)
            middle = m.start() if m is not None else s
            yield Title((first, middle), (middle, s), (start, end))
        at = e
