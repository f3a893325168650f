"""Counts of facts needed, found, said and right, and the figures made of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

DRAWS = 1_000
_SEED = 7
_LOW, _HIGH = 0.025, 0.975


@dataclass(frozen=True, slots=True)
class Tally:
    """`found` of the `required` facts were said; `right` of the `said` facts stand in gold."""

    required: int = 0
    found: int = 0
    said: int = 0
    right: int = 0

    def __add__(self, other: Tally) -> Tally:
        """The sum of both, member by member."""
        return Tally(self.required + other.required, self.found + other.found, self.said + other.said, self.right + other.right)

    @property
    def precision(self) -> float:
        """The share of what was said that is right; 0 where nothing was said."""
        return self.right / self.said if self.said else 0.0

    @property
    def recall(self) -> float:
        """The share of what is required that was said; 0 where nothing is required."""
        return self.found / self.required if self.required else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True, slots=True)
class Macro:
    """The mean of a figure over labels, and the interval in which 95 % of the means of resampled labels lie."""

    mean: float
    low: float
    high: float


def macro(values: Sequence[float]) -> Macro:
    """The mean with its bootstrap interval; the same values give the same interval."""
    if not values:
        return Macro(0.0, 0.0, 0.0)
    draw = random.Random(_SEED)  # noqa: S311
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(DRAWS))
    return Macro(sum(values) / len(values), means[int(_LOW * DRAWS)], means[int(_HIGH * DRAWS) - 1])
