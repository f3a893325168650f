"""Medication orders and evidence of medication use to orders: requests, statements, administrations, dispenses of any FHIR version."""

from __future__ import annotations

from msgspec import Struct

from cds_service.intake.fhir.concepts import words_of
from cds_service.intake.fhir.condition import read_reasons
from cds_service.intake.fhir.dosage import Dosage, read_dosages, read_words
from cds_service.intake.fhir.medication import read_drug
from cds_service.intake.fhir.reading import Reading, address_of, relative, unknown_modifiers
from cds_service.intake.fhir.values import Resource, first_day, items, mapping, objects, text
from cds_service.intake.order_table import ended_on, intent_of, role_of
from cds_service.intake.prescription import ConditionFact, Order, OrderRole, Source
from ontology.terms.identity import DrugIdentity

DATES = (
    "authoredOn",
    "dateWritten",
    "effectiveDateTime",
    "effectivePeriod",
    "occurenceDateTime",
    "occurencePeriod",
    "effectiveTimeDateTime",
    "whenHandedOver",
    "whenPrepared",
    "dateAsserted",
)
ORDERED_BY = ("authorizingPrescription", "request", "prescription", "basedOn", "derivedFrom")


class OrderRead(Struct, frozen=True):
    """An order, the reasons it states, and the orders that it only documents (a dispense of a prescription that is listed too)."""

    order: Order
    reasons: tuple[ConditionFact, ...]
    documents: frozenset[str]


def read_order(resource: Resource, reading: Reading, reference: str, *, draft: bool, selected: bool) -> OrderRead:
    """The order a medication resource stands for, under the reference it goes by in the answer."""
    dosages = _dosages(resource)
    drug = read_drug(resource, reading)
    role = role_of(resource, draft=draft, today=reading.today)
    instructions = tuple(d.instruction for d in dosages)
    once = len(dosages) == 1 and dosages[0].once
    day = first_day(resource, *DATES)
    order = Order(
        reference=reference,
        role=role,
        intent=intent_of(resource, draft=draft, once=once, instructions=instructions),
        drug=drug.identity,
        text=drug.text,
        route=_route(dosages, reading) or _identity_route(drug.identity),
        form=drug.form,
        instructions=instructions,
        status=text(resource.get("status")),
        source=Source(reference, day, "medications"),
        prior=_prior(resource),
        group=_group(resource),
        selected=selected,
        unknown_modifiers=unknown_modifiers(resource, *_dosage_elements(resource)),
        resource=resource,
        ended=ended_on(resource, reading.today) if role is OrderRole.RECENT else None,
    )
    reasons = read_reasons(resource, reading, reference, day, ended=role is OrderRole.RECENT) if role is not OrderRole.IGNORED else ()
    return OrderRead(order, reasons, _documented(resource))


def _dosage_elements(resource: Resource) -> list[Resource]:
    return [d for m in ("dosageInstruction", "dosage") for d in objects(resource.get(m))]


def _dosages(resource: Resource) -> tuple[Dosage, ...]:
    """The dosages; where there are none, R5's rendered instruction or a bare text."""
    found = tuple(d for m in ("dosageInstruction", "dosage") for d in read_dosages(resource.get(m)))
    rendered = text(resource.get("renderedDosageInstruction"))
    return found if found or rendered is None else read_words(rendered)


def _route(dosages: tuple[Dosage, ...], reading: Reading) -> str | None:
    """The route all dosages agree on, or None where they say none or differ; a route without a canonical name stays as written."""
    said = {reading.names.route(d.route) or d.route.lower() for d in dosages if d.route}
    return said.pop() if len(said) == 1 else None


def _identity_route(identity: object) -> str | None:
    return identity.route if isinstance(identity, DrugIdentity) else None


def _prior(resource: Resource) -> str | None:
    address = address_of(next(iter(items(resource.get("priorPrescription"))), None))
    return relative(address) if address else None


def _group(resource: Resource) -> str | None:
    group = mapping(resource.get("groupIdentifier"))
    return text(group.get("value")) or words_of(group.get("type"))


def _documented(resource: Resource) -> frozenset[str]:
    if resource.get("resourceType") in ("MedicationRequest", "MedicationOrder", "MedicationPrescription"):
        return frozenset()
    return frozenset(relative(a) for m in ORDERED_BY for r in items(resource.get(m)) if (a := address_of(r)))
