"""The orders of a prescription as medications: what each is, what it reaches in the graph, and which are taken side by side.

A stopped, replaced or prohibited order is taken with nothing; a recent one counts only where a label speaks of a wash-out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from msgspec import Struct

from cds_service.audit.clinical import order_uses, words
from cds_service.audit.knowledge import VIEWS, DossierView, Knowledge, Terms, entities_named, once_a_view
from cds_service.audit.outcomes import DrugRef
from cds_service.audit.select import LabelChoice, select_label
from cds_service.intake.prescription import Order, OrderIntent, OrderRole, Prescription
from ontology.model.entities import EntityType
from ontology.model.identifiers import EntityId
from ontology.store.records import ClosureRow
from ontology.terms.identity import DrugIdentity

MOST_NAMED = 3
"""Ingredients that a card names; a product of more is called by the order's own text."""


class Reach(Struct, frozen=True):
    """How an order reaches an entity: by being it (`row` None), or by a row of an ingredient's closure."""

    ingredient: EntityId
    row: ClosureRow | None


class Medication(Struct, frozen=True):
    """An identified order with what the release knows of it.

    `views` are the dossiers whose rules speak for it: its own, or its ingredients' when a combination has no label of its own
    (`borrowed`). `herbs` are the dossiers of the herbs it holds: what hand-kept rows say of them stands beside its label. `use` names an
    order that is no treatment (flush, diluent) and why; `named` is the drug as results name it.
    """

    order: Order
    drug: DrugIdentity
    systemic: bool
    route: str | None
    views: tuple[DossierView, ...]
    choices: tuple[LabelChoice, ...]
    borrowed: bool
    herbs: tuple[DossierView, ...]
    closure: Mapping[EntityId, Reach]
    crosses: Mapping[EntityId, Reach]
    ingredients: frozenset[EntityId]
    words: str
    use: tuple[str, str] | None
    named: DrugRef

    @property
    def reference(self) -> str:
        """The order's reference."""
        return self.order.reference

    @property
    def called(self) -> str:
        """What people call it: its name, or the order's own text where it holds more ingredients than a sentence can."""
        return self.order.text if len(self.drug.ingredients) > MOST_NAMED and self.order.text else self.drug.name

    @property
    def injected_otherwise(self) -> tuple[str, ...]:
        """The routes of its label, where those are other ways of injecting than the order's."""
        return next((c.injected for c in self.choices if c.injected), ())

    @property
    def as_needed(self) -> bool:
        """True when every instruction is as needed, or the order is given once."""
        return self.order.intent is OrderIntent.ONE_TIME or (bool(self.order.instructions) and all(i.as_needed for i in self.order.instructions))

    def says(self, words: tuple[str, ...]) -> bool:
        """True when the order's text or instructions contain one of the words."""
        for word in words:  # noqa: SIM110 - asked of every pair of orders, and twice as fast as a generator
            if word in self.words:
                return True
        return False


@dataclass(frozen=True, slots=True)
class Roster:
    """The medications by role. `drafts` are being signed, `current` are taken beside them, `recent` were stopped.

    `beside` are, by the reference of a draft, the orders that it is paired with: every pair of orders stands once.
    """

    drafts: tuple[Medication, ...]
    current: tuple[Medication, ...]
    recent: tuple[Medication, ...]
    unidentified: tuple[Order, ...]
    set_aside: tuple[tuple[Order, str], ...]
    by_reference: Mapping[str, Medication]
    beside: Mapping[str, tuple[Medication, ...]]

    @property
    def taken(self) -> tuple[Medication, ...]:
        """Everything that is or will be taken side by side."""
        return (*self.drafts, *self.current)


def call_roster(prescription: Prescription, knowledge: Knowledge) -> Roster:
    """The roster of a prescription."""
    aside = dict(_set_aside(prescription))
    groups: dict[OrderRole, list[Medication]] = {role: [] for role in OrderRole}
    unidentified: list[Order] = []
    for order in prescription.orders:
        if order.reference in aside or order.role is OrderRole.IGNORED:
            continue
        if not isinstance(order.drug, DrugIdentity):
            if order.role is not OrderRole.RECENT:
                unidentified.append(order)
            continue
        groups[order.role].append(describe(order, order.drug, knowledge))
    listed = (*groups[OrderRole.DRAFT], *groups[OrderRole.CURRENT], *groups[OrderRole.RECENT])
    return Roster(
        tuple(groups[OrderRole.DRAFT]),
        tuple(groups[OrderRole.CURRENT]),
        tuple(groups[OrderRole.RECENT]),
        tuple(unidentified),
        tuple((o, aside[o.reference]) for o in prescription.orders if o.reference in aside),
        {m.reference: m for m in listed},
        _beside(groups[OrderRole.DRAFT], (*groups[OrderRole.CURRENT], *groups[OrderRole.RECENT])),
    )


def _beside(drafts: list[Medication], others: tuple[Medication, ...]) -> dict[str, tuple[Medication, ...]]:
    """What each draft is paired with: the other drafts but those that were paired with it from their own side, then all that is no draft."""
    listed: dict[str, tuple[Medication, ...]] = {}
    for place, draft in enumerate(drafts):
        before = (d for d in drafts[:place] if not d.order.selected and d.reference != draft.reference)
        after = (d for d in drafts[place + 1 :] if d.reference != draft.reference)
        listed.setdefault(draft.reference, (*before, *after, *others))
    return listed


