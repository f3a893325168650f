"""What each instruction of an order gives of one ingredient: the single and daily amounts, how often, and what is missing to know them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from cds_service.audit.strengths import Content, content_of
from cds_service.intake.prescription import DoseInstruction, Order
from ontology.model.identifiers import EntityId
from ontology.model.quantities import Quantity

MEASURED = frozenset({"mass", "activity", "equivalents", "substance", "radioactivity"})
"""Dimensions in which an amount of an ingredient is stated."""

COUNTED = frozenset({"tablet", "capsule", "puff", "patch", "pill", "suppository", "dose", "drop", "spray", "vial", "packet", "lozenge", "bag", "application"})
"""Dimensions of products that are counted."""

DOSE, FREQUENCY, IDENTITY = "dose", "frequency", "drug-identity"
UNDOSED = frozenset({"as-directed", "per-protocol", "sliding-scale", "titrated", "pharmacy-to-dose"})


@dataclass(frozen=True, slots=True)
class OrderedDose:
    """The amounts of one ingredient by one instruction; `single_*`, `daily_*` and `ceiling` are per kg or m2 when `per` is set.

    `missing` says what the order lacks: `dose`, `frequency`, or `drug-identity` (a count of tablets or millilitres whose strength is not known).
    """

    instruction: DoseInstruction
    single_low: Quantity | None = None
    single_high: Quantity | None = None
    per: str | None = None
    times_low: Decimal | None = None
    times_high: Decimal | None = None
    daily_low: Quantity | None = None
    daily_high: Quantity | None = None
    ceiling: Quantity | None = None
    missing: frozenset[str] = frozenset()


def ordered_doses(medication_order: Order, ingredient: EntityId) -> tuple[OrderedDose, ...]:
    """What the order gives of the ingredient, one entry an instruction, in their order."""
    content = content_of(medication_order, ingredient)
    return tuple(_ordered(i, content) for i in medication_order.instructions)


def _ordered(instruction: DoseInstruction, content: Content) -> OrderedDose:
    low, high = content.amount(instruction.dose_low), content.amount(instruction.dose_high or instruction.dose_low)
    times_low, times_high = instruction.times_per_day_low, instruction.times_per_day_high
    missing = set()
    if instruction.dose_low is None and instruction.dose_high is None:
        missing.add(DOSE)
    elif high is None:
        missing.add(IDENTITY)
    if times_high is None and instruction.count is None:
        missing.add(FREQUENCY)
    return OrderedDose(
        instruction,
        low,
        high,
        instruction.dose_per,
        times_low,
        times_high,
        _times(low, instruction.times_low, instruction.period_days),
        _times(high, instruction.times_high, instruction.period_days),
        content.amount(instruction.max_per_day),
        frozenset(missing),
    )


def _times(amount: Quantity | None, times: Decimal | None, days: Decimal) -> Quantity | None:
    return None if amount is None or times is None else Quantity(amount.value * times / days, amount.unit)
