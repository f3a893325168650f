"""One request to one answer, the same way at the wire, on the command line, in a replay and in the background.

The answer is a function of the question (its acknowledgements among it), the release and the policy; nothing else is read, and the clock only stops it.
"""

from __future__ import annotations

import hashlib
import logging
import math
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import msgspec

from cds_service.answer.acknowledgements import Signer, offers_of, signer_of
from cds_service.answer.citations import SectionTitle
from cds_service.answer.compose import AnswerContext, Outline, acknowledgeable, compose, outline_of
from cds_service.answer.evidence_links import EvidenceLinks
from cds_service.answer.outlook import shadow_uuid
from cds_service.answer.policy import Policy
from cds_service.audit.chain import run_chain
from cds_service.audit.knowledge import Knowledge
from cds_service.audit.outcomes import AuditResult, Category, DrugRef, NotEvaluated, NotEvaluatedReason
from cds_service.audit.site import SiteNumbers
from cds_service.errors import ReplayImpossible
from cds_service.intake.body import decode_body
from cds_service.intake.envelope import ORDER_MEMBERS
from cds_service.intake.names import Names
from cds_service.intake.prescription import OrderRole, Prescription
from cds_service.intake.request import OpenedRequest, open_request, read_opened
from cds_service.state.protocol import Acknowledgement, Offer, Trace

log = logging.getLogger(__name__)

SOURCE = "PharmGraph CDS"

SIGNED = tuple(f"context.{member}" for member in ORDER_MEMBERS)


@dataclass(frozen=True, slots=True)
class Question:
    """A request that is to be answered, and everything else the answer depends on."""

    trace_id: str
    service: str
    received: datetime
    use_request_time: bool
    opened: OpenedRequest
    acknowledgements: tuple[Acknowledgement, ...] = ()

    @property
    def signer(self) -> Signer | None:
        """Who is at the screen, as far as acknowledgements go."""
        return signer_of(self.opened.envelope, self.opened.index)


@dataclass(frozen=True, slots=True)
class Answer:
    """The cards with what they were composed from. `fault` says why the audit did not run to its end; one that broke has no outline."""

    prescription: Prescription
    result: AuditResult
    cards: list[dict[str, Any]]
    fault: str | None = None
    outline: Outline | None = None


@dataclass(frozen=True, slots=True)
class Desk:
    """Answers questions with one release and one policy."""

    knowledge: Knowledge
    names: Names
    policy: Policy
    links: EvidenceLinks
    service_url: str
    section_title: SectionTitle

    def answer(self, question: Question, *, budget: float = math.inf, telling: bool = True) -> Answer:
        """The answer, with the steps of the audit where `telling`.

        An audit that breaks or runs out of its budget of seconds gives an answer that says what was not evaluated.
        """
        prescription = read_opened(question.opened, self.names, received=question.received, use_request_time=question.use_request_time)
        policy = self.policy.at(prescription.hook, prescription.units)
        result, fault = self._audit(prescription, budget, telling=telling)
        try:
            result = policy.practise(result, self.knowledge, prescription.reference_time.date())
            context = self._context(question, policy)
            outline = outline_of(result, prescription, context)
            return Answer(prescription, result, compose(result, prescription, context, outline), fault, outline)
        except Exception:
            # A card that cannot be written must not hold the order up, nor pass for "nothing found".
            log.exception("answer broke")
            orders = tuple(o.reference for o in prescription.orders_in(OrderRole.DRAFT))
            return Answer(prescription, result, [broken_card(question.trace_id, self.knowledge.id, orders)], "broken")

    def judge(self, question: Question) -> tuple[Prescription, AuditResult]:
        """The prescription and what the audit finds, before modes and practice rules; one that breaks is a result that says so."""
        prescription = read_opened(question.opened, self.names, received=question.received, use_request_time=question.use_request_time)
        return prescription, self._audit(prescription, math.inf, telling=False)[0]

    def shadow(self, question: Question, answer: Answer) -> list[dict[str, Any]]:
        """The cards as they would be were no check silent and nothing acknowledged, under ids of their own."""
        p = answer.prescription
        cards = compose(answer.result, p, self._context(replace(question, acknowledgements=()), self.policy.at(p.hook, p.units).unsilenced()))
        return [{**card, "uuid": shadow_uuid(card["uuid"])} for card in cards]

    def replay(self, trace: Trace) -> Answer:
        """The answer to a past question. Raises ReplayImpossible when release or policy are not the ones of the trace."""
        for what, then, now in (("release", trace.release, self.knowledge.id), ("policy", trace.policy, policy_id(self.policy))):
            if then != now:
                raise ReplayImpossible(f"trace {trace.id} was answered with the {what} {then}, this is {now}: give the {what} of that time")
        return self.answer(question_of(trace))

    def _audit(self, prescription: Prescription, budget: float, *, telling: bool) -> tuple[AuditResult, str | None]:
        try:
            found = run_chain(prescription, self.knowledge, _Budget(budget, self.policy.numbers), telling=telling)
            return replace(found, results=(*found.results, *unread_orders(prescription))), None
        except Exception:
            # The order must not wait for a repair: whatever broke is logged and shown as not checked.
            log.exception("audit broke")
            return _not_evaluated(prescription), "broken"

    def offers(self, question: Question, answer: Answer) -> tuple[Offer, ...]:
        """What an override of each card would acknowledge. Nothing for an answer that broke."""
        if answer.fault is not None or answer.outline is None:
            return ()
        p = answer.prescription
        context = self._context(question, self.policy.at(p.hook, p.units))
        return offers_of(acknowledgeable(answer.outline, context), question.signer, question.service, p, context.policy)

    def _context(self, question: Question, policy: Policy) -> AnswerContext:
        return AnswerContext(
            trace_id=question.trace_id,
            release_id=self.knowledge.id,
            policy=policy,
            evidence_url=lambda card: self.links.url(question.trace_id, card, question.received),
            service_url=self.service_url,
            section_title=self.section_title,
            acknowledgements=question.acknowledgements,
        )


