"""Patients of whom a sentence speaks although they are not the population of its passage."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.populations.guards import ORGANS, is_of_children

_EVERY_AGE = re.compile(r"\badults?(?: patients)? and (?:adolescents?|p(?:a)?ediatric|children)\b|\bp(?:a)?ediatric(?: patients)? and adults?\b")
OF_OTHERS = re.compile(
    r"\bpatients (?:with|who have)(?: an?| the)? (?!(?:mild|moderate|severe|significant|marked|such|these|this|any|impaired|reduced|decreased|varying|normal|end)\b|cl?cr|creatinine|e?gfr|child|total bilirubin)"
)
"""Patients of a state that is no degree of an organ's: under a heading that has run out they are others than its population."""


def is_of_another(axis: str, axes: Sequence[str], words: str, limits: Sequence[Restriction]) -> bool:
    """True for an organ of children, which is the children's matter, and for children among patients of every age with an impaired organ."""
    if axis in ORGANS:
        return "pediatric" in axes and any(is_of_children(r) for r in limits)
    return axis == "pediatric" and _EVERY_AGE.search(words) is not None and bool({*ORGANS, "genotype"} & set(axes))
