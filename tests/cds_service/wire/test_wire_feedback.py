from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from cds_service.wire.runtime import Runtime

FEEDBACK = "/cds-services/pharmgraph-order-sign/feedback"


def item(card: str = "4e0a3a1e-3283-4575-ab82-028d55fe2719", **members: Any) -> dict[str, Any]:
    return {"card": card, "outcome": "accepted", "acceptedSuggestions": [{"id": "s1"}], "outcomeTimestamp": "2026-11-30T01:27:20.194Z", **members}


def test_repeats_are_kept_once_and_answered_alike(client: FlaskClient, runtime: Runtime) -> None:
    first, second = (client.post(FEEDBACK, json={"feedback": [item(), item("b", outcome="overridden")]}) for _ in range(2))
    assert (first.status_code, first.get_json()) == (200, {"stored": 2})
    assert (second.status_code, second.get_json()) == (200, {"stored": 0})
    assert len(runtime.state.feedback("b")) == 1


def test_a_changed_mind_is_kept_beside_the_first(client: FlaskClient, runtime: Runtime) -> None:
    client.post(FEEDBACK, json={"feedback": [item()]})
    client.post(FEEDBACK, json={"feedback": [item(outcome="overridden", outcomeTimestamp="2026-11-30T02:00:00Z")]})
    assert len(runtime.state.feedback(item()["card"])) == 2


def test_members_that_clients_leave_out_are_not_required(client: FlaskClient) -> None:
    reason = {"reason": {"code": "x"}}
    assert client.post(FEEDBACK, json={"feedback": [{"card": "c", "outcome": "overridden", "overrideReason": reason}]}).status_code == 200


@pytest.mark.parametrize(
    "body", [{"feedback": {}}, {"feedback": []}, {"feedback": [item(), 3]}, {"feedback": [item(card="")]}, {"feedback": [item(outcome="ignored")]}]
)
def test_a_wrong_item_refuses_all_and_keeps_none(client: FlaskClient, runtime: Runtime, body: dict[str, Any]) -> None:
    assert client.post(FEEDBACK, json=body).status_code == 400
    assert runtime.state.feedback(item()["card"]) == ()


@pytest.mark.shared
def test_the_official_sandboxs_feedback_is_taken(client: FlaskClient, shared: Path) -> None:
    raw = (shared / "data/cds-hooks/sandbox/feedback-2.json").read_bytes()
    assert client.post(FEEDBACK, data=raw, content_type="application/json").get_json() == {"stored": 1}
