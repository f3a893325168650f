"""From the result of an audit to cards: one card a problem, one calm card, one gap card, one card for what was not checked."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cds_service.answer.acknowledgements import Quieted, split
from cds_service.answer.citations import SectionTitle
from cds_service.answer.gap_wording import gap_detail, gap_summary, unchecked_detail, unchecked_summary
from cds_service.answer.markdown import summary
from cds_service.answer.policy import Policy
from cds_service.answer.problems import Problem, problems_of
from cds_service.answer.severity import Indicator
from cds_service.answer.sides import pair
from cds_service.answer.suggestions import suggestion_of
from cds_service.answer.wire_findings import compact, finding_object, gap_object, risk_of, unchecked_object
from cds_service.answer.wording import acknowledged_line, calm_lines, detail, headline, source_label
from cds_service.audit.outcomes import AuditResult, Category, Finding, Gap, NotEvaluated
from cds_service.intake.prescription import Prescription, Retrieval
from cds_service.state.protocol import Acknowledgement

NAMESPACE = uuid.UUID("6d0f3b52-9c5e-5f5b-9d0a-2f4f5a1f0c11")
TOPICS = "urn:pharmgraph:card-topic"
_TOPIC_NAMES = {
    Category.INDICATION.value: "Indication",
    Category.DOSAGE.value: "Dosage",
    Category.CONTRAINDICATION.value: "Contraindication",
    Category.SPECIAL_POPULATION.value: "Special population",
    Category.INTERACTION.value: "Interaction",
    Category.ALLERGY.value: "Allergy",
    Category.DUPLICATE.value: "Duplicate",
    "information": "For information",
    "information-gap": "Missing information",
    "not-evaluated": "Not checked",
}
_KNOWLEDGE_BASE = "PharmGraph knowledge base"
_CALM = "information"


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """What a card needs beside the result. `evidence_url` gives the signed link of a card's uuid."""

    trace_id: str
    release_id: str
    policy: Policy
    evidence_url: Callable[[str], str]
    service_url: str
    section_title: SectionTitle = lambda _: None
    acknowledgements: tuple[Acknowledgement, ...] = ()


@dataclass(frozen=True, slots=True)
class Outline:
    """The problems that an answer shows, and those that an acknowledgement quiets."""

    shown: tuple[Problem, ...]
    quieted: tuple[Quieted, ...]


def compose(result: AuditResult, prescription: Prescription, context: AnswerContext, outline: Outline | None = None) -> list[dict[str, Any]]:
    """The cards of an answer, the loudest first; equal inputs give equal cards. `outline` is given where it has been worked out."""
    outline = outline or outline_of(result, prescription, context)
    shown, quieted = outline.shown, outline.quieted
    loud = [p for p in shown if p.indicator is not Indicator.INFO]
    calm = calm_problems(shown, context.policy)
    cards = [_problem_card(p, loud, prescription, context) for p in loud]
    said = [r for r in result.results if not isinstance(r, Gap | NotEvaluated) or context.policy.says_missing(r.check, risk_of(r.check))]
    gaps = [*(r for r in said if isinstance(r, Gap)), *_empty_allergy_gaps(result, prescription, context)]
    if gaps:
        cards.append(_card("information-gap", gap_summary(gaps), gap_detail(gaps), [gap_object(g) for g in gaps], context))
    unchecked = [r for r in said if isinstance(r, NotEvaluated)]
    if unchecked:
        cards.append(_card("not-evaluated", unchecked_summary(unchecked), unchecked_detail(unchecked), [unchecked_object(n) for n in unchecked], context))
    if calm or any(q.problem.indicator is not Indicator.INFO for q in quieted):
        cards.append(_calm_card(calm, quieted, context))
    if cards and prescription.retrieval.get("allergies") is Retrieval.NONE_FOUND and not context.policy.empty_allergies_are_a_gap:
        cards[-1]["detail"] += "\n\nNo allergy entries were found in the record. That is not the statement that the patient has none."
    return cards


def acknowledgeable(outline: Outline, context: AnswerContext) -> list[tuple[str, Problem]]:
    """The problems that the cards of an answer show, each with its card's uuid: what an override of that card would be about."""
    shown = outline.shown
    calm = card_uuid(context.trace_id, _CALM)
    return [
        *((card_uuid(context.trace_id, p.key), p) for p in shown if p.indicator is not Indicator.INFO),
        *((calm, p) for p in calm_problems(shown, context.policy)[: context.policy.info_lines]),
    ]


def outline_of(result: AuditResult, prescription: Prescription, context: AnswerContext) -> Outline:
    """The outline of the answer to a result."""
    problems = problems_of((r for r in result.results if isinstance(r, Finding)), context.policy)
    return Outline(*split(problems, context.acknowledgements, prescription, context.policy))


