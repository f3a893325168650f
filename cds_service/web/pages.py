"""The blueprint: the evidence page behind every card's link and, when a folder of patients is given, the demo page."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, render_template

from cds_service.answer.evidence_links import EvidenceLinks
from cds_service.errors import LinkExpired, LinkForged, LinkMalformed, ReplayImpossible, ServiceError, StateBroken, TraceMissing, TraceUnreadable
from cds_service.web.demo_pages import add_demo
from cds_service.web.evidence_view import view_card
from cds_service.web.ports import DemoPort, Recall
from ontology.model.errors import OntologyError

CONTENT_POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"

REFUSALS: tuple[tuple[type[ServiceError], int, str], ...] = (
    (LinkExpired, 410, "This link has expired"),
    (LinkForged, 404, "This link was not made by this service"),
    (LinkMalformed, 400, "This is not a whole link"),
    (TraceMissing, 410, "The record of this audit is no longer kept"),
    (TraceUnreadable, 410, "The record of this audit cannot be opened"),
    (ReplayImpossible, 410, "The knowledge behind this card is no longer here"),
    (StateBroken, 503, "The store of past audits does not answer"),
)
"""Error, status and heading, the narrower error before the wider."""


def blueprint(*, links: EvidenceLinks, recall: Recall, demo: DemoPort | None = None) -> Blueprint:
    """The pages as a Flask blueprint named `web`.

    `links` reads the tokens that the answer's cards carry; `recall` replays a trace and logs the reading; `demo` is given only when the
    service was started with a folder of synthetic patients.
    """
    pages = Blueprint("web", __name__, template_folder="templates", static_folder="static", static_url_path="/web")

    @pages.get("/evidence/<token>")
    def evidence(token: str) -> Response:
        try:
            link = links.read(token)
            replay = recall(link.trace_id)
            page = view_card(replay, link.card)
        except OntologyError as error:
            return _refused(503, "The knowledge base does not answer", str(error))
        except ServiceError as error:
            refusal = next((r for r in REFUSALS if isinstance(error, r[0])), None)
            if refusal is None:
                raise
            return _refused(refusal[1], refusal[2], str(error))
        if page is None:
            return _refused(410, "This card is no longer given", f"The audit {replay.trace_id}, replayed on release {replay.knowledge.id}, gives no such card.")
        return make_response(render_template("evidence.html", page=page, replay=replay, link=link))

    if demo is not None:
        add_demo(pages, demo)

    @pages.after_request
    def seal(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = CONTENT_POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        if response.mimetype == "text/html":
            response.headers["Cache-Control"] = "no-store"
        return response

    return pages


def _refused(status: int, heading: str, message: str) -> Response:
    return make_response(render_template("refused.html", heading=heading, message=message), status)
