"""The word lists that conditions are read with, from `conditions.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class ConditionWords:
    """`neutral` words say nothing of the patient by themselves; `trivial` clauses leave a step to the prescriber."""

    version: str
    neutral: frozenset[str]
    trivial: frozenset[str]


@cache
def condition_words() -> ConditionWords:
    """The lists that ship with the package."""
    data = tomllib.loads(files("kb_builder.propose.conditions").joinpath("conditions.toml").read_text(encoding="utf-8"))
    trivial = frozenset(part.strip() for part in data["trivial_clauses"]["words"].split("|"))
    return ConditionWords(data["version"], frozenset(data["neutral"]["words"].split()), trivial)
