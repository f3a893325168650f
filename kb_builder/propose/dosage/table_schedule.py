"""Tables whose rows or columns are weeks or days: the steps of one plan, each with the stretch it lasts.

A plan is read whole or not at all: its rows follow one another without a gap, and each holds one dose.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from ontology.model.dosing import Phase, PhaseKind, Regimen

_DAYS = {"day": 1, "week": 7, "month": 30}
_LONGEST = 80  # characters of a name
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5}
_OPEN = r"(?:\s*(?:\+|(?:and|or|&)\s+(?:beyond|after|onwards?|later|thereafter|subsequent\w*|up|following)|onwards?|thereafter|through maintenance|to (?:the )?end of treatment)(?:\s+(?:weeks?|days?|months?))?)"
_SPAN = re.compile(
    rf"\W*(?P<past>after\s+)?(?:on\s+|from\s+)?(?:(?P<unit>week|day|month)s?\s*#?\s*(?P<low>\d{{1,3}})(?:\s*(?:-|–|to|through|and|&|,)\s*(?:(?:weeks?|days?|months?)\s*)?(?P<high>\d{{1,3}}))?|(?P<nth>{'|'.join(_ORDINALS)})\s+(?P<unit2>week|day|month))(?P<open>{_OPEN})?\W*(?:\([^()]*\)\W*)?",
    re.IGNORECASE,
)
_LAST = re.compile(
    r"\W*(?:thereafter|(?:usual |recommended )*(?:maintenance|target)(?: (?:dose|dosage))?|(?:all )?(?:subsequent|following|remaining) (?:weeks|days|months)|beyond)\W*",
    re.IGNORECASE,
)
_STEP = re.compile(r"(?:(?<=^)|(?<=[\s,;]))(?=(?:weeks?|days?) \d{1,3}(?:\s*(?:-|to|and)\s*\d{1,3})?(?:\s+(?:onwards?|and beyond))?\s*[-:])", re.IGNORECASE)
_TIME = re.compile(r"\b(?:weeks?|days?|months?) \d", re.IGNORECASE)
_STEP_NAME = re.compile(r"(?P<name>(?:weeks?|days?) \d{1,3}(?:\s*(?:-|to|and)\s*\d{1,3}(?=\s*[-:]))?(?:\s+(?:onwards?|and beyond))?)\s*[-:]\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stretch:
    """The first and the last day of treatment that a step of a plan covers; no first one where it follows the step before, no last one where it has no end."""

    first: int | None
    last: int | None

    @property
    def lasts(self) -> Decimal | None:
        """How many days the stretch has."""
        return None if self.first is None or self.last is None else Decimal(self.last - self.first + 1)


def read_stretch(words: str) -> Stretch | None:
    """The stretch that a name like "Weeks 1 and 2", "Day 4 and beyond" or "Thereafter" is; None for any other words."""
    if len(words) > _LONGEST:
        return None
    if _LAST.fullmatch(words):
        return Stretch(None, None)
    m = _SPAN.fullmatch(words)
    if m is None:
        return None
    low = int(m["low"]) if m["low"] else _ORDINALS[m["nth"].lower()]
    high = int(m["high"]) if m["high"] else low
    days = _DAYS[(m["unit"] or m["unit2"]).lower()]
    if m["past"]:
        return Stretch(high * days + 1, None)
    return Stretch((low - 1) * days + 1, None if m["open"] else high * days) if 0 < low <= high else None


def follow_on(stretches: Sequence[Stretch]) -> bool:
    """True for two or more stretches that begin with the first day and leave no gap; only the last one may be without end."""
    if len(stretches) < 2 or stretches[0].first != 1:
        return False
    return all(a.last is not None and b.first in (None, a.last + 1) for a, b in pairwise(stretches))


def plan_of(steps: Sequence[tuple[Stretch, Phase]]) -> Regimen:
    """The steps as the phases of one regimen, each with the days that its stretch has."""
    phases: list[Phase] = []
    for i, (stretch, phase) in enumerate(steps):
        named = phase.kind not in (PhaseKind.USUAL, PhaseKind.STARTING)
        kind = PhaseKind.MAINTENANCE if i == len(steps) - 1 and stretch.lasts is None else PhaseKind.TITRATION
        phases.append(replace(phase, kind=phase.kind if named else kind, duration_days_low=stretch.lasts, duration_days_high=stretch.lasts))
    return Regimen(tuple(phases))


def plan_in_words(words: str) -> list[tuple[Stretch, int, int]] | None:
    """The steps of a cell that is a plan by itself ("Day 1 - 10 mg Day 2 - 20 mg"), each with the offsets of its dose; None for any other cell."""
    cuts = [m.start() for m in _STEP.finditer(words)]
    if len(cuts) < 2 or words[: cuts[0]].strip(" •"):
        return None
    out: list[tuple[Stretch, int, int]] = []
    for start, end in zip(cuts, [*cuts[1:], len(words)], strict=True):
        name = _STEP_NAME.match(words, start)
        stretch = read_stretch(name["name"]) if name is not None else None
        if name is None or stretch is None or _TIME.search(words, name.end(), end):
            return None
        out.append((stretch, name.end(), name.end() + len(words[name.end() : end].rstrip(" ,;.•"))))
    return out if follow_on([s for s, _, _ in out]) else None
