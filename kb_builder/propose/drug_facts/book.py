"""The word lists that Drug Facts are read with, from `drug_facts.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from ontology.model.advice import Action
from ontology.model.claims import Strength
from ontology.text.drug_facts import FactsHeading


@dataclass(frozen=True, slots=True)
class Asked:
    """What words ask of the consumer."""

    pattern: re.Pattern[str]
    action: Action
    strength: Strength


@dataclass(frozen=True, slots=True)
class DrugFactsBook:
    """The lists. `parts` are the headings whose items become claims; `starts` and `joins` cut items that lost their bullets."""

    version: str
    parts: dict[FactsHeading, tuple[Action, Strength]]
    starts: re.Pattern[str]
    joins: re.Pattern[str]
    lead: re.Pattern[str]
    taking: re.Pattern[str]
    borne: re.Pattern[str]
    having: re.Pattern[str]
    aside: re.Pattern[str]
    exempt: re.Pattern[str]
    word_before: re.Pattern[str]
    word_behind: re.Pattern[str]
    shared: re.Pattern[str]
    remedy: re.Pattern[str]
    either: dict[str, re.Pattern[str]]
    people: re.Pattern[str]
    pregnant: tuple[Asked, ...]
    late: re.Pattern[str]
    last_months: re.Pattern[str]
    children: tuple[Asked, ...]


@cache
def drug_facts_book() -> DrugFactsBook:
    """The lists that ship with the package."""
    data = tomllib.loads(files("kb_builder.propose.drug_facts").joinpath("drug_facts.toml").read_text(encoding="utf-8"))
    return DrugFactsBook(
        data["version"],
        {FactsHeading(row["heading"]): (Action(row["action"]), Strength(row["strength"])) for row in data["part"]},
        re.compile(rf"(?<=[a-z0-9)\]])\s+(?={data['items']['starts']})|(?<=[a-z)]\.)\s+(?=[a-z])"),
        re.compile(rf"\b{data['items']['joins']}", re.IGNORECASE),
        _pattern(data["lead"]),
        _pattern(data["taking"]),
        _pattern(data["borne"]),
        _pattern(data["having"]),
        _pattern(data["aside"]),
        _pattern(data["exempt"]),
        re.compile(data["whole"]["before"]),
        re.compile(data["whole"]["behind"]),
        re.compile(data["whole"]["shared"], re.IGNORECASE),
        _pattern(data["remedy"]),
        {axis: re.compile(data["either"][axis], re.IGNORECASE) for axis in ("pregnancy", "lactation")},
        _pattern(data["people"]),
        tuple(map(_asked, data["pregnant"])),
        _pattern(data["late"]),
        re.compile(data["late"]["months"], re.IGNORECASE),
        tuple(map(_asked, data["children"])),
    )


def _pattern(row: dict[str, str]) -> re.Pattern[str]:
    return re.compile(row["pattern"], re.IGNORECASE)


def _asked(row: dict[str, str]) -> Asked:
    return Asked(_pattern(row), Action(row["action"]), Strength(row["strength"]))
