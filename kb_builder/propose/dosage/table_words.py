"""The words that name tables and columns, from `table_headers.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from ontology.model.advice import Action
from ontology.model.dosing import PhaseKind
from ontology.model.facts import Axis

WORD = re.compile(r"[A-Za-z][\w'-]*")
UNIT_IN_BRACKETS = re.compile(r"[(\[](?:mg|mcg|g|ml|kg|lbs?|units?|m ?2|years?|months?|/|\s|min|1\.73|x|per|day|dose|\d|\.)+[)\]]", re.IGNORECASE)

_PARTS = re.compile(r"[-']|(?<=[a-z]{4})(?=[A-Z][a-z]{3})")  # where a word with a hyphen, or two between which print lost the space, come apart

PART_OF_DAY = "part of a day"
"""The row of the data on columns of the morning's or evening's share of a day's dose."""


class ColumnKind(StrEnum):
    """What the cells of a column hold. A table with a column of REJECT is no dosing table; columns of STEP hold the doses of one plan in their order."""

    DOSE = "dose"
    STEP = "step"
    CONDITION = "condition"
    INDICATION = "indication"
    FORMULATION = "formulation"
    DRUG = "drug"
    FREQUENCY = "frequency"
    DURATION = "duration"
    ROUTE = "route"
    SKIP = "skip"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class ColumnRow:
    """One row of the data: the wording of a column's name, and what such a column holds."""

    id: str
    kind: ColumnKind
    axis: Axis | None
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None


@dataclass(frozen=True, slots=True)
class TableWords:
    """All wordings; patterns match lower-case words."""

    version: str
    captions: tuple[re.Pattern[str], ...]
    columns: tuple[ColumnRow, ...]
    phases: tuple[tuple[PhaseKind, re.Pattern[str]], ...]
    bound: re.Pattern[str]
    both: re.Pattern[str]
    daily: re.Pattern[str]
    vocabulary: frozenset[str]
    aside: re.Pattern[str]
    withheld: re.Pattern[str]
    narrative: re.Pattern[str]
    for_all: re.Pattern[str]
    uses: re.Pattern[str]
    route_alone: re.Pattern[str]
    beside_name: re.Pattern[str]
    known_measure: re.Pattern[str]
    restricting: re.Pattern[str]
    asides: tuple[re.Pattern[str], ...]
    others: re.Pattern[str]
    advice: tuple[tuple[Action, re.Pattern[str]], ...]

    def column(self, words: str) -> ColumnRow | None:
        """The row that a column's lower-case name matches first, or None."""
        return next((c for c in self.columns if c.pattern.search(words) and (c.unless is None or not c.unless.search(words))), None)

    def phase(self, words: str) -> PhaseKind | None:
        """The phase that lower-case words name, or None."""
        return next((phase for phase, pattern in self.phases if pattern.search(words)), None)

    def is_telling(self, word: str) -> bool:
        """True for a word of a name that says something of whom or what the doses are for."""
        parts = [p.lower() for p in _PARTS.split(word) if p]
        return len(word) > 1 and word[0].isalpha() and word.lower() not in self.vocabulary and not all(p in self.vocabulary for p in parts)

    def tells(self, words: str) -> bool:
        """True where some word of a name is none of those that name doses and units."""
        return any(self.is_telling(word) for word in WORD.findall(UNIT_IN_BRACKETS.sub(" ", words)))

    def is_for_all(self, words: str) -> bool:
        """True for a cell of a naming column that says that its row holds whatever the column is about."""
        return self.for_all.search("".join(words.lower().split())) is not None

    def restricts(self, note: str) -> bool:
        """True for a footnote that says for whom what calls it holds; one that explains, reports or goes on to a later course does not."""
        return self.restricting.search(note.lower()) is not None and not any(p.search(note.lower()) for p in self.asides)

    def is_for_others(self, note: str) -> bool:
        """True for a footnote that says what those whom it names get instead."""
        return self.others.search(note.lower()) is not None

    def use(self, words: str) -> str | None:
        """The word at the start of a name that says that it names a use ("Prophylaxis of ..."), or None."""
        found = self.uses.match(words.strip().lower())
        return found[0] if found is not None else None

    def is_route(self, words: str) -> bool:
        """True for words that are a way of giving and nothing else."""
        return self.route_alone.search(words.lower()) is not None

    def told_elsewhere(self, caption: str) -> bool:
        """True for the caption of a table that holds no dose rules."""
        return any(pattern.search(caption) for pattern in self.captions)

    def action(self, words: str) -> Action | None:
        """What a cell's lower-case words advise instead of a dose, or None."""
        return next((action for action, pattern in self.advice if pattern.search(words)), None)


@cache
def table_words() -> TableWords:
    """The wordings that ship with the package."""
    data = tomllib.loads(files("kb_builder.propose.dosage").joinpath("table_headers.toml").read_text(encoding="utf-8"))
    return TableWords(
        version=data["version"],
        captions=tuple(re.compile(row["pattern"]) for row in data["caption"]),
        columns=tuple(
            ColumnRow(
                row["id"],
                ColumnKind(row["kind"]),
                Axis(row["axis"]) if "axis" in row else None,
                re.compile(row["pattern"]),
                re.compile(row["not"]) if "not" in row else None,
            )
            for row in data["column"]
        ),
        phases=tuple((PhaseKind(row["phase"]), re.compile(row["pattern"])) for row in data["phase"]),
        bound=re.compile(data["bound"]["pattern"]),
        both=re.compile(data["both"]["pattern"]),
        daily=re.compile(data["daily"]["pattern"]),
        vocabulary=frozenset(data["vocabulary"]["words"]),
        aside=re.compile(data["aside"]["pattern"]),
        withheld=re.compile(data["withheld"]["pattern"]),
        narrative=re.compile(data["narrative"]["pattern"]),
        for_all=re.compile(data["for_all"]["pattern"]),
        restricting=re.compile(data["restricting_note"]["pattern"]),
        asides=tuple(re.compile(row["pattern"]) for row in data["plain_note"]),
        others=next(re.compile(row["pattern"]) for row in data["plain_note"] if row["id"] == "others"),
        uses=re.compile(data["uses"]["pattern"]),
        route_alone=re.compile(data["route_alone"]["pattern"]),
        beside_name=re.compile(data["beside_name"]["pattern"], re.IGNORECASE),
        known_measure=re.compile(data["known_measure"]["pattern"], re.IGNORECASE),
        advice=tuple((Action(row["action"]), re.compile(row["pattern"])) for row in data["advice"]),
    )
