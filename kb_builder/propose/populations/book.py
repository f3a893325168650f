"""The wordings of advice for special populations, as data (`populations.toml`): headings, whom words name, what wordings ask for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from ontology.model.advice import Action
from ontology.model.claims import Strength


class Grade(StrEnum):
    """What a wording is: it tells what to do, it tells what was seen, or it tells that little is known and yields to any other advice."""

    INSTRUCTION = "instruction"
    FINDING = "finding"
    BACKGROUND = "background"


@dataclass(frozen=True, slots=True)
class Wording:
    """One row of the data: a wording and what it asks for. Without `axes` it holds for every population."""

    id: str
    axes: frozenset[str]
    action: Action
    grade: Grade
    strength: Strength
    pattern: re.Pattern[str]
    narrative: bool

    def speaks_of(self, axis: str) -> bool:
        """True where the wording is read for the population."""
        return not self.axes or axis in self.axes


@dataclass(frozen=True, slots=True)
class PopulationBook:
    """The data, compiled. `heading` finds a heading with the group of its axis, `opening` matches the heading or label that a sentence begins with.

    `people` find whom a sentence in lower case names.
    """

    version: str
    sections: Mapping[str, str]
    heading: re.Pattern[str]
    label: re.Pattern[str]
    opening: re.Pattern[str]
    narrative: re.Pattern[str]
    people: Mapping[str, re.Pattern[str]]
    patients: Mapping[str, re.Pattern[str]]
    states: Mapping[str, re.Pattern[str]]
    wordings: tuple[Wording, ...]
    not_advice: re.Pattern[str]
    elsewhere: re.Pattern[str]
    mother: re.Pattern[str]
    people_hints: re.Pattern[str]
    advice_hints: re.Pattern[str]

    @property
    def forbidden(self) -> Wording:
        """The wording of what must not be used."""
        return next(w for w in self.wordings if w.action is Action.CONTRAINDICATED)


_BEFORE = r"(?=[\sA-Z\d])(?:^|(?<=[.:;)\]•\x01\n\u2029])\s*|(?<=[.)\x01\n\u2029]\s)\s*|\b\d{1,2}\.\d{1,2}(?:\.\d)?\.?\s*)"
_NUMBER = r"(?:\d{1,2}\.\d{1,2}(?:\.\d)?\.?\s*)?"
_BEHIND = r"\s*(?:[:.–-]\s*|[\n\u2029]\s*|\s|(?=[A-Z]))(?=[A-Z0-9(\"≥•\[]|$)"


@cache
def population_book() -> PopulationBook:
    """The wordings that ship with the package."""
    data = tomllib.loads(files("kb_builder.propose.populations").joinpath("populations.toml").read_text(encoding="utf-8"))
    named = "|".join(f"(?P<{row['axis'].replace('-', '_')}>{row['pattern']})" for row in data["heading"])
    people = {row["axis"]: row["pattern"] for row in data["people"]}
    whom = data["whom"]
    labels = data["label"]["pattern"]
    return PopulationBook(
        version=data["version"],
        sections=data["sections"],
        heading=re.compile(rf"{_BEFORE}(?P<title>{named}){_BEHIND}"),
        label=re.compile(rf"{_BEFORE}(?P<title>{labels}){_BEHIND}"),
        opening=re.compile(rf"{_NUMBER}(?:{labels}|{named}){_BEHIND}"),
        narrative=re.compile(rf"{_BEFORE}(?:(?:{labels})\s*)*(?P<title>{data['narrative']['pattern']}){_BEHIND}"),
        people={axis: re.compile(pattern) for axis, pattern in people.items()},
        patients={axis: re.compile("|".join(p.replace("PEOPLE", f"(?:{people[axis]})") for p in whom["patterns"])) for axis in whom["axes"]},
        states={row["axis"]: re.compile(row["pattern"]) for row in data["state"]},
        wordings=tuple(
            Wording(
                row["id"],
                frozenset(row["axes"]) - {"*"},
                Action(row["action"]),
                Grade(row["grade"]),
                Strength(row["strength"]),
                re.compile(row["pattern"]),
                row["id"] in data["harm_stands"]["ids"],
            )
            for row in data["wording"]
        ),
        not_advice=re.compile(data["not_advice"]["pattern"]),
        elsewhere=re.compile(data["elsewhere"]["pattern"]),
        mother=re.compile(data["mother"]["pattern"]),
        people_hints=re.compile(data["hints"]["people"]),
        advice_hints=re.compile(data["hints"]["advice"]),
    )
