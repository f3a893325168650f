"""All orders of a request: those being signed, those of the record, each counted once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from msgspec import structs

from cds_service.intake.fhir.medication_order import OrderRead, read_order
from cds_service.intake.fhir.reading import Reading, bare_id, reference_to, relative
from cds_service.intake.fhir.values import Resource, text
from cds_service.intake.prefetch import KIND_OF_TYPE, Received
from cds_service.intake.prescription import ConditionFact, Order, OrderIntent, OrderRole
from ontology.terms.identity import DrugIdentity

SUBJECTS = ("subject", "patient")

Guarded = Callable[[Received, str, Callable[[Resource], OrderRead | None], str | None], OrderRead | None]
"""Runs one reading: (resource, kind, reader, order) -> what was read, or None after the failure was recorded."""


@dataclass(frozen=True, slots=True)
class OrdersRead:
    """The orders and the reasons they state."""

    orders: tuple[Order, ...]
    reasons: tuple[ConditionFact, ...]


def is_medication(received: Received) -> bool:
    """Whether the resource is an order or evidence of use of a medication."""
    return KIND_OF_TYPE.get(str(received.resource.get("resourceType"))) == "medications"


def named_drafts(drafts: Iterable[Received]) -> list[tuple[str, Received]]:
    """The medication orders being signed with a reference each: their own, else their entry's, else their place; equal copies count once."""
    named: dict[str, Received] = {}
    for received in drafts:
        if not is_medication(received):
            continue
        reference = reference_to(received.resource) or _from_url(received.full_url) or f"{received.resource['resourceType']}/unnamed-{len(named) + 1}"
        if reference in named and named[reference].resource == received.resource:
            continue
        unique, n = reference, 2
        while unique in named:
            unique, n = f"{reference}~{n}", n + 1
        named[unique] = received
    return list(named.items())


def read_orders(drafts: list[tuple[str, Received]], record: list[Received], selections: frozenset[str], reading: Reading, guarded: Guarded) -> OrdersRead:
    """The orders in received order, those being signed first. A record entry that is also being signed, stands twice, or only documents an order of the record is left out."""
    read: dict[str, OrderRead] = {}
    chosen = {relative(s) for s in selections} | {bare_id(s) for s in selections}
    focused = any(_is_selected(reference, chosen) for reference, _ in drafts)
    for reference, received in drafts:
        selected = not focused or _is_selected(reference, chosen)
        found = guarded(received, "medications", partial(read_order, reading=reading, reference=reference, draft=True, selected=selected), reference)
        if found is not None:
            read[reference] = found
    signing = {reference for reference, _ in drafts}
    for i, received in enumerate(record):
        reference = reference_to(received.resource) or _from_url(received.full_url) or f"{received.resource['resourceType']}/record-{i + 1}"
        if reference in signing or reference in read:
            continue
        found = guarded(received, "medications", partial(read_order, reading=reading, reference=reference, draft=False, selected=True), reference)
        if found is not None:
            read[reference] = found
    listed = {r for r, o in read.items() if o.order.role is not OrderRole.IGNORED}
    kept = [o for r, o in read.items() if not (o.documents & listed - {r})]
    orders = {o.order.reference: o.order for o in kept}
    return OrdersRead(tuple(_with_prior(o, orders) for o in orders.values()), tuple(c for o in kept for c in o.reasons))


def _is_selected(reference: str, chosen: set[str]) -> bool:
    return reference in chosen or bare_id(reference) in chosen


def _from_url(full_url: str | None) -> str | None:
    url = text(full_url)
    if url is None:
        return None
    return url if url.startswith("urn:") else relative(url)


def _with_prior(order: Order, orders: dict[str, Order]) -> Order:
    """A renewal of a prior prescription of another drug is a replacement."""
    prior = orders.get(order.prior) if order.prior and order.intent is OrderIntent.RENEWAL else None
    if prior is None or not isinstance(prior.drug, DrugIdentity) or not isinstance(order.drug, DrugIdentity):
        return order
    return order if prior.drug.subject == order.drug.subject else structs.replace(order, intent=OrderIntent.REPLACEMENT)
