"""Doses that a sentence tells of, denials of a change that win, compound words that are no partner, tests, drugs that are stopped first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_builder.propose.populations.proposer import PopulationProposer
from kb_builder.propose.reading.told_doses import is_told_of


def said(label, text, key="drug_interactions"):
    return label(f"7 DRUG INTERACTIONS {text}" if key == "drug_interactions" else text, key).said("interacts_with")


@pytest.mark.parametrize(
    "text",
    [
        "7.3 Verapamil Dose reduction in patients receiving verapamil resulted in levels that were lower than at the full dose. Hence, no dose reduction is recommended for verapamil.",
        "7.3 Verapamil Levels were lower after a reduced dose with verapamil. No dose adjustment of ZOCOR is recommended with verapamil.",
        "7.3 Verapamil Dose adjustment with verapamil was not required, and no dose reduction is advised.",
        "7.3 Verapamil Patients who had their dose reduced did worse with verapamil. Do not reduce the dose of ZOCOR with verapamil.",
    ],
)
def test_a_denied_change_of_dose_wins_over_doses_told_of(label, text):
    assert said(label, text) == {("verapamil", "no-adjustment")}


def test_a_change_that_is_asked_for_stays_one(label):
    assert said(label, "7.3 Verapamil Dose reduction of ZOCOR is recommended with verapamil, which led to higher levels.") == {("verapamil", "adjust-dose")}


def test_the_outcome_of_less_in_a_study_is_no_change_for_a_population(label):
    text = "8.6 Renal Impairment Reducing the dose in patients with renal impairment led to lower levels. Hence no dose reduction is recommended for patients with renal impairment."
    made = label(text, "use_in_specific_populations")
    claims = [p.claim for p in PopulationProposer().propose(made.document, made.subject, made.lexicon)]
    assert {c.payload.strictest.value for c in claims} == {"no-adjustment"}


def test_doses_that_people_take_against_advice_are_not_to_be_changed(label):
    text = "Misuse often involves the use of doses greater than the maximum recommended dosage and concomitant use of alcohol."
    assert ("alcohol", "adjust-dose") not in said(label, text, "warnings")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7.1 X Concomitant use with other potassium-sensing receptor agonists may cause weakness.", {("potassium-sensing receptor agonists", "caution")}),
        ("7.1 X Concomitant levothyroxine deprivation therapy may cause weakness.", set()),
        ("Other receptor agonists may cause weakness.", set()),
    ],
)
def test_part_of_a_compound_is_no_partner(label, text, expected):
    assert said(label, text) == expected


def test_the_beginning_and_the_end_of_another_drug_change_the_dose(label):
    text = (
        "7.1 Strong CYP3A4 Inhibitors The dose of ZOCOR may need to be adjusted if a patient initiates or discontinues therapy with a strong CYP3A4 inhibitor."
    )
    assert said(label, text) == {("strong cyp3a4 inhibitor", "adjust-dose")}


def test_what_a_blood_test_may_show_is_no_caution(label):
    text = "A positive Coombs test was seen with other cephalosporins; it should be recognized that it may be due to the drug."
    assert said(label, text) == set()


@pytest.mark.parametrize("key", ["dosage_and_administration", "warnings", "drug_interactions"])
def test_a_drug_that_is_stopped_weeks_before_is_kept_apart(label, key):
    assert said(label, "2.4 Switching Discontinue warfarin for at least 4 weeks prior to starting ZOCOR.", key) == {("warfarin", "separate")}


def test_an_example_keeps_what_is_stricter_than_what_its_own_name_is_told(label):
    group = "7 DRUG INTERACTIONS 7.1 Moderate CYP3A4 Inhibitors Avoid use and consider dose reduction with a moderate CYP3A4 inhibitor. Examples: fluconazole, verapamil"
    own = "5 WARNINGS 5.1 X Consider dose reduction of ZOCOR during coadministration with fluconazole."
    assert any("avoid" in actions for name, actions in label(group, warnings_and_cautions=own).said("interacts_with") if name == "fluconazole")


@given(st.text(alphabet="dose reducdhwt.,; than", max_size=120), st.integers(0, 60), st.integers(0, 60))
def test_any_text_is_answered(text, start, more):
    assert is_told_of(text, start, start + more) in (True, False)
