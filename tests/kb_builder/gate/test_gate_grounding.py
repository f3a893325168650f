"""The grounding gate: numbers and the object's words stand in the claim's spans; and how a model's claim is judged where nobody reads its sentence."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kb_builder.gate.gates import judge
from kb_builder.gate.grounding import grounding_fault
from ontology.model.advice import Action, Advice, Step
from ontology.model.claims import Claim, Provenance
from ontology.model.dosing import Amount, Frequency, Phase, PhaseKind, Regimen
from ontology.model.facts import Axis, DoseBounds
from ontology.model.guards import Exposure, Interval
from ontology.model.identifiers import mint
from ontology.text.document import Document, DocumentVersion, Section

WARFARIN = mint("Ingredient", "rxnorm", "11289")
IBUPROFEN = mint("Ingredient", "rxnorm", "5640")
ALL = mint("Population", "pharmgraph", "all")


def document(text: str) -> Document:
    return Document("set-1", DocumentVersion("1", None, "0" * 64), "A label", "openfda", "en", (Section("drug_interactions", text),))


def claim(text: str, **parts: object) -> Claim:
    members: dict[str, object] = {"payload": Advice((Step(Action.AVOID),)), "provenance": Provenance("t", "1"), "words": "ibuprofen"} | parts
    return Claim("interacts_with", WARFARIN, IBUPROFEN, evidence=(document(text).span("drug_interactions", 0, len(text)),), **members)  # type: ignore[arg-type]


def dose(text: str, amount: Amount, frequency: Frequency | None = None) -> Claim:
    span = document(text).span("drug_interactions", 0, len(text))
    return Claim("has_dose_rule", WARFARIN, ALL, Regimen((Phase(PhaseKind.USUAL, (amount,), frequency),)), (span,), Provenance("t", "1"))


def test_a_claim_that_its_span_says_is_grounded() -> None:
    assert grounding_fault(claim("Avoid Ibuprofen.")) is None


@pytest.mark.parametrize("words", ["naproxen", "", None, "ibuprofen tablets"])
def test_words_for_the_object_that_no_span_holds_are_told(words: str | None) -> None:
    assert "stand in no span" in (grounding_fault(claim("Avoid ibuprofen.", words=words)) or "")


@pytest.mark.parametrize(
    ("text", "amount", "frequency", "absent"),
    [
        ("Take 20 mg twice a day.", Amount(Decimal(20), Decimal(20), "mg"), Frequency(Decimal(2), Decimal(2)), None),
        ("Take 1,500 mg every 12 hours.", Amount(Decimal(1500), None, "mg"), Frequency(every_hours_low=Decimal(12)), None),
        ("Take half of the usual dose.", Amount(Decimal("0.5"), None, "1"), None, None),
        ("Take 40 mg daily.", Amount(Decimal(20), Decimal(20), "mg"), None, "the number 20 stands in no span"),
        ("Take 20 mg daily.", Amount(Decimal(20), Decimal(40), "mg"), None, "the number 40 stands in no span"),
        ("Take 20 mg daily.", Amount(Decimal(20), None, "mg"), Frequency(Decimal(3), None), "the number 3 stands in no span"),
    ],
)
def test_every_number_of_a_dose_stands_in_a_span(text: str, amount: Amount, frequency: Frequency | None, absent: str | None) -> None:
    assert grounding_fault(dose(text, amount, frequency)) == absent


def test_numbers_of_a_guard_count_and_those_of_a_lexicons_row_do_not() -> None:
    elderly = Interval(Axis.AGE, Decimal(65), None, "a", term="elderly")
    assert grounding_fault(claim("Avoid ibuprofen in the elderly.", guard=elderly)) is None
    printed = Interval(Axis.AGE, Decimal(65), None, "a")
    assert grounding_fault(claim("Avoid ibuprofen in the elderly.", guard=printed)) == "the number 65 stands in no span"
    dosed = Exposure(IBUPROFEN, dose=DoseBounds(Decimal(800), None, "mg"))
    assert grounding_fault(claim("Avoid ibuprofen.", guard=dosed)) == "the number 800 stands in no span"


def test_a_models_claim_is_refused_where_nobody_reads_its_sentence() -> None:
    made = claim("Avoid ibuprofen.", provenance=Provenance("model", "1", "tiny", "1"))
    verdict = judge(made, document("Avoid ibuprofen."), lambda _: True)
    assert (verdict.passed, verdict.gate) == (False, "agreement")


def test_birth_is_age_nought() -> None:
    born = Interval(Axis.AGE, Decimal(0), Decimal(3), "mo")
    assert grounding_fault(claim("Avoid ibuprofen from birth to 3 months.", guard=born)) is None
    assert grounding_fault(claim("Avoid ibuprofen up to 3 months.", guard=born)) == "the number 0 stands in no span"
