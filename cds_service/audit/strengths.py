"""What one tablet, millilitre or puff of an order's product holds of an ingredient."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from cds_service.intake.prescription import Order
from ontology.model.identifiers import EntityId
from ontology.model.quantities import Quantity, Unit
from ontology.terms.identity import DrugIdentity

_STRENGTH = re.compile(r"(?<![\d.,])(\d+(?:,\d{3})*(?:\.\d+)?)\s*(mcg|ug|µg|μg|mg|g|units?|unt)\b(?!\s*/)", re.IGNORECASE)
_MEASURED = frozenset({"mass", "activity", "equivalents", "substance", "radioactivity"})


@dataclass(frozen=True, slots=True)
class Content:
    """The amount of the ingredient in one counted unit and in one millilitre, None where the order does not say it."""

    each: Quantity | None = None
    per_ml: Quantity | None = None

    def amount(self, dose: Quantity | None) -> Quantity | None:
        """The amount of the ingredient in a dose, None where it cannot be known."""
        if dose is None or dose.unit.dimension in _MEASURED:
            return dose
        if dose.unit.dimension == "volume":
            return Quantity(dose.value * dose.unit.factor * self.per_ml.value, self.per_ml.unit) if self.per_ml else None
        return Quantity(dose.value * self.each.value, self.each.unit) if self.each else None


def content_of(order: Order, ingredient: EntityId) -> Content:
    """What the order's product holds of the ingredient."""
    return Content(strength_of(order))


def strength_of(order: Order) -> Quantity | None:
    """The strength of one unit of a single-ingredient order, read from the identity or the order's text; None when it names none or several."""
    if not isinstance(order.drug, DrugIdentity) or len(order.drug.ingredients) != 1:
        return None
    for text in (order.drug.strength, order.text):
        found = {(m[1].replace(",", ""), m[2].casefold()) for m in _STRENGTH.finditer(text or "")}
        if len(found) == 1:
            number, unit = found.pop()
            known = Unit.find("units" if unit == "unt" else unit)
            try:
                return Quantity(Decimal(number), known) if known else None
            except InvalidOperation:
                return None
    return None
