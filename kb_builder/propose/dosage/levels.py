"""Words beside a dose that are no condition of the patient: when it is given, what value it is to reach, whose dose it is held against."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.runs import Place
from ontology.model.facts import Axis
from ontology.model.guards import Exposure, HasCondition, Interval, Opaque
from ontology.text.doses import DosePhrase

_LOWER_END = re.compile(r"\bwith (?:the |a )?(?:lower|lowest|higher|smaller)\s+(?:initial |starting )?(?:doses?|dosages?)\b[^.;]*$", re.IGNORECASE)
_ADULTS_DOSE = re.compile(
    r"\b(?:up to|exceed\w*|above|than|equal to|same as|of)\s+(?:the|a|an)?\s*(?:[\w-]+\s+){0,2}adults?'?\s+(?:[\w-]+\s+){0,2}dos(?:e|age)s?\b", re.IGNORECASE
)
_WHOM = re.compile(r"\b(?:patients|adults|children|those|women|men)\s+(?:with|who|whose|on)\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
_AROUND = re.compile(r"\b(?:before|after|prior to|following|during|each|every)\s", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till)\b", re.IGNORECASE)
_GOAL = re.compile(r"\b(?:until|to (?:achieve|maintain|obtain|keep))\b[^.;]*$", re.IGNORECASE)


def is_of_a_dose(blank: str, start: int, end: int, restriction: Restriction, phrases: Sequence[DosePhrase]) -> bool:
    """True for a restriction of the sentence from `start` that tells of the dose, or of its goal, and not of whom it is for."""
    return (
        _is_the_dose(restriction, phrases)
        or _is_timing(blank, restriction, phrases)
        or _is_goal(blank, start, restriction)
        or _is_of_adults(blank, start, end, restriction)
    )


def adults_doses(blank: str, start: int, end: int) -> list[Place]:
    """The places of a sentence that hold another dose against that of adults: "15 mg/kg a day, up to the adult dose"."""
    return [m.span() for m in _ADULTS_DOSE.finditer(blank, start, end)]


def _is_the_dose(restriction: Restriction, phrases: Sequence[DosePhrase]) -> bool:
    """True for a drug at a dose whose amount is one that the sentence orders ("only the 5-mg dose of X is recommended")."""
    guard = restriction.guard
    if not isinstance(guard, Exposure) or guard.dose is None:
        return False
    return any(p.bound is None and restriction.start <= p.start < restriction.end for p in phrases)


def _is_timing(blank: str, restriction: Restriction, phrases: Sequence[DosePhrase]) -> bool:
    """True for words within a dose that say no more than when it is given, or that no reader understands."""
    phrase = next((p for p in phrases if p.start <= restriction.start and restriction.end <= p.end), None)
    if phrase is None:
        return False
    if _UNTIL.search(blank, phrase.start, restriction.start):
        return True
    if isinstance(restriction.guard, Opaque):
        return _WHOM.search(blank, max(0, restriction.start - 40), restriction.start) is None
    timed = isinstance(restriction.guard, HasCondition) and _AROUND.search(blank, max(0, restriction.start - 24), restriction.start + 12) is not None
    return timed or (isinstance(restriction.guard, Interval) and restriction.guard.axis is Axis.LAB)


def _is_goal(blank: str, start: int, restriction: Restriction) -> bool:
    """True for a value that treatment is to reach ("until the hematocrit is below 45 %"), and for whom the lower end of a range is meant."""
    leaf = restriction.guard
    if _LOWER_END.search(blank[start : restriction.start]) is not None:
        return True
    return isinstance(leaf, Interval) and leaf.axis is Axis.LAB and _GOAL.search(blank[start : restriction.start]) is not None


def _is_of_adults(blank: str, start: int, end: int, restriction: Restriction) -> bool:
    """True for the adults of a dose that another one is held against."""
    return any(s < restriction.end and restriction.start < e for s, e in adults_doses(blank, start, end))
