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
from ontology.text.sought import Sought, SoughtAmong, sought


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
    pattern: Sought
    narrative: bool

    def speaks_of(self, axis: str) -> bool:
        """True where the wording is read for the population."""
        return not self.axes or axis in self.axes


@dataclass(frozen=True, slots=True)
class PopulationBook:
    """The data, compiled. `heading` matches a heading with the group of its axis, `opening` matches the heading or label that a sentence begins with.

    `people` find whom a sentence in lower case names; `anyone` may stand where it
    names any or points at those of the sentence before. `asked` tells which wordings a text may hold.
    """

    version: str
    sections: Mapping[str, str]
    heading: re.Pattern[str]
    label: re.Pattern[str]
    opening: re.Pattern[str]
    narrative: re.Pattern[str]
    people: Mapping[str, Sought]
    patients: Mapping[str, Sought]
    states: Mapping[str, re.Pattern[str]]
    wordings: tuple[Wording, ...]
    not_advice: Sought
    elsewhere: Sought
    mother: Sought
    aside: Sought
    scrap: re.Pattern[str]
    anyone: SoughtAmong
    asked: SoughtAmong

    @property
    def forbidden(self) -> Wording:
        """The wording of what must not be used."""
        return next(w for w in self.wordings if w.action is Action.CONTRAINDICATED)

    @property
    def other_dose(self) -> Wording:
        """The wording of another dose."""
        return next(w for w in self.wordings if w.action is Action.ADJUST_DOSE)


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
    wordings = tuple(
        Wording(
            row["id"],
            frozenset(row["axes"]) - {"*"},
            Action(row["action"]),
            Grade(row["grade"]),
            Strength(row["strength"]),
            sought(row["pattern"]),
            row["id"] in data["harm_stands"]["ids"],
        )
        for row in data["wording"]
    )
    return PopulationBook(
        version=data["version"],
        sections=data["sections"],
        heading=re.compile(rf"(?P<title>{named}){_BEHIND}"),
        label=re.compile(rf"(?P<title>{labels}){_BEHIND}"),
        opening=re.compile(rf"{_NUMBER}(?:{labels}|{named}){_BEHIND}"),
        narrative=re.compile(rf"(?:(?:{labels})\s*)*(?P<title>{data['narrative']['pattern']}){_BEHIND}"),
        people={axis: sought(pattern) for axis, pattern in people.items()},
        patients={axis: sought("|".join(p.replace("PEOPLE", f"(?:{people[axis]})") for p in whom["patterns"])) for axis in whom["axes"]},
        states={row["axis"]: re.compile(row["pattern"]) for row in data["state"]},
        wordings=wordings,
        not_advice=sought(data["not_advice"]["pattern"]),
        elsewhere=sought(data["elsewhere"]["pattern"]),
        mother=sought(data["mother"]["pattern"]),
        aside=sought(data["aside"]["pattern"]),
        scrap=re.compile("|".join(data["scrap"]["patterns"])),
        anyone=SoughtAmong([re.compile(pattern) for pattern in (*people.values(), data["pointing"]["pattern"])]),
        asked=SoughtAmong([w.pattern.compiled for w in wordings]),
    )
