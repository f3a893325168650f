"""The messages of the demo page: the order-sign request, the feedback on a card, and what a suggestion does to the drafts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from cds_service.web.demo_patients import DemoPatient
from cds_service.web.exact_json import encode

SIGNER = "Practitioner/demo"


def order_sign(patient: DemoPatient, drafts: Sequence[Mapping[str, Any]], instance: str) -> bytes:
    """The request an EHR sends when these drafts are signed."""
    bundle = {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": draft} for draft in drafts]}
    context = {"userId": SIGNER, "patientId": patient_id(patient), "draftOrders": bundle}
    prefetch = {"patient": patient.patient, **patient.prefetch}
    return encode({"hook": "order-sign", "hookInstance": instance, "context": context, "prefetch": prefetch})


def patient_id(patient: DemoPatient) -> str:
    """The id of the patient's resource."""
    return str(patient.patient.get("id") or patient.id)


def apply_actions(drafts: Sequence[Mapping[str, Any]], suggestion: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """The drafts after a suggestion's actions: deletes first, then creates, then updates, as the specification orders them."""
    actions = [a for a in suggestion.get("actions", ()) if isinstance(a, dict)]
    gone = {str(a["resourceId"]).rsplit("/", 1)[-1] for a in actions if a.get("type") == "delete" and a.get("resourceId")}
    made = [a["resource"] for a in actions if a.get("type") == "create" and isinstance(a.get("resource"), dict)]
    changed = {a["resource"].get("id"): a["resource"] for a in actions if a.get("type") == "update" and isinstance(a.get("resource"), dict)}
    kept = [changed.get(d.get("id"), d) for d in drafts if d.get("id") not in gone]
    return (*kept, *made)


def accepted(card: str, suggestion: str) -> bytes:
    """Feedback: the suggestion of the card was taken."""
    return _feedback({"card": card, "outcome": "accepted", "acceptedSuggestions": [{"id": suggestion}]})


def overridden(card: str, reason: Mapping[str, Any] | None) -> bytes:
    """Feedback: the card was overridden, with the reason chosen, if one was."""
    return _feedback({"card": card, "outcome": "overridden", **({"overrideReason": {"reason": dict(reason)}} if reason else {})})


def _feedback(entry: dict[str, Any]) -> bytes:
    stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return encode({"feedback": [{**entry, "outcomeTimestamp": stamp}]})