def question_of(trace: Trace) -> Question:
    """The question that a trace keeps."""
    opened = open_request(decode_body(trace.request, max_bytes=len(trace.request), max_depth=500))
    return Question(trace.id, trace.service, trace.received, trace.use_request_time, opened, trace.acknowledgements)


def broken_card(trace_id: str, release_id: str, orders: tuple[str, ...]) -> dict[str, Any]:
    """The card of an answer that could not be written: that nothing was checked is said without anything that may have broken."""
    drug = {"name": "all orders", "rxcui": None, "orders": list(orders)}
    said: dict[str, Any] = {
        "kind": "not-evaluated",
        "category": Category.INTERACTION.value,
        "drug": drug,
        "with": None,
        "indicator": "warning",
        "needs": [],
        "reason": "unavailable",
        "rules": [],
        "evidence": [],
    }
    return {
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{trace_id}|broken")),
        "summary": "These orders were not checked: the audit broke off",
        "indicator": "warning",
        "source": {"label": SOURCE},
        "extension": {"org.pharmgraph.trace": trace_id, "org.pharmgraph.release": release_id, "org.pharmgraph.findings": [said]},
    }


def answer_hash(cards: Sequence[Mapping[str, Any]]) -> str:
    """Hex SHA-256 of the cards as sent."""
    return hashlib.sha256(msgspec.json.encode(list(cards), order="deterministic")).hexdigest()


def policy_id(policy: Policy) -> str:
    """The policy's name in traces."""
    return policy.id


def unread_orders(prescription: Prescription) -> Iterator[NotEvaluated]:
    """Each order of the signature that could not be used, as not evaluated: what is wrong with it is said even when nothing is left to audit."""
    for issue in prescription.issues:
        if issue.where.startswith(SIGNED):
            name = issue.order or "order"
            message = f"{issue.where}: {issue.what}; it was not checked"
            yield NotEvaluated(
                "orders",
                Category.INTERACTION,
                DrugRef(name, None, (issue.order,) if issue.order else ()),
                NotEvaluatedReason.UNAVAILABLE,
                message,
                ("medications",),
            )


def _not_evaluated(prescription: Prescription) -> AuditResult:
    """Every signed order as not evaluated, once."""
    message = "The audit broke off; nothing was checked."
    refs = [DrugRef(o.text or o.reference, None, (o.reference,)) for o in prescription.orders_in(OrderRole.DRAFT)]
    return AuditResult(tuple(NotEvaluated("audit", Category.INTERACTION, ref, NotEvaluatedReason.UNAVAILABLE, message) for ref in refs))


@dataclass(frozen=True, slots=True)
class _Budget:
    """The seconds the chain may take, and the site's numbers."""

    budget_seconds: float
    numbers: SiteNumbers
