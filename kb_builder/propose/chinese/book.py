"""What the readers of Chinese inserts know of the wording: action frames, people, trimesters and degrees, from two data files."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files

from ontology.model.advice import Action
from ontology.model.claims import Strength
from ontology.model.facts import Axis
from ontology.model.guards import Category, Guard, Interval


@dataclass(frozen=True, slots=True)
class Frame:
    """Words that ask for an action. Where the patients stand behind or inside them, the groups `who` and `inside` hold them."""

    action: Action
    pattern: re.Pattern[str]
    strength: Strength


@dataclass(frozen=True, slots=True)
class Book:
    """The wording. `people` maps a word to its guard, None where no axis bounds it; `degrees` a word to grades, longest first; `labs` a name to the analyte."""

    version: str
    frames: tuple[Frame, ...]
    patient_frames: tuple[Frame, ...]
    around: tuple[Frame, ...]
    denials: re.Pattern[str]
    no_adjustment: re.Pattern[str]
    effects: re.Pattern[str]
    people: dict[str, Guard | None]
    trimesters: tuple[tuple[re.Pattern[str], Category], ...]
    degrees: dict[str, tuple[str, ...]]
    labs: dict[str, str]


@cache
def book() -> Book:
    """The wording as the data files hold it, read once."""
    actions, people = _read("actions_zh.toml"), _read("people_zh.toml")
    joined = {k: re.compile("|".join(row["pattern"] for row in actions[k])) for k in ("denial", "no_adjustment", "effect")}
    frames = {
        k: tuple(Frame(Action(r["action"]), re.compile(r["pattern"]), Strength(r["strength"])) for r in actions[k])
        for k in ("frame", "patient_frame", "around")
    }
    words = {w: _guard(row) for row in people["people"] for w in row["words"]}
    degrees = {w: tuple(row["values"]) for row in people["degree"] for w in row["words"]}
    return Book(
        f"{actions['version']}.{people['version']}",
        frames["frame"],
        frames["patient_frame"],
        frames["around"],
        joined["denial"],
        joined["no_adjustment"],
        joined["effect"],
        {w: words[w] for w in sorted(words, key=lambda w: (-len(w), w))},
        tuple((re.compile(r["pattern"]), Category(Axis.PREGNANCY, tuple(r["values"]))) for r in people["trimester"]),
        {w: degrees[w] for w in sorted(degrees, key=lambda w: (-len(w), w))},
        {w: row["detail"] for row in people["lab"] for w in row["words"]},
    )


def _read(name: str) -> dict[str, list[dict[str, str]]]:
    data: dict[str, list[dict[str, str]]] = tomllib.loads(files("kb_builder.propose.chinese").joinpath(name).read_text(encoding="utf-8"))
    return data


def _guard(row: dict[str, str]) -> Guard | None:
    if "sex" in row:
        return Category(Axis.SEX, (row["sex"],))
    if "unit" not in row:
        return None
    low, high = (Decimal(row[k]) if k in row else None for k in ("low", "high"))
    return Interval(Axis.AGE, low, high, row["unit"], high_open=bool(row.get("high_open")))
