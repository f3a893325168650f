"""Brackets behind a state that a label names: numbers of what the state measures, what it means, what restricts it."""

from decimal import Decimal

import pytest

from ontology.model.facts import Axis, ConditionState
from ontology.model.guards import AnyOf, HasCondition, Interval, Opaque, leaves


def guard_of(label, text, section="contraindications", number="4 CONTRAINDICATIONS"):
    (proposal,) = [p for p in label(f"{number} {text}", section).proposals() if p.claim.predicate == "contraindicated_in"]
    return proposal.claim.guard


@pytest.mark.parametrize(
    ("text", "analyte", "unit", "low", "high"),
    [
        ("Low hemoglobin level (i.e., less than 9 g/dL).", "hemoglobin", "g/dL", None, Decimal(9)),
        ("Low lymphocyte count (less than 500 cells/mm3).", "lymphocyte", "/uL", None, Decimal(500)),
        ("Elevated serum potassium levels (greater than 5.5 mEq/L).", "potassium", "meq/L", Decimal("5.5"), None),
        ("Hypotension (less than 90 mm Hg systolic).", "systolic blood pressure", "mm[Hg]", None, Decimal(90)),
    ],
)
def test_a_bracket_that_only_holds_the_number_measures_the_name_before_it(label, text, analyte, unit, low, high):
    (leaf,) = leaves(guard_of(label, text))
    assert isinstance(leaf, Interval)
    assert (leaf.axis, leaf.detail, leaf.unit, leaf.low, leaf.high) == (Axis.LAB, analyte, unit, low, high)


@pytest.mark.parametrize(
    "text",
    [
        "Permanent atrial fibrillation (patients in whom sinus rhythm cannot be restored).",
        "Severe anemia (large doses may make it worse).",
        "Acute porphyria (this group was not studied).",
        "Disease of the conduction (bradycardia, sinus arrest, or a block).",
    ],
)
def test_a_bracket_that_explains_the_state_restricts_nothing(label, text):
    assert not any(isinstance(leaf, Opaque) and "(" not in leaf.text and leaf.text in text[text.index("(") :] for leaf in leaves(guard_of(label, text)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Sick sinus syndrome (unless a pacemaker is in place).", "unless a pacemaker is in place"),
        ("Asthma (if no reliever should be at hand).", "if no reliever should be at hand"),
        ("Asthma (patients who are taking oral steroids).", "patients who are taking oral steroids"),
        ("Psoriasis (only extensive plaques).", "only extensive plaques"),
    ],
)
def test_a_bracket_that_restricts_stays(label, text, words):
    assert Opaque(words) in leaves(guard_of(label, text))


def test_a_personal_or_family_history_is_a_history(label):
    guard = guard_of(label, "A personal or family history of asthma.")
    assert isinstance(guard, HasCondition)
    assert (guard.state, guard.words) == (ConditionState.HISTORY, "personal or family history of asthma")


def test_the_start_of_a_treatment_is_no_part_of_the_state(label):
    (proposal,) = label("4 CONTRAINDICATIONS Initiation in patients with established asthma.", "contraindications").proposals()
    assert proposal.claim.words == "asthma"


def test_a_class_or_a_value_in_one_bracket_are_alternatives(label):
    guard = guard_of(label, "Severe hepatic impairment (defined as Child-Pugh Class C or serum bilirubin level greater than 5 mg/dL).")
    (either,) = [part for part in getattr(guard, "parts", (guard,)) if isinstance(part, AnyOf)] or [guard]
    assert isinstance(either, AnyOf)
    assert {leaf.axis for leaf in leaves(either)} == {Axis.CHILD_PUGH, Axis.LAB}
