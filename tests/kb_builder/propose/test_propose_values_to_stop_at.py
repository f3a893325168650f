"""Values from which a treatment is stopped, states that are not helped, and a route that other patients get: each with all that restricts it."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kb_builder.propose.indications.proposer import IndicationProposer
from kb_builder.propose.populations.proposer import PopulationProposer
from ontology.model.claims import Polarity, Strength
from ontology.model.facts import Axis
from ontology.model.guards import AnyOf, Interval, Opaque, leaves


def stops(label, text):
    made = label(text, "warnings")
    return [p.claim for p in made.proposals() if p.claim.predicate == "contraindicated_in"]


@pytest.mark.parametrize(
    ("text", "action", "lows"),
    [
        ("Discontinue ZOCOR if ALT exceeds 3 times the upper limit of normal.", "stop", [3]),
        ("If transaminases exceed three times normal, stop or reduce the dose of ZOCOR.", "adjust-dose", [3]),
        ("ZOCOR should be discontinued when serum transaminase levels are greater than 5 x ULN.", "stop", [5]),
        ("Discontinue ZOCOR if ALT is greater than 3 x ULN and bilirubin is greater than 2 x ULN.", "stop", [3, 2]),
    ],
)
def test_a_multiple_of_the_upper_limit_is_a_ground_to_stop(label, text, action, lows):
    (claim,) = stops(label, text)
    bounds = list(leaves(claim.guard))
    assert claim.payload.strictest.value == action
    assert [(b.axis, b.low, b.unit) for b in bounds] == [(Axis.LAB, Decimal(n), "{ULN}") for n in lows]


def test_either_of_two_values_is_enough_where_the_words_say_so(label):
    (claim,) = stops(label, "Discontinue ZOCOR if ALT is greater than 3 x ULN or bilirubin is greater than 2 x ULN.")
    assert isinstance(claim.guard, AnyOf)


def test_what_else_the_clause_asks_stays_in_words(label):
    (claim,) = stops(label, "Discontinue ZOCOR if ALT exceeds 3 times the upper limit of normal in a patient with jaundice.")
    assert {type(leaf) for leaf in leaves(claim.guard)} == {Interval, Opaque}


def test_a_stop_that_is_to_consider_is_no_order(label):
    (claim,) = stops(label, "Consider whether to discontinue ZOCOR if ALT exceeds 3 times the upper limit of normal.")
    assert claim.strength is Strength.CONSIDER


@pytest.mark.parametrize(
    "text",
    [
        "Patients had to stop ZOCOR if ALT was greater than 3 times the upper limit of normal.",
        "Discontinue warfarin if ALT exceeds 3 times the upper limit of normal.",
        "Monitor patients if ALT is greater than 3 times the upper limit of normal.",
    ],
)
def test_reports_and_other_drugs_are_no_ground_to_stop(label, text):
    assert stops(label, text) == []


def test_a_pressure_without_a_unit_is_a_value(label):
    (claim,) = [p.claim for p in label("4 CONTRAINDICATIONS Systolic blood pressure < 100.", "contraindications").proposals()]
    assert (claim.guard.axis, claim.guard.high, claim.guard.unit) == (Axis.LAB, Decimal(100), "mm[Hg]")


def denied(label, text):
    made = label(text, "indications_and_usage")
    found = list(IndicationProposer().propose(made.document, made.subject, made.lexicon))
    return {made.name(p) for p in found if p.claim.polarity is Polarity.NEGATIVE}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Varicella does not appear to be controlled by ZOCOR.", {"varicella"}),
        ("Gout does not respond to ZOCOR.", {"gout"}),
        ("ZOCOR is not effective in the treatment of influenza.", {"influenza"}),
        ("ZOCOR is not effective in patients with renal failure.", set()),
        ("ZOCOR is not indicated for the preventive treatment of influenza.", {"prevention of influenza"}),
        ("ZOCOR is not indicated for the treatment of influenza.", {"influenza"}),
    ],
)
def test_what_the_product_does_not_help_is_denied(label, text, expected):
    assert denied(label, text) == expected


def test_oral_doses_instead_of_an_intravenous_vehicle_speak_against_the_latter(label):
    text = (
        "In patients with moderate renal impairment (creatinine clearance below 50 mL/min) who are receiving an intravenous infusion of ZOCOR, the intravenous vehicle accumulates. "
        "Oral ZOCOR should be given to these patients, unless the benefit justifies the risk of the intravenous form."
    )
    made = label(text, "dosage_and_administration")
    found = [p.claim for p in PopulationProposer().propose(made.document, made.subject, made.lexicon)]
    (claim,) = [c for c in found if c.payload.strictest.value == "avoid"]
    assert claim.scope.routes == ("intravenous",)
    assert any(isinstance(leaf, Interval) and leaf.high == Decimal(50) for leaf in leaves(claim.guard))
    assert [leaf.text.split()[0] for leaf in leaves(claim.guard) if isinstance(leaf, Opaque)] == ["unless"]


def test_patients_of_whom_more_is_told_behind_or_are_one_restriction_in_words(label):
    text = "ZOCOR is not recommended for the treatment of hypertension in patients with large cysts or patients requiring or with a recent history of therapy for kidney disease."
    made = label(text, "indications_and_usage")
    (claim,) = [p.claim for p in IndicationProposer().propose(made.document, made.subject, made.lexicon)]
    assert [type(leaf) for leaf in leaves(claim.guard)] == [Opaque]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("Discontinue ZOCOR in patients who are found to have persistent QTc measurements >500 ms.", Decimal(500), None),
        ("Discontinue ZOCOR in patients with absolute neutrophil count < 1000/mm3 and follow their WBC until recovery.", None, Decimal(1000)),
    ],
)
def test_whoever_is_found_to_have_a_value_stops(label, text, low, high):
    (claim,) = stops(label, text)
    assert (claim.payload.strictest.value, claim.guard.low, claim.guard.high) == ("stop", low, high)


@pytest.mark.parametrize(
    "text",
    [
        "Discontinue warfarin in patients with absolute neutrophil count < 1000/mm3.",
        "Treatment was stopped. Investigators had to discontinue ZOCOR in patients with QTc measurements of any length.",
    ],
)
def test_no_value_stops_what_the_sentence_does_not_stop(label, text):
    assert stops(label, text) == []