def describe(order: Order, drug: DrugIdentity, knowledge: Knowledge) -> Medication:
    """An order as a medication."""
    parts = [(i.id, VIEWS.view(knowledge, i.id)) for i in drug.ingredients]
    own = next((v for i, v in parts if i == drug.subject), None) if len(parts) == 1 else VIEWS.view(knowledge, drug.subject)
    choice = select_label(order, drug, own.dossier.labels) if own is not None else LabelChoice(None, "no label of these ingredients is in the release")
    borrowed = len(parts) > 1 and (own is None or choice.label is None)
    herbs = tuple(v for i, v in parts if v is not None and i.type == EntityType.HERB and v is not own)
    views = tuple(v for i, v in parts if v is not None and i.type != EntityType.HERB) if borrowed else ((own,) if own is not None else ())
    choices = tuple(select_label(order, drug, v.dossier.labels) for v in views) if borrowed else ((choice,) if own is not None else ())
    closure, crosses = _reached(own) if own is not None and len(parts) == 1 else _reached_by(drug.subject, parts, own, knowledge)
    route, form = order.route or drug.route, order.form or drug.form
    said = " ".join((order.text, *(i.text or "" for i in order.instructions))).casefold()
    use = _use_of(said)
    systemic = knowledge.terminology.systemic(route, form) is not False or _acts_from_nose(route, drug, knowledge.terminology)
    ids = frozenset(i for i, _ in parts)
    return Medication(order, drug, systemic, route, views, choices, borrowed, herbs, closure, crosses, ids, said, use, _ref(order, drug))


def _acts_from_nose(route: str | None, drug: DrugIdentity, terms: Terms) -> bool:
    """True for a drug that is given through the nose to act on the whole body."""
    return route == "nasal" and any(i.id in entities_named(terms, words("through_the_nose"), (EntityType.INGREDIENT,)) for i in drug.ingredients)


@once_a_view
def _reached(view: DossierView) -> tuple[dict[EntityId, Reach], dict[EntityId, Reach]]:
    """What a drug of one ingredient is and belongs to, and what it cross-reacts with."""
    subject = view.dossier.subject
    closure = {subject: Reach(subject, None)}
    for target, row in view.reach.items():
        closure.setdefault(target, Reach(subject, row))
    return closure, {target: Reach(subject, row) for target, row in view.crosses.items()}


def _reached_by(
    subject: EntityId, parts: Iterable[tuple[EntityId, DossierView | None]], own: DossierView | None, knowledge: Knowledge
) -> tuple[dict[EntityId, Reach], dict[EntityId, Reach]]:
    """The same of a combination, or of a drug that the release knows nothing of: by the first of its ingredients that reaches a target."""
    closure = {subject: Reach(subject, None)}
    crosses: dict[EntityId, Reach] = {}
    for ingredient, view in parts:
        closure.setdefault(ingredient, Reach(ingredient, None))
        if view is None:
            for above in knowledge.terminology.ancestors(ingredient):
                closure.setdefault(above, Reach(ingredient, None))
            continue
        for target, row in view.reach.items():
            closure.setdefault(target, Reach(ingredient, row))
        for target, row in view.crosses.items():
            crosses.setdefault(target, Reach(ingredient, row))
    if own is not None:
        for target, row in own.reach.items():
            closure.setdefault(target, Reach(subject, row))
    return closure, crosses


def _ref(order: Order, drug: DrugIdentity) -> DrugRef:
    """The drug of the order in results; a product of many ingredients is shown by the order's own text."""
    name = " / ".join(i.name for i in drug.ingredients) or drug.name
    rxcui = drug.ingredients[0].rxcui if len(drug.ingredients) == 1 else None
    shown = (order.text or drug.name) if len(drug.ingredients) > MOST_NAMED else None
    return DrugRef(name, rxcui, (order.reference,), shown)


def _use_of(words: str) -> tuple[str, str] | None:
    """The use that the words of an order tell, with what it is called; None for an ordinary one."""
    for name, wanted, why in order_uses().uses:
        for word in wanted:
            if word in words:
                return name, why
    return None


def _set_aside(prescription: Prescription) -> list[tuple[str, str]]:
    """The orders that are not taken although they are listed: reference and why."""
    aside: list[tuple[str, str]] = []
    for order in prescription.orders:
        if order.intent is OrderIntent.PROHIBITION:
            aside.append((order.reference, "says that the drug must not be given"))
        elif order.intent is OrderIntent.STOP:
            aside.append((order.reference, "stops the drug"))
            aside.extend((o.reference, f"is stopped by {order.reference}") for o in _stopped_by(order, prescription))
        elif order.role is OrderRole.DRAFT and order.prior is not None:
            aside.extend((o.reference, f"is replaced by {order.reference}") for o in prescription.orders if o.reference == order.prior)
    return aside


def _stopped_by(stop: Order, prescription: Prescription) -> list[Order]:
    """What a stop order stops: the order it names, else current orders of the same drug."""
    if stop.prior is not None:
        return [o for o in prescription.orders if o.reference == stop.prior]
    if not isinstance(stop.drug, DrugIdentity):
        return []
    return [o for o in prescription.orders_in(OrderRole.CURRENT) if isinstance(o.drug, DrugIdentity) and o.drug.subject == stop.drug.subject]
