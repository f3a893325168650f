"""Facts as ranges of numbers: the lowest and the highest that one leaves possible."""

from __future__ import annotations

from decimal import Decimal

from cds_service.intake.prescription import Source
from ontology.model.facts import Known, Range, Unknown
from ontology.model.quantities import Quantity, Unit


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
