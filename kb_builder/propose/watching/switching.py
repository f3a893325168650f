"""When a drug may be started by those who come from another one: "discontinue warfarin and start once the INR is below 3.0".

The claim is a prerequisite whose guard is the state in which its drug must wait: the other drug is or was just taken, and the test is not yet
where the label wants it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.blocks import Reading, Statement
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind, Target, Thing
from kb_builder.propose.watching.own_names import own_as_signs
from ontology.model.advice import Action, Step
from ontology.model.entities import EntityType
from ontology.model.facts import Axis, ExposureState
from ontology.model.guards import AnyOf, Exposure, Interval
from ontology.text.sought import Sought, sought

_ADULT = Decimal(18)
_SUBJECT = 40  # characters before "discontinue" in which the drug that is left may be named


def switching_drafts(reading: Reading, lexicon: Lexicon) -> Iterator[Draft]:
    """What each sentence of a section asks of those who switch from another drug."""
    pattern = _rows()[0]
    for statement in (s for block in reading.blocks for s in block.statements):
        for m in pattern.finditer(own_as_signs(reading, statement)):
            yield from _drafts(reading, statement, m, lexicon)


def _drafts(reading: Reading, statement: Statement, m: re.Match[str], lexicon: Lexicon) -> Iterator[Draft]:
    """One draft a bound; none where it is not certain which drug is left."""
    at = statement.start
    first, last = at + m.start() - _SUBJECT, at + m.start("active" if m["active"] else "passive")
    left = [t for t in statement.things if t.kind is Kind.PARTNER and not t.own and first <= t.start < last]
    tests = lexicon.lookup("INR", frozenset({EntityType.LAB_TEST}))
    if not tests or len({t.targets[0].id for t in left}) != 1:
        return
    test = (at + m.start("test"), at + m.end("test"))
    told = " ".join(reading.blank[test[0] : at + m.end("bounds")].split())
    for bound in _rows()[1].finditer(m["bounds"]):
        place = (at + m.start("bounds") + bound.start(), at + m.start("bounds") + bound.end())
        waits = Interval(Axis.LAB, Decimal(bound["number"]), None, "{INR}", low_open=bound["side"] in _included(), detail="inr")
        step = Step(Action.AVOID, parameter=f"until {told}", monitor=(reading.blank[slice(*test)].strip(),))
        limits = (_taken(left[0]), Restriction(waits, *place), *_whom(bound, place))
        yield Draft(reading, "has_prerequisite", Target(tests[0], "INR"), test, (statement.start, statement.end), (step,), limits=limits, highlight=statement.highlight)  # fmt: skip


def _taken(thing: Thing) -> Restriction:
    """The drug that is left: still taken, or stopped so lately that it acts."""
    drug = thing.targets[0].id
    lately = Exposure(drug, state=ExposureState.STOPPED_WITHIN, within_days=Decimal(_data()["window_days"]), term="discontinue")
    return Restriction(AnyOf((Exposure(drug), lately)), thing.start, thing.end)


def _whom(bound: re.Match[str], place: tuple[int, int]) -> tuple[Restriction, ...]:
    if bound["whom"] is None:
        return ()
    adult = bound["whom"].startswith("adult")
    ages = Interval(Axis.AGE, _ADULT, None, "a", term="adults") if adult else Interval(Axis.AGE, None, _ADULT, "a", high_open=True, term="pediatric patients")
    return (Restriction(ages, *place),)


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = tomllib.loads(files("kb_builder.propose.watching").joinpath("watching.toml").read_text(encoding="utf-8"))["switching"]
    return data


@cache
def _rows() -> tuple[Sought, re.Pattern[str]]:
    return sought(_data()["pattern"]), re.compile(_data()["bound"])


@cache
def _included() -> frozenset[str]:
    """Sides whose number itself is low enough."""
    return frozenset(_data()["included"])
