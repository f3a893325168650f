"""Dose phrases: amounts with their timing, duration, route and phase, put together from the pieces of one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from ontology.model.dosing import Amount, Frequency, Measure, PhaseKind


@dataclass(frozen=True, slots=True)
class DosePhrase:
    """One dose or ceiling at `[start, end)` of the folded text.

    `bound` set is a ceiling on that measure, else it is a dose of a regimen. A ceiling on DURATION has no amounts but `days_high`, one on
    MINIMUM_INTERVAL no amounts but `frequency.every_hours_low`, one on RATE no amounts but `rate`. `amounts` are alternatives. With `increment` they
    are steps added to the dose before (a taper's are negative), not doses. `route` is an openFDA route in lower case.
    """

    start: int
    end: int
    amounts: tuple[Amount, ...]
    frequency: Frequency | None = None
    days_low: Decimal | None = None
    days_high: Decimal | None = None
    until: str | None = None
    rate: Amount | None = None
    concentration: Amount | None = None
    route: str | None = None
    phase: PhaseKind | None = None
    bound: Measure | None = None
    increment: bool = False


def read_doses(text: str, start: int = 0, end: int | None = None) -> list[DosePhrase]:
    """The dose phrases of folded text in order of their starts. Never raises."""
    return []
