"""The time that must pass between one drug and another: "at least 14 days should elapse between discontinuation of X and initiation of Y".

It says nothing of taking both at once. One of the two is the label's product. Where the other drug is stopped first, the window is of the partner; where the product is, of the patient's own use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.blocks import Block, Reading, Statement
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.advice import Action, Step
from ontology.model.claims import Strength
from ontology.model.entities import EntityType
from ontology.model.facts import ExposureState, Whose
from ontology.model.guards import Exposure
from ontology.model.identifiers import EntityId
from ontology.text.amounts import find_windows

_TIME = r"(?P<time>(?:\d{1,2}|one|two|three|four|five|six|seven|eight|ten|fourteen)[ -](?:days?|weeks?|months?))"
_STOPS = r"(?:discontinu\w+|stopping|withdrawal|cessation|the last dose)"
_BEGINS = r"(?:initiat\w+|institut\w+|start\w*|beginning|introduc\w+|administ\w+|the first dose)"
_OF = r"(?: (?:of|with|therapy with|treatment with|of therapy with|of treatment with))?"
_FORMS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_TIME}\b[^.;]{{0,45}}?\bbetween (?:the )?{_STOPS}{_OF} (?P<stopped>[^.;]{{2,120}}?) and (?:the )?{_BEGINS}{_OF} (?P<started>[^.;]{{2,160}}?)(?=,? (?:or|and) (?:the |at )|,? (?:or vice|with the exception|except)|[.;]|$)",
        rf"{_TIME}\b[^.;]{{0,45}}?\bafter (?:the )?{_STOPS}{_OF} (?P<stopped>[^.;]{{2,120}}?) before (?:the )?{_BEGINS}{_OF} (?P<started>[^.;]{{2,160}})",
        rf"\b(?:replace|(?:switch|change|transfer)\w* from) (?P<stopped>[^.;,]{{2,100}}?) (?:with|by|to) (?P<started>[^.;,]{{2,100}}), [^.;]{{0,60}}?{_TIME}\b[^.;]{{0,80}}\bformer\b",
        rf"\bsubstitut\w+ (?P<started>[^.;,]{{2,100}}?) (?:for|in patients receiving) (?P<stopped>[^.;,]{{2,100}}), (?=[^.;]*\belapse\b)[^.;]{{0,110}}?{_TIME}\b",
        rf"\b(?:before|prior to) (?:the )?{_BEGINS}{_OF} (?P<started>[^.;,]{{2,80}}), (?P<stopped>[^.;,]{{2,100}}?) (?:should|must) be (?:discontinued|stopped|withdrawn) (?:for )?(?:at least |a minimum of )?{_TIME}\b",
    )
)
_ASKED = re.compile(r"\b(?:should|must|allow|recommend\w*|required)\b", re.IGNORECASE)
_POINTED = re.compile(r"\b(?:these|those|such) (?:medications?|drugs?|agents?|products?)\b", re.IGNORECASE)
_TAKEN = frozenset({EntityType.INGREDIENT, EntityType.DRUG, EntityType.DRUG_CLASS, EntityType.HERB})
_DRUGS = frozenset({EntityType.INGREDIENT, EntityType.DRUG})
_FORBIDS = frozenset({"contraindications", "boxed_warning"})


def is_interval(text: str) -> bool:
    """True for a sentence that asks for days between the end of one drug and the start of another."""
    return _ASKED.search(text) is not None and any(form.search(text) for form in _FORMS)


def intervals(reading: Reading) -> Iterator[Draft]:
    """The pairs of a section that must be kept apart by days, each with the window after the drug that is stopped first."""
    for block in reading.blocks:
        before: Sequence[Thing] = ()
        for statement in block.statements:
            text = reading.blank[statement.start : statement.end]
            for form in _FORMS if _ASKED.search(text) else ():
                for m in form.finditer(text):
                    yield from _apart(reading, block, statement, m, before)
            before = [t for t in statement.things if _is_partner(t)] or before


def _apart(reading: Reading, block: Block, statement: Statement, m: re.Match[str], before: Sequence[Thing]) -> Iterator[Draft]:
    days = next((w.days for w in find_windows(f"within {m['time'].replace('-', ' ')}")), None)
    own = next((t.targets[0].id for t in reading.things if t.own and t.type in _DRUGS), None)
    if days is None or own is None:
        return
    stopped, started = _named(reading, statement, m, "stopped"), _named(reading, statement, m, "started")
    if any(own in t.ids for t in started):
        # "another MAO inhibitor" in the label of one is a partner
        yield from _drafts(reading, block, statement, m, [t for t in stopped if own not in t.ids], days, None)
    elif any(t.own for t in stopped):
        partners = [t for t in started if _is_partner(t)]
        yield from _drafts(reading, block, statement, m, partners or (before if _POINTED.search(m["started"]) else ()), days, own)


def _drafts(
    reading: Reading, block: Block, statement: Statement, m: re.Match[str], partners: Sequence[Thing], days: Decimal, own: EntityId | None
) -> Iterator[Draft]:
    """A draft a partner; `own` is the product where its own use is what must be over."""
    action = Action.CONTRAINDICATED if reading.key in _FORBIDS else Action.AVOID
    place = (statement.start + m.start("time"), statement.start + m.end("time"))
    for thing in partners:
        for target in thing.targets:
            whose = Whose.PARTNER if own is None else Whose.SUBJECT
            guard = Exposure(own or target.id, whose=whose, state=ExposureState.STOPPED_WITHIN, within_days=days)
            yield Draft(
                reading,
                "interacts_with",
                target,
                (thing.start, thing.end),
                (statement.start, statement.end),
                (Step(action, Whose.EITHER),),
                limits=(Restriction(guard, *place),),
                heading=block.heading,
                strength=Strength.MUST,
                highlight=statement.highlight,
            )


def _named(reading: Reading, statement: Statement, m: re.Match[str], group: str) -> list[Thing]:
    return [t for t in reading.things_in(statement.start + m.start(group), statement.start + m.end(group)) if t.kind is Kind.PARTNER and t.type in _TAKEN]


def _is_partner(thing: Thing) -> bool:
    return thing.kind is Kind.PARTNER and not thing.own and thing.type in _TAKEN
