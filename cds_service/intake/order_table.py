"""The order table: where an order stands relative to the signature and what it does, from status, intent, category and links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal

from cds_service.intake.fhir.concepts import code_words, words_of
from cds_service.intake.fhir.timing import duration_days
from cds_service.intake.fhir.values import Resource, boolean, day, first_day, items, mapping, objects, text
from cds_service.intake.prescription import DoseInstruction, OrderIntent, OrderRole
from cds_service.intake.tables import table

SAME_TABLE = {"MedicationOrder": "MedicationRequest", "MedicationPrescription": "MedicationRequest", "MedicationUsage": "MedicationStatement"}
"""Names of the resources in earlier and later FHIR versions."""


def role_of(resource: Resource, *, draft: bool, today: date) -> OrderRole:
    """Where the order stands. Anything unlisted counts as of unknown status, which is the careful side: it is audited or audited against."""
    kind = str(resource.get("resourceType"))
    rows = table("orders").get(SAME_TABLE.get(kind, kind), {})
    row = rows.get("draft", rows["record"]) if draft else rows["record"]
    word = row.get(text(resource.get("status")) or "unknown", row["unknown"])
    if not draft and text(resource.get("intent")) in table("orders")["record_ignored_intents"]["intents"]:
        return OrderRole.IGNORED
    if word == "dated":
        return OrderRole.CURRENT if _lasts(resource, today) else OrderRole.RECENT
    if word == "current" and _not_taken(resource):
        return OrderRole.IGNORED
    if word == "current" and kind in ("MedicationStatement", "MedicationUsage") and _ended(resource, today):
        return OrderRole.RECENT
    return OrderRole(word)


def intent_of(resource: Resource, *, draft: bool, once: bool, instructions: Sequence[DoseInstruction] = ()) -> OrderIntent:
    """What the order does, the strongest statement first; whether a prior prescription is renewed or replaced is settled with both at hand."""
    if boolean(resource.get("doNotPerform")):
        return OrderIntent.PROHIBITION
    if draft and text(resource.get("status")) in table("orders")["stop_statuses"]["statuses"]:
        return OrderIntent.STOP
    by_intent = table("orders")["intents"].get(text(resource.get("intent")) or "")
    if by_intent:
        return OrderIntent(by_intent)
    if resource.get("priorPrescription"):
        return OrderIntent.RENEWAL
    if _instead(instructions):
        return OrderIntent.ALTERNATIVE
    if _by_protocol(resource) or any(i.schedule in table("orders")["categories"]["schedules"] for i in instructions):
        return OrderIntent.PROTOCOL
    return OrderIntent.ONE_TIME if once else OrderIntent.NEW


def _instead(instructions: Sequence[DoseInstruction]) -> bool:
    """The words of a dosage say that it is given only where another order cannot be."""
    words = table("orders")["alternative"]["words"]
    return any(w in (i.text or "").lower() for i in instructions for w in words)


def _by_protocol(resource: Resource) -> bool:
    if any(items(resource.get(m)) for m in ("instantiatesCanonical", "instantiatesUri", "instantiates")):
        return True
    listed = set(table("orders")["categories"]["protocol"])
    said = {w.lower().replace(" ", "-") for c in items(resource.get("category")) for w in (*code_words(c), words_of(c) or "")}
    return bool(listed & said)


def _not_taken(resource: Resource) -> bool:
    """The patient says the drug is not taken: R5 adherence, STU3 `taken`, DSTU2 `wasNotTaken` and `wasNotGiven`."""
    listed = table("orders")["adherence"]["not_taking"]
    said = (*code_words(mapping(resource.get("adherence")).get("code")), *code_words(resource.get("taken")))
    return any(w in listed for w in said) or bool(boolean(resource.get("wasNotTaken"))) or bool(boolean(resource.get("wasNotGiven")))


def ended_on(resource: Resource, today: date) -> date | None:
    """The day a stopped drug was last taken, as far as the record says: the end of its use, the day it was stopped, else the end of its dosage or supply.

    An end that lies ahead was planned, and says nothing of a drug that was stopped before.
    """
    use = [day(mapping(resource.get(member)).get("end")) for member in ("effectivePeriod", "occurencePeriod")]
    stopped = [day(resource.get("dateEnded"))]
    if text(resource.get("status")) in table("orders")["stop_statuses"]["statuses"]:
        stopped.append(day(resource.get("statusChanged")))
    planned = max((end for end in _planned_ends(resource) if end is not None), default=None)
    return next((end for end in (*use, *stopped, planned) if end is not None and end <= today), None)


def _planned_ends(resource: Resource) -> Iterator[date | None]:
    for dosage in (d for member in ("dosageInstruction", "dosage") for d in objects(resource.get(member))):
        repeat = mapping(mapping(dosage.get("timing")).get("repeat"))
        for member in ("boundsPeriod", "bounds"):
            yield day(mapping(repeat.get(member)).get("end"))
    yield day(mapping(mapping(resource.get("dispenseRequest")).get("validityPeriod")).get("end"))


def _ended(resource: Resource, today: date) -> bool:
    end = day(mapping(resource.get("effectivePeriod")).get("end"))
    return end is not None and end < today


def _lasts(resource: Resource, today: date) -> bool:
    """Whether an administration is recent or a dispensed supply is not used up; without a date it counts as lasting."""
    rows = table("orders")["dated"]
    if resource.get("resourceType") == "MedicationAdministration":
        given = first_day(
            {**resource, "end": mapping(resource.get("effectivePeriod")).get("end")},
            "end",
            "effectiveDateTime",
            "effectivePeriod",
            "occurenceDateTime",
            "occurencePeriod",
            "effectiveTimeDateTime",
        )
        length = Decimal(rows["administration_days"])
    else:
        given = first_day(resource, "whenHandedOver", "whenPrepared")
        length = duration_days(resource.get("daysSupply")) or Decimal(rows["dispense_days"])
    return given is None or given + timedelta(days=float(min(length, Decimal(36500)))) >= today
