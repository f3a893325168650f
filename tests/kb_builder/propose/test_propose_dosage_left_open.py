"""What a sentence leaves open: to the prescriber, to the sentence before it, or to the list below it."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kb_builder.propose.dosage.proposer import DosageProposer
from kb_builder.propose.dosage.words import dosage_words
from ontology.model.dosing import Limit, Measure, PhaseKind
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Category, Interval, Opaque, leaves


@pytest.fixture
def doses(label):
    def propose(text, **more):
        made = label(text, "dosage_and_administration", **more)
        found = [p.claim for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]
        return {str(_first(c.payload)): c for c in found}

    return propose


def _first(payload):
    amount = payload.amount if isinstance(payload, Limit) else payload.phases[0].amounts[0]
    return amount.low if amount.low is not None else amount.high


def intervals(claim):
    return [leaf for leaf in leaves(claim.guard) if isinstance(leaf, Interval)] if claim.guard is not None else []


@pytest.mark.parametrize(
    "text",
    [
        "If necessary for efficacy, increase the dose to 30 mg once daily.",
        "The dose may be increased to 30 mg once daily depending on the patient's response and tolerability.",
        "As needed, titrate to 30 mg once daily.",
    ],
)
def test_what_is_left_to_the_prescriber_is_no_condition(doses, text):
    assert doses(text)["30"].guard is None


def test_the_response_a_titration_waits_for_stands_in_its_phase(doses):
    claim = doses("If an adequate response is not achieved after 4 weeks, increase to 30 mg once daily.")["30"]
    (phase,) = claim.payload.phases
    assert claim.guard is None
    assert phase.kind is PhaseKind.TITRATION
    assert "response is not achieved after 4 weeks" in phase.until


def test_the_response_behind_a_lower_dose_stays_a_condition(doses):
    claim = doses("If an adequate response is not achieved, reduce to 5 mg once daily.")["5"]
    assert isinstance(claim.guard, Opaque)


@pytest.mark.parametrize(
    "words", ["if renal function is impaired", "persistent hypokalemia is documented", "needed for surgery", "response to verapamil is high"]
)
def test_states_of_the_patient_are_not_left_open(words):
    assert dosage_words().left_open.fullmatch(words) is None
    assert dosage_words().response.fullmatch(words) is None


def test_a_flow_without_a_name_is_the_clearance_named_before_it(doses):
    found = doses(
        "No change is needed when creatinine clearance is above 30 mL/min. From 10 to 30 mL/min, give 5 mg once daily. Below 10 mL/min, give 2 mg once daily."
    )
    assert [(i.axis, i.low, i.high) for i in intervals(found["5"])] == [(Axis.CRCL, Decimal(10), Decimal(30))]
    assert [(i.axis, i.low, i.high) for i in intervals(found["2"])] == [(Axis.CRCL, None, Decimal(10))]


def test_a_flow_that_nothing_names_stays_in_words(doses):
    claim = doses("Below 10 mL/min, give 2 mg once daily.")["2"]
    assert isinstance(claim.guard, Opaque)


def test_a_bound_or_dialysis_is_a_choice(doses):
    claim = doses("Creatinine clearance guides the dose. Below 10 mL/min or on hemodialysis, give 2 mg once daily.")["2"]
    assert isinstance(claim.guard, AnyOf)


def test_ages_without_their_word(doses):
    found = doses("Do not exceed 30 mg daily in children below 2 years, and do not exceed 90 mg daily from 2 to 12 years.")
    assert [(i.low, i.high) for i in intervals(found["90"])] == [(Decimal(2), Decimal(12))]


def test_years_of_treatment_are_no_age(doses):
    found = intervals(doses("Children take 30 mg once daily for 2 to 5 years.")["30"])
    assert [(i.low, i.high) for i in found] == [(None, Decimal(18))]


def test_the_first_week_of_life_is_kept(doses):
    found = doses("Newborns receive 10 mg/kg every 12 hours in the first week of life and 8 mg/kg every 8 hours from then to the age of 1 month.")
    assert any(isinstance(leaf, Opaque) and "first week of life" in leaf.text for leaf in leaves(found["10"].guard))
    until = [leaf for leaf in leaves(found["8"].guard) if isinstance(leaf, Opaque) or getattr(leaf, "unit", "") == "mo"]
    assert any("age of 1 month" in leaf.text if isinstance(leaf, Opaque) else leaf.high == 1 for leaf in until)


ITEMS = "• age of 80 years or older • body weight of 60 kg or less • serum creatinine of 1.5 mg/dL or above"


def test_any_of_a_list_below(doses):
    claim = doses(f"2.1 Dosage Give 5 mg once daily to patients with any of these: {ITEMS}")["5"]
    assert isinstance(claim.guard, AnyOf)
    assert [i.axis for i in intervals(claim)] == [Axis.AGE, Axis.WEIGHT, Axis.SCR]


def test_two_of_a_list_below_are_its_pairs(doses):
    claim = doses(f"2.1 Dosage Give 5 mg once daily to patients with at least two of the following: {ITEMS}")["5"]
    assert isinstance(claim.guard, AnyOf)
    assert [type(part) for part in claim.guard.parts] == [AllOf] * 3


def test_a_list_that_is_missing_stays_in_words(doses):
    assert isinstance(doses("Give 5 mg once daily to patients with any of these:")["5"].guard, Opaque)


def test_a_treatment_begun_with_a_dose_is_an_instruction(doses):
    assert "225" in doses("Initiate therapy with ZOCOR 225 mg given every 12 hours.")


def test_a_dose_after_treatment_with_another_is_none(doses):
    assert set(doses("After treatment with 20 mg once daily, increase to 40 mg once daily.")) == {"40"}


def test_any_24_hours_are_a_day(doses):
    claim = doses("The total dose for any 24-hour period should not exceed 900 mg.")["900"]
    assert (claim.payload.measure, claim.guard) == (Measure.DAY, None)


def test_organ_function_of_a_list_item_is_read_without_its_example(doses):
    claim = doses("2.1 Dosage Give 5 mg once daily to patients with any of these: • hepatic impairment, for instance cirrhosis • age of 80 years or older")["5"]
    assert [leaf.axis for leaf in leaves(claim.guard) if isinstance(leaf, Category)] == [Axis.HEPATIC]


def test_cases_below_a_dose_are_its_conditions(doses):
    text = "2.2 Dose Modifications Reduce the dose of ZOCOR to 30 mg: • For the first occurrence of a Grade 2 reaction • After recovery of any Grade 3 reaction"
    (said,) = [leaf.text for leaf in leaves(doses(text)["30"].guard) if isinstance(leaf, Opaque)]
    assert "first occurrence" in said
    assert "After recovery" in said


def test_advice_below_a_dose_is_no_condition(doses):
    assert doses("2.1 Dosage The recommended dose of ZOCOR is 30 mg once daily: • Swallow it with water • Keep the bottle closed")["30"].guard is None


def test_a_route_in_a_heading_is_no_condition(doses):
    claim = doses("2.1 Hypertension Subcutaneous Adult Dosage Regimen The recommended dose is 30 mg once daily.")["30"]
    assert not any(isinstance(leaf, Opaque) for leaf in leaves(claim.guard))


@pytest.mark.parametrize(
    "text",
    [
        "Initiate at a rate of 20% of the total dose given in the first 30 minutes and the remaining 80% of the total dose over the next hour.",
        "The renal clearance of the marker is reduced to about one-fifth the normal rate when dosage of ZOCOR is adequate.",
        "Doses up to 400 mg/day may be given, but this dose confers little beyond that of the 200 mg/day dose.",
    ],
)
def test_shares_and_comparisons_that_are_no_dose(doses, text):
    assert not {"0.2", "0.8", "200"} & set(doses(text))


def test_a_share_behind_renal_function_is_a_dose(doses):
    assert "0.75" in doses("In patients with a creatinine clearance of 30 to 50 mL/min, reduce the dose to 75% of the starting dose.")


def test_a_numbered_heading_closes_what_stands_under_the_one_before(doses):
    found = doses("DOSAGE AND ADMINISTRATION 1. HYPERTENSION: Heart failure: 10 mg once daily. 2. USE WITH OTHER AGENTS: For adults: 20 mg once daily.")
    assert found["20"].words == "all patients"


def test_what_to_eat_is_no_dose(doses):
    assert doses("NUTRITIONAL MANAGEMENT From 1 to 3 years of age 1.4 g/kg/day is advisable during this period.") == {}


def test_the_potency_of_a_product_is_no_dose(doses):
    assert doses("As the 40 mg potency gives a small volume, take care to administer the full dose.") == {}


def test_words_that_link_sentences_are_no_condition(doses):
    claim = doses("However, the recommended single adult dose should not exceed 40 mg.")["40"]
    assert not any(isinstance(leaf, Opaque) for leaf in leaves(claim.guard))
