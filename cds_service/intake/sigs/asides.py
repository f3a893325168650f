"""What an instruction says besides dose and frequency: as needed and why, by which route, how fast, repeats, and who sets the dose."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from cds_service.intake.sigs.lexicon import SECTIONS, any_of
from ontology.text.dosing.numbers import COUNT, number_of

_PRN = re.compile(any_of(SECTIONS["prn"]["words"]), re.IGNORECASE)
_ON_DEMAND = re.compile(any_of(SECTIONS["prn"]["on_demand"]), re.IGNORECASE)
_REASON = re.compile(
    rf"\s*(?:for\s+|:\s*)?(?P<why>(?:[^.,;:()]|\.(?=\d)){{2,60}}?)(?=\s*(?:[,;:()]|\.(?!\d)|$|for\s+\d|{any_of(SECTIONS['prn']['end'])}))", re.IGNORECASE
)
_ROUTES = [(route, re.compile(any_of(words), re.IGNORECASE)) for route, words in SECTIONS["routes"].items()]
_SCHEDULES = [(schedule, re.compile(any_of(words), re.IGNORECASE)) for schedule, words in SECTIONS["schedules"].items()]
_OVER = re.compile(
    rf"\bover\s+(?:about\s+|at\s+least\s+)?(?:{COUNT}\s*(?:-|to)\s*)?(?P<n>{COUNT})[\s-]*(?P<unit>min(?:utes?)?|h(?:ours?|rs?)?)\b", re.IGNORECASE
)
_REPEAT = re.compile(
    rf"{any_of(SECTIONS['repeat']['words'])}\s*(?:(?:dose\s+)?(?:x\s*)?(?P<n>{COUNT}|once|twice)(?:\s*(?:times|more|doses|x))*)?(?P<apart>\s*(?:after|in|every)\s+(?:at\s+least\s+)?{COUNT}(?:\s*(?:-|to)\s*{COUNT})?[\s-]*(?:hours?|min(?:utes?)?)(?:\s+(?:if\s+needed|as\s+needed|later))?)?(?:\s*(?:up\s+to|for)\s+(?P<most>{COUNT})\s+(?P<what>doses|times))?",
    re.IGNORECASE,
)
_NOT_THIS = re.compile(rf"{any_of(SECTIONS['not_this_order']['words'])}[^.;。]*", re.IGNORECASE)
_STEP = re.compile(rf"{any_of(SECTIONS['steps']['by'])}[^,;.]*?(?=\s+to\s+\d|[,;.](?!\d)|$)", re.IGNORECASE)
_ALTERNATING = re.compile(r"\balternat(?:e|es|ing)\b(?!\s+days?\b)", re.IGNORECASE)
_COUNTS = {"once": Decimal(1), "twice": Decimal(2)}


@dataclass(frozen=True, slots=True)
class Asides:
    """What was said; `spans` are the places. `most` is how many doses a repeat allows in all; `infusion` the hours that a dose runs."""

    as_needed: bool = False
    reason: str | None = None
    route: str | None = None
    schedule: str | None = None
    infusion: Decimal | None = None
    most: Decimal | None = None
    alternating: bool = False
    spans: tuple[tuple[int, int], ...] = ()


def other_orders(text: str) -> list[tuple[int, int]]:
    """The stretches that speak of another order or of the past."""
    return [m.span() for m in _NOT_THIS.finditer(text)]


def infusion_times(text: str) -> list[tuple[int, int]]:
    """The places that say how long one dose runs."""
    return [m.span() for m in _OVER.finditer(text)]


def repeats(text: str) -> list[tuple[int, int]]:
    """The places that allow another dose."""
    return [m.span() for m in _REPEAT.finditer(text)]


def steps(text: str) -> list[tuple[int, int]]:
    """The stretches that say by how much a dose changes."""
    return [m.span() for m in _STEP.finditer(text)]


def read_asides(text: str, start: int, end: int) -> Asides:
    """What `[start, end)` says besides dose and frequency."""
    spans: list[tuple[int, int]] = []
    needed = _PRN.search(text, start, end) or _ON_DEMAND.search(text, start, end)
    reason = None
    if needed is not None:
        spans.append(needed.span())
        why = _REASON.match(text, needed.end(), end) if _PRN.fullmatch(needed[0]) and needed[0].isascii() else None
        if why is not None:
            reason = " ".join(why["why"].split())
            spans.append(why.span())
    route, where = _first(text, start, end)
    schedule, what = next(((name, m) for name, words in _SCHEDULES if (m := words.search(text, start, end)) is not None), (None, None))
    step = _STEP.search(text, start, end)
    schedule = schedule or ("titrated" if step is not None else None)
    over, repeat = _OVER.search(text, start, end), _REPEAT.search(text, start, end)
    alternating = _ALTERNATING.search(text, start, end)
    spans += [m.span() for m in (where, what, step, over, repeat, alternating) if m is not None]
    return Asides(needed is not None, reason, route, schedule, _hours(over), _most(repeat), alternating is not None, tuple(spans))


def _first(text: str, start: int, end: int) -> tuple[str | None, re.Match[str] | None]:
    """The route that is said first; of several at one place the longest."""
    found = [(m.start(), -m.end(), route, m) for route, words in _ROUTES if (m := words.search(text, start, end)) is not None]
    if not found:
        return None, None
    *_, route, m = min(found, key=lambda f: f[:2])
    return route, m


def _hours(over: re.Match[str] | None) -> Decimal | None:
    number = number_of(over["n"]) if over is not None else None
    if over is None or not number:
        return None
    return number if over["unit"][0].lower() == "h" else number / 60


def _most(repeat: re.Match[str] | None) -> Decimal | None:
    """How many doses in all: the first and so many more, or the printed sum."""
    if repeat is None:
        return None
    if repeat["most"]:
        return number_of(repeat["most"])
    more = _COUNTS.get((repeat["n"] or "").lower()) or (number_of(repeat["n"]) if repeat["n"] else None)
    return more + 1 if more is not None else None
