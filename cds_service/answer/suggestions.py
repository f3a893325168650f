"""Suggestions: a change of the orders being signed, offered only where one answer is clear."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cds_service.answer.corrected_orders import corrected_order, often_words, quantity_words, sig
from cds_service.answer.markdown import clip, plain
from cds_service.answer.problems import Problem
from cds_service.answer.severity import Indicator
from cds_service.audit.outcomes import Category
from cds_service.intake.prescription import DoseInstruction, Order, OrderRole, Prescription
from ontology.model.advice import Action

_FORBIDDEN = frozenset({Action.CONTRAINDICATED, Action.STOP, Action.AVOID, Action.NOT_RECOMMENDED})
_LABEL_LIMIT = 80
_DESCRIPTION_LIMIT = 300


def suggestion_of(problem: Problem, problems: Sequence[Problem], prescription: Prescription, uuid: str) -> dict[str, Any] | None:
    """The suggestion on the card of a problem: the order with the one dose that the label allows, or the removal of the order; None without one answer."""
    removable = removable_order(problem, prescription)
    if removable is not None:
        return cancellation(removable, uuid)
    dose = next((f.corrected for f in problem.findings if f.corrected is not None), None)
    order = _only_draft(problem, prescription)
    if problem.indicator is Indicator.INFO or dose is None or order is None or any(_forbids(p, order) for p in problems):
        return None
    return correction(order, dose, uuid)


def removable_order(problem: Problem, prescription: Prescription) -> Order | None:
    """The one draft order whose removal ends the problem: clear when exactly one draft is implicated and the label forbids it or it is a duplicate."""
    if problem.indicator is Indicator.INFO or problem.lead.action not in _FORBIDDEN:
        return None
    forbidden = problem.indicator is Indicator.CRITICAL or (problem.lead.category is Category.ALLERGY and problem.lead.action is Action.CONTRAINDICATED)
    return _only_draft(problem, prescription) if forbidden or problem.lead.category is Category.DUPLICATE else None


def cancellation(order: Order, uuid: str) -> dict[str, Any]:
    """The suggestion that removes a draft order."""
    name = plain(order.text) or order.reference
    return {
        "label": clip(f"Remove the order of {name}", _LABEL_LIMIT),
        "uuid": uuid,
        "actions": [{"type": "delete", "description": clip(f"Remove the order of {name} from the orders being signed", 200), "resourceId": order.reference}],
    }


def correction(order: Order, dose: DoseInstruction, uuid: str) -> dict[str, Any] | None:
    """The suggestion that puts the whole corrected order in place of a draft, or None where the resource cannot be written again for certain."""
    resource = corrected_order(order, dose)
    if resource is None or dose.dose_high is None:
        return None
    name = plain(order.text) or order.reference
    before = sig(order.instructions[0], None)
    return {
        "label": clip(f"Change to {quantity_words(dose.dose_high)} {often_words(dose)}", _LABEL_LIMIT),
        "uuid": uuid,
        "actions": [
            {
                "type": "update",
                "description": clip(f"{name}: {sig(dose, None)} instead of {before}; check the directions before signing", _DESCRIPTION_LIMIT),
                "resource": resource,
            }
        ],
    }


def _only_draft(problem: Problem, prescription: Prescription) -> Order | None:
    """The draft that is implicated alone, where the client can find it and nothing unknown modifies it."""
    implicated = {r for f in problem.findings for r in (f.orders or f.drug.orders)}
    drafts = [o for o in prescription.orders_in(OrderRole.DRAFT) if o.reference in implicated]
    return drafts[0] if len(drafts) == 1 and _addressable(drafts[0]) and not drafts[0].unknown_modifiers else None


def _forbids(problem: Problem, order: Order) -> bool:
    """True when a problem speaks against having the order at all: then its dose is not the question."""
    implicated = {r for f in problem.findings for r in (f.orders or f.drug.orders)}
    return problem.indicator is not Indicator.INFO and order.reference in implicated and problem.lead.action in _FORBIDDEN


def _addressable(order: Order) -> bool:
    """True when the order came with an id that the client can find it by."""
    return order.resource is not None and bool(order.resource.get("id"))
