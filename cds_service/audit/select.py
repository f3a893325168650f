"""Which label judges an order, and which claims of a rule speak for it.

One label judges: the newest that lists the very product code, else the newest with the same ingredients, route and form, else with the same
ingredients and route. A label whose routes exclude the order's route never judges it, but for injections: what a label says of the drug under the
skin holds for it in a vein too, all but its doses.
"""

from __future__ import annotations

from datetime import date

from msgspec import Struct

from cds_service.intake.prescription import Order
from ontology.model.claims import ClaimStatus
from ontology.store.records import ClaimRecord, LabelSet, Rule
from ontology.terms.identity import DrugIdentity

INJECTED = frozenset({"intravenous", "intramuscular", "subcutaneous"})
"""Routes by which a drug is injected into the body as a whole."""


class LabelChoice(Struct, frozen=True):
    """The label chosen and why, in words for the trace. `label` is None when no label covers the order.

    `injected` are the routes of a label that is for other ways of injecting than the order's: its doses do not judge the order.
    """

    label: LabelSet | None
    why: str
    considered: int = 0
    injected: tuple[str, ...] = ()


def select_label(order: Order, drug: DrugIdentity, labels: tuple[LabelSet, ...]) -> LabelChoice:
    """The label that judges an order."""
    if not labels:
        return LabelChoice(None, "no label of these ingredients is in the release")
    route, form = order.route or drug.route, order.form or drug.form
    listed = [label for label in labels if label.document in drug.documents and _fits(label.routes, route)]
    if listed:
        return LabelChoice(_newest(listed), "lists the product code", len(labels))
    routed = [label for label in labels if _fits(label.routes, route)]
    near = [label for label in labels if not INJECTED.isdisjoint(label.routes)] if not routed and route in INJECTED else []
    if near:
        label = _newest(near)
        return LabelChoice(label, f"same ingredients, injected by another route ({', '.join(label.routes)})", len(labels), label.routes)
    if not routed:
        there = ", ".join(sorted({r for label in labels for r in label.routes}))
        return LabelChoice(None, f"labels of these ingredients are for {there}, the order is for {route}", len(labels))
    formed = [label for label in routed if form and label.forms and form in label.forms]
    if formed:
        return LabelChoice(_newest(formed), f"same ingredients, route and form ({form})", len(labels))
    if route:
        return LabelChoice(_newest(routed), f"same ingredients and route ({route})", len(labels))
    return LabelChoice(_newest(routed), "same ingredients; the order names no route", len(labels))


def speaking_claims(rule: Rule, choice: LabelChoice, route: str | None, *, other_labels: bool) -> tuple[ClaimRecord, ...]:
    """The claims of a rule that speak for an order, the chosen label's first.

    With `other_labels`, claims of other labels of the same ingredients count too where their routes do not exclude the order's. A
    statement on which labels differ counts from any label: the stricter applies and both are shown.
    """
    chosen = choice.label.document if choice.label else None
    if len(rule.claims) == 1 and rule.claims[0].document == chosen:
        return rule.claims
    own = [c for c in rule.claims if c.document == chosen]
    fitting = [c for c in rule.claims if c.document != chosen and _fits(c.routes, route)]
    if not other_labels and chosen is not None:
        fitting = [c for c in fitting if c.status is ClaimStatus.CONFLICTED and (c.reason or "").startswith("labels differ")]
    return (*own, *fitting)


def _fits(offered: tuple[str, ...], wanted: str | None) -> bool:
    return not offered or wanted is None or wanted in offered


def _newest(labels: list[LabelSet]) -> LabelSet:
    return max(labels, key=lambda label: (label.effective or date.min, label.version, label.document))
