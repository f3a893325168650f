"""Values of the laboratory from which a treatment is to be stopped, or its dose reduced: multiples of the upper limit of normal in warnings.

"If transaminases exceed three times the upper limit of normal, discontinue the product."
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.contraindications.advised import state_draft
from kb_builder.propose.drafts import Draft
from kb_builder.propose.found import State
from kb_builder.propose.reading.blocks import Block, Reading, Statement
from kb_builder.propose.reading.things import Kind, uncoded
from ontology.model.advice import Action
from ontology.model.claims import Strength
from ontology.model.entities import EntityType
from ontology.model.facts import Axis
from ontology.model.guards import AnyOf, Opaque
from ontology.text.bounds import Bound, find_bounds

_CUE = re.compile(r"\bnormal\b|\bULN\b", re.IGNORECASE)
_CLAUSE = re.compile(r"\b(?:if|when)\s+(?P<words>(?:[^.;:,()]|,(?=\d{3})|\([^()]{0,40}\)|(?<=\d)\.(?=\d)){6,200})", re.IGNORECASE)
_STOP = re.compile(
    r"\b(?:discontinue|stop|(?:should|must)\s+be\s+(?:permanently\s+|immediately\s+|promptly\s+)?(?:discontinued|stopped|withdrawn))\b(?!\s+(?:nursing|breast))",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"\bor\s+(?:the\s+dos(?:e|age)\s+)?(?:be\s+)?(?:reduc|decreas|lower)\w*|\b(?:reduc|decreas|lower)\w*\b[^.;,]{0,40}\bor\s+(?:be\s+)?(?:stop|discontinu)",
    re.IGNORECASE,
)
_HEDGED = re.compile(r"\bconsider\w*\b|\bmay\b", re.IGNORECASE)
_PAST = re.compile(r"\b(?:was|were|had|has been|have been|patients? (?:who )?discontinued)\b", re.IGNORECASE)
_IN_PATIENTS = re.compile(
    r"\b(?:discontinue|stop)\s+[^.;,]{2,40}?\s+in patients (?:who (?:are|were) found to have|who have|found to have|with)\s+(?:an?\s+)?"
    r"(?P<words>(?:persistent(?:ly)?\s+)?(?:[^\W\d_]+\s+){1,4}(?:above|greater than|more than|exceeding|over|below|less than|>|<|≥|≤)\s*\d[\d.,]*\s*[\w/%]+)",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    r"[\s,]*(?:\b(?:the|an?|any|serum|plasma|liver|hepatic|enzymes?|levels?|values?|elevations?|elevated|increased?|increases?|persist\w*|remain\w*|rise\w*|are|is|become\w*|to|of|in|occurs?|develops?|patients?'?|patient's|and|or|with|confirmed|concentrations?|activit(?:y|ies)|than|greater)\b[\s,]*)*",
    re.IGNORECASE,
)


def values_to_stop_at(reading: Reading, block: Block, statement: Statement) -> Iterator[Draft]:
    """The values that a sentence names as its ground to stop the product or to give less of it."""
    yield from _found_in_patients(reading, block, statement)
    blank = reading.blank
    if _CUE.search(blank, statement.start, statement.end) is None or any(t.kind is Kind.PARTNER and not t.own for t in statement.things):
        return
    for clause in _CLAUSE.finditer(blank, statement.start, statement.end):
        start, end = clause.span("words")
        rest = blank[statement.start : clause.start()] + " " + blank[end : statement.end]
        bounds = [b for b in find_bounds(blank[start:end]) if b.interval.axis is Axis.LAB and b.interval.unit == "{ULN}" and b.interval.low is not None]
        if not bounds or _STOP.search(rest) is None or _PAST.search(rest) is not None:
            continue
        action = Action.ADJUST_DOSE if _LESS.search(rest) is not None else Action.STOP
        strength = Strength.CONSIDER if _HEDGED.search(rest) is not None else Strength.SHOULD
        words = " ".join(blank[start:end].split())
        state = State(uncoded(EntityType.CONDITION, words), start, end, _limits(blank, start, end, bounds))
        yield state_draft(reading, block, statement, state, action, strength)
        return


def _found_in_patients(reading: Reading, block: Block, statement: Statement) -> Iterator[Draft]:
    """The value at which the product is stopped in whoever is found to have it: "discontinue X in patients with persistent QTc measurements >500 ms"."""
    blank = reading.blank
    for m in _IN_PATIENTS.finditer(blank, statement.start, statement.end):
        start, end = m.span("words")
        bounds = [b for b in find_bounds(blank[start:end]) if b.interval.axis is Axis.LAB]
        owned = any(t.own and m.start() <= t.start < start for t in statement.things)
        if len(bounds) != 1 or not owned or _PAST.search(blank, statement.start, start) is not None:
            continue
        words = " ".join(blank[start:end].split())
        state = State(uncoded(EntityType.CONDITION, words), start, end, (Restriction(bounds[0].interval, start + bounds[0].start, start + bounds[0].end),))
        yield state_draft(reading, block, statement, state, Action.STOP, Strength.SHOULD)


def _limits(blank: str, start: int, end: int, bounds: Sequence[Bound]) -> tuple[Restriction, ...]:
    """The values, all or any of them as the clause joins them, and the clause in its words where it says more."""
    words = blank[start:end]
    either = len(bounds) > 1 and re.search(r"\bor\b", words[bounds[0].end : bounds[-1].start]) is not None
    read = [Restriction(b.interval, start + b.start, start + b.end) for b in bounds]
    if either:
        read = [Restriction(AnyOf(tuple(r.guard for r in read)), read[0].start, read[-1].end)]
    for bound in reversed(bounds):
        words = words[: bound.start] + " " + words[bound.end :]
    for bound in bounds:
        for name in re.findall(r"\w+", bound.interval.detail or ""):
            words = re.sub(rf"\b{re.escape(name.removesuffix('s'))}s?\b", " ", words, count=1, flags=re.IGNORECASE)
    if _PLAIN.fullmatch(words.strip(" .,")) is None:
        read.append(Restriction(Opaque(" ".join(blank[start:end].split())), start, end))
    return tuple(read)
