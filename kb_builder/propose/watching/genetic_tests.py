"""Requests for a genetic test ("test patients to determine CYP2C9 genotype") and what is asked on doses above a bound alone."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.found import MeasuredThing
from kb_builder.propose.reading.things import uncoded
from kb_builder.propose.watching.objects import Sentence
from ontology.model.entities import EntityType
from ontology.model.facts import Axis
from ontology.model.guards import Interval, Opaque
from ontology.text.sought import Sought, sought


@dataclass(frozen=True, slots=True)
class GeneticRequest:
    """A request at `[start, end)` of a sentence for one test; `limits` says that only patients at risk are meant."""

    start: int
    end: int
    thing: MeasuredThing
    limits: tuple[Restriction, ...]


def genetic_requests(text: Sentence) -> Iterator[GeneticRequest]:
    """The genetic tests that a sentence asks for."""
    for pattern in _asking():
        for m in pattern.finditer(text.work):
            start, end = (text.offset + at for at in m.span("what"))
            thing = MeasuredThing(start, end, uncoded(EntityType.LAB_TEST, " ".join(text.whole[start:end].split())), measured=True)
            risk = m.span("risk") if "risk" in m.re.groupindex and m["risk"] else None
            limits = (Restriction(Opaque(" ".join(text.whole[text.offset + risk[0] : end].split())), text.offset + risk[0], end),) if risk is not None else ()
            yield GeneticRequest(m.start(), m.start("what"), thing, limits)


def doses_above(lower: str, offset: int) -> Iterator[Restriction]:
    """The bounds on the daily dose of the sentence's own drug above which something is asked; places are in the section's text."""
    for m in _doses_above().finditer(lower):
        number = Decimal(m["number"].replace(",", "").rstrip("."))
        unit = {"mcg": "ug"}.get(m["unit"], m["unit"])
        yield Restriction(Interval(Axis.DAILY_DOSE, number, None, unit, low_open=True), m.start() + offset, m.end() + offset)


@cache
def _data() -> dict[str, dict[str, object]]:
    return tomllib.loads(files("kb_builder.propose.watching").joinpath("watching.toml").read_text(encoding="utf-8"))


@cache
def _asking() -> tuple[Sought, ...]:
    rows = _data()["genetic"]
    asking = rows["asking"]
    return tuple(sought(str(p).replace("GENE", str(rows["gene"]))) for p in asking) if isinstance(asking, list) else ()


@cache
def _doses_above() -> re.Pattern[str]:
    return re.compile(str(_data()["doses_above"]["pattern"]))
