"""The gates: a quote that is not the text, and a claim that the registry does not allow, go no further."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kb_builder.gate.gates import judge
from kb_builder.gate.registry import MAX_INGREDIENTS, too_many
from kb_builder.ingest.markdown import read_markdown
from ontology.model.advice import Action, Advice, Step
from ontology.model.claims import Claim, ClaimStatus, Edge, Provenance
from ontology.model.dosing import Amount, Phase, PhaseKind, Regimen
from ontology.model.facts import ConditionState
from ontology.model.guards import Exposure, HasCondition, Not
from ontology.model.identifiers import EntityId, mint, mint_uncoded
from ontology.text.document import Document, DocumentVersion

WARFARIN = mint("Ingredient", "rxnorm", "11289")
IBUPROFEN = mint("Ingredient", "rxnorm", "5640")
PREGNANCY = mint("Population", "pharmgraph", "pregnancy")
THROMBOSIS = mint_uncoded("Condition", "venous thrombosis")
KNOWN = {WARFARIN, IBUPROFEN, PREGNANCY, THROMBOSIS}
AVOID = Advice((Step(Action.AVOID),))


@pytest.fixture
def document(monograph: str) -> Document:
    return read_markdown(monograph)[0]


def claim(document: Document, predicate: str = "interacts_with", target: EntityId = IBUPROFEN, **parts: object) -> Claim:
    section = document.section("drug_interactions")
    assert section is not None
    start = section.text.index("Avoid ibuprofen")
    span = document.span("drug_interactions", start, start + len("Avoid ibuprofen"))
    members: dict[str, object] = {"payload": AVOID, "evidence": (span,), "provenance": Provenance("test", "1")} | parts
    return Claim(predicate, WARFARIN, target, **members)  # type: ignore[arg-type]


def fault(document: Document, made: Claim) -> str:
    verdict = judge(made, document, KNOWN.__contains__)
    assert not verdict.passed
    assert verdict.on(made).status is ClaimStatus.REJECTED
    return verdict.on(made).reason or ""


def test_a_claim_that_stands_passes_all_gates(document: Document) -> None:
    verdict = judge(claim(document), document, KNOWN.__contains__)
    assert verdict.on(claim(document)).status is ClaimStatus.ENTITY_RESOLVED


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"quote": "Avoid Ibuprofen"}, "holds 'Avoid ibuprofen', the span quotes 'Avoid Ibuprofen'"),
        ({"start": 2, "end": 17}, "holds"),
        ({"section": "warnings"}, "no section warnings"),
        ({"version": "1"}, "names version 1 of test-warfarin, read was version 2"),
        ({"document": "other"}, "names document other"),
        ({"start": 5000, "end": 5015}, "holds ''"),
    ],
)
def test_a_quote_that_is_not_the_text_at_its_place_is_rejected(document: Document, change: dict[str, object], reason: str) -> None:
    made = claim(document)
    broken = replace(made, evidence=(replace(made.evidence[0], **change),))  # type: ignore[arg-type]
    assert fault(document, broken).startswith("quote gate: ")
    assert reason in fault(document, broken)


def test_every_span_counts_not_only_the_statement(document: Document) -> None:
    made = claim(document)
    broken = replace(made, evidence=(*made.evidence, replace(made.evidence[0], quote="Avoid aspirin..")))
    assert "quotes 'Avoid aspirin..'" in fault(document, broken)


def test_the_version_counts_also_when_the_text_is_the_same(document: Document) -> None:
    newer = replace(document, version=DocumentVersion("3", None, "x"))
    assert "read was version 3" in fault(newer, claim(document))


@pytest.mark.parametrize(
    ("predicate", "target", "parts", "reason"),
    [
        ("interacts_with", PREGNANCY, {}, "interacts_with does not lead to a Population"),
        ("interacts_with", WARFARIN, {}, "a claim about itself"),
        ("interacts_with", mint("Ingredient", "rxnorm", "1"), {}, "object Ingredient:rxnorm:1 does not exist"),
        ("belongs_to", mint("DrugClass", "epc", "N1"), {"payload": Edge()}, "object DrugClass:epc:N1 does not exist"),
        ("indicated_for", THROMBOSIS, {}, "without the label's words"),
        ("interacts_with", IBUPROFEN, {"guard": Exposure(mint("DrugClass", "epc", "N9"))}, "guard target DrugClass:epc:N9 does not exist"),
        ("interacts_with", IBUPROFEN, {"guard": Exposure(IBUPROFEN, minus=(mint("Ingredient", "rxnorm", "2"),))}, "guard exception"),
        (
            "interacts_with",
            IBUPROFEN,
            {"guard": Not(HasCondition(mint_uncoded("Condition", "gout"), "gout", ConditionState.ACTIVE))},
            "guard condition Condition:uncoded:",
        ),
        (
            "has_dose_rule",
            mint("Population", "pharmgraph", "pregnancy"),
            {"payload": Regimen((Phase(PhaseKind.USUAL, (Amount(None, None, "mg", formula="x"),)),), partners=(mint("Ingredient", "rxnorm", "3"),))},
            "regimen partner Ingredient:rxnorm:3 does not exist",
        ),
    ],
)
def test_what_the_registry_does_not_allow_is_rejected(document: Document, predicate: str, target: EntityId, parts: dict[str, object], reason: str) -> None:
    told = fault(document, claim(document, predicate, target, **parts))
    assert told.startswith("registry gate: ")
    assert reason in told


def test_a_domain_that_does_not_fit_is_rejected(document: Document) -> None:
    made = replace(claim(document, payload=Edge(), predicate="belongs_to", target=mint("DrugClass", "epc", "N1")), subject=mint("Drug", "pharmgraph", "x"))
    assert "belongs_to is not said of a Drug" in fault(document, made)


def test_hypersensitivity_to_the_drug_itself_is_no_claim_about_itself(document: Document) -> None:
    assert judge(claim(document, "contraindicated_in", WARFARIN), document, KNOWN.__contains__).passed


def test_an_uncoded_concept_passes_with_its_words(document: Document) -> None:
    assert judge(claim(document, "indicated_for", THROMBOSIS, words="venous thrombosis"), document, KNOWN.__contains__).passed


def test_a_product_of_too_many_ingredients_is_a_broken_join(document: Document) -> None:
    def part(number: int) -> Claim:
        made = claim(document, "has_ingredient", mint("Ingredient", "rxnorm", str(number)), payload=Edge())
        return replace(made, subject=mint("Drug", "pharmgraph", "join"))

    assert too_many(tuple(part(n) for n in range(MAX_INGREDIENTS))) == {}
    assert len(too_many(tuple(part(n) for n in range(MAX_INGREDIENTS + 1)))) == MAX_INGREDIENTS + 1
