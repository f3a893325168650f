"""A running application over the starter knowledge base, without a server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from cds_service.settings import Settings
from cds_service.wire.app import create_app
from cds_service.wire.runtime import Runtime

SIGN = "/cds-services/pharmgraph-order-sign"


@pytest.fixture
def app_with(starter: Path, tmp_path: Path) -> Iterator[Callable[..., Flask]]:
    """Makes an application with settings of its own."""
    made: list[Flask] = []

    def make(**settings: Any) -> Flask:
        app = create_app(Settings.model_validate({"release": starter, "state": tmp_path / "state", "recheck": False, **settings}))
        made.append(app)
        return app

    yield make
    for app in made:
        app.extensions["pharmgraph"].close()


@pytest.fixture
def app(app_with: Callable[..., Flask]) -> Flask:
    return app_with()


@pytest.fixture
def runtime(app: Flask) -> Runtime:
    found: Runtime = app.extensions["pharmgraph"]
    return found


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def sample(repository: Path) -> dict[str, Any]:
    """Signed orders that interact with what the patient takes."""
    body: dict[str, Any] = json.loads((repository / "fixtures" / "requests" / "sample-order-sign.json").read_bytes())
    return body


@pytest.fixture
def sign(client: FlaskClient) -> Callable[[Any], Any]:
    """Posts a body to the order-sign service."""
    return lambda body: client.post(SIGN, data=body if isinstance(body, bytes) else json.dumps(body), content_type="application/json")
