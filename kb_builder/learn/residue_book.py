"""Which sections are read for residue, what makes a sentence informative, and the closed list of reasons why one makes no claim."""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

HIGHLIGHTS, REPEATS, RESTATED, HEADING = "highlights", "repeats", "restated", "heading"


@dataclass(frozen=True, slots=True)
class Cue:
    """Why a sentence is informative. `beside` must also stand in the sentence; `named` cues are found by other means than a pattern."""

    kind: str
    answered_by: frozenset[str]
    sections: frozenset[str]
    pattern: re.Pattern[str] | None
    beside: re.Pattern[str] | None
    named: str | None


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an informative sentence makes no claim, in these sections or in all. Under the cues of `yields_to`, beside the words of `unless` and in a
    sentence longer than `longest` characters it does not hold.
    """

    id: str
    why: str
    pattern: re.Pattern[str] | None
    sections: frozenset[str]
    yields_to: frozenset[str]
    unless: re.Pattern[str] | None
    longest: int

    def fits(self, section: str, lower: str, kinds: frozenset[str]) -> bool:
        """True when a sentence in lower case with these cues makes no claim for this reason."""
        if self.pattern is None or (self.sections and section not in self.sections) or not self.yields_to.isdisjoint(kinds) or len(lower) > self.longest:
            return False
        return self.pattern.search(lower) is not None and (self.unless is None or self.unless.search(lower) is None)


@dataclass(frozen=True, slots=True)
class ResidueBook:
    """The data of `residue.toml`. Sections of `told` are read for instructions alone."""

    read: tuple[str, ...]
    told: frozenset[str]
    cues: tuple[Cue, ...]
    reasons: tuple[Reason, ...]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of cue, in order."""
        return tuple(cue.kind for cue in self.cues)


@cache
def residue_book() -> ResidueBook:
    """The book that ships with the package."""
    data = tomllib.loads(files("kb_builder.learn").joinpath("residue.toml").read_text(encoding="utf-8"))
    cues = tuple(
        Cue(
            kind=row["kind"],
            answered_by=frozenset(row["answered_by"]),
            sections=frozenset(row.get("sections", ())),
            pattern=_pattern(row.get("pattern")),
            beside=_pattern(row.get("beside")),
            named=row.get("named"),
        )
        for row in data["cue"]
    )
    reasons = tuple(
        Reason(
            id=row["id"],
            why=row["why"],
            pattern=_pattern(row.get("pattern")),
            sections=frozenset(row.get("sections", ())),
            yields_to=frozenset(row.get("yields_to", ())),
            unless=_pattern(row.get("unless")),
            longest=row.get("longest", sys.maxsize),
        )
        for row in data["reason"]
    )
    sections = data["sections"]
    return ResidueBook((*sections["read"], *sections["told"]), frozenset(sections["told"]), cues, reasons)


def _pattern(text: str | None) -> re.Pattern[str] | None:
    return re.compile(text) if text else None
