"""Facts: every released statement in the shape of the benchmark, at its verbatim place."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from kb_builder.ingest.markdown import read_markdown
from kb_builder.publish.facts import FactWriter, export_facts
from ontology.model.advice import Action, Advice, Step
from ontology.model.claims import Approval, Claim, ClaimStatus, Polarity, Provenance, Scope
from ontology.model.dosing import Amount, Limit, LimitScope, Measure
from ontology.model.entities import Entity, EntityType, Label
from ontology.model.facts import Axis
from ontology.model.guards import AnyOf, Category, Exposure, Interval, Opaque
from ontology.model.identifiers import EntityId, mint, mint_uncoded
from ontology.model.spans import Span
from ontology.store.release import Release
from ontology.store.writer import ReleaseWriter

WARFARIN = mint("Ingredient", "rxnorm", "11289")
COMBINED = mint("Drug", "pharmgraph", "11289+5640")
IBUPROFEN = mint("Ingredient", "rxnorm", "5640")
STRONG = mint("EnzymeRole", "pharmgraph", "cyp3a4-strong-inhibitor")
PREGNANCY = mint("Population", "pharmgraph", "pregnancy")
NEONATE = mint("Population", "pharmgraph", "neonate")
ADULT = mint("Population", "pharmgraph", "adult")
THROMBOSIS = mint_uncoded("Condition", "venous thrombosis")
ALCOHOL = mint("Lifestyle", "pharmgraph", "alcohol")
NAMES = {
    WARFARIN: "Warfarin",
    COMBINED: "warfarin / Ibuprofen",
    IBUPROFEN: "Ibuprofen",
    STRONG: "strong CYP3A4 inhibitors",
    PREGNANCY: "pregnant women",
    NEONATE: "neonates",
    ADULT: "adults",
    THROMBOSIS: "venous thrombosis",
    ALCOHOL: "alcohol",
}
RENAL = AnyOf((Interval(Axis.CRCL, None, Decimal(30), "mL/min", high_open=True), Category(Axis.DIALYSIS, ("yes",))))


@pytest.fixture
def facts(tmp_path: Path, monograph: str) -> Any:
    document = read_markdown(monograph)[0]
    span = document.span("drug_interactions", 1, 16)

    def export(*made: tuple[str, EntityId, dict[str, Any]]) -> list[dict[str, Any]]:
        claims = []
        for predicate, target, parts in made:
            members: dict[str, Any] = {
                "subject": WARFARIN,
                "payload": Advice((Step(Action.AVOID),)),
                "evidence": (span,),
                "provenance": Provenance("t", "1"),
                "status": ClaimStatus.APPROVED,
                "approval": Approval("policy:default@1", "rule"),
                "words": NAMES[target],
            } | parts
            claims.append(Claim(predicate=predicate, object=target, **members))
        with ReleaseWriter(tmp_path / "release") as writer:
            writer.add_document(document)
            writer.add_entities(Entity(entity, EntityType(entity.type), name) for entity, name in NAMES.items())
            writer.add_claims(claims)
            writer.finish({})
        with Release.open(tmp_path / "release") as release:
            return [json.loads(line) for line in export_facts(release)]

    return export


def test_an_interaction_with_its_place(facts: Any) -> None:
    (fact,) = facts(("interacts_with", IBUPROFEN, {}))
    assert fact == {
        "doc": "test-warfarin",
        "section": "drug_interactions",
        "drug": "warfarin",
        "kind": "interaction",
        "target": {"type": "drug", "name": "ibuprofen"},
        "action": "avoid",
        "quote": "Avoid ibuprofen",
        "start": 1,
        "end": 16,
    }


@pytest.mark.parametrize(
    ("predicate", "target", "parts", "expected"),
    [
        ("interacts_with", STRONG, {}, {"target": {"type": "class", "name": "strong cyp3a4 inhibitors"}}),
        ("interacts_with", ALCOHOL, {"words": "Ethanol"}, {"target": {"type": "food", "name": "ethanol"}}),
        ("interacts_with", ALCOHOL, {"words": None}, {"target": {"type": "food", "name": "alcohol"}}),
        ("interacts_with", IBUPROFEN, {"payload": Advice((Step(Action.MONITOR), Step(Action.STOP)))}, {"action": "avoid"}),
        ("interacts_with", IBUPROFEN, {"payload": Advice((Step(Action.NO_ADJUSTMENT),)), "polarity": Polarity.NEGATIVE}, {"action": "no-adjustment"}),
        ("contraindicated_in", THROMBOSIS, {}, {"kind": "contraindication", "target": {"type": "condition", "name": "venous thrombosis"}}),
        ("contraindicated_in", IBUPROFEN, {}, {"target": {"type": "allergen", "name": "ibuprofen"}}),
        ("population_advice", PREGNANCY, {}, {"kind": "population", "axis": "pregnancy", "action": "avoid"}),
        ("population_advice", NEONATE, {"payload": Advice((Step(Action.NOT_STUDIED),))}, {"axis": "pediatric", "action": "not-established"}),
        ("indicated_for", THROMBOSIS, {}, {"kind": "indication", "target": {"type": "condition", "name": "venous thrombosis"}}),
        ("interacts_with", IBUPROFEN, {"subject": COMBINED}, {"drug": "ibuprofen / warfarin"}),
    ],
)
def test_every_kind_of_statement(facts: Any, predicate: str, target: EntityId, parts: dict[str, Any], expected: dict[str, Any]) -> None:
    (fact,) = facts((predicate, target, parts))
    assert {key: fact[key] for key in expected} == expected
    assert ("action" in fact) == (predicate != "indicated_for")


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ((Action.ADJUST_DOSE, Action.MONITOR), ["adjust-dose", "monitor"]),
        ((Action.AVOID, Action.MONITOR), ["avoid"]),
        ((Action.MONITOR,), ["monitor"]),
    ],
)
def test_watching_beside_a_change_of_dose_is_a_fact_of_its_own(facts: Any, steps: tuple[Action, ...], expected: list[str]) -> None:
    found = facts(("interacts_with", IBUPROFEN, {"payload": Advice(tuple(Step(s) for s in steps))}))
    assert [fact["action"] for fact in found] == expected


@pytest.mark.parametrize(("words", "expected"), [("IBUs", "ibuprofen"), ("IBUPROFEN LYSINE", "ibuprofen lysine"), ("Motrin", "motrin")])
def test_an_abbreviation_alone_gives_way_to_the_name(facts: Any, words: str, expected: str) -> None:
    assert facts(("interacts_with", IBUPROFEN, {"words": words}))[0]["target"]["name"] == expected


def test_a_limit_is_a_dose_with_its_route_and_numbers_are_as_printed(facts: Any) -> None:
    limit = Limit(Measure.DAY, LimitScope.INGREDIENT, Amount(None, Decimal("7.50"), "mg"))
    (fact,) = facts(("has_limit", ADULT, {"payload": limit, "scope": Scope(routes=("oral",))}))
    assert fact["kind"] == "dosage"
    assert fact["dose"] == {"unit": "mg", "basis": "flat", "per": "day", "max_daily": 7.5, "phase": "maximum"}
    assert fact["route"] == "oral"
    assert "target" not in fact


def test_a_disjunction_is_a_fact_a_disjunct(facts: Any) -> None:
    found = facts(("interacts_with", IBUPROFEN, {"guard": RENAL}))
    assert [fact["when"] for fact in found] == [
        [{"axis": "crcl", "high": 30, "high_open": True, "unit": "mL/min"}],
        [{"axis": "dialysis", "value": "dialysis"}],
    ]


@pytest.mark.parametrize(("words", "expected"), [("Severe thrombosis", None), ("after surgery", [{"axis": "other", "value": "after surgery"}])])
def test_a_condition_that_says_what_its_target_says_is_not_said_twice(facts: Any, words: str, expected: Any) -> None:
    (fact,) = facts(("contraindicated_in", THROMBOSIS, {"words": "severe thrombosis", "guard": Opaque(words)}))
    assert fact.get("when") == expected


@pytest.mark.parametrize("status", [ClaimStatus.REJECTED, ClaimStatus.HELD])
def test_what_is_not_released_is_not_exported(facts: Any, status: ClaimStatus) -> None:
    assert facts(("interacts_with", IBUPROFEN, {"status": status, "approval": None, "reason": "x"})) == []


@pytest.mark.parametrize(("predicate", "target"), [("indicated_for", THROMBOSIS), ("contraindicated_in", THROMBOSIS)])
def test_a_denied_indication_or_contraindication_is_no_positive_fact(facts: Any, predicate: str, target: EntityId) -> None:
    assert facts((predicate, target, {"polarity": Polarity.NEGATIVE})) == []


@pytest.mark.parametrize(
    ("printed", "expected"),
    [("divalproex sodium", "divalproex sodium"), ("valproate sodium", "valproate"), (None, "valproate")],
    ids=["another word", "a salt", "not printed"],
)
def test_a_label_that_calls_its_ingredient_otherwise_keeps_its_name(printed: str | None, expected: str) -> None:
    drug = mint("Ingredient", "rxnorm", "40254")
    span = Span("a", "1", "drug_interactions", 0, 5, "words")
    claim = Claim("interacts_with", drug, mint("Ingredient", "rxnorm", "11289"), Advice((Step(Action.MONITOR),)), (span,), Provenance("t", "1"))

    class Names:
        def entity(self, entity: EntityId) -> Entity:
            return Entity(entity, EntityType.INGREDIENT, "valproate" if entity == drug else "warfarin")

    (fact,) = FactWriter(Names(), {("a", drug): printed} if printed else {}).facts(claim)
    assert fact["drug"] == expected


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("given with statin therapy", "statins"),
        ("given with HMG-CoA reductase inhibitors", "HMG-CoA reductase inhibitors"),
        ("given", "HMG-CoA reductase inhibitors"),
    ],
    ids=["the label's word", "the name", "neither"],
)
def test_a_class_beside_a_dose_is_called_as_the_label_calls_it(quote: str, expected: str) -> None:
    drug, group = mint("Ingredient", "rxnorm", "40254"), mint("DrugClass", "pharmgraph", "statins")
    labels = (Label("HMG-CoA reductase inhibitors", "en", "test", preferred=True), Label("statins", "en", "test", preferred=False))
    limit = Limit(Measure.DAY, LimitScope.PRODUCT, Amount(None, Decimal(20), "mg"))
    span = Span("a", "1", "dosage_and_administration", 0, len(quote), quote)
    claim = Claim("has_limit", drug, mint("Population", "pharmgraph", "all"), limit, (span,), Provenance("t", "1"), guard=Exposure(group))

    class Names:
        def entity(self, entity: EntityId) -> Entity:
            return Entity(entity, EntityType(entity.type), labels[0].text if entity == group else "valproate", labels=labels if entity == group else ())

    (fact,) = FactWriter(Names()).facts(claim)
    assert fact["when"][0]["value"] == expected
