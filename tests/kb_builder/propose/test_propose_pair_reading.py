"""Sentences about pairs that labels nobody tuned on write: comparisons, conversions, antidotes, examples of a row, kinds of the own class."""

import pytest

from ontology.model.facts import ExposureState
from ontology.model.guards import Exposure, Opaque, leaves


def said(label, text, **more):
    return label(f"7 DRUG INTERACTIONS {text}", **more).said()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Patients taking ketoconazole may require less frequent dosing of ZOCOR.", {("ketoconazole", "adjust-dose")}),
        ("As is the case with other fibrates, ZOCOR increases the effect of warfarin.", {("warfarin", "caution")}),
        ("The dosage adjustments of digoxin are similar to those required with verapamil.", {("digoxin", "adjust-dose")}),
        ("If weakness occurs, calcium salts may reverse it.", set()),
        ("ZOCOR may give a higher value for urinary potassium when an older assay is used with warfarin.", set()),
        ("Avoid ZOCOR in patients taking drugs that could exacerbate these effects.", set()),
        ("Avoid aspirin-type analgesics.", {("aspirin-type analgesics", "avoid")}),
        ("Avoid nephrotoxic drugs.", {("nephrotoxic drugs", "avoid")}),
        ("Avoid nondepolarizing diuretics.", {("nondepolarizing diuretics", "avoid")}),
        ("Avoid Type 1C antiarrhythmics.", {("class ic antiarrhythmics", "avoid")}),
    ],
)
def test_what_is_asked_of_whom(label, text, expected):
    assert said(label, text) == expected


def test_stopping_the_other_drug_before_the_start_is_to_avoid_both(label):
    made = label("7 DRUG INTERACTIONS MAO inhibitors should be discontinued at least two weeks prior to the start of ZOCOR.").proposals()
    assert {s.action.value for p in made for s in p.claim.payload.steps} == {"avoid"}
    states = {leaf.state for p in made for leaf in leaves(p.claim.guard) if isinstance(leaf, Exposure)}
    assert ExposureState.STOPPED_WITHIN in states


def test_the_time_after_a_last_dose_is_a_conversion_where_doses_are_told(label):
    text = "2 DOSAGE AND ADMINISTRATION In patients also receiving heparin, start ZOCOR 5 hours after the last dose of heparin."
    assert label(text, "dosage_and_administration").said() == set()


def test_effects_in_dosing_instructions_are_no_interactions(label):
    text = "2 DOSAGE AND ADMINISTRATION Hold ZOCOR for a rise of the enzymes of grade 3 while taking aspirin, which may increase them."
    assert label(text, "dosage_and_administration").said() == set()


def test_these_patients_are_those_of_the_sentence_before(label):
    text = "Aspirin may increase bleeding. The use of ZOCOR with digoxin has not been evaluated. Carefully monitor these patients."
    assert said(label, text) == {("aspirin", "caution"), ("digoxin", "monitor")}


def test_a_drug_taken_out_of_a_class_is_not_the_one_forbidden(label):
    made = label("7 DRUG INTERACTIONS Avoid strong CYP3A4 inhibitors (e.g., itraconazole), except fluconazole.")
    assert made.said() == {("strong cyp3a4 inhibitor", "avoid"), ("itraconazole", "avoid")}
    assert made.claim("strong cyp3a4 inhibitor").guard.minus[0].code == "fluconazole"
    assert made.claim("itraconazole").guard is None


def test_a_dose_that_is_excepted_stays_in_the_guard(label):
    made = label("7 DRUG INTERACTIONS Avoid anticoagulants, except for low-dose aspirin (81 mg daily).")
    assert made.said() == {("anticoagulants", "avoid")}
    assert any(isinstance(leaf, Opaque) and "low-dose aspirin" in leaf.text for leaf in leaves(made.claim("anticoagulants").guard))


def test_how_long_both_are_taken_is_a_condition(label):
    claim = label("7 DRUG INTERACTIONS With use of ZOCOR with verapamil for more than 2 weeks, reduce the ZOCOR dose.").claim("verapamil")
    assert Opaque("for more than 2 weeks") in leaves(claim.guard)


@pytest.mark.parametrize(
    "text",
    [
        "ZOCOR should be used with caution in patients with bradycardia, anuria, or aspirin use.",
        "There is increased risk in patients whose ability to stay upright has already been lessened by a bleed or concurrent administration of certain drugs (e.g., aspirin).",
    ],
)
def test_states_that_stand_beside_an_exposure_do_not_restrict_it(label, text):
    assert label(f"7 DRUG INTERACTIONS {text}").claim("aspirin").guard is None


def test_both_at_once_restrict(label):
    claim = label("7 DRUG INTERACTIONS Reduce the dose of ZOCOR in patients with renal impairment and concomitant use of verapamil.").claim("verapamil")
    assert claim.guard is not None


def test_examples_of_a_row_take_what_is_said_of_its_topic(label):
    text = (
        "Fibrates Clinical Impact: Exposure may increase. Intervention: Avoid concomitant use. Examples: gemfibrozil, niacin "
        "Diuretics Clinical Impact: The effect may decrease. Intervention: Monitor patients. Examples: Furosemide"
    )
    assert said(label, text) == {("fibrates", "avoid"), ("gemfibrozil", "avoid"), ("niacin", "avoid"), ("diuretics", "monitor"), ("furosemide", "monitor")}


def test_what_is_asked_of_a_drug_by_name_comes_before_what_is_asked_of_its_group(label):
    text = (
        "Fibrates Clinical Impact: Exposure may increase. Intervention: Monitor patients closely. Examples: gemfibrozil, niacin "
        "Gemfibrozil Clinical Impact: Exposure doubles. Intervention: Monitor muscle enzymes."
    )
    made = [p for p in label(f"7 DRUG INTERACTIONS {text}").proposals() if p.claim.object.code == "gemfibrozil"]
    assert [p.claim.evidence[0].quote for p in made] == ["Monitor muscle enzymes."]


def test_a_heading_of_the_own_class_ends_what_the_one_before_was_about(label):
    text = "Digoxin Levels may rise. Beta-blockers: Avoid this combination in all cases."
    assert said(label, text, drug="metoprolol", brand="LOPRESSOR") == {("digoxin", "caution")}


def test_kinds_that_stand_against_the_own_class_are_partners(label):
    text = "Avoid use with mixed agonist/antagonist and partial agonist beta-blockers."
    assert said(label, text, drug="metoprolol", brand="LOPRESSOR") == {
        ("mixed agonist/antagonist beta-blockers", "avoid"),
        ("partial agonist beta-blockers", "avoid"),
    }


def test_an_instruction_without_a_name_is_of_those_named_last(label):
    text = "Aspirin may increase bleeding. ZOCOR may raise digoxin levels. Reduce the dose."
    assert said(label, text) == {("aspirin", "caution"), ("digoxin", "adjust-dose")}


def test_how_long_an_effect_lasted_is_no_interval_to_keep(label):
    assert said(label, "The effects persisted for more than 6 but less than 30 hours after withdrawal of verapamil.") == set()


def test_intolerance_of_another_drug_is_no_prohibition_of_taking_both(label):
    text = "4 CONTRAINDICATIONS ZOCOR should not be used in patients with previous intolerance to this product or fibrates such as gemfibrozil."
    assert label(text, "contraindications").said("interacts_with") == set()


def test_the_own_class_taken_concomitantly_is_of_others(label):
    text = "Careful observation is required when metoprolol is administered concomitantly with beta-blockers."
    assert said(label, text, drug="metoprolol", brand="LOPRESSOR") == {("beta-blockers", "monitor")}
