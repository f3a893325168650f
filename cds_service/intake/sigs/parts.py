"""The parts of an instruction: one a dose, with what links it to the part before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from cds_service.intake.sigs.amounts import Amounts, Running
from cds_service.intake.sigs.lexicon import SECTIONS, Phrases, Words, any_of
from cds_service.intake.sigs.restated import Dosed

THEN, BESIDE = "then", "beside"

_THEN = Phrases([*SECTIONS["links"]["then"], *SECTIONS["steps"]["to"]], behind=r"[\s,:]*")
_AFTER_STEP = re.compile(r"\s+to\s+(?=\d)", re.IGNORECASE)
_STOP = re.compile(r"(?<!\d)\.(?=\s|$)|(?<=\d)\.(?=\s|$)|[;。;\n\u2029]")
_HEADED = frozenset({"day", "days", "week", "weeks", "第"})
_BESIDE = re.compile(rf"[\s,]*(?:{any_of(SECTIONS['links']['beside'])})\s+|,\s*|(?=清晨|每晚|中午|睡前)", re.IGNORECASE)
_HEADING = re.compile(
    r"\b(?:(?P<day>days?)|(?P<week>weeks?))\s+(?P<from>\d{1,3})(?:\s*(?:-|to|through|and)\s*(?P<to>\d{1,3}))?(?:\s+(?P<on>and\s+(?:after|beyond|on|thereafter|onward)))?\s*:|第\s*(?P<han>\d{1,3})(?:\s*(?:[~至到-]|to)\s*(?P<han_to>\d{1,3}))?\s*[天日]\s*[:,]?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch with at most one dose. `link` is THEN after another part, BESIDE with it, or None at the beginning and where nothing says it."""

    start: int
    end: int
    dose: Dosed | None
    rate: Running | None = None
    link: str | None = None
    heading: tuple[int, int] | None = None
    days: int | None = None  # how long the heading says


def split_parts(text: str, words: Words, amounts: Amounts, without: Sequence[tuple[int, int]], steps: Sequence[tuple[int, int]]) -> list[Part]:
    """The parts in order; together they cover the text. A link within one of the spans `without` parts nothing; behind a step a phase begins."""
    doses = amounts.doses
    cuts: dict[int, tuple[str | None, tuple[int, int] | None, int | None]] = {0: (None, None, None)}
    for m in _HEADING.finditer(text) if not words.isdisjoint(_HEADED) else ():
        cuts[m.start()] = (THEN, m.span(), _days_of(m))
    for m in _THEN.find_all(text, words):
        if not _within(m.start(), m.end(), without) and not _within(m.start(), m.end(), [(d.start, d.end) for d in doses]):
            cuts.setdefault(m.start(), (THEN, None, None))
    for _, end in steps:
        if _AFTER_STEP.match(text, end) is not None:
            cuts.setdefault(end, (THEN, None, None))
    for m in _STOP.finditer(text):
        if not _within(m.start(), m.end(), [*without, *((d.start, d.end) for d in doses)]) and not any(m.start() <= c <= m.end() + 2 for c in cuts if c):
            cuts.setdefault(m.start(), (None, None, None))
    for before, after in pairwise(doses):
        if any(before.end <= c <= after.start for c in cuts):
            continue
        between = [m for m in _BESIDE.finditer(text, before.end, after.start) if not _within(m.start(), m.end(), without)]
        cuts[between[-1].start() if between else after.start] = (BESIDE, None, None)
    places = sorted(cuts)
    parts = []
    for at, end in zip(places, [*places[1:], len(text)], strict=True):
        link, heading, days = cuts[at]
        dose = next((d for d in doses if at <= d.start < end), None)
        rate = next((r for r in amounts.rates if at <= r.start < end), None)
        parts.append(Part(at, end, dose, rate, link, heading, days))
    return parts


def _days_of(m: re.Match[str]) -> int | None:
    if m["on"]:
        return None
    first, last = int(m["han"] or m["from"]), int(m["han_to"] or m["to"] or m["han"] or m["from"])
    return (last - first + 1) * (7 if m["week"] else 1) if last >= first else None


def _within(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start < b and end > a for a, b in spans)
