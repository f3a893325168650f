"""Abbreviations that a label explains, so that a use named by letters in one place is told by its words."""

from __future__ import annotations

import re
from collections.abc import Mapping

_SHORT = re.compile(r"\((?P<short>[A-Za-z][A-Za-z0-9/-]{1,9})\)")
_BEFORE = re.compile(r"(?:[A-Za-z][\w'/-]*[\s,]+){1,10}$")
_REACH = 120
_WORD = re.compile(r"[A-Za-z0-9]+")
_JOINTS = re.compile(r"\s*(?:/|,\s*(?:and\b|or\b)?|\band/or\b|\band\b|\bor\b)\s*")
_CAPITALS = 3  # so many letters in order are no chance
_SMALL = frozenset({"of", "the", "and", "in", "with", "to", "for", "or", "a", "an", "due", "by"})


def explained(text: str) -> dict[str, str]:
    """The abbreviations of a text with their words: each letter that is a capital begins a word, in order."""
    found: dict[str, str] = {}
    for m in _SHORT.finditer(text):
        before = _BEFORE.search(text[max(0, m.start() - _REACH) : m.start()] + " ") if m["short"] not in found and not m["short"].islower() else None
        words = (_of_letters(before[0], m["short"]) or _of_long_words(before[0], m["short"])) if before is not None else None
        if words is not None:
            found[m["short"]] = words
    return found


def _of_letters(words: str, short: str) -> str | None:
    """The last words whose first letters are the abbreviation's, capitals or all of them; None where they are not."""
    parts = list(_WORD.finditer(words))
    for letters in ([c.lower() for c in short if c.isalnum()], [c.lower() for c in short if c.isupper()]):
        at = len(parts) - 1
        need = list(letters)
        while need and at >= 0:
            word = parts[at][0].lower()
            if word.startswith(need[-1]):
                need.pop()
            elif word not in _SMALL:
                break
            at -= 1
        if not need and len(letters) > 1:
            return " ".join(words[parts[at + 1].start() :].split())
    return None


def _of_long_words(words: str, short: str) -> str | None:
    """The last words that hold the abbreviation's letters in order, its first one as the first of a word ("gastrointestinal stromal tumors", GIST)."""
    if sum(c.isupper() for c in short) < _CAPITALS:
        return None
    text = words.lower()
    at = len(text)
    for i, letter in reversed(list(enumerate(c.lower() for c in short if c.isalnum()))):
        at = text.rfind(letter, 0, at)
        while i == 0 and at > 0 and text[at - 1].isalnum():
            at = text.rfind(letter, 0, at)
        if at < 0:
            return None
    told = " ".join(words[at:].split())
    return told if len(told.split()) <= len(short) else None


def spelled(words: str, names: Mapping[str, str]) -> str | None:
    """Words that are nothing but explained abbreviations ("HES/CEL", "CP, AP, or BC"), in full; None for others."""
    if words in names:
        return names[words]
    parts = [p for p in _JOINTS.split(words) if p]
    return " or ".join(names[p] for p in parts) if parts and all(p in names for p in parts) else None
