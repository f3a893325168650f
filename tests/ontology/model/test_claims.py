"""Claims: no span, no claim; ids survive moves and change with meaning."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from ontology.model.advice import ACTION_RANK, Action, Advice, Step
from ontology.model.claims import Claim, Edge, Polarity, Provenance, Scope, rule_key
from ontology.model.errors import InvalidClaim
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, Interval, Opaque
from ontology.model.identifiers import mint
from ontology.model.periods import ValidPeriod
from ontology.model.predicates import PREDICATES, REGISTRY
from ontology.model.spans import Span, SpanRole

WARFARIN = mint("Ingredient", "rxnorm", "11289")
BLEEDING = mint("Condition", "icd10cm", "R58")
QUOTE = "contraindicated in active bleeding"


def span(start: int = 0, document: str = "set-1", version: str = "1", role: SpanRole = SpanRole.STATEMENT) -> Span:
    return Span(document, version, "contraindications", start, start + len(QUOTE), QUOTE, role)


def claim(**changes: object) -> Claim:
    members: dict[str, object] = {
        "predicate": "contraindicated_in",
        "subject": WARFARIN,
        "object": BLEEDING,
        "payload": Advice((Step(Action.CONTRAINDICATED),)),
        "evidence": (span(),),
        "provenance": Provenance("test", "1"),
    }
    return Claim(**{**members, **changes})  # type: ignore[arg-type]


def test_a_claim_without_a_span_cannot_be_constructed() -> None:
    with pytest.raises(InvalidClaim, match="no statement span"):
        claim(evidence=())


def test_a_heading_alone_is_no_statement() -> None:
    with pytest.raises(InvalidClaim, match="no statement span"):
        claim(evidence=(span(role=SpanRole.HEADING),))


def test_a_claim_stands_in_one_document() -> None:
    with pytest.raises(InvalidClaim, match="more than one document"):
        claim(evidence=(span(), span(document="set-2")))


def test_an_unknown_predicate_is_refused() -> None:
    with pytest.raises(InvalidClaim, match="not in the registry"):
        claim(predicate="causes")


def test_a_payload_the_predicate_does_not_take_is_refused() -> None:
    with pytest.raises(InvalidClaim, match="does not take the payload edge"):
        claim(payload=Edge())


@pytest.mark.parametrize(("start", "end", "quote"), [(-1, 4, "12345"), (5, 5, ""), (0, 4, "12345"), (0, 3, "   ")])
def test_a_span_whose_quote_cannot_stand_there_is_refused(start: int, end: int, quote: str) -> None:
    with pytest.raises(InvalidClaim):
        Span("set-1", "1", "contraindications", start, end, quote)


def test_the_id_survives_a_move_of_the_sentence_and_a_new_version() -> None:
    assert claim(evidence=(span(40, version="2"),), valid=ValidPeriod(date(2026, 1, 1))).id == claim().id


@pytest.mark.parametrize(
    "changes",
    [
        {"guard": Opaque("if severe")},
        {"polarity": Polarity.NEGATIVE},
        {"payload": Advice((Step(Action.AVOID),))},
        {"object": mint("Condition", "icd10cm", "K25")},
        {"evidence": (span(document="set-2"),)},
    ],
)
def test_the_id_changes_with_what_is_said(changes: dict[str, object]) -> None:
    assert claim(**changes).id != claim().id


def test_one_statement_in_two_labels_is_one_rule_with_two_claims() -> None:
    other = claim(evidence=(span(document="set-2"),))
    assert rule_key(other) == rule_key(claim())
    assert other.id != claim().id
    assert rule_key(claim(scope=Scope(routes=("topical",)))) != rule_key(claim())


def test_the_order_and_nesting_of_guard_parts_do_not_change_the_id() -> None:
    a, b = Interval(Axis.AGE, Decimal(65), None, "a"), Opaque("if severe")
    assert claim(guard=AllOf((a, b))).id == claim(guard=AllOf((b, AllOf((a, b))))).id


def test_a_bound_written_with_more_zeros_is_the_same_bound() -> None:
    a, b = Interval(Axis.AGE, Decimal("65"), None, "a"), Interval(Axis.AGE, Decimal("65.0"), None, "a")
    assert claim(guard=a).id == claim(guard=b).id


def test_the_strictest_step_leads_a_plan() -> None:
    plan = Advice((Step(Action.MONITOR), Step(Action.AVOID)))
    assert plan.strictest is Action.AVOID
    assert set(ACTION_RANK) == set(Action)


def test_the_registry_names_every_predicate_once_with_domain_range_and_payload() -> None:
    assert len(PREDICATES) == len(REGISTRY)
    for spec in REGISTRY:
        assert spec.domain
        assert spec.range
        assert spec.payloads
        assert "{subject}" in spec.template
        assert "{object}" in spec.template
