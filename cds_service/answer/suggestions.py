"""Suggestions: a change of the orders being signed, offered only where one answer is clear."""

from __future__ import annotations

from typing import Any

from cds_service.answer.markdown import clip, plain
from cds_service.answer.problems import Problem
from cds_service.answer.severity import Indicator
from cds_service.audit.outcomes import Category
from cds_service.intake.prescription import Order, OrderRole, Prescription
from ontology.model.advice import Action

_FORBIDDEN = frozenset({Action.CONTRAINDICATED, Action.STOP, Action.AVOID, Action.NOT_RECOMMENDED})
_LABEL_LIMIT = 80


def removable_order(problem: Problem, prescription: Prescription) -> Order | None:
    """The one draft order whose removal ends the problem: clear when exactly one draft is implicated and the label forbids or advises against it."""
    if problem.indicator is Indicator.INFO or problem.lead.action not in _FORBIDDEN:
        return None
    implicated = {r for f in problem.findings for r in (f.orders or f.drug.orders)}
    drafts = [o for o in prescription.orders_in(OrderRole.DRAFT) if o.reference in implicated]
    certain = problem.lead.category is Category.DUPLICATE or problem.indicator is Indicator.CRITICAL or problem.lead.category is Category.ALLERGY
    return drafts[0] if len(drafts) == 1 and certain and _addressable(drafts[0]) else None


def cancellation(order: Order, uuid: str) -> dict[str, Any]:
    """The suggestion that removes a draft order."""
    name = plain(order.text) or order.reference
    return {
        "label": clip(f"Remove the order of {name}", _LABEL_LIMIT),
        "uuid": uuid,
        "actions": [{"type": "delete", "description": clip(f"Remove the order of {name} from the orders being signed", 200), "resourceId": order.reference}],
    }


def _addressable(order: Order) -> bool:
    """True when the order came with an id that the client can find it by."""
    return order.resource is not None and bool(order.resource.get("id"))
