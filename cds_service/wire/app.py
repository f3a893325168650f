"""The WSGI application."""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException

from cds_service.errors import ServiceError, TraceUnreadable
from cds_service.intake.body import decode_body
from cds_service.intake.request import read_request
from cds_service.settings import Settings
from cds_service.web import pages
from cds_service.web.ports import DemoPort, Reply
from cds_service.wire import metrics
from cds_service.wire.doors import Doorkeeper, OpenDoor, add_cross_origin, preflight
from cds_service.wire.feedback import acknowledged, outcomes_of, read_feedback
from cds_service.wire.health import health, readiness
from cds_service.wire.hooks.order_sign import ORDER_SIGN
from cds_service.wire.hooks.registry import SERVICES, service_by_id
from cds_service.wire.outcomes import encode, json_answer, outcome, refuse, refuse_http
from cds_service.wire.received import read_body
from cds_service.wire.runtime import Runtime, open_runtime
from cds_service.wire.service import Served, serve_hook
from ontology.model.errors import OntologyError

log = logging.getLogger(__name__)

REQUEST_ID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
"""Request ids of clients are taken over only as UUIDs: anything else may hold a name."""

UNCOUNTED = frozenset({"/health", "/ready", "/metrics"})


def create_app(settings: Settings, *, runtime: Runtime | None = None, doorkeeper: Doorkeeper | None = None) -> Flask:
    """The application, ready to audit. Raises what `open_runtime` raises when release, policy or key cannot be used."""
    parts = runtime if runtime is not None else open_runtime(settings)
    door = doorkeeper if doorkeeper is not None else OpenDoor()
    app = Flask("cds_service", static_folder=None)
    app.extensions["pharmgraph"] = parts
    _add_frame(app, door)
    _add_errors(app)
    _add_routes(app, parts)
    app.register_blueprint(pages.blueprint(links=parts.links, recall=parts.recall, demo=_demo(parts)))
    return app


def _add_frame(app: Flask, door: Doorkeeper) -> None:
    """Before and after every request: its id, preflights, the door, cross-origin headers, one log line."""

    @app.before_request
    def begin() -> Response | None:
        given = request.headers.get("X-Request-ID", "")
        g.request_id = given.lower() if REQUEST_ID.fullmatch(given) else str(uuid.uuid4())
        g.started = time.perf_counter()
        g.counts = {}
        return preflight() if request.method == "OPTIONS" else door.admit(request)

    @app.after_request
    def end(response: Response) -> Response:
        response.headers["X-Request-ID"] = g.request_id
        add_cross_origin(response)
        seconds = time.perf_counter() - g.started
        route = request.url_rule.rule if request.url_rule else "(none)"
        service = str((request.view_args or {}).get("service_id", ""))
        known = service if any(s.id == service for s in SERVICES) else ""
        if route not in UNCOUNTED:
            metrics.REQUESTS.labels(known or "other", response.status_code).inc()
            metrics.DURATION.labels(known or "other").observe(seconds)
            line = {"request": g.request_id, "method": request.method, "route": route, "status": response.status_code, "ms": round(seconds * 1000, 1)}
            log.info("request", extra={**line, **({"service": known} if known else {}), **g.counts})
        return response


def _add_errors(app: Flask) -> None:
    app.register_error_handler(ServiceError, refuse)
    app.register_error_handler(OntologyError, refuse)
    app.register_error_handler(HTTPException, refuse_http)

    @app.errorhandler(Exception)
    def broken(error: Exception) -> Response:
        log.error("request broke", exc_info=error)
        return outcome(500, "exception", f"the request could not be processed; the log has it under {g.request_id}")


def _add_routes(app: Flask, runtime: Runtime) -> None:
    @app.get("/cds-services")
    def discovery() -> Response:
        return json_answer({"services": [s.discovery() for s in SERVICES]})

    @app.post("/cds-services/<service_id>")
    def hook(service_id: str) -> Response:
        service = service_by_id(service_id)
        served = serve_hook(service, read_body(request, runtime.settings.max_body_bytes), runtime)
        g.counts = served.counts
        return json_answer(served.body)

    @app.post("/cds-services/<service_id>/feedback")
    def feedback(service_id: str) -> Response:
        service = service_by_id(service_id)
        new = _keep_feedback(service.id, read_body(request, runtime.settings.max_body_bytes), runtime)
        g.counts = {"feedback": new}
        return json_answer({"stored": new})

    @app.get("/health")
    def alive() -> Response:
        return json_answer(health(runtime))

    @app.get("/ready")
    def ready() -> Response:
        return json_answer(readiness(runtime))

    description = files("cds_service.wire").joinpath("openapi.yaml").read_bytes()

    @app.get("/openapi.yaml")
    def openapi() -> Response:
        return Response(description, content_type="application/yaml; charset=utf-8")

    @app.get("/metrics")
    def figures() -> Response:
        body, kind = metrics.exposition()
        return Response(body, content_type=kind)


def _keep_feedback(service: str, raw: bytes, runtime: Runtime) -> int:
    body = decode_body(raw, max_bytes=runtime.settings.max_body_bytes, max_depth=runtime.settings.max_depth)
    now = datetime.now(UTC)
    items = read_feedback(body, service, now)
    new = runtime.state.save_feedback(items)
    for card, reason in acknowledged(items, runtime.policy.reasons):
        try:
            runtime.state.acknowledge(card, service, reason, now)
        except TraceUnreadable:  # the key was changed since the card was given: the feedback stands, and the problem is shown again
            log.warning("card cannot be acknowledged")
    for word in outcomes_of(items):
        metrics.FEEDBACK.labels(word).inc()
    return new


def _demo(runtime: Runtime) -> DemoPort | None:
    """The port of the demo page when a folder of patients was given: the same steps as over HTTP, errors as the answers they would be."""
    folder = runtime.settings.demo
    if folder is None:
        return None

    def read(body: Mapping[str, Any]) -> Any:
        return read_request(body, runtime.release.terminology, received=datetime.now(UTC), use_request_time=False)

    def sign(raw: bytes) -> Reply:
        try:
            served: Served = serve_hook(ORDER_SIGN, raw, runtime)
        except (ServiceError, OntologyError) as e:
            refusal = refuse(e)
            return Reply(refusal.status_code, refusal.get_data())
        return Reply(200, encode(served.body))

    def feedback(raw: bytes) -> Reply:
        try:
            return Reply(200, encode({"stored": _keep_feedback(ORDER_SIGN.id, raw, runtime)}))
        except (ServiceError, OntologyError) as e:
            refusal = refuse(e)
            return Reply(refusal.status_code, refusal.get_data())

    return DemoPort(folder, runtime.key.secret, read, sign, feedback, runtime.release.id)
