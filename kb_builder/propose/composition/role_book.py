"""How labels tie their drug to a role or put it in doubt: the wordings of `enzyme_roles.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class RoleBook:
    """The wordings that tie a drug to a role, and those that put it in doubt."""

    version: str
    being: re.Pattern[str]
    also: re.Pattern[str]
    metabolised: re.Pattern[str]
    inhibits: re.Pattern[str]
    doubt: re.Pattern[str]
    laboratory: re.Pattern[str]
    not_being: re.Pattern[str]
    not_doing: re.Pattern[str]
    major: re.Pattern[str]
    both: re.Pattern[str]
    more_verb: re.Pattern[str]
    more_of: re.Pattern[str]
    lesser: re.Pattern[str]


@cache
def role_book() -> RoleBook:
    """The wordings that ship with the package."""
    data = tomllib.loads(files("kb_builder.propose.composition").joinpath("enzyme_roles.toml").read_text(encoding="utf-8"))
    return RoleBook(
        data["version"],
        **{
            name: re.compile(data[table][key], re.IGNORECASE)
            for name, (table, key) in {
                "being": ("is", "pattern"),
                "also": ("and", "pattern"),
                "metabolised": ("metabolised", "pattern"),
                "inhibits": ("inhibits", "pattern"),
                "doubt": ("doubt", "pattern"),
                "laboratory": ("laboratory", "pattern"),
                "not_being": ("denied", "is_not"),
                "not_doing": ("denied", "verb"),
                "major": ("major", "pattern"),
                "both": ("both", "pattern"),
                "more_verb": ("more", "verb"),
                "more_of": ("more", "of"),
                "lesser": ("lesser", "pattern"),
            }.items()
        },
    )
