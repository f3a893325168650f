"""Patients of whom a sentence speaks although they are not the population of its passage."""

from __future__ import annotations

import re

OF_OTHERS = re.compile(
    r"\bpatients (?:with|who have)(?: an?| the)? (?!(?:mild|moderate|severe|significant|marked|such|these|this|any|impaired|reduced|decreased|varying|normal|end)\b|cl?cr|creatinine|e?gfr|child|total bilirubin)"
)
"""Patients of a state that is no degree of an organ's: under a heading that has run out they are others than its population."""
