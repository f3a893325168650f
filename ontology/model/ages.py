"""Ages as labels tell them: in completed years and months."""

from __future__ import annotations

from decimal import Decimal

from ontology.model.facts import Axis

COMPLETED = frozenset({"a", "mo"})
"""The units of age that people count when they are completed; weeks and days of life are measured."""

_ONE = Decimal(1)


def upper_end(axis: Axis, high: Decimal | None, unit: str, *, high_open: bool) -> tuple[Decimal | None, bool]:
    """Where an interval ends and whether that end is outside it.

    "1 to 12 years" and "12 years of age or younger" take in everybody who is twelve: they end at the thirteenth birthday. "Younger than 12 years"
    ends at the twelfth, and every other axis as printed.
    """
    if axis is Axis.AGE and unit in COMPLETED and high is not None and not high_open and high == high.to_integral_value():
        return high + _ONE, True
    return high, high_open
