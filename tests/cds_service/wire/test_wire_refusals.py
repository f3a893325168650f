import json
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

SIGN = "/cds-services/pharmgraph-order-sign"
JSON = {"Content-Type": "application/json"}
PATIENT = {"resourceType": "Patient", "id": "p1"}
ORDER = {"resourceType": "MedicationRequest", "id": "o1", "medicationCodeableConcept": {"text": "warfarin"}}


def body(**members: Any) -> bytes:
    whole = {
        "hook": "order-sign",
        "hookInstance": "x",
        "context": {"patientId": "p1", "draftOrders": {"entry": [{"resource": ORDER}]}},
        "prefetch": {"patient": PATIENT},
    }
    return json.dumps(whole | members).encode()


REFUSALS = [
    ("not JSON", "POST", SIGN, JSON, b"hello", 400, "structure", "not JSON"),
    ("empty", "POST", SIGN, JSON, b"", 400, "structure", "not JSON"),
    ("trailing text", "POST", SIGN, JSON, body() + b"]", 400, "structure", "byte"),
    ("no object", "POST", SIGN, JSON, b"[]", 400, "structure", "object"),
    ("no members", "POST", SIGN, JSON, b"{}", 400, "required", "hook, hookInstance, context"),
    ("no orders", "POST", SIGN, JSON, body(context={"patientId": "p1"}), 400, "required", "context.draftOrders"),
    ("deep", "POST", SIGN, JSON, b"[" * 10_000 + b"]" * 10_000, 400, "structure", "64 levels"),
    ("large", "POST", SIGN, JSON, b'"' + b"x" * 11_000_000 + b'"', 413, "too-long", "10485760"),
    ("text", "POST", SIGN, {"Content-Type": "text/plain"}, body(), 415, "not-supported", "text/plain"),
    ("latin", "POST", SIGN, {"Content-Type": "application/json; charset=latin1"}, body(), 415, "not-supported", "UTF-8"),
    ("zipped", "POST", SIGN, {**JSON, "Content-Encoding": "gzip"}, body(), 415, "not-supported", "gzip"),
    ("another hook", "POST", SIGN, JSON, body(hook="patient-view"), 422, "not-supported", "patient-view"),
    ("no patient", "POST", SIGN, JSON, body(prefetch={}), 412, "required", "prefetch.patient"),
    ("failed patient", "POST", SIGN, JSON, body(prefetch={"patient": {"resourceType": "OperationOutcome"}}), 412, "required", "prefetch.patient"),
    ("unknown service", "POST", "/cds-services/none", JSON, body(), 404, "not-found", "pharmgraph-order-sign"),
    ("unknown service's feedback", "POST", "/cds-services/none/feedback", JSON, b"{}", 404, "not-found", "none"),
    ("unknown path", "GET", "/nowhere", {}, None, 404, "not-found", "/cds-services"),
    ("wrong method", "GET", SIGN, {}, None, 405, "not-supported", "Allow"),
    ("no feedback", "POST", f"{SIGN}/feedback", JSON, b"{}", 400, "required", "feedback"),
    ("feedback without outcome", "POST", f"{SIGN}/feedback", JSON, b'{"feedback": [{"card": "c"}]}', 400, "required", "feedback[0].outcome"),
]


@pytest.mark.parametrize(("method", "path", "headers", "raw", "status", "code", "said"), [r[1:] for r in REFUSALS], ids=[r[0] for r in REFUSALS])
def test_every_refusal_says_what_and_where(
    client: FlaskClient, method: str, path: str, headers: dict[str, str], raw: bytes | None, status: int, code: str, said: str
) -> None:
    answer = client.open(path, method=method, headers=headers, data=raw)
    assert answer.status_code == status
    outcome = answer.get_json()
    assert outcome["resourceType"] == "OperationOutcome"
    (issue,) = outcome["issue"]
    assert (issue["severity"], issue["code"]) == ("error", code)
    assert said in issue["diagnostics"]
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["X-Request-ID"]


@pytest.mark.parametrize("missing", ["medications", "conditions", "allergies", "observations", "notes"])
def test_optional_data_never_cause_a_refusal(client: FlaskClient, missing: str) -> None:
    empty = {"resourceType": "Bundle", "entry": []}
    for value in (..., {"resourceType": "OperationOutcome"}, "<html>", 7, None, [], {}):
        prefetch = {"patient": PATIENT, **dict.fromkeys(("medications", "conditions", "allergies", "observations", "notes"), empty), missing: value}
        answer = client.post(SIGN, data=body(prefetch={k: v for k, v in prefetch.items() if v is not ...}), headers=JSON)
        assert answer.status_code == 200, (missing, value)


@pytest.mark.parametrize("path", ["/cds-services", SIGN, f"{SIGN}/feedback", "/health"])
def test_preflights_are_answered_before_any_door(app_with: Callable[..., Flask], path: str) -> None:
    answer = (
        app_with().test_client().options(path, headers={"Origin": "https://ehr.example.org", "Access-Control-Request-Headers": "authorization,content-type"})
    )
    assert answer.status_code == 204
    assert "Authorization" in answer.headers["Access-Control-Allow-Headers"]
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_an_unreadable_reference_time_is_refused_where_it_counts(app_with: Callable[..., Flask]) -> None:
    raw = body(extension={"org.pharmgraph.reference-time": "soon"})
    assert app_with(reference_time_from_request=True).test_client().post(SIGN, data=raw, headers=JSON).status_code == 400
    assert app_with().test_client().post(SIGN, data=raw, headers=JSON).status_code == 200


def test_limits_are_settings(app_with: Callable[..., Flask]) -> None:
    client = app_with(max_body_bytes=2048, max_depth=8).test_client()
    assert client.post(SIGN, data=body() + b" " * 3000, headers=JSON).status_code == 413
    assert client.post(SIGN, data=body(extension={"a": [[[[[[[[]]]]]]]]}), headers=JSON).status_code == 400


def test_a_request_id_is_taken_over_only_as_a_uuid(client: FlaskClient) -> None:
    mine = "9f1b7c1e-0000-4000-8000-0123456789ab"
    assert client.get("/health", headers={"X-Request-ID": mine}).headers["X-Request-ID"] == mine
    assert client.get("/health", headers={"X-Request-ID": "Ada Lovelace"}).headers["X-Request-ID"] != "Ada Lovelace"
