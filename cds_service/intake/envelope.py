"""The envelope of a request: hook, patient, orders, selections and where prefetch data stand, in every shape that clients send."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cds_service.errors import MembersMissing, WrongHook
from cds_service.intake.fhir.reading import bare_id
from cds_service.intake.fhir.values import instant, items, mapping, text

REFERENCE_TIME = "org.pharmgraph.reference-time"
USER_ROLE = "org.pharmgraph.user-role"
ORDER_MEMBERS = ("draftOrders", "medications")
PLAIN_MEMBERS = frozenset({"userId", "patientId", "encounterId", "selections", "prefetch", "services", *ORDER_MEMBERS})


@dataclass(frozen=True, slots=True)
class Envelope:
    """What a request says outside its FHIR resources. `orders` and `prefetch` are (where, value) pairs, unread."""

    hook: str
    patient: str | None
    orders: tuple[tuple[str, Any], ...]
    selections: frozenset[str]
    prefetch: tuple[tuple[str, str, Any], ...]
    time: datetime | None
    encounter: str | None = None
    user: str | None = None
    role: str | None = None  # the user's role where the request says it in an extension


def open_envelope(body: Mapping[str, Any]) -> Envelope:
    """The envelope of any JSON object; what is missing or of the wrong type is None or empty."""
    context = body.get("context")
    inner = mapping(context)
    orders = [(f"context.{m}", inner[m]) for m in ORDER_MEMBERS if isinstance(inner.get(m), dict | list)]
    if isinstance(context, list):
        orders.append(("context", context))
    selections = frozenset(s for v in items(inner.get("selections")) if (s := text(v)))
    return Envelope(
        hook=text(body.get("hook")) or "",
        patient=_patient_id(inner.get("patientId")) or _patient_id(body.get("patient")),
        orders=tuple(orders),
        selections=selections,
        prefetch=tuple(_prefetch(body, inner)),
        time=instant(mapping(body.get("extension")).get(REFERENCE_TIME)),
        encounter=text(inner.get("encounterId")),
        user=text(inner.get("userId")),
        role=text(mapping(body.get("extension")).get(USER_ROLE)),
    )


def require_members(body: Mapping[str, Any], accepted: tuple[str, ...], *, needs_time: bool = False) -> None:
    """Nothing, when the request has what CDS Hooks requires and its hook is one of the accepted.

    Raises MembersMissing naming every member that is absent or of the wrong type, or WrongHook. `medication-prescribe` is order-sign of
    earlier versions and is read as such; the other members it may lack are not asked of it.
    """
    hook = body.get("hook")
    if isinstance(hook, str) and hook.strip() and hook.strip() not in accepted:
        raise WrongHook(
            f"this service answers {' and '.join(accepted)}, the request's hook is {hook.strip()[:60]!r}: call the service that discovery lists for it",
            ("hook",),
        )
    missing = [m for m in ("hook", "hookInstance") if text(body.get(m)) is None]
    context = body.get("context")
    if not isinstance(context, dict | list) or not context:
        missing.append("context")
    else:
        envelope = open_envelope(body)
        if envelope.patient is None:
            missing.append("context.patientId")
        if not envelope.orders:
            missing.append("context.draftOrders")
    if needs_time and REFERENCE_TIME in mapping(body.get("extension")) and instant(mapping(body["extension"])[REFERENCE_TIME]) is None:
        missing.append(f"extension.{REFERENCE_TIME}")
    if missing:
        named = ", ".join(missing)
        raise MembersMissing(
            f"missing or of the wrong type: {named} (hook and hookInstance are strings, context an object with patientId and draftOrders)", tuple(missing)
        )


def _prefetch(body: Mapping[str, Any], context: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    """Every prefetch member as (where, key, value): at the top level, inside the context, and beside it under its own key."""
    found = [(f"prefetch.{k}", k, v) for k, v in mapping(body.get("prefetch")).items()]
    found += [(f"context.prefetch.{k}", k, v) for k, v in mapping(context.get("prefetch")).items()]
    return found + [(f"context.{k}", k, v) for k, v in context.items() if k not in PLAIN_MEMBERS and isinstance(v, dict)]


def _patient_id(value: object) -> str | None:
    said = text(value)
    return bare_id(said) or None if said else None
