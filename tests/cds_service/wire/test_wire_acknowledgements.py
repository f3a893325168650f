"""Over HTTP: an override with its reason, and what the same and other people see at the next signature."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from cds_service.answering import answer_hash
from cds_service.wire.runtime import Runtime

SIGN = "/cds-services/pharmgraph-order-sign"
REASON = {"reason": {"code": "will-monitor"}, "userComment": "as agreed"}


@pytest.fixture
def warned(sample: dict[str, Any], client: FlaskClient) -> dict[str, Any]:
    """A request that gets a warning and not only critical cards."""
    assert any(c["indicator"] == "warning" for c in cards(client, sample))
    return sample


def cards(client: FlaskClient, body: dict[str, Any]) -> list[dict[str, Any]]:
    answer = client.post(SIGN, json=body)
    assert answer.status_code == 200
    found: list[dict[str, Any]] = answer.get_json()["cards"]
    return found


def override(client: FlaskClient, given: list[dict[str, Any]], **members: Any) -> None:
    feedback = [{"card": c["uuid"], "outcome": "overridden", **members} for c in given]
    assert client.post(f"{SIGN}/feedback", json={"feedback": feedback}).status_code == 200


def levels(found: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(c["indicator"], c["summary"]) for c in found if c["indicator"] != "info"]


def test_an_overridden_warning_is_quiet_at_the_next_signature_and_a_critical_card_is_not(client: FlaskClient, warned: dict[str, Any]) -> None:
    before = cards(client, warned)
    override(client, before, overrideReason=REASON)
    after = cards(client, warned)
    assert levels(after) == [(level, said) for level, said in levels(before) if level == "critical"]
    calm = [c for c in after if "Acknowledged" in c.get("detail", "")]
    assert len(calm) == 1
    assert "Will monitor as the label recommends" in calm[0]["detail"]


def test_the_next_answer_can_be_replayed_byte_for_byte(client: FlaskClient, warned: dict[str, Any], runtime: Runtime) -> None:
    override(client, cards(client, warned), overrideReason=REASON)
    after = cards(client, warned)
    trace = runtime.state.trace(after[0]["extension"]["org.pharmgraph.trace"])
    assert trace.acknowledgements
    assert answer_hash(runtime.desk.replay(trace).cards) == trace.answer_hash


def test_an_override_without_a_reason_quiets_nothing(client: FlaskClient, warned: dict[str, Any]) -> None:
    before = cards(client, warned)
    override(client, before)
    assert levels(cards(client, warned)) == levels(before)


def other_user(body: dict[str, Any]) -> None:
    body["context"]["userId"] = "Practitioner/somebody-else"


def pharmacist(body: dict[str, Any]) -> None:
    body.setdefault("extension", {})["org.pharmgraph.user-role"] = "pharmacist"


def other_encounter(body: dict[str, Any]) -> None:
    body["context"]["encounterId"] = "another-encounter"


def nobody(body: dict[str, Any]) -> None:
    del body["context"]["userId"]


@pytest.mark.parametrize("change", [other_user, pharmacist, other_encounter, nobody])
def test_others_and_other_encounters_see_every_card(client: FlaskClient, warned: dict[str, Any], change: Callable[[dict[str, Any]], None]) -> None:
    before = cards(client, warned)
    override(client, before, overrideReason=REASON)
    body = copy.deepcopy(warned)
    change(body)
    assert levels(cards(client, body)) == levels(before)


def test_an_accepted_card_acknowledges_nothing(client: FlaskClient, warned: dict[str, Any]) -> None:
    before = cards(client, warned)
    feedback = [{"card": c["uuid"], "outcome": "accepted", "acceptedSuggestions": [{"id": "x"}], "overrideReason": REASON} for c in before]
    client.post(f"{SIGN}/feedback", json={"feedback": feedback})
    assert levels(cards(client, warned)) == levels(before)


def test_a_store_that_fails_hides_nothing(app: Flask, client: FlaskClient, warned: dict[str, Any], runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    from cds_service.errors import StateBroken

    before = cards(client, warned)
    override(client, before, overrideReason=REASON)

    def broken(*_: object) -> None:
        raise StateBroken("away")

    monkeypatch.setattr(type(runtime.state), "acknowledgements", broken)
    assert levels(cards(client, warned)) == levels(before)


def test_feedback_on_a_card_that_another_key_sealed_is_kept(
    client: FlaskClient, warned: dict[str, Any], runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cds_service.errors import TraceUnreadable

    def sealed(*_: object) -> int:
        raise TraceUnreadable("another key")

    before = cards(client, warned)
    monkeypatch.setattr(type(runtime.state), "acknowledge", sealed)
    override(client, before, overrideReason=REASON)
    assert len(runtime.state.feedback(before[0]["uuid"])) == 1
