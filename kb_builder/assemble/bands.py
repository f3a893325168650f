"""Bands: the numeric part of a guard, and whether one patient can stand in two of them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from ontology.model.guards import AllOf, Guard, Interval
from ontology.model.quantities import Unit


@dataclass(frozen=True, slots=True)
class Band:
    """The bounds that a guard puts on one axis, in the reference unit of their dimension, open or closed as printed."""

    axis: str
    dimension: str
    low: Decimal | None
    high: Decimal | None
    low_open: bool
    high_open: bool

    def meets(self, other: Band) -> bool:
        """True when some value lies in both."""
        return _reaches(self, other) and _reaches(other, self)


def split_bands(guard: Guard | None) -> tuple[tuple[Band, ...], Guard | None]:
    """The bands that must hold, sorted, and the guard without them. Intervals under an "or" or a "not" are no bands and stay."""
    parts = () if guard is None else guard.parts if isinstance(guard, AllOf) else (guard,)
    bands = sorted((_band(p) for p in parts if isinstance(p, Interval)), key=repr)
    rest = tuple(p for p in parts if not isinstance(p, Interval))
    return tuple(bands), None if not rest else rest[0] if len(rest) == 1 else AllOf(rest)


def overlap(first: tuple[Band, ...], second: tuple[Band, ...]) -> bool:
    """True when the bands are on the same axes and one patient can stand in all of both."""
    if [(b.axis, b.dimension) for b in first] != [(b.axis, b.dimension) for b in second]:
        return False
    return all(a.meets(b) for a, b in zip(first, second, strict=True))


def _band(leaf: Interval) -> Band:
    unit = Unit.of(leaf.unit)
    axis = f"{leaf.axis.value}:{leaf.detail}" if leaf.detail else leaf.axis.value
    low = None if leaf.low is None else leaf.low * unit.factor
    high = None if leaf.high is None else leaf.high * unit.factor
    return Band(axis, unit.dimension, low, high, leaf.low_open, leaf.high_open)


def _reaches(lower: Band, upper: Band) -> bool:
    """True when the first band does not end before the second begins."""
    if lower.high is None or upper.low is None:
        return True
    return lower.high > upper.low or (lower.high == upper.low and not lower.high_open and not upper.low_open)
