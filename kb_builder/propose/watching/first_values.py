"""Values that the first dose waits for: "a baseline ANC must be at least 1500/µL", "serum calcium should be below 9.8 mg/dL before initiating treatment".

As with those who come from another drug, the guard of the prerequisite is the state in which its drug must wait.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.blocks import Reading, Statement
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Target, uncoded
from kb_builder.propose.watching.own_names import own_as_signs
from kb_builder.propose.watching.times import find_times
from ontology.model.advice import Action, Step
from ontology.model.claims import Strength
from ontology.model.entities import EntityType
from ontology.model.facts import Axis
from ontology.model.guards import HasCondition, Interval, Not
from ontology.text.bounds import Bound, find_bounds

_ASKED = re.compile(r"\b(?:must|should|(?:has|have|needs?) to)\s+be\b|\bis\b|\bare\b")
_MODAL = re.compile(r"\b(?:must|should|(?:has|have|needs?) to)\s+be\s*$")
_MUST = re.compile(r"\bmust be\b|\bonly if\b")
_ONLY_IF = re.compile(r"\b(?:initiate|start|begin)\b[^.;]{0,50}\bonly if\s+(?:the\s+)?baseline\b[^.;]*$")
_CONFIRM = re.compile(r"\b(?:confirm|verify|ensure)\b[^.;]*$")
_BASELINE = re.compile(r"\bbaseline\s+(?:[\w()]+\s+){1,5}$")
_LATER = re.compile(r"\bcycles?\b|\bresum\w+|\binterrupt\w*|\bwithh\w+|\bretreat\w*|\bnext\b|\bnew\b|\bif\b(?!\s+(?:the\s+)?baseline)|\bwhen\b|\bdiscontinu\w+")
_OTHERS = re.compile(r"\bfor the general population\b.{0,80}?\bfor patients with\s+(?:documented\s+)?(?P<who>[a-z][a-z -]{4,60}?)\s*(?:\(|[.;,]|$)")
_LONGEST = 420
_SHORT = 4  # letters of a name that is written in capitals


def first_value_drafts(reading: Reading, lexicon: Lexicon) -> Iterator[Draft]:
    """The values that the sentences of a section want before the first dose."""
    for statement in (s for block in reading.blocks if not block.table for s in block.statements):
        words = own_as_signs(reading, statement)
        if len(words) > _LONGEST or _ASKED.search(words) is None or _LATER.search(words) is not None:
            continue
        before = any(t.before and not t.during for t in find_times(words))
        plain = _ASKED.sub(lambda m: " " * len(m[0]), words)
        for bound in find_bounds(plain):
            if bound.interval.axis is Axis.LAB and _is_asked(words, bound, before=before):
                draft = _draft(reading, statement, words, bound, lexicon)
                if draft is not None:
                    yield draft
                    break


def _is_asked(words: str, bound: Bound, *, before: bool) -> bool:
    """True where the sentence wants the value at the start: of the baseline, before the first dose, or as the only ground to begin."""
    lead = words[: bound.start]
    modal = _MODAL.search(lead)
    if modal is not None:
        return before or _BASELINE.search(lead[: modal.start()]) is not None
    return _ONLY_IF.search(lead) is not None or (before and _CONFIRM.search(lead) is not None)


def _draft(reading: Reading, statement: Statement, words: str, bound: Bound, lexicon: Lexicon) -> Draft | None:
    waits = _other_side(bound.interval)
    tests = lexicon.lookup(bound.interval.detail or "", frozenset({EntityType.LAB_TEST}))
    if waits is None or not tests:
        return None
    place = (statement.start + bound.start, statement.start + bound.end)
    told = " ".join(reading.blank[slice(*place)].split())
    limits = [Restriction(waits, *place)]
    others = _OTHERS.search(words)
    if others is not None:
        at = (statement.start + others.start("who"), statement.start + others.end("who"))
        people = " ".join(reading.blank[slice(*at)].split())
        found = lexicon.lookup(people, frozenset({EntityType.CONDITION}))
        who = Target(found[0], people) if found else uncoded(EntityType.CONDITION, people)
        limits.append(Restriction(Not(HasCondition(who.id, people)), *at, entities=(who.entity,) if who.entity is not None else ()))
    strength = Strength.MUST if _MUST.search(words) else Strength.SHOULD
    named = bound.interval.detail or ""
    named = named.upper() if len(named) <= _SHORT else named
    step = Step(Action.AVOID, parameter=f"until {named} is {told}", monitor=(named,))
    return Draft(reading, "has_prerequisite", Target(tests[0], named), place, (statement.start, statement.end), (step,), limits=tuple(limits), strength=strength, highlight=statement.highlight)  # fmt: skip


def _other_side(wanted: Interval) -> Interval | None:
    """Where the value is not what the label wants; None for a range of two ends."""
    if (wanted.low is None) == (wanted.high is None):
        return None
    if wanted.low is not None:
        return replace(wanted, low=None, high=wanted.low, low_open=False, high_open=not wanted.low_open)
    return replace(wanted, low=wanted.high, high=None, high_open=False, low_open=not wanted.high_open)