def calm_problems(problems: Sequence[Problem], policy: Policy) -> list[Problem]:
    """The problems of the calm card, those of the site's practice first; what a loud card shows already is not said again, unless by a practice rule."""
    if not policy.info_on_card:
        return []
    loud = [p for p in problems if p.indicator is not Indicator.INFO]
    calm = [p for p in problems if p.indicator is Indicator.INFO and (p.lead.practice or not any(_says_same(q, p) for q in loud))]
    return sorted(calm, key=lambda p: not p.lead.practice)


def _says_same(loud: Problem, calm: Problem) -> bool:
    """True where a loud card quotes everything that a calm line would rest on, about the same drug and other side."""
    told = {e.span for f in loud.findings for e in f.evidence}
    mine, its = calm.lead, loud.lead
    return {mine.drug.name, _other(mine)} == {its.drug.name, _other(its)} and all(e.span in told for e in mine.evidence)


def _other(f: Finding) -> str:
    return f.other.name if f.other is not None else ""


def card_uuid(trace_id: str, key: str) -> str:
    """The uuid of the card of a problem, the same in every replay."""
    return str(uuid.uuid5(NAMESPACE, f"{trace_id}|{key}"))


def _problem_card(problem: Problem, problems: Sequence[Problem], prescription: Prescription, context: AnswerContext) -> dict[str, Any]:
    lead = problem.lead
    objects = [finding_object(s.finding, s.indicator) for s in problem.shown]
    source = source_label(e for f in problem.findings for e in f.evidence)
    card = _card(
        lead.category.value,
        headline(lead),
        detail(problem.findings, context.policy, context.section_title),
        objects,
        context,
        problem.key,
        problem.indicator,
        source,
    )
    suggestion = suggestion_of(problem, problems, prescription, card_uuid(context.trace_id, f"{problem.key}|suggestion"))
    if suggestion is not None:
        card["suggestions"] = [suggestion]
        card["selectionBehavior"] = "at-most-one"
    reasons = context.policy.reasons_for(lead.category)
    if reasons:
        card["overrideReasons"] = [{"system": r.system, "code": r.code, "display": r.display} for r in reasons]
    return card


def _calm_card(calm: Sequence[Problem], quieted: Sequence[Quieted], context: AnswerContext) -> dict[str, Any]:
    """The card of what is for information, and of what was acknowledged: a line each."""
    kept = [q for q in quieted if q.problem.indicator is not Indicator.INFO]
    objects = [
        *(finding_object(s.finding, s.indicator) for p in calm for s in p.shown),
        *(finding_object(s.finding, Indicator.INFO) for q in kept for s in q.problem.shown),
    ]
    shown = [p.lead for p in calm[: context.policy.info_lines]]
    lines = calm_lines(shown, context.policy, context.section_title)
    if len(calm) > len(shown):
        lines.insert(len(shown), f"- and {len(calm) - len(shown)} more on the evidence page")
    lines[:0] = [acknowledged_line(q.problem.lead, q.by) for q in kept]
    pairs = list(dict.fromkeys(pair(p.lead) for p in calm))
    told = [f"For information: {'; '.join(pairs)}"] if pairs else []
    told += [f"Acknowledged before: {'; '.join(dict.fromkeys(pair(q.problem.lead) for q in kept))}"] if kept else []
    source = source_label(e for p in (*calm, *(q.problem for q in kept)) for e in p.lead.evidence)
    return _card(_CALM, summary(". ".join(told)), "\n".join(lines), objects, context, source=source)


def _card(
    topic: str,
    text: str,
    body: str,
    objects: list[dict[str, Any]],
    context: AnswerContext,
    key: str | None = None,
    indicator: Indicator = Indicator.INFO,
    source: str = _KNOWLEDGE_BASE,
) -> dict[str, Any]:
    identifier = card_uuid(context.trace_id, key or topic)
    return compact({
        "uuid": identifier,
        "summary": text,
        "detail": body,
        "indicator": indicator.value,
        "source": {"label": source, "topic": {"system": TOPICS, "code": topic, "display": _TOPIC_NAMES[topic]}},
        "links": [{"label": "Evidence and reasoning", "url": context.evidence_url(identifier), "type": "absolute"}],
        "extension": {"org.pharmgraph.trace": context.trace_id, "org.pharmgraph.release": context.release_id, "org.pharmgraph.findings": objects},
    })  # fmt: skip


def _empty_allergy_gaps(result: AuditResult, prescription: Prescription, context: AnswerContext) -> list[Gap]:
    """An empty allergy list as a gap, where the site asks for it: one a drug that was checked."""
    if not context.policy.empty_allergies_are_a_gap or prescription.retrieval.get("allergies") is not Retrieval.NONE_FOUND:
        return []
    drugs = {r.drug.name: r.drug for r in result.results if r.check == "allergy"}
    question = "The allergy list is empty; nobody has stated that there are no allergies"
    return [Gap("allergy", Category.ALLERGY, ref, ("allergies",), question) for ref in drugs.values()]
