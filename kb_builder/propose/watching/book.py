"""How labels ask to measure, watch, screen for or correct something, and when: the wordings of `watching.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from ontology.text.sought import Sought, sought

_ADVERBS = r"(?:(?:\w+ly|also|then|both|therefore|always|first|again|more|very|and)\s+)*"
_MODAL = r"(?:should|must|shall|needs? to|(?:has|have) to|(?:is|are) to|ought to|may need to|(?:is|are) (?:recommended|required|advised) to)"
_LEADS = r"(?:(?<![\w])(?:should|must|shall|also|then|and|or|consider|recommended to|necessary to|advisable to|important to|imperative to|desirable to|useful to|required to|prudent to|essential to|advised to|recommended that (?:physicians|prescribers|clinicians)|physicians should|prescribers should|to be sure to|please)\s+)"


class Kind(StrEnum):
    """When a verb's act is meant where the sentence names no time."""

    WATCH = "watch"
    MEASURE = "measure"
    SCREEN = "screen"
    PREPARE = "prepare"


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb: `word` finds any form of it, `active` a request, `passive` as what is to be done to the words before it."""

    id: str
    kind: Kind
    word: Sought
    active: Sought
    passive: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class WatchingBook:
    """All wordings. Each pattern is described in the data."""

    version: str
    hint: Sought
    verbs: tuple[Verb, ...]
    nominal: re.Pattern[str]
    asking: Sought
    nouns: re.Pattern[str]
    before: Sought
    again: re.Pattern[str]
    during: Sought
    people: Sought
    back: Sought
    reaction: Sought
    closes: Sought
    advised: Sought
    denied: Sought
    together: Sought
    before_heading: re.Pattern[str]
    not_of: re.Pattern[str]
    not_of_dosing: re.Pattern[str]
    population: Sought
    not_population: re.Pattern[str]
    must: Sought
    may: Sought
    select: Sought
    presence: Sought


@cache
def watching_book() -> WatchingBook:
    """The wordings that ship with the package."""
    data = tomllib.loads(files("kb_builder.propose.watching").joinpath("watching.toml").read_text(encoding="utf-8"))
    nominal = data["nominal"]
    pattern = {
        key: sought(data[key]["pattern"])
        for key in ("hint", "before", "during", "people", "back", "reaction", "closes", "advised", "denied", "together", "population", "must", "may")
    }
    return WatchingBook(
        version=data["version"],
        verbs=tuple(_verb(row) for row in data["verb"]),
        nominal=re.compile(nominal["request"]),
        asking=sought(rf"\b{nominal['asking']}\s+(?=(?:[\w/-]+\s+){{0,6}}?{nominal['nouns']}\b)"),
        nouns=re.compile(rf"\b{nominal['nouns']}\b"),
        again=re.compile(data["before"]["again"]),
        before_heading=re.compile(data["heading"]["before"]),
        not_of=re.compile(data["heading"]["not_of"]),
        not_of_dosing=re.compile(data["heading"]["not_of_dosing"]),
        not_population=re.compile(data["population"]["not_population"]),
        select=sought(data["selection"]["pattern"]),
        presence=sought(data["selection"]["confirm"]),
        **pattern,
    )


def _verb(row: dict[str, str]) -> Verb:
    """The verb behind the start of a clause, a heading's colon or a modal; its participle behind "should be"."""
    active = rf"(?:(?:^|[.:;,|\x01•-])\s*|{_LEADS}){_ADVERBS}(?:{row['base']})\b(?:\s+(?:and|or|/)\s+(?:correct|manage|treat|control|monitor|evaluate|assess|document|record|test|optimize|replace)\b)?"
    passive = rf"\b{_MODAL}\s+(?:also\s+|always\s+|therefore\s+|\w+ly\s+)*be\s+{_ADVERBS}(?:\w+ed\s+and\s+{_ADVERBS})?(?:{row['participle']})\b"
    return Verb(row["id"], Kind(row["kind"]), sought(rf"\b(?:{row['base']}|{row['participle']})\b"), sought(active), re.compile(passive))
