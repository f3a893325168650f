"""Body sizes for doses by kilogram or square metre: recorded, computed, or the span of what is plausible at the patient's age."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from cds_service.audit.clinical import table
from cds_service.audit.pest.bands import Size
from ontology.model.dosing import AmountBasis
from ontology.model.facts import Axis, Facts, Known
from ontology.model.quantities import Quantity, Unit

_KG, _M2, _YEARS = Unit.of("kg"), Unit.of("m2"), Unit.of("a")
_AXES = {"ideal": Axis.WEIGHT_IDEAL, "adjusted": Axis.WEIGHT_ADJUSTED, "lean": Axis.WEIGHT_LEAN}


@dataclass(frozen=True)
class BodySizes:
    """The sizes of one patient; callable with the basis and the weight that the label names."""

    facts: Facts

    def __call__(self, basis: AmountBasis, weight: str | None) -> Size | None:
        """The size, or its plausible span with what is missing."""
        if basis is AmountBasis.PER_M2:
            return self._surface()
        if basis is not AmountBasis.PER_KG:
            return None
        axis = _AXES.get(weight or "")
        if axis is not None and isinstance(found := self.facts.value(axis, None, _KG), Known):
            return _exact(found)
        return self._weight()

    def _weight(self) -> Size | None:
        found = self.facts.value(Axis.WEIGHT, None, _KG)
        if isinstance(found, Known):
            return _exact(found)
        low, high = self._span("weight_kg")
        return Size(low, high, found.needs or frozenset({"weight"}))

    def _surface(self) -> Size | None:
        found = self.facts.value(Axis.BSA, None, _M2)
        if isinstance(found, Known):
            return _exact(found)
        weight = self._weight()
        if weight is None:
            return None
        # Mosteller: m2 = sqrt(kg x cm / 3600); the height that a plausible body mass index leaves for the weight.
        thin, heavy = (Decimal(x) for x in table("doses")["plausible"]["bmi"])
        tall, short = (100 * (weight.high / thin).sqrt(), 100 * (weight.low / heavy).sqrt())
        tallest = Decimal(table("doses")["plausible"]["tallest_cm"])
        return Size((weight.low * short / 3600).sqrt(), (weight.high * min(tall, tallest) / 3600).sqrt(), found.needs or frozenset({"height"}))

    def _span(self, what: str) -> tuple[Decimal, Decimal]:
        age = self.facts.value(Axis.AGE, None, _YEARS)
        years = age.value.value if isinstance(age, Known) and isinstance(age.value, Quantity) else None
        rows = _plausible(what)
        own = next(((low, high) for below, low, high in rows if years is not None and years < below), None)
        return own or (min(low for _, low, _ in rows), max(high for _, _, high in rows))


def multiplier(sizes: BodySizes, per: str) -> Decimal | None:
    """What an order per kg or m2 is multiplied with; None when the size is not known."""
    size = sizes(AmountBasis.PER_KG if per == "kg" else AmountBasis.PER_M2, None)
    return size.low if size is not None and not size.needs else None


def _exact(found: Known) -> Size | None:
    return Size(found.value.value, found.value.value) if isinstance(found.value, Quantity) else None


@cache
def _plausible(what: str) -> tuple[tuple[Decimal, Decimal, Decimal], ...]:
    """Rows of (below this age in years, lowest, highest)."""
    return tuple((Decimal(str(r["below_years"])), Decimal(str(r[what][0])), Decimal(str(r[what][1]))) for r in table("doses")["plausible"]["ages"])
