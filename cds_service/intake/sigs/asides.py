"""What an instruction says besides dose and frequency: as needed and why, by which route, how fast, repeats, and who sets the dose."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from cds_service.intake.sigs.lexicon import SECTIONS, Phrases, Words, any_of
from ontology.text.dosing.numbers import COUNT, number_of

_PRN = Phrases(SECTIONS["prn"]["words"])
_ON_DEMAND = Phrases(SECTIONS["prn"]["on_demand"])
_REASON = re.compile(
    rf"(?!\s*(?:for\s+\d|{any_of(SECTIONS['prn']['end'])}))\s*(?:for\s+|:\s*)?(?P<why>(?:[^.,;:()]|\.(?=\d)){{2,60}}?)(?=\s*(?:[,;:()]|\.(?!\d)|$|for\s+\d|{any_of(SECTIONS['prn']['end'])}))",
    re.IGNORECASE,
)
_ROUTES = [(route, Phrases(words)) for route, words in SECTIONS["routes"].items()]
_SCHEDULES = [(schedule, Phrases(words)) for schedule, words in SECTIONS["schedules"].items()]
_OVER = re.compile(
    rf"\bover\s+(?:about\s+|at\s+least\s+)?(?:{COUNT}\s*(?:-|to)\s*)?(?P<n>{COUNT})[\s-]*(?P<unit>min(?:utes?)?|h(?:ours?|rs?)?)\b", re.IGNORECASE
)
_REPEAT = re.compile(
    rf"{any_of(SECTIONS['repeat']['words'])}\s*(?:(?:dose\s+)?(?:x\s*)?(?P<n>{COUNT}|once|twice)(?:\s*(?:times|more|doses|x))*)?(?P<apart>\s*(?:after|in|every)\s+(?:at\s+least\s+)?{COUNT}(?:\s*(?:-|to)\s*{COUNT})?[\s-]*(?:hours?|min(?:utes?)?)(?:\s+(?:if\s+needed|as\s+needed|later))?)?(?:\s*(?:up\s+to|for)\s+(?P<most>{COUNT})\s+(?P<what>doses|times))?",
    re.IGNORECASE,
)
_NOT_THIS = Phrases(SECTIONS["not_this_order"]["words"], behind=r"[^.;。]*")
_STEP = Phrases(SECTIONS["steps"]["by"], behind=r"[^,;.]*?(?=\s+to\s+\d|[,;.](?!\d)|$)")
_ALTERNATING = re.compile(r"\balternat(?:e|es|ing)\b(?!\s+days?\b)", re.IGNORECASE)
_BY_MOUTH = frozenset({"inhalation", "sublingual", "buccal"})
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


def other_orders(text: str, words: Words) -> list[tuple[int, int]]:
    """The stretches that speak of another order or of the past."""
    return [m.span() for m in _NOT_THIS.find_all(text, words)]


def infusion_times(text: str, words: Words) -> list[tuple[int, int]]:
    """The places that say how long one dose runs."""
    return [m.span() for m in _OVER.finditer(text)] if "over" in words else []


def repeats(text: str, words: Words) -> list[tuple[int, int]]:
    """The places that allow another dose."""
    return [m.span() for m in _REPEAT.finditer(text)] if _may_repeat(words) else []


def steps(text: str, words: Words) -> list[tuple[int, int]]:
    """The stretches that say by how much a dose changes."""
    return [m.span() for m in _STEP.find_all(text, words)]


def read_asides(text: str, words: Words, start: int, end: int) -> Asides:
    """What `[start, end)` says besides dose and frequency; `words` are those of the whole text."""
    spans: list[tuple[int, int]] = []
    needed = _PRN.find(text, words, start, end)
    reason = None
    if needed is not None:
        why = _REASON.match(text, needed.end(), end) if needed[0].isascii() else None
        reason = " ".join(why["why"].split()).strip("*- ") or None if why is not None else None
        spans += [why.span()] if why is not None else []
    else:
        needed = _ON_DEMAND.find(text, words, start, end)
    route, where = _first(text, words, start, end)
    schedule, what = next(((name, m) for name, said in _SCHEDULES if (m := said.find(text, words, start, end)) is not None), (None, None))
    step = _STEP.find(text, words, start, end)
    over = _OVER.search(text, start, end) if "over" in words else None
    repeat = _REPEAT.search(text, start, end) if _may_repeat(words) else None
    turns = _ALTERNATING.search(text, start, end) if words & {"alternate", "alternates", "alternating"} else None
    spans += [m.span() for m in (needed, where, what, step, over, repeat, turns) if m is not None]
    schedule = schedule or ("titrated" if step is not None else None)
    return Asides(needed is not None, reason, route, schedule, _hours(over), _most(repeat), turns is not None, tuple(spans))


def _may_repeat(words: Words) -> bool:
    return "repeat" in words or "repeated" in words or "重" in words


def _first(text: str, words: Words, start: int, end: int) -> tuple[str | None, re.Match[str] | None]:
    """The route that is said first; of several at one place the longest. The mouth is the way of inhaling and of melting too."""
    found = [(m.start(), -m.end(), route, m) for route, said in _ROUTES if (m := said.find(text, words, start, end)) is not None]
    if not found:
        return None, None
    closer = [f for f in found if f[2] in _BY_MOUTH]
    *_, route, m = min(closer or found, key=lambda f: f[:2])
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
