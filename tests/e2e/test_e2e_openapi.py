"""The description at /openapi.yaml and the service say the same, whatever is sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

from cds_service.settings import Settings
from cds_service.wire.app import create_app

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def app(knowledge: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    made = create_app(Settings(release=knowledge, state=tmp_path_factory.mktemp("state"), recheck=False))
    yield made
    made.extensions["pharmgraph"].close()


@pytest.fixture(scope="module")
def described(app: Flask) -> Any:
    return schemathesis.openapi.from_wsgi("/openapi.yaml", app)


def test_every_path_of_the_service_is_described_and_the_other_way_round(app: Flask, described: Any) -> None:
    served = {r.rule.replace("<service_id>", "{service}").replace("<token>", "{token}") for r in app.url_map.iter_rules()}
    assert set(described.raw_schema["paths"]) == {p for p in served if not p.startswith(("/web/", "/demo"))}


@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize("name", ["discovery", "hook", "feedback", "evidence", "health", "ready", "metrics", "openapi"])
def test_answers_are_as_described(described: Any, name: str, mode: GenerationMode) -> None:
    operation = described.find_operation_by_id(name)
    if mode is GenerationMode.NEGATIVE and not (operation.body or operation.path_parameters):
        return
    known = {"path_parameters": {"service": "pharmgraph-order-sign"}} if name in ("hook", "feedback") else {}

    @given(case=operation.as_strategy(mode, **known))
    @settings(max_examples=20, deadline=None, database=None, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    def run(case: Any) -> None:
        case.call_and_validate(checks=CHECKS)

    run()


def test_recorded_requests_and_their_answers_are_as_described(app: Flask, described: Any, repository: Path) -> None:
    hook = described.find_operation_by_id("hook")
    for path in sorted((repository / "fixtures" / "requests").glob("*.json")):
        body = json.loads(path.read_bytes())
        case = hook.Case(path_parameters={"service": f"pharmgraph-{body['hook']}"}, body=body, media_type="application/json")
        assert case.call_and_validate(checks=CHECKS).status_code == 200


def test_a_service_that_is_not_described_is_refused_as_described(described: Any) -> None:
    case = described.find_operation_by_id("hook").Case(path_parameters={"service": "none"}, body={}, media_type="application/json")
    assert case.call_and_validate(checks=CHECKS).status_code == 404
