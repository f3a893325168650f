"""Patients whom a label names by less of what it has just bounded: "creatinine clearance below 30: not recommended. For lesser degrees of impairment ..."."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb_builder.propose.conditions.restrictions import Restriction
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, Category, Guard, Interval, Opaque
from ontology.text.bounds import find_bounds

_LESSER = re.compile(
    r"(?:(?:with|in)\s+)?(?:(?:patients|those)\s+with\s+)?(?:lesser\s+degrees?|less\s+severe|milder|lower\s+degrees?)(?:\s+(?:of\s+)?(?:renal|kidney))?(?:\s+(?:of\s+)?(?:impairment|insufficiency|disease|failure|dysfunction))?",
    re.IGNORECASE,
)
_RENAL = re.compile(r"\b(?:renal|kidney|creatinine)", re.IGNORECASE)
_CLEARANCE = frozenset({Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR})
_LOOKED_BACK = 400  # code points
_LESS_IMPAIRED = Category(Axis.RENAL, ("mild", "moderate"))


def lesser_impairment(blank: str, floor: int, start: int, restrictions: Sequence[Restriction]) -> list[Restriction]:
    """The restrictions of a sentence from `start`; words on less impairment as the clearance above the last bound told before it.

    `floor` is where the part begins; the words stay where it has bounded no clearance from above.
    """
    return [replace(one, guard=_above(blank, max(floor, start - _LOOKED_BACK), start) or one.guard) if _says_less(one) else one for one in restrictions]


def _says_less(one: Restriction) -> bool:
    """True for such words, alone or beside the organ that they are of."""
    parts = one.guard.parts if isinstance(one.guard, AllOf) else (one.guard,)
    said = [p for p in parts if isinstance(p, Opaque)]
    organs = all(isinstance(p, Category) and p.axis is Axis.RENAL for p in parts if not isinstance(p, Opaque))
    return len(said) == 1 and organs and _LESSER.fullmatch(" ".join(said[0].text.split())) is not None


def _above(blank: str, floor: int, start: int) -> Guard | None:
    told = [b.interval for b in find_bounds(blank[floor:start]) if b.interval.axis in _CLEARANCE]
    last = told[-1] if told else None
    if last is None or last.high is None or last.low is not None or _RENAL.search(blank, floor, start) is None:
        return None
    return AllOf((_LESS_IMPAIRED, Interval(last.axis, last.high, None, last.unit, low_open=not last.high_open)))
