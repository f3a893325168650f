"""Printed lines joined to running text: where a line was wrapped, and what stands at the break.

A line was wrapped when the first word of the next one did not fit behind it any more, or when the next one goes on in lower case.
A hyphen at a break is dropped only where the document writes the whole word without it elsewhere and never with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kb_builder.ingest.pdf_glyphs import BULLET, UNREADABLE
from kb_builder.ingest.pdf_lines import Line, is_cjk

_SOFT_HYPHEN = "\u00ad"
_BULLETS = f"{BULLET}●▪◦·■►‣□○◆➢✓"
_ITEM = re.compile(rf"[{_BULLETS}](?!\d)|{UNREADABLE}\s|[o\u2013\u2014-]\s+(?=\S)")
_ENUMERATED = re.compile(r"\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)、）](?!\d)\s*(?=\S)|[①-⑳]|[（(][一二三四五六七八九十]{1,3}[）)]")
_ENDS = re.compile(r"[.:;!?。：；！？][)\]\"'”’）】]*(?:\^\w+)?$")
_GOES_ON = re.compile(r"[a-z,;.)\]%]|\d+(?:[.,]\d+)?\s?[a-z%]|and\b|or\b")
_JOINING = re.compile(r"[,，、]$|\b(?:and|or|of|the|to|with|in|for|by|than|a|an|see)$")
_HYPHENATED = re.compile(r"([A-Za-z]+)-$")
_FIRST_LETTERS = re.compile(r"[a-z]+")
_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")


def is_item(text: str) -> bool:
    """Whether a line begins with a bullet."""
    return _ITEM.match(text) is not None


def is_enumerated(text: str) -> bool:
    """Whether a line begins with a number or letter of an enumeration."""
    return _ENUMERATED.match(text) is not None


def ends_sentence(text: str) -> bool:
    """Whether a line ends as a sentence or a lead-in does."""
    return _ENDS.search(text) is not None


def goes_on(text: str) -> bool:
    """Whether a line can only be the continuation of another."""
    return _GOES_ON.match(text) is not None and not is_enumerated(text) and not is_item(text)


def is_unfinished(text: str) -> bool:
    """Whether a text cannot end here: at a comma, a joining word, or with a bracket still open."""
    tail = text[-300:]
    opened = tail.count("[") > tail.count("]") or tail.count("(") > tail.count(")")
    return opened or _JOINING.search(tail) is not None


def is_wrapped(line: Line, following: Line, right: float) -> bool:
    """Whether the first word of the next line did not fit behind this one, up to the right margin."""
    first = following.stroke if following.text and is_cjk(following.text[0]) else following.first_word
    return line.x1 + first + 0.25 * line.stroke > right - 0.3 * line.stroke


def document_words(texts: Iterable[str]) -> frozenset[str]:
    """The words and hyphenated words of lines, in lower case, without those a line break may have cut."""
    found: set[str] = set()
    for text in texts:
        words = [m[0].casefold() for m in _WORD.finditer(text)]
        found.update(words[:-1] if text.endswith("-") else words)
    return frozenset(found)


def glue(before: str, after: str, words: frozenset[str]) -> tuple[str, str]:
    """The text before the break as it is to stand, and what stands between it and the text after: a space or nothing."""
    if before.endswith(_SOFT_HYPHEN):
        return before[:-1], ""
    if is_cjk(before[-1:]) and is_cjk(after[:1]):
        return before, ""
    hyphen, letters = _HYPHENATED.search(before), _FIRST_LETTERS.match(after)
    if hyphen is not None and letters is not None:
        one, other = hyphen[1].casefold(), letters[0].casefold()
        whole = one + other in words and f"{one}-{other}" not in words
        return (before[:-1], "") if whole else (before, "")
    if re.search(r"\S[-/–‑]$", before) and after[:1].isalnum():
        return before, ""
    return before, " "


def _is_listed(before: str, text: str) -> bool:
    """Whether a line of a table cell begins a new entry: an item, what follows a lead-in, an amount behind a closed bracket."""
    return is_item(text) or before.endswith((":", "：")) or (before.endswith(")") and text[:1].isdigit())


def join_lines(lines: Sequence[Line], right: float, words: frozenset[str]) -> list[str]:
    """The paragraphs and items of some lines of one column."""
    out: list[str] = []
    last: Line | None = None
    for line in lines:
        wrapped = (
            last is not None and not _is_listed(last.text, line.text) and (is_wrapped(last, line, right) or (goes_on(line.text) and last.bold == line.bold))
        )
        if wrapped:
            before, between = glue(out[-1], line.text, words)
            out[-1] = f"{before}{between}{line.text}"
        else:
            out.append(line.text)
        last = line
    return out
