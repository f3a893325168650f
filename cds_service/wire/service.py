"""The one path of a hook: decode, validate, read, audit, compose, trace, respond."""

from __future__ import annotations

import logging
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from cds_service.answering import SOURCE, Answer, Question, answer_hash, policy_id
from cds_service.audit.outcomes import Clear, Finding, Gap, NotEvaluated
from cds_service.errors import StateBroken, TraceUnreadable
from cds_service.intake.body import decode_body
from cds_service.intake.envelope import require_members
from cds_service.intake.request import open_request, require_patient
from cds_service.state.protocol import Trace
from cds_service.tasks import RECHECK, recheck_payload
from cds_service.wire import metrics
from cds_service.wire.hooks.protocol import HookService
from cds_service.wire.runtime import Runtime

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Served:
    """The answer's body, and what the log says of it: counts only."""

    body: dict[str, Any]
    counts: dict[str, Any] = field(default_factory=dict)


def serve_hook(service: HookService, raw: bytes, runtime: Runtime) -> Served:
    """The answer to the bytes of a hook request. Raises RequestRefused for what cannot be answered."""
    settings = runtime.settings
    received = datetime.now(UTC)
    body = decode_body(raw, max_bytes=settings.max_body_bytes, max_depth=settings.max_depth)
    require_members(body, service.accepts, needs_time=settings.reference_time_from_request)
    opened = open_request(body)
    require_patient(opened)
    trace_id = str(uuid.uuid4())
    question = with_acknowledgements(Question(trace_id, service.id, received, settings.reference_time_from_request, opened), runtime)
    answer = runtime.desk.answer(question, budget=min(settings.time_budget_ms / 1000, runtime.policy.budget_seconds), telling=False)
    kept = keep_trace(question, raw, answer, runtime)
    cards = answer.cards if kept or not answer.cards else [*answer.cards, _not_kept_card(trace_id)]
    found = any(isinstance(r, Finding) for r in answer.result.results)
    if settings.recheck and kept and found and not runtime.submitter.submit(RECHECK, recheck_payload(trace_id, answer.result)):
        metrics.DROPPED.inc()
    count(answer, cards)
    return Served({"cards": cards}, summary_of(answer, cards, trace_id))


def with_acknowledgements(question: Question, runtime: Runtime) -> Question:
    """The question with what this signer has acknowledged for this patient and encounter; a store that fails hides nothing, so every card is shown."""
    signer = question.signer
    if signer is None:
        return question
    try:
        return replace(question, acknowledgements=runtime.state.acknowledgements(signer.whose, question.received))
    except (StateBroken, TraceUnreadable) as e:
        metrics.STATE_FAULTS.inc()
        log.error("acknowledgements not read", extra={"fault": type(e).__name__})
        return question


def keep_trace(question: Question, raw: bytes, answer: Answer, runtime: Runtime) -> bool:
    """True when the trace was written. A store that fails is logged, counted and shown by `/ready`; the answer does not wait for it."""
    trace = Trace(
        id=question.trace_id,
        service=question.service,
        received=question.received,
        release=runtime.release.id,
        policy=policy_id(runtime.policy),
        base_url=runtime.settings.public_url,
        use_request_time=question.use_request_time,
        request=raw,
        answer_hash=answer_hash(answer.cards),
        acknowledgements=question.acknowledgements,
    )
    try:
        runtime.state.save_trace(trace, runtime.desk.offers(question, answer))
    except StateBroken as e:
        runtime.state_fault = str(e)
        metrics.STATE_FAULTS.inc()
        log.error("trace not kept", extra={"fault": type(e.__cause__).__name__})
        return False
    runtime.state_fault = None
    return True


def count(answer: Answer, cards: Sequence[dict[str, Any]]) -> None:
    """Adds an answer to the metrics."""
    for indicator, times in Counter(card["indicator"] for card in cards).items():
        metrics.CARDS.labels(indicator).inc(times)
    for kind, times in Counter(issue.kind for issue in answer.prescription.issues).items():
        metrics.INTAKE_ISSUES.labels(kind).inc(times)
    for (told, category), times in Counter((type(r).__name__, r.category) for r in answer.result.results if not isinstance(r, Clear)).items():
        metrics.RESULTS.labels(told, category.value).inc(times)


def summary_of(answer: Answer, cards: Sequence[dict[str, Any]], trace_id: str) -> dict[str, Any]:
    """What the log says of an answer: the trace's id and numbers."""
    kinds = Counter(type(r).__name__ for r in answer.result.results)
    return {
        "trace": trace_id,
        "orders": len(answer.prescription.orders),
        "cards": len(cards),
        "findings": kinds[Finding.__name__],
        "gaps": kinds[Gap.__name__],
        "not_evaluated": kinds[NotEvaluated.__name__],
        "issues": len(answer.prescription.issues),
        **({"fault": answer.fault} if answer.fault else {}),
    }


def _not_kept_card(trace_id: str) -> dict[str, Any]:
    return {
        "uuid": str(uuid.uuid5(uuid.UUID(trace_id), "not-kept")),
        "summary": "The record of this audit could not be stored; the links of its cards will not open",
        "indicator": "info",
        "source": {"label": SOURCE},
    }
