"""Numbers as doses print them: digits with thousands commas, fractions, words, Chinese numerals."""

from __future__ import annotations

import re
from decimal import Decimal

_WORDS = {
    "half": "0.5", "one-half": "0.5", "one half": "0.5", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "eleven": "11", "twelve": "12", "fourteen": "14", "fifteen": "15", "sixteen": "16", "eighteen": "18", "twenty": "20", "twenty-one": "21", "twenty-four": "24",
    "twenty-eight": "28", "thirty": "30", "forty": "40", "forty-eight": "48", "sixty": "60", "seventy-two": "72", "ninety": "90",
}  # fmt: skip
_PARTS = {
    "one-half": ("1", "2"), "one half": ("1", "2"), "half": ("1", "2"), "one-third": ("1", "3"), "one third": ("1", "3"), "two-thirds": ("2", "3"), "two thirds": ("2", "3"),
    "one-fourth": ("1", "4"), "one fourth": ("1", "4"), "one-quarter": ("1", "4"), "one quarter": ("1", "4"), "three-fourths": ("3", "4"), "three fourths": ("3", "4"),
    "three-quarters": ("3", "4"), "three quarters": ("3", "4"), "one-fifth": ("1", "5"),
    "a half": ("1", "2"), "a third": ("1", "3"), "a quarter": ("1", "4"), "a fourth": ("1", "4"), "quarter": ("1", "4"), "1/2": ("1", "2"), "1/3": ("1", "3"), "2/3": ("2", "3"), "1/4": ("1", "4"), "3/4": ("3", "4"),
}  # fmt: skip
_HAN = {
    "半": "0.5",
    "一": "1",
    "二": "2",
    "两": "2",
    "三": "3",
    "四": "4",
    "五": "5",
    "六": "6",
    "七": "7",
    "八": "8",
    "九": "9",
    "十": "10",
    "十二": "12",
    "十四": "14",
}

DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})"
"""A number in digits; a comma only before three digits."""

WORD = rf"(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))})"
"""A number as a word."""

PART = rf"(?:{'|'.join(sorted(_PARTS, key=len, reverse=True))})"
"""A part of one as a word or fraction."""

COUNT = rf"(?:\d{{1,3}}[ -]\d/\d|\d/\d|{DIGITS}|{WORD}(?:\s*\(\s*\d+(?:\.\d+)?\s*\))?(?:\s+and\s+(?:one-half|one half|a half))?)"
"""A number in digits, as a fraction, or as a word, with its repetition in brackets ("two (2)")."""

HAN = rf"(?:{DIGITS}|{'|'.join(sorted(_HAN, key=len, reverse=True))})"
"""A number in digits or Chinese numerals."""

_MIXED = re.compile(r"(?:(\d{1,3})[ -])?(\d)/(\d)$")
_AND_HALF = re.compile(r"\s+and\s+(?:one-half|one half|a half)$", re.IGNORECASE)
_REPEATED = re.compile(r"\s*\(\s*\d+(?:\.\d+)?\s*\)$")


def number_of(printed: str) -> Decimal | None:
    """The value of a printed COUNT, HAN or DIGITS; None for what is no number."""
    words = printed.strip().lower()
    mixed = _MIXED.match(words)
    if mixed is not None:
        below = Decimal(mixed[3])
        return Decimal(mixed[1] or 0) + Decimal(mixed[2]) / below if below else None
    if _AND_HALF.search(words):
        whole = number_of(_AND_HALF.sub("", words))
        return whole + Decimal("0.5") if whole is not None else None
    words = _REPEATED.sub("", words)
    text = _WORDS.get(words) or _HAN.get(words) or words.replace(",", "")
    return Decimal(text) if re.fullmatch(r"\d+(?:\.\d+)?|\.\d+", text, re.ASCII) else None


def part_of(printed: str) -> Decimal | None:
    """The value of a printed PART ("one-third"), rounded to four places."""
    part = _PARTS.get(" ".join(printed.lower().split()))
    return None if part is None else (Decimal(part[0]) / Decimal(part[1])).quantize(Decimal("0.0001")).normalize()
