"""What an order gives: single and daily amounts in a unit of mass or activity, as far as the order says."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from cds_service.intake.prescription import DoseInstruction, Order
from ontology.model.quantities import Quantity, Unit
from ontology.terms.identity import DrugIdentity

_COUNTED = frozenset({"tablet", "capsule", "puff", "patch", "pill", "suppository", "dose", "drop"})
_STRENGTH = re.compile(r"(?<![\d.,])(\d+(?:,\d{3})*(?:\.\d+)?)\s*(mcg|ug|µg|μg|mg|g|units?|unt)\b(?!\s*/)", re.IGNORECASE)


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


def single_dose(order: Order) -> Quantity | None:
    """The largest single dose over the order's instructions, or None when one of them does not say it."""
    doses = [_amount(order, i) for i in order.instructions]
    known = [d for d in doses if d is not None]
    return max(known, key=lambda q: q.value * q.unit.factor) if known and len(known) == len(doses) and _alike(known) else None


def daily_dose(order: Order) -> Quantity | None:
    """The largest amount a day over the order's instructions, or None when one of them does not say it."""
    totals: list[Quantity] = []
    for instruction in order.instructions:
        amount, times = _amount(order, instruction), instruction.times_per_day_high or instruction.times_per_day_low
        if instruction.max_per_day is not None and instruction.max_per_day.unit.dimension in ("mass", "activity"):
            totals.append(instruction.max_per_day)
        elif amount is not None and times is not None:
            totals.append(Quantity(amount.value * times, amount.unit))
        else:
            return None
    return max(totals, key=lambda q: q.value * q.unit.factor) if totals and _alike(totals) else None


def _amount(order: Order, instruction: DoseInstruction) -> Quantity | None:
    dose = instruction.dose_high or instruction.dose_low
    if dose is None or dose.unit.dimension not in _COUNTED:
        return dose
    strength = strength_of(order)
    return Quantity(dose.value * strength.value, strength.unit) if strength else None


def _alike(amounts: list[Quantity]) -> bool:
    return len({q.unit.dimension for q in amounts}) == 1
