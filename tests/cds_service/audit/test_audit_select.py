"""One label judges an order, and which one is a step of the trace."""

from __future__ import annotations

from datetime import date

import pytest

from cds_service.audit.select import LabelChoice, select_label, speaking_claims
from cds_service.intake.prescription import Order, OrderIntent, OrderRole, Source
from ontology.model.advice import Action, Advice, Step
from ontology.model.claims import Basis, ClaimStatus, Polarity, Strength
from ontology.model.identifiers import EntityId
from ontology.model.spans import Span
from ontology.store.records import ClaimRecord, LabelSet, Rule
from ontology.terms.identity import DrugIdentity, IngredientRef

DRUG = EntityId("Ingredient", "rxnorm", "1")


def label(name: str, *, routes: tuple[str, ...] = ("oral",), forms: tuple[str, ...] = ("tablet",), day: date | None = date(2026, 1, 1)) -> LabelSet:
    return LabelSet(name, "1", day, name, routes, forms, None, frozenset(), ())


def choose(labels: list[LabelSet], *, route: str | None = "oral", form: str | None = "tablet", listed: tuple[str, ...] = ()) -> LabelChoice:
    drug = DrugIdentity(DRUG, "drug", (IngredientRef(DRUG, "drug"),), "code", "x", listed)
    order = Order(
        "MedicationRequest/1", OrderRole.DRAFT, OrderIntent.NEW, drug, "drug", route, form, (), "draft", Source("MedicationRequest/1", None, "medications")
    )
    return select_label(order, drug, tuple(labels))


def test_the_label_that_lists_the_product_code_comes_first() -> None:
    chosen = choose([label("new", day=date(2026, 9, 1)), label("own", day=date(2020, 1, 1))], listed=("own",))
    assert chosen.label is not None
    assert chosen.label.document == "own"
    assert chosen.why == "lists the product code"


def test_a_listed_label_of_another_route_does_not_judge() -> None:
    chosen = choose([label("gel", routes=("topical",)), label("tablet")], listed=("gel",))
    assert chosen.label is not None
    assert chosen.label.document == "tablet"


def test_form_then_newest() -> None:
    labels = [label("old", day=date(2020, 1, 1)), label("new"), label("capsule", forms=("capsule",), day=date(2026, 9, 1))]
    assert choose(labels).label == labels[1]
    assert choose(labels, form=None).label == labels[2]


def test_a_label_without_a_date_loses_to_any_dated_one() -> None:
    assert choose([label("undated", day=None), label("dated", day=date(1999, 1, 1))]).label == label("dated", day=date(1999, 1, 1))


def test_no_label_for_the_route_is_said() -> None:
    chosen = choose([label("gel", routes=("topical",))])
    assert chosen.label is None
    assert "topical" in chosen.why
    assert "oral" in chosen.why


def test_a_label_for_another_injection_speaks_of_an_injected_order_and_says_so() -> None:
    labels = [label("old", routes=("intravenous",), day=date(2020, 1, 1)), label("vein", routes=("intravenous",)), label("tablet")]
    chosen = choose(labels, route="subcutaneous", form="injection")
    assert (chosen.label, chosen.injected) == (labels[1], ("intravenous",))
    assert "another route (intravenous)" in chosen.why
    own = choose([*labels, label("skin", routes=("subcutaneous",))], route="subcutaneous", form="injection")
    assert (own.label and own.label.document, own.injected) == ("skin", ())


@pytest.mark.parametrize(
    ("order", "offered"), [("oral", "intravenous"), ("subcutaneous", "oral"), ("intrathecal", "intravenous"), ("subcutaneous", "ophthalmic")]
)
def test_no_other_routes_stand_in_for_each_other(order: str, offered: str) -> None:
    assert choose([label("one", routes=(offered,))], route=order).label is None


def claim(document: str, *, routes: tuple[str, ...] = ("oral",), reason: str | None = None) -> ClaimRecord:
    status = ClaimStatus.CONFLICTED if reason else ClaimStatus.APPROVED
    return ClaimRecord(f"c-{document}", document, "1", (Span(document, "1", "s", 0, 1, "x"),), routes, (), status, reason, None)


def rule(*claims: ClaimRecord) -> Rule:
    advice = Advice((Step(Action.AVOID),))
    return Rule("r", "interacts_with", DRUG, DRUG, "x", None, None, advice, Polarity.POSITIVE, Strength.MUST, Basis.ESTABLISHED, claims)


@pytest.mark.parametrize(("other_labels", "documents"), [(True, ["own", "other"]), (False, ["own"])])
def test_the_chosen_label_speaks_first_and_others_only_where_they_may(other_labels: bool, documents: list[str]) -> None:
    claims = (claim("other"), claim("own"), claim("gel", routes=("topical",)))
    choice = LabelChoice(label("own"), "")
    assert [c.document for c in speaking_claims(rule(*claims), choice, "oral", other_labels=other_labels)] == documents


def test_the_stricter_of_two_labels_that_differ_always_speaks() -> None:
    choice = LabelChoice(label("own"), "")
    strict = claim("other", reason="labels differ: own says monitor")
    milder = claim("third", reason="the same label also says avoid, which is stricter")
    assert [c.document for c in speaking_claims(rule(strict, milder), choice, "oral", other_labels=False)] == ["other"]
