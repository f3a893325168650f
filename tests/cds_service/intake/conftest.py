"""Building blocks of requests, and the shipped terminology."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest

from cds_service.intake import read_request
from cds_service.intake.fhir.reading import Reading, ResourceIndex
from cds_service.intake.prescription import Prescription
from ontology.terms.terminology import Terminology

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="session")
def terminology() -> Terminology:
    return Terminology.shipped()


@pytest.fixture
def reading(terminology: Terminology) -> Reading:
    return Reading(terminology, ResourceIndex(), "p1", date(2026, 11, 1))


@pytest.fixture
def read(terminology: Terminology) -> Callable[..., Prescription]:
    def run(body: dict[str, Any], *, use_request_time: bool = False) -> Prescription:
        return read_request(body, terminology, received=NOW, use_request_time=use_request_time)

    return run


@pytest.fixture
def order() -> Callable[..., dict[str, Any]]:
    def make(identifier: str | None = "o1", name: str = "Warfarin Sodium 5 MG Oral Tablet", **members: Any) -> dict[str, Any]:
        body = {
            "resourceType": "MedicationRequest",
            "id": identifier,
            "status": "draft",
            "intent": "order",
            "medicationCodeableConcept": {"text": name},
            "subject": {"reference": "Patient/p1"},
            **members,
        }
        return {k: v for k, v in body.items() if v is not None}

    return make


@pytest.fixture
def request_body() -> Callable[..., dict[str, Any]]:
    def make(*orders: dict[str, Any], hook: str = "order-sign", prefetch: dict[str, Any] | None = None, **context: Any) -> dict[str, Any]:
        return {
            "hook": hook,
            "hookInstance": "6f6cf8a5-4c5a-4f3e-8a20-111111111111",
            "context": {
                "userId": "Practitioner/u1",
                "patientId": "p1",
                "draftOrders": {"resourceType": "Bundle", "entry": [{"resource": o} for o in orders]},
                **context,
            },
            "prefetch": {"patient": {"resourceType": "Patient", "id": "p1", "birthDate": "1950-01-01", "gender": "female"}} if prefetch is None else prefetch,
        }

    return make


def searchset(*resources: Any, **members: Any) -> dict[str, Any]:
    return {"resourceType": "Bundle", "type": "searchset", "entry": [{"resource": r} for r in resources], **members}
