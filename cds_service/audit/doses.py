"""What an order gives: single and daily amounts in a unit of mass or activity, as far as the order says."""

from __future__ import annotations

from cds_service.audit.ordered import COUNTED
from cds_service.audit.strengths import strength_of
from cds_service.intake.prescription import DoseInstruction, Order
from ontology.model.quantities import Quantity

__all__ = ["daily_dose", "single_dose", "strength_of"]


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
    if dose is None or dose.unit.dimension not in COUNTED:
        return dose
    strength = strength_of(order)
    return Quantity(dose.value * strength.value, strength.unit) if strength else None


def _alike(amounts: list[Quantity]) -> bool:
    return len({q.unit.dimension for q in amounts}) == 1
