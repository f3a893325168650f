"""Whatever JSON comes, the answer is cards by the specification or a refusal that says why, and nothing broke on the way."""

import copy
import json
import logging
import uuid
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SIGN = "/cds-services/pharmgraph-order-sign"
VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-3, 10**20)
    | st.floats()
    | st.sampled_from(
        ["", "x", "<b>", "Patient/x", "#m", "2026-13-45", "1e9", "Warfarin", "\u0000", "无", "![x](http://y)", "a" * 5000, [], {}, [{}], {"text": "ibuprofen"}]
    )
)


def places(node: Any) -> list[tuple[Any, Any]]:
    rows = list(node.items()) if isinstance(node, dict) else list(enumerate(node)) if isinstance(node, list) else []
    return [(node, k) for k, _ in rows] + [p for _, v in rows for p in places(v)]


def faults(card: dict[str, Any]) -> list[str]:
    """What CDS Hooks and the benchmark's format forbid in a card."""
    found = []
    uuid.UUID(card["uuid"])
    if not 0 < len(card["summary"]) < 140 or "\n" in card["summary"]:
        found.append("summary")
    if card["indicator"] not in ("info", "warning", "critical") or not card["source"]["label"]:
        found.append("indicator or source")
    if "<b>" in card.get("detail", "") or "![x](http" in card.get("detail", ""):
        found.append("unescaped detail")
    if card.get("suggestions") and card.get("selectionBehavior") not in ("at-most-one", "any"):
        found.append("selectionBehavior")
    for entry in card.get("extension", {}).get("org.pharmgraph.findings", []):
        if entry["kind"] == "finding" and not all(e["quote"] and e["end"] - e["start"] == len(e["quote"]) for e in entry["evidence"]):
            found.append("evidence")
        if entry["kind"] == "gap" and not entry["needs"]:
            found.append("needs")
    return found


@given(data=st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_body(client: FlaskClient, sample: dict[str, Any], caplog: pytest.LogCaptureFixture, data: st.DataObject) -> None:
    body = copy.deepcopy(sample)
    for _ in range(data.draw(st.integers(1, 6))):
        spots = places(body)
        container, key = spots[data.draw(st.integers(0, len(spots) - 1))]
        if data.draw(st.booleans()):
            container[key] = data.draw(VALUES)
        else:
            del container[key]
        if not body:
            break
    caplog.clear()
    with caplog.at_level(logging.ERROR):
        answer = client.post(SIGN, data=json.dumps(body), content_type="application/json")
    assert not [r.getMessage() for r in caplog.records]
    assert answer.status_code in (200, 400, 412, 422)
    content = answer.get_json()
    if answer.status_code != 200:
        assert content["resourceType"] == "OperationOutcome"
        assert content["issue"][0]["diagnostics"]
    else:
        assert not [f for card in content["cards"] for f in faults(card)]
