"""Amounts that name a place on a scale, a strength or an example, and are no dose of their own; the places are data (`references.toml`)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from ontology.text.doses import DosePhrase

_AMOUNT = re.compile(r"[\d.,]+(?:\s*(?:to|-|or)\s*[\d.,]+)?\s*-?\s*(?:mg|mcg|g|units?|mEq|mL|IU)\b(?:\s?/\s?(?:kg|m\s?2))?", re.IGNORECASE)
_SECOND = re.compile(r"\s*(?:to|-|or)\s*" + _AMOUNT.pattern, re.IGNORECASE)
_BACK = 90
_AHEAD = 60


@dataclass(frozen=True, slots=True)
class _Place:
    """Words before and behind an amount by which it is no dose."""

    before: re.Pattern[str]
    behind: re.Pattern[str]
    unless: re.Pattern[str] | None


@dataclass(frozen=True, slots=True)
class _Book:
    places: tuple[_Place, ...]
    examples: re.Pattern[str]


def names_a_place(blank: str, start: int, phrase: DosePhrase) -> bool:
    """True where the words around a phrase of the sentence from `start` make its amount no dose. A ceiling is never one."""
    if phrase.bound is not None:
        return False
    head = blank[max(start, phrase.start - _BACK) : phrase.start]
    printed = _AMOUNT.match(blank, phrase.start)
    behind = printed.end() if printed is not None else phrase.end
    if phrase.amounts and phrase.amounts[0].low != phrase.amounts[0].high and (second := _SECOND.match(blank, behind)) is not None:
        behind = second.end()
    tail = blank[behind : behind + _AHEAD]
    return any(p.before.search(head) and p.behind.match(tail) and (p.unless is None or not p.unless.search(head)) for p in _book().places)


def without_examples(blank: str, start: int, end: int) -> str:
    """The text with spaces for the brackets of a sentence that work a relative change out ("by half (i.e., from 20 mg to 10 mg)")."""
    found = _book().examples.search(blank, start, end)
    while found is not None:
        blank = blank[: found.start()] + " " * len(found[0]) + blank[found.end() :]
        found = _book().examples.search(blank, found.end(), end)
    return blank


@cache
def _book() -> _Book:
    data = tomllib.loads(files("kb_builder.propose.dosage").joinpath("references.toml").read_text(encoding="utf-8"))
    places = tuple(
        _Place(_pattern(row.get("before", "")), _pattern(row.get("behind", "")), _pattern(row["unless"]) if "unless" in row else None) for row in data["place"]
    )
    return _Book(places, _pattern(data["examples"]["pattern"]))


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)
