"""Requests as drafts of claims, each thing once a guard: the full text wins over the Highlights and over a plainer repetition."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kb_builder.propose.chinese import inserts as chinese
from kb_builder.propose.chinese.watching import read_chinese_asks
from kb_builder.propose.conditions.restrictions import joined
from kb_builder.propose.drafts import Draft
from kb_builder.propose.found import Ask
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import ThingFinder
from kb_builder.propose.watching.reader import read_asks
from ontology.model.advice import Action, Step
from ontology.model.spans import SpanRole
from ontology.text.document import Section

SECTIONS = (
    "boxed_warning",
    "dosage_and_administration",
    "warnings_and_cautions",
    "warnings",
    "precautions",
    "general_precautions",
    "laboratory_tests",
    "use_in_specific_populations",
    "drug_interactions",
)
_HAN = re.compile(r"[一-鿿]")


def asks_of(section: Section, reading: Reading, finder: ThingFinder, lexicon: Lexicon) -> Iterable[Ask]:
    """The requests of a section in its language."""
    if _HAN.search(section.text) and chinese.is_chinese(section.text):
        return read_chinese_asks(reading, lexicon)
    return read_asks(section, finder, lexicon)


def draft_of(reading: Reading, predicate: str, ask: Ask) -> Draft:
    """The request as a draft: what to watch in the step's `monitor`, when in its `parameter`."""
    when = ask.before_words if predicate == "has_prerequisite" else ask.during_words
    thing = ask.thing
    return Draft(
        reading,
        predicate,
        thing.target,
        (thing.start, thing.end),
        ask.statement,
        (Step(Action.MONITOR, parameter=when, monitor=(thing.target.words,)),),
        limits=ask.limits,
        heading=ask.heading,
        strength=ask.strength,
        highlight=ask.highlight,
        cited=((ask.cited, SpanRole.HEADING),) if ask.cited is not None else (),
    )


def settled(drafts: Iterable[Draft]) -> list[Draft]:
    """The drafts that are worth a claim, in order of print: one a thing, guard and time; without a time only where none says the time."""
    every = list(drafts)
    full = [d for d in every if not d.highlight]
    told = {d.target.id for d in full}
    kept = full + [d for d in every if d.highlight and d.target.id not in told]
    timed = {(d.target.id, repr(joined(d.limits))) for d in kept if d.steps[0].parameter}
    out: dict[tuple[object, ...], Draft] = {}
    for one in kept:
        key = (one.target.id, repr(joined(one.limits)))
        when = (one.steps[0].parameter or "").lower()
        if when or key not in timed:
            out.setdefault((*key, when), one)
    return list(out.values())
