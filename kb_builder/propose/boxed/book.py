"""How boxed warnings name their hazards: the wordings of `boxed.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from ontology.text.sought import Sought, sought


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that tell of a hazard behind or before them; with `own` only where the drug or its use is what acts; a `report` tells where it was
    seen, and a `narrative` does where the sentence tells of a study.
    """

    id: str
    behind: bool
    own: bool
    report: bool
    narrative: bool
    pattern: Sought


@dataclass(frozen=True, slots=True)
class BoxedBook:
    """All wordings. Each pattern is described in the data; `same` are stems that mean one hazard."""

    version: str
    title: re.Pattern[str]
    small: re.Pattern[str]
    closes: re.Pattern[str]
    part: re.Pattern[str]
    described: re.Pattern[str]
    partner: re.Pattern[str]
    own_use: re.Pattern[str]
    lead: re.Pattern[str]
    ends: re.Pattern[str]
    vague: re.Pattern[str]
    setting: re.Pattern[str]
    of_some: re.Pattern[str]
    vague_ok: re.Pattern[str]
    cut: re.Pattern[str]
    generic: re.Pattern[str]
    joined: re.Pattern[str]
    same: tuple[tuple[str, ...], ...]
    cues: tuple[Cue, ...]
    quiet: re.Pattern[str]
    related: re.Pattern[str]
    drug: re.Pattern[str]
    aside: re.Pattern[str]
    opens_aside: re.Pattern[str]
    conditional: re.Pattern[str]
    reason: re.Pattern[str]
    circumstance: re.Pattern[str]
    compared: re.Pattern[str]
    unborn: re.Pattern[str]


@cache
def boxed_book() -> BoxedBook:
    """The wordings that ship with the package."""
    data = tomllib.loads(files("kb_builder.propose.boxed").joinpath("boxed.toml").read_text(encoding="utf-8"))

    def of(table: str, key: str = "pattern") -> re.Pattern[str]:
        return re.compile(data[table][key], re.IGNORECASE)

    return BoxedBook(
        version=data["version"],
        title=of("title"),
        small=re.compile(data["title"]["small"]),
        closes=of("title", "closes"),
        part=of("part"),
        described=of("part", "described"),
        partner=of("part", "partner"),
        own_use=of("part", "own_use"),
        lead=of("hazard", "lead"),
        ends=of("hazard", "ends"),
        vague=of("hazard", "vague"),
        setting=of("hazard", "setting"),
        of_some=of("hazard", "of_some"),
        vague_ok=of("hazard", "vague_ok"),
        cut=of("hazard", "cut"),
        generic=of("hazard", "generic"),
        joined=of("hazard", "joined"),
        same=tuple(tuple(row) for row in data["hazard"]["same"]),
        cues=tuple(
            Cue(row["id"], row["side"] == "behind", row["own"], row.get("report", False), row.get("narrative", False), sought(row["pattern"], re.IGNORECASE))
            for row in data["cue"]
        ),
        quiet=of("quiet"),
        related=of("related"),
        drug=of("related", "drug"),
        aside=of("aside"),
        opens_aside=of("aside", "opens"),
        conditional=of("aside", "conditional"),
        reason=of("aside", "reason"),
        circumstance=of("circumstance"),
        compared=of("circumstance", "compared"),
        unborn=of("unborn"),
    )
