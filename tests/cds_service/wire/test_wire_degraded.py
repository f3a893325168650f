import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from cds_service import answering
from cds_service.errors import StateBroken
from cds_service.wire.runtime import Runtime
from ontology.model.errors import ReleaseDamaged

SIGN = "/cds-services/pharmgraph-order-sign"
Sign = Callable[[Any], Any]


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """The state store as another program holds it."""
    db = sqlite3.connect(folder / "state.sqlite", isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        db.execute("ROLLBACK")
        db.close()


def kinds(answer: Any) -> set[tuple[str, str | None]]:
    return {(f["kind"], f.get("reason")) for c in answer.get_json()["cards"] for f in c.get("extension", {}).get("org.pharmgraph.findings", [])}


def test_a_locked_state_does_not_break_the_answer_and_is_seen(app_with: Callable[..., Flask], sample: dict[str, Any], tmp_path: Path) -> None:
    client = app_with(state_wait_ms=10).test_client()
    assert client.get("/ready").get_json()["status"] == "ready"
    with locked(tmp_path / "state"):
        answer = client.post(SIGN, json=sample)
        assert answer.status_code == 200
        cards = answer.get_json()["cards"]
        assert cards[0]["indicator"] == "critical"
        assert "could not be stored" in cards[-1]["summary"]
        ready = client.get("/ready")
        assert (ready.status_code, ready.get_json()["status"], ready.get_json()["state"]) == (200, "degraded", "broken")
        assert client.get("/health").status_code == 200
        feedback = client.post(f"{SIGN}/feedback", json={"feedback": [{"card": "c", "outcome": "accepted"}]})
        assert (feedback.status_code, feedback.get_json()["resourceType"]) == (503, "OperationOutcome")
    assert client.get("/ready").get_json()["status"] == "ready"
    assert "could not be stored" not in client.post(SIGN, json=sample).get_json()["cards"][-1]["summary"]


def test_a_state_file_that_is_no_database_is_seen_at_the_start_and_answers_are_given(
    app_with: Callable[..., Flask], sample: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "state.sqlite").write_bytes(b"x" * 5000)
    client = app_with().test_client()
    assert client.get("/ready").get_json()["state"] == "broken"
    assert client.post(SIGN, json=sample).status_code == 200


def test_a_used_up_budget_is_said_and_nothing_passes_for_clear(app_with: Callable[..., Flask], sample: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_with(time_budget_ms=1)
    real = answering.run_chain
    monkeypatch.setattr(answering, "run_chain", lambda p, k, policy, **more: real(p, k, policy, **more, clock=chain([0.0], repeat(1.0)).__next__))
    answer = app.test_client().post(SIGN, json=sample)
    assert answer.status_code == 200
    assert ("not-evaluated", "timeout") in kinds(answer)


def test_the_shorter_of_setting_and_policy_is_the_budget(app_with: Callable[..., Flask], sample: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []
    real = answering.run_chain

    def watched(p: Any, k: Any, policy: Any, **more: Any) -> Any:
        seen.append(policy.budget_seconds)
        return real(p, k, policy, **more)

    monkeypatch.setattr(answering, "run_chain", watched)
    for milliseconds in (100, 100_000):
        app_with(time_budget_ms=milliseconds).test_client().post(SIGN, json=sample)
    assert seen[0] == 0.1
    assert 0.1 < seen[1] < 100


@pytest.mark.parametrize("name", ["run_chain", "compose"])
@pytest.mark.parametrize("error", [ReleaseDamaged("gone"), KeyError("Ada Lovelace"), RecursionError()])
def test_whatever_breaks_the_order_is_not_held_up_and_the_card_says_so(
    sign: Sign, sample: dict[str, Any], monkeypatch: pytest.MonkeyPatch, name: str, error: Exception
) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise error

    monkeypatch.setattr(answering, name, broken)
    answer = sign(sample)
    assert answer.status_code == 200
    assert kinds(answer) == {("not-evaluated", "unavailable")}
    assert "Ada" not in answer.get_data(as_text=True)


def test_health_is_503_when_the_release_cannot_be_read(client: FlaskClient, runtime: Runtime, sample: dict[str, Any]) -> None:
    assert client.get("/health").status_code == 200
    runtime.release.close()
    for path in ("/health", "/ready"):
        answer = client.get(path)
        assert (answer.status_code, answer.get_json()["resourceType"]) == (503, "OperationOutcome")
    assert client.post(SIGN, json=sample).status_code == 200


def test_a_submitter_that_takes_nothing_costs_only_the_recheck(app_with: Callable[..., Flask], sample: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_with(recheck=True)
    monkeypatch.setattr(app.extensions["pharmgraph"].submitter, "submit", lambda *_: False)
    assert app.test_client().post(SIGN, json=sample).status_code == 200


def test_an_error_nobody_foresaw_is_an_outcome_without_its_message(app: Flask, runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise ValueError("Ada Lovelace")

    monkeypatch.setattr(runtime.state, "save_feedback", broken)
    app.testing = False
    answer = app.test_client().post(f"{SIGN}/feedback", json={"feedback": [{"card": "c", "outcome": "accepted"}]})
    assert (answer.status_code, answer.get_json()["resourceType"]) == (500, "OperationOutcome")
    assert "Ada" not in answer.get_data(as_text=True)


def test_the_state_error_names_the_file(runtime: Runtime, sign: Sign, sample: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise StateBroken("state /x: disk full")

    monkeypatch.setattr(runtime.state, "save_trace", broken)
    sign(sample)
    assert runtime.state_fault == "state /x: disk full"
