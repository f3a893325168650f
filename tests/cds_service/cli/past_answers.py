"""A state folder with answers that a service gave."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cds_service.settings import Settings
from cds_service.wire.app import create_app

NAME = "Quillfeather"
"""A patient's name that stands wherever the record lets a person write."""


def sample(repository: Path) -> dict[str, Any]:
    """The sample request with the patient's name in every free text of the record."""
    body: dict[str, Any] = json.loads((repository / "fixtures/requests/sample-order-sign.json").read_text("utf-8"))
    prefetch = body["prefetch"]
    prefetch["patient"]["name"] = [{"family": NAME}]
    prefetch["patient"]["identifier"] = [{"value": f"MRN-{NAME}"}]
    prefetch["conditions"] = {
        "resourceType": "Bundle",
        "entry": [{"resource": {"resourceType": "Condition", "id": "c1", "code": {"text": f"Peptic ulcer disease of {NAME}"}, "subject": {"reference": f"Patient/{body['context']['patientId']}"}}}],
    }  # fmt: skip
    for order in body["context"]["draftOrders"]["entry"]:
        order["resource"]["note"] = [{"text": f"as discussed with {NAME}"}]
        order["resource"]["medicationCodeableConcept"]["text"] += f" for {NAME}"
    return body


def answered(starter: Path, state: Path, *bodies: dict[str, Any], policy: Path | None = None, override: str | None = None) -> list[dict[str, Any]]:
    """The answers that a service with this state gives, in the order of the requests; the first card on the topic `override` of each is overridden."""
    app = create_app(Settings(release=starter, state=state, policy=policy, recheck=False))
    client, answers = app.test_client(), []
    for body in bodies:
        service = f"/cds-services/pharmgraph-{body['hook']}"
        answers.append(client.post(service, json=body).get_json())
        told = next((c["uuid"] for c in answers[-1]["cards"] if c["source"]["topic"]["code"] == override), None)
        if told is not None:
            item = {
                "card": told,
                "outcome": "overridden",
                "overrideReason": {"reason": {"system": "urn:pharmgraph:override-reason", "code": "will-monitor"}, "userComment": f"told {NAME}"},
                "outcomeTimestamp": "2026-11-30T10:00:00Z",
            }
            assert client.post(f"{service}/feedback", json={"feedback": [item]}).status_code == 200
    app.extensions["pharmgraph"].close()
    return answers


def opened(starter: Path, state: Path, link: str, policy: Path | None = None) -> tuple[int, str]:
    """Status and text of the page behind a link of the service."""
    app = create_app(Settings(release=starter, state=state, policy=policy, recheck=False))
    answer = app.test_client().get(link[link.index("/evidence/") :].removesuffix("#quote"))
    app.extensions["pharmgraph"].close()
    return answer.status_code, answer.get_data(as_text=True)
