"""Values at which a dosing section forbids or stops its product."""

from decimal import Decimal

import pytest

from ontology.model.advice import Action
from ontology.model.guards import HasCondition, Interval, leaves


def bans(label, text):
    """[(action, detail, low, high, unit, states)] of the claims of a dosing section."""
    out = []
    for p in label(f"2 DOSAGE AND ADMINISTRATION {text}", "dosage_and_administration").proposals():
        if p.claim.predicate == "contraindicated_in":
            told = leaves(p.claim.guard)
            values = [(x.detail, x.low, x.high, x.unit) for x in told if isinstance(x, Interval)]
            out.append((p.claim.payload.steps[0].action, *values, *(x.words for x in told if isinstance(x, HasCondition))))
    return out


@pytest.mark.parametrize(
    ("text", "action", "value", "states"),
    [
        ("ZOCOR should not be administered to patients with an LVEF < 50%.", Action.AVOID, ("lvef", None, 50, "%"), ()),
        ("Do not initiate ZOCOR in patients with a platelet count less than 100 x 10 9 /L.", Action.AVOID, ("platelet", None, 100, "10*9/L"), ()),
        (
            "ZOCOR should be discontinued in patients with an LVEF that drops below the institution's lower limit of normal (LLN).",
            Action.STOP,
            ("lvef", None, 1, "{LLN}"),
            (),
        ),
        (
            "ZOCOR should not be given to epilepsy patients with neutrophil counts less than 1500 cells/mm3.",
            Action.AVOID,
            ("neutrophil", None, 1500, "/uL"),
            ("epilepsy",),
        ),
        ("For patients with hemoglobin <8 g/dL, withhold ZOCOR until hemoglobin is at least 8 g/dL.", Action.STOP, ("hemoglobin", None, 8, "g/dL"), ()),
    ],
)
def test_a_value_that_forbids_or_stops_the_product_is_a_contraindication(label, text, action, value, states):
    (found,) = bans(label, text)
    assert found == (action, value, *states)


def test_of_a_list_the_members_that_are_one_value_are_read(label):
    text = "ZOCOR should be discontinued in patients with a decreased LVEF that is Grade 2, and in patients with an LVEF that drops below the LLN."
    assert bans(label, text) == [(Action.STOP, ("lvef", None, 1, "{LLN}"))]


@pytest.mark.parametrize(
    "text",
    [
        "Warfarin should not be administered to patients with an LVEF < 50%.",
        "ZOCOR should not be administered to patients with an LVEF < 50% and oedema of both legs.",
        "ZOCOR should not be administered to previously treated patients with an LVEF < 50%.",
        "Reduce ZOCOR in patients with an LVEF < 50%.",
    ],
)
def test_other_drugs_other_people_and_further_conditions_are_none(label, text):
    assert bans(label, text) == []


def test_each_value_of_a_list_in_whom_starting_is_not_recommended_is_one(label):
    text = (
        "Initiation of ZOCOR is not recommended in patients with an absolute neutrophil count (ANC) below 2000 per mm3, or platelet count less than "
        "150,000 per mm3, or who have liver transaminases above 1.5 times the upper limit of normal (ULN)."
    )
    found = bans(label, text)
    assert {action for action, *_ in found} == {Action.NOT_RECOMMENDED}
    assert [(value[1], value[2], value[3]) for _, value in found] == [(None, 2000, "/uL"), (None, 150000, "/uL"), (Decimal("1.5"), None, "{ULN}")]


def test_the_warnings_forbid_by_values_as_the_dosing_section_does(label):
    made = label("5 WARNINGS AND PRECAUTIONS Do not initiate ZOCOR in patients with a platelet count less than 100 x 10 9 /L.", "warnings_and_cautions")
    assert [p.claim.payload.steps[0].action for p in made.proposals() if p.claim.predicate == "contraindicated_in"] == [Action.AVOID]


@pytest.mark.parametrize(
    ("text", "action", "values"),
    [
        (
            "ZOCOR is not recommended if the absolute neutrophil count is less than 500 cells/mcL, hemoglobin is less than 8 g/dL, or the platelet count is less than 25,000 cells/mcL.",
            Action.NOT_RECOMMENDED,
            {(500, "/uL"), (8, "g/dL"), (25000, "/uL")},
        ),
        ("If ANC less than 1 x 10 9 /L or platelets less than 50 x 10 9 /L, interrupt ZOCOR.", Action.STOP, {(1, "10*9/L"), (50, "10*9/L")}),
        ("Discontinue ZOCOR if the platelet count falls below 100,000/mm3.", Action.STOP, {(100000, "/uL")}),
    ],
)
def test_what_is_done_if_a_value_is_reached_is_done_at_each_value(label, text, action, values):
    found = bans(label, text)
    assert {a for a, *_ in found} == {action}
    assert {(value[2], value[3]) for _, value in found} == values


@pytest.mark.parametrize(
    "text",
    [
        "Do not administer ZOCOR when the neutrophil count is less than 1,500 cells/mm3 and platelets are less than 100,000 cells/mm3.",
        "Discontinue ZOCOR if the potassium remains > 6 mmol/L and increased by 1 mmol/L from baseline.",
        "In the trial ZOCOR was to stop if the platelet count was less than 100,000/mm3.",
    ],
)
def test_values_that_count_together_and_reports_are_none(label, text):
    assert bans(label, text) == []
