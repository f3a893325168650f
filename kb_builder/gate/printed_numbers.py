"""The numbers that a stretch of text prints, in digits or in words, and what they become in the units claims are kept in."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files
from itertools import pairwise

_NUMBER = re.compile(r"(?<![\d.])(?P<n>\d+(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|\d+)(?:/(?P<over>\d{1,6}))?\s?-?\s?(?P<unit>%|[a-z]+)?")
_WORD = re.compile(r"[a-z]+")
_EVERY = re.compile(r"\bq\s?(?P<n>\d+)")
_STRETCH = re.compile(r"\b(?P<unit>day|week|month)s?\s*#?(?P<low>\d{1,3})(?:\s*(?:-|–|to|through|and|&)\s*(?:(?:day|week|month)s?\s*)?(?P<high>\d{1,3}))?")
_DAYS = {"day": 1, "week": 7, "month": 30}
_RANGE = re.compile(
    r"(?<![\d.])(?P<n>\d+(?:\.\d+)?)\s?(?:-|–|to|or)\s?(?=\d+(?:\.\d+)?\s?-?\s?(?P<unit>[a-z]+))"
)  # the unit of both ends stands behind the second
_COUNTED = re.compile(
    r"\b(?P<count>[a-z]+|\d{1,2})\s+(?:x\s*)?(?P<n>\d+(?:\.\d+)?)\s?-?\s?(?P<unit>mg|mcg|g)\s+(?:[a-z-]+\s+)?(?:tablet|capsule|caplet|packet|vial|suppositor)"
)
"""Products counted with their strength, which hold the product of both ("two 200 mg tablets")."""
_STRENGTH = re.compile(r"(?<![\d.])(?P<n>\d+(?:\.\d+)?)\s?(?:mg|mcg|g|units)\s?(?:/|per|in)\s?(?P<over>\d+(?:\.\d+)?)\s?ml\b")
"""A strength in several millilitres ("50 mg/5 mL"), which a claim holds for one."""
_PERCENT = re.compile(r"%|\bpercent")
_CELL = re.compile(r"[\s\d.,<>≤≥()*-]+")  # a cell of numbers under a name that says they are percentages
_PLACES = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class _Book:
    words: dict[str, tuple[Decimal, ...]]
    scaled: dict[str, tuple[Decimal, ...]]
    stripped: tuple[str, ...]


@cache
def _book() -> _Book:
    data = tomllib.loads(files("kb_builder.gate").joinpath("printed_numbers.toml").read_text(encoding="utf-8"))
    tables = {name: {k: tuple(Decimal(v) for v in row) for k, row in data[name].items() if k != "why"} for name in ("words", "scaled")}
    return _Book(tables["words"], tables["scaled"], tuple(data["stripped"]["words"]))


def printed_numbers(texts: Iterable[str]) -> frozenset[Decimal]:
    """Every number that the texts can be read to print, to four places."""
    out: set[Decimal] = set()
    lower = [text.lower() for text in texts]
    shares = any(_PERCENT.search(text) for text in lower)
    for text in lower:
        out |= _numbers(text)
        if shares and _CELL.fullmatch(text):
            out |= {rounded(n / 100) for n in _numbers(text)}
    return frozenset(out)


def prints(number: Decimal, printed: frozenset[Decimal]) -> bool:
    """True when the number, its sign aside, is among those printed."""
    return rounded(abs(number)) in printed


def rounded(number: Decimal) -> Decimal:
    """The number to four places, without trailing zeros."""
    return number.quantize(_PLACES).normalize() if abs(number) < Decimal(10) ** 20 else number


def _numbers(lower: str) -> set[Decimal]:
    book = _book()
    for short in book.stripped:
        lower = lower.replace(short, short.replace(".", ""))
    out: set[Decimal] = set()
    for m in _NUMBER.finditer(lower):
        number = Decimal(m["n"].replace(",", ""))
        found = {number}
        if m["over"] and int(m["over"]):
            found |= {number / Decimal(m["over"]), Decimal(m["over"])}
        unit = m["unit"]
        if unit in book.scaled:
            found |= {number * factor for factor in book.scaled[unit]}
        if unit in ("%", "percent"):
            found |= {1 - number / 100, 1 + number / 100}
        out |= {rounded(value) for value in found}
    out |= {rounded(Decimal(m["n"]) * factor) for m in _RANGE.finditer(lower) for factor in book.scaled.get(m["unit"], ())}
    for m in _STRETCH.finditer(lower):
        out.add(rounded(Decimal((int(m["high"] or m["low"]) - int(m["low"]) + 1) * _DAYS[m["unit"]])))
    out |= {rounded(Decimal(m["n"])) for m in _EVERY.finditer(lower)}
    for m in _COUNTED.finditer(lower):
        counts = (Decimal(m["count"]),) if m["count"].isdigit() else book.words.get(m["count"], ())
        out |= {rounded(count * Decimal(m["n"]) * factor) for count in counts for factor in (Decimal(1), *book.scaled.get(m["unit"], ()))}
    out |= {rounded(Decimal(m["n"]) / Decimal(m["over"])) for m in _STRENGTH.finditer(lower) if Decimal(m["over"])}
    words = [m[0] for m in _WORD.finditer(lower)]
    for word, following in pairwise([*words, ""]):
        values = book.words.get(word, ())
        out |= {rounded(value) for value in values}
        if following in book.scaled:
            out |= {rounded(value * factor) for value in values for factor in book.scaled[following]}
    return out
