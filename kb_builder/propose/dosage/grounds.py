"""Whom a reduction is for, where its own sentence names nobody: the state that the sentences before it say something of.

"Cirrhosis may raise exposure. The effect may be stronger in these patients. The dosage should be reduced to 30 mg."
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.standing import Passage
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.entities import EntityType
from ontology.model.guards import AnyOf, Guard, HasCondition, Opaque

_REDUCED = re.compile(
    r"\W*(?:(?:therefore|thus|hence|accordingly|consequently),?\s+)?(?:(?:the|a|its)\s+)?(?:(?:initial|starting|daily|usual|maintenance)\s+)?(?:dos(?:e|age)s?\s+(?:should|must)\s+(?:\w+\s+)?be\s+(?:reduced|decreased|lowered|halved)\b|(?:reduce|decrease|lower|halve)\s)",
    re.IGNORECASE,
)
_RESUMED = re.compile(
    r"\b(?:may|can|should|must)\s+(?:then\s+)?be\s+(?P<words>(?:resumed|restarted|re-?initiated|reintroduced)\b)(?=[^.;]{0,40}\d)", re.IGNORECASE
)
"""A dose for those whose treatment was interrupted, on grounds that an earlier sentence tells."""
_AFFECTED = re.compile(
    r"(?P<whom>[^.;:()]{4,120}?),?\s+(?:may|can|could|will|have|has|are|is|might|show|result|lead)\b(?=[^.;]{0,120}\b(?:increas\w*|decreas\w*|reduc\w*|prolong\w*|higher|elevated|accumul\w*|bioavailability|clearance|exposures?|half-life|plasma|sensitiv\w*|pronounced|impair\w*)\b)",
    re.IGNORECASE,
)
_OF_THE_DRUG = re.compile(r"\W*(?:the|a|an|this|these|there|it|no|some|most|such)\b", re.IGNORECASE)
_OPENS = re.compile(r"\W*(?:patients?\s+(?:with|who have)\s+)?", re.IGNORECASE)
LOOKED_BACK = 2
"""So many sentences before a reduction are looked at."""


def grounds(blank: str, passage: Passage, before: Sequence[Passage]) -> tuple[Restriction, ...]:
    """The restriction that the sentences before set for a bare reduction; none where they name nobody, or this is no reduction."""
    if _REDUCED.match(blank, passage.start, passage.end) is None:
        return ()
    for earlier in reversed(before[-LOOKED_BACK:]):
        told = _AFFECTED.match(blank, earlier.start, earlier.end)
        if told is None or _OF_THE_DRUG.match(told["whom"]) or any(t.own for t in earlier.statement.things if t.start < told.end("whom")):
            continue
        states = [t for t in earlier.statement.things if t.kind is Kind.STATE and t.type == EntityType.CONDITION and t.end <= told.end("whom")]
        if states:
            return (_restriction(blank, told.start("whom"), told.end("whom"), states),)
    return ()


def resumption(blank: str, passage: Passage) -> tuple[Restriction, ...]:
    """The interruption of a treatment that a dose resumes, in the words of its sentence; none for other doses."""
    again = _RESUMED.search(blank, passage.start, passage.end)
    return () if again is None else (Restriction(Opaque(" ".join(again["words"].split())), *again.span("words")),)


def _restriction(blank: str, start: int, end: int, states: Sequence[Thing]) -> Restriction:
    """The state where its name is all that is said; else any of the states named, or the words."""
    opened = _OPENS.match(blank, start, end)
    start = start if opened is None else opened.end()
    named: list[Guard] = [HasCondition(t.targets[0].id, blank[t.start : t.end].lower()) for t in states]
    entities = tuple(target.entity for t in states for target in t.targets[:1] if target.entity is not None)
    if len(states) == 1 and (states[0].start, states[0].end) == (start, end):
        return Restriction(named[0], start, end, entities)
    return Restriction(AnyOf((*named, Opaque(" ".join(blank[start:end].split())))), start, end, entities)
