import copy
import io
import json
import logging
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from cds_service.wire.logs import QuietFormatter

SIGN = "/cds-services/pharmgraph-order-sign"
MARK = "Zaphodbeeblebrox"


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """Everything the process logs, as it would be written."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(QuietFormatter())
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield stream
    root.removeHandler(handler)
    root.setLevel(level)


def marked(node: Any, key: str = "") -> Any:
    """The request with a mark in every free text, id and reference of the patient's."""
    if isinstance(node, dict):
        return {k: marked(v, k) for k, v in node.items()}
    if isinstance(node, list):
        return [marked(v, key) for v in node]
    if isinstance(node, str) and key in ("text", "display", "id", "patientId", "userId", "encounterId", "family", "div", "data", "url", "hookInstance"):
        return f"{node} {MARK}" if key in ("text", "display") else f"{MARK}-{node}"
    if isinstance(node, str) and key == "reference":
        return re.sub(r"/([^/]+)$", rf"/{MARK}-\1", node)
    return node


def test_no_log_line_holds_anything_of_the_patient(client: FlaskClient, sample: dict[str, Any], logged: io.StringIO) -> None:
    body = marked(copy.deepcopy(sample))
    body["prefetch"]["conditions"] = {"entry": [{"resource": {"resourceType": "Condition", "code": MARK}}, {"resource": {"resourceType": MARK}}, MARK]}
    body["prefetch"]["notes"] = f"<html>{MARK}</html>"
    answer = client.post(SIGN, json=body, headers={"X-Request-ID": MARK, "Authorization": f"Bearer {MARK}"})
    assert answer.status_code == 200
    assert answer.get_json()["cards"]
    link = answer.get_json()["cards"][0]["links"][0]["url"].removeprefix("http://127.0.0.1:8080").split("#")[0]
    client.get(link)
    client.get(f"/evidence/{MARK}")
    client.get(f"/cds-services?patient={MARK}")
    client.post(f"/cds-services/{MARK}", json=body)
    client.post(SIGN, data=json.dumps(body)[:-5], content_type="application/json")
    client.post(SIGN, json={**body, "hook": MARK})
    client.post(SIGN, json={**body, "context": {"patientId": MARK}})
    client.post(f"{SIGN}/feedback", json={"feedback": [{"card": MARK, "outcome": "overridden", "overrideReason": {"userComment": MARK}}]})
    lines = logged.getvalue()
    assert lines.count("\n") >= 9
    assert MARK.lower() not in lines.lower()
    assert link.rsplit("/", 1)[-1] not in lines
    for line in lines.splitlines():
        json.loads(line)


def test_the_line_of_a_request_says_what_operators_need(client: FlaskClient, sample: dict[str, Any], logged: io.StringIO) -> None:
    client.post(SIGN, json=sample)
    line = next(json.loads(x) for x in logged.getvalue().splitlines() if json.loads(x)["message"] == "request")
    assert (line["service"], line["status"], line["route"]) == ("pharmgraph-order-sign", 200, "/cds-services/<service_id>")
    assert line["ms"] > 0
    assert line["findings"] >= 2
    assert line["orders"] == 5


def test_exceptions_are_logged_without_their_messages(logged: io.StringIO) -> None:
    try:
        try:
            int(MARK)
        except ValueError as e:
            raise KeyError(MARK) from e
    except KeyError:
        logging.getLogger("cds_service.test").exception("broke")
        logging.getLogger("gunicorn.error").exception("Error handling request %s", f"/evidence/{MARK}")
    lines = [json.loads(x) for x in logged.getvalue().splitlines()]
    assert MARK not in logged.getvalue()
    assert "KeyError <- ValueError at test_wire_privacy.py" in lines[0]["exc_info"]


def test_metrics_have_no_label_of_a_patient_or_drug(client: FlaskClient, sample: dict[str, Any]) -> None:
    client.post(SIGN, json=marked(copy.deepcopy(sample)))
    text = client.get("/metrics").get_data(as_text=True)
    assert 'pharmgraph_requests_total{service="pharmgraph-order-sign",status="200"}' in text
    assert MARK not in text
    ours = [line for line in text.splitlines() if line.startswith("pharmgraph_")]
    assert set(re.findall(r"[{,](\w+)=", "\n".join(ours))) <= {"service", "status", "le", "indicator", "kind", "category", "outcome"}
    assert not re.search("warfarin|ibuprofen", "\n".join(ours))


def test_state_on_disk_holds_nothing_in_the_clear(app_with: Callable[..., Flask], sample: dict[str, Any], tmp_path: Path) -> None:
    client = app_with().test_client()
    client.post(SIGN, json=marked(copy.deepcopy(sample)))
    client.post(f"{SIGN}/feedback", json={"feedback": [{"card": "c", "outcome": "overridden", "overrideReason": {"userComment": MARK}}]})
    written = b"".join(p.read_bytes() for p in (tmp_path / "state").iterdir())
    assert len(written) > 4096
    assert MARK.encode() not in written
    assert b"MedicationRequest" not in written
    assert oct((tmp_path / "state" / "site.key").stat().st_mode & 0o777) == "0o600"
