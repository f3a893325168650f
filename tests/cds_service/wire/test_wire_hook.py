import json
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from cds_service.answering import answer_hash
from cds_service.wire.runtime import Runtime

SELECT = "/cds-services/pharmgraph-order-select"
Sign = Callable[[Any], Any]


def findings(answer: Any) -> list[dict[str, Any]]:
    return [f for c in answer.get_json()["cards"] for f in c["extension"]["org.pharmgraph.findings"]]


def empties(node: Any) -> bool:
    if isinstance(node, dict):
        return any(v is None or v in ("", [], {}) or (k not in ("resource", "extension") and empties(v)) for k, v in node.items())
    return isinstance(node, list) and any(empties(v) for v in node)


def test_a_signed_order_comes_back_with_cards_that_quote_their_evidence(sign: Sign, sample: dict[str, Any]) -> None:
    answer = sign(sample)
    assert answer.status_code == 200
    cards = answer.get_json()["cards"]
    assert cards[0]["indicator"] == "critical"
    assert all(uuid.UUID(c["uuid"]) and 0 < len(c["summary"]) < 140 for c in cards)
    assert not any(empties(c) for c in cards)
    warfarin = next(f for f in findings(answer) if {f["drug"]["name"], f.get("with", {}).get("name")} == {"ibuprofen", "warfarin"})
    assert (warfarin["kind"], warfarin["category"]) == ("finding", "interaction")
    assert warfarin["indicator"] in ("warning", "critical")
    assert all(e["quote"] and e["end"] - e["start"] == len(e["quote"]) for e in warfarin["evidence"])


def test_a_gel_does_not_rank_like_the_tablet(sign: Sign, sample: dict[str, Any]) -> None:
    gel = [f for f in findings(sign(sample)) if "diclofenac" in (f["drug"]["name"], f.get("with", {}).get("name")) and f["kind"] == "finding"]
    assert gel
    assert {f["indicator"] for f in gel} == {"info"}


def test_the_links_of_cards_open_the_evidence(client: FlaskClient, sign: Sign, sample: dict[str, Any]) -> None:
    url = sign(sample).get_json()["cards"][0]["links"][0]["url"]
    page = client.get(url.split("#")[0].removeprefix("http://127.0.0.1:8080"))
    assert page.status_code == 200
    assert "Lovastatin and simvastatin are contraindicated" in page.get_data(as_text=True)


def test_an_order_without_a_hazard_gives_an_empty_list_of_cards(sign: Sign, sample: dict[str, Any]) -> None:
    sample["context"]["draftOrders"]["entry"] = []
    assert sign(sample).get_json() == {"cards": []}


def test_order_select_answers_for_its_selections(client: FlaskClient, repository: Path) -> None:
    raw = (repository / "fixtures/requests/order-select-clarithromycin-simvastatin.json").read_bytes()
    answer = client.post(SELECT, data=raw, content_type="application/json")
    assert any(f["kind"] == "finding" and f["indicator"] == "critical" for f in findings(answer))


def test_the_deprecated_hook_is_read_as_order_sign(sign: Sign, sample: dict[str, Any]) -> None:
    sample["hook"] = "medication-prescribe"
    sample["context"]["medications"] = sample["context"].pop("draftOrders")
    assert sign(sample).get_json()["cards"][0]["indicator"] == "critical"


def test_orders_of_another_patient_are_said_and_never_pass_for_clear(sign: Sign, sample: dict[str, Any]) -> None:
    for entry in sample["context"]["draftOrders"]["entry"]:
        entry["resource"]["subject"] = {"reference": "Patient/somebody-else"}
    answer = sign(sample)
    assert answer.status_code == 200
    unread = [f for f in findings(answer) if f["kind"] == "not-evaluated"]
    assert len({f["drug"]["name"] for f in unread}) == len(sample["context"]["draftOrders"]["entry"])
    assert "another patient" in json.dumps(answer.get_json())


def test_a_trace_replays_to_the_same_answer(runtime: Runtime, sign: Sign, sample: dict[str, Any]) -> None:
    answer = sign(sample).get_json()
    trace = runtime.state.trace(answer["cards"][0]["extension"]["org.pharmgraph.trace"])
    replayed = runtime.desk.replay(trace)
    assert replayed.cards == answer["cards"]
    assert answer_hash(replayed.cards) == trace.answer_hash


def test_suggested_resources_keep_their_numbers(sign: Sign, sample: dict[str, Any]) -> None:
    raw = json.dumps(sample).replace('"period": 1', '"period": 1.50', 1).encode()
    assert sign(raw).status_code == 200


def test_the_requests_time_counts_only_where_the_service_was_started_so(app_with: Callable[..., Flask], sample: dict[str, Any]) -> None:
    sample["extension"] = {"org.pharmgraph.reference-time": "2020-01-01T00:00:00Z"}
    for flag, year in ((True, 2020), (False, 2026)):
        runtime: Runtime = (app := app_with(reference_time_from_request=flag)).extensions["pharmgraph"]
        body = app.test_client().post("/cds-services/pharmgraph-order-sign", json=sample).get_json()
        trace = runtime.state.trace(body["cards"][0]["extension"]["org.pharmgraph.trace"])
        found = runtime.desk.replay(trace).prescription.reference_time.year
        assert found == year if flag else found >= year
