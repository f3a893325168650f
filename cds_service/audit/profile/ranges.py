"""Facts as ranges of numbers: the lowest and the highest that one leaves possible."""

from __future__ import annotations

from decimal import Decimal

from cds_service.intake.prescription import Source
from ontology.model.facts import Known, Range, Unknown
from ontology.model.quantities import Quantity, Unit

TENTH = Decimal("0.1")
"""To what computed measures of organs are rounded."""


def span(low: Decimal, high: Decimal, unit: Unit, shown: str, source: Source, *, high_open: bool = False) -> Range:
    """The range between two numbers, from a source."""
    return Range(Quantity(low, unit), Quantity(high, unit), high_open=high_open, shown=shown, observed=source.date, reference=source.reference or None)


def least(fact: Known | Unknown) -> Decimal | None:
    """The lowest number that a fact leaves possible."""
    bound = fact.value if isinstance(fact, Known) else fact.within.low if fact.within else None
    return bound.value if isinstance(bound, Quantity) else None


def most(fact: Known | Unknown) -> Decimal | None:
    """The highest number that a fact leaves possible."""
    bound = fact.value if isinstance(fact, Known) else fact.within.high if fact.within else None
    return bound.value if isinstance(bound, Quantity) else None


def share_of(fact: Known | Unknown, shares: tuple[Decimal, Decimal], unit: Unit, called: str) -> Known | Range | None:
    """A measure that lies between two shares of another one: a number, approximated, where both are one, else the range; None where nothing is known."""
    low, high = least(fact), most(fact)
    if low is None and high is None:
        return None
    if isinstance(fact, Known) and shares[0] == shares[1] and low is not None:
        return Known(Quantity((low * shares[0]).quantize(TENTH), unit), fact.observed, fact.reference, approximated=True)
    within = fact.within if isinstance(fact, Unknown) else None
    shown = within.shown if within else f"{called} {low.normalize():f}" if low is not None else called
    reference = within.reference if within else fact.reference
    observed = within.observed if within else fact.observed if isinstance(fact, Known) else None
    ends = (Quantity(low * shares[0], unit) if low is not None else None, Quantity(high * shares[1], unit) if high is not None else None)
    return Range(*ends, shown=shown, observed=observed, reference=reference)
