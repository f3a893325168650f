"""What an order gives as a whole: the largest single and daily amounts of one ingredient, as far as the order says."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from cds_service.audit.ordered import OrderedDose, ordered_doses
from cds_service.audit.strengths import strength_of
from cds_service.intake.prescription import Order
from ontology.model.identifiers import EntityId
from ontology.model.quantities import Quantity
from ontology.terms.identity import DrugIdentity

__all__ = ["daily_dose", "single_dose", "strength_of"]


def single_dose(order: Order, ingredient: EntityId | None = None) -> Quantity | None:
    """The largest single dose over the order's instructions, or None when one of them does not say it, or says it per kg or m2."""
    return _largest(d.single_high if d.per is None else None for d in _doses(order, ingredient))


def daily_dose(order: Order, ingredient: EntityId | None = None) -> Quantity | None:
    """The largest amount a day, or None when an instruction does not say it.

    Instructions side by side are summed, those of several routes as needed are alternatives, of phases the largest counts.
    """
    phases: dict[int | None, list[OrderedDose]] = {}
    for dose in _doses(order, ingredient):
        phases.setdefault(dose.instruction.sequence, []).append(dose)
    return _largest(_of_phase(doses) for doses in phases.values())


def _of_phase(doses: list[OrderedDose]) -> Quantity | None:
    routes: dict[str | None, list[Quantity | None]] = {}
    needed = all(d.instruction.as_needed for d in doses)
    for dose in doses:
        routes.setdefault(dose.instruction.route if needed else None, []).append(dose.daily_high if dose.per is None else None)
    return _largest(_sum(amounts) for amounts in routes.values())


def _doses(order: Order, ingredient: EntityId | None) -> tuple[OrderedDose, ...]:
    """The doses of the ingredient; without one, of the order's only one."""
    if ingredient is not None:
        return ordered_doses(order, ingredient)
    drug = order.drug
    return ordered_doses(order, drug.ingredients[0].id) if isinstance(drug, DrugIdentity) and len(drug.ingredients) == 1 else ()


def _largest(amounts: Iterable[Quantity | None]) -> Quantity | None:
    said = list(amounts)
    known = [a for a in said if a is not None]
    if not known or len(known) != len(said) or len({a.unit.dimension for a in known}) != 1:
        return None
    return max(known, key=lambda a: a.value * a.unit.factor)


def _sum(amounts: Iterable[Quantity | None]) -> Quantity | None:
    said = list(amounts)
    known = [a for a in said if a is not None]
    if not known or len(known) != len(said) or len({a.unit.dimension for a in known}) != 1:
        return None
    return Quantity(sum((a.to(known[0].unit).value for a in known), Decimal(0)), known[0].unit)
