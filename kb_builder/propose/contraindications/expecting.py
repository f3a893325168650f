"""Pregnancy and lactation in the words of a label: who is pregnant, may become so, or nurses."""

from __future__ import annotations

import re

_EXPECTING = re.compile(r"(?:women who (?:are|may become) )?pregnant(?: women| patients| females)?", re.IGNORECASE)
_PREGNANT = re.compile(r"\bpregnan\w+|\bwomen who (?:are|may become|become)\b", re.IGNORECASE)
_PLAIN = re.compile(
    r"\b(?:pregnan\w+|patients?|women|females?|in|who|are|or|may|become|during|known|suspected|the|is|a|planning|to|while|category [xd])\b", re.IGNORECASE
)
_NURSING = re.compile(r"\b(?:nursing|lactat\w+|breast-?\s?feed\w*)\b", re.IGNORECASE)
_CHILDBEARING = re.compile(r"child-?bearing (?:potential|age)\b", re.IGNORECASE)
_SHORT = 4
_LEAST_MORE = 3


def is_expecting(name: str) -> bool:
    """True for words that say no more than that a woman is pregnant."""
    return _EXPECTING.fullmatch(name) is not None


def is_of_pregnancy(words: str) -> bool:
    """True for words on women who are pregnant or may become so."""
    return _PREGNANT.search(words) is not None


def says_more(words: str) -> bool:
    """True where words on pregnancy hold more than that ("in the third trimester")."""
    return len(_PLAIN.sub("", words).strip(" ,.")) > _LEAST_MORE


def is_of_nursing(words: str) -> bool:
    """True for the few words that name women who nurse."""
    return _NURSING.search(words) is not None and len(words.split()) <= _SHORT


def whole_group(words: str) -> str:
    """The words with the women whom "of childbearing potential" leaves out."""
    return f"women of {words}" if _CHILDBEARING.match(words) else words
