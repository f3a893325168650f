"""Whom a dose is for and what it is given beside: lists, headings, sentences that point back. A dropped condition is a wrong dose."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kb_builder.propose.dosage.proposer import DosageProposer
from ontology.model.dosing import Limit, Measure, Regimen
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Category, Exposure, HasCondition, Not, Opaque, leaves


@pytest.fixture
def doses(label):
    """`doses(text)`: low amount of the first dose or ceiling of every claim, and its guard's parts."""

    def propose(text, **more):
        made = label(text, "dosage_and_administration", **more)
        found = [p.claim for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]
        return {str(_first(c.payload)): c for c in found}

    return propose


def _first(payload):
    amount = payload.amount if isinstance(payload, Limit) else payload.phases[0].amounts[0]
    return amount.low if amount.low is not None else amount.high


def parts(claim):
    return set(leaves(claim.guard)) if claim.guard is not None else set()


def drugs(claim):
    return {leaf.target.code for leaf in parts(claim) if isinstance(leaf, Exposure)}


def words(claim):
    return [leaf.text for leaf in parts(claim) if isinstance(leaf, Opaque)]


def test_a_partner_before_the_end_of_treatment_is_a_condition(doses):
    """The words from the amount to "until" hold the partner too."""
    (claim,) = doses("The recommended dosage of ZOCOR is 30 mg twice daily in combination with verapamil until disease progression.").values()
    assert drugs(claim) == {"verapamil"}


def test_people_behind_the_end_of_treatment_are_of_another_dose(doses):
    claim = doses("Give ZOCOR 10 mg/kg every 2 weeks until disease progression in patients with renal impairment")["10"]
    assert not any(isinstance(leaf, Category | HasCondition) for leaf in parts(claim))


@pytest.mark.parametrize(
    ("text", "either", "expected"),
    [
        ("With verapamil, amiodarone, digoxin or ketoconazole, reduce the dose of ZOCOR to 10 mg once daily.", True, {"verapamil", "amiodarone", "digoxin", "ketoconazole"}),
        ("With verapamil, amiodarone and digoxin, reduce the dose of ZOCOR to 10 mg once daily.", True, {"verapamil", "amiodarone", "digoxin"}),
        ("Give ZOCOR 10 mg once daily with 80 mg of aspirin.", False, {"aspirin"}),
        ("Give ZOCOR 10 mg once daily with 80 mg of aspirin or 4 mg of warfarin.", True, {"aspirin", "warfarin"}),
    ],
)  # fmt: skip
def test_the_drugs_of_a_list_are_all_held(doses, text, either, expected):
    claim = doses(text)["10"]
    assert drugs(claim) == expected
    assert isinstance(claim.guard, AnyOf) is (either and len(expected) > 1)


def test_without_a_drug_is_not_with_it(doses):
    found = doses("Without verapamil, the maximum dose is 8 mg/kg; with verapamil, 12 mg/kg.")
    assert isinstance(found["8"].guard, Not)
    assert isinstance(found["12"].guard, Exposure)
    assert isinstance(found["12"].payload, Limit)


def test_with_or_without_a_drug_asks_for_nothing(doses):
    assert drugs(doses("Give ZOCOR 10 mg once daily with or without verapamil.")["10"]) == set()


def test_the_dose_of_a_reaction_keeps_its_grade_and_its_count(doses):
    found = doses("Restart ZOCOR as follows: 30 mg once daily for first appearance of intolerable Grade 2 or Grade 3 adverse reactions.")
    (said,) = words(found["30"])
    assert "first appearance" in said
    assert "Grade 3" in said


def test_each_half_of_a_sentence_has_its_own_people(doses):
    found = doses("Patients with hypertension may go to 50 mg once daily; those who develop hyperkalemia may go down to 25 mg every other day.")
    assert not any(isinstance(leaf, HasCondition) and leaf.words == "hyperkalemia" for leaf in parts(found["50"]))
    assert any(isinstance(leaf, HasCondition) and leaf.words == "hyperkalemia" for leaf in parts(found["25"]))
    assert words(found["25"]) == []


def test_the_dose_patients_have_is_a_condition_and_no_dose(doses):
    found = doses(
        "In patients who take 5 mg or 10 mg twice daily, reduce the dose of ZOCOR by 50 %. In patients who already take 2.5 mg twice daily, avoid it."
    )
    assert list(found) == ["0.5"]
    assert any("5 mg or 10 mg" in said for said in words(found["0.5"]))


@pytest.mark.parametrize(
    "text",
    [
        "The dose in patients with hepatic impairment should be reduced by 50 %. The recommended dose of ZOCOR for such patients is 5 mg every other day.",
        "Clearance is reduced in patients with hepatic impairment. The recommended dose for these patients is therefore 5 mg once daily.",
    ],
)
def test_such_patients_are_those_of_the_sentence_before(doses, text):
    assert any(isinstance(leaf, Category) and leaf.axis is Axis.HEPATIC for leaf in parts(doses(text)["5"]))


def test_such_patients_whom_nothing_names_stay_in_words(doses):
    assert words(doses("Experience is limited. In such patients the recommended dose is 5 mg once daily.")["5"]) == ["In such patients"]


def test_each_item_of_a_list_has_what_leads_to_the_list(doses):
    text = "The dosage of ZOCOR for patients with hepatic impairment is as follows: Hypertension: 30 mg once daily Heart failure: 15 mg once daily Epilepsy: 5 mg once daily"
    found = doses(text)
    assert {k: c.words for k, c in found.items()} == {"30": "Hypertension", "15": "Heart failure", "5": "Epilepsy"}
    assert all(any(isinstance(leaf, Category) and leaf.axis is Axis.HEPATIC for leaf in parts(c)) for c in found.values())


def test_a_heading_on_other_drugs_is_not_asked_for_beside_the_drug_itself(doses):
    claim = doses("2.5 Dosage Adjustment in Presence of Concomitant Drugs Do not exceed 10 mg once daily in patients taking verapamil.")["10"]
    assert drugs(claim) == {"verapamil"}
    assert words(claim) == []


def test_a_heading_on_other_drugs_holds_where_the_sentence_names_none(doses):
    claim = doses("2.5 Concomitant Strong CYP3A4 Inhibitors Reduce the dose of ZOCOR to 10 mg once daily.")["10"]
    assert len(drugs(claim)) == 1
    assert words(claim) == []


def test_a_combination_in_the_heading_is_asked_for_beside_the_sentences_drug(doses):
    claim = doses("2.5 Dosage Adjustment in Combination with Verapamil With concomitant ketoconazole, reduce the dose of ZOCOR to 10 mg once daily.")["10"]
    assert drugs(claim) == {"verapamil", "ketoconazole"}


def test_heading_and_sentence_that_say_the_same_say_it_once(doses):
    claim = doses("Patients with Hyperkalemia or Anuria: In patients with hyperkalemia or anuria the initial dose is 5 mg once daily.")["5"]
    assert isinstance(claim.guard, AnyOf)
    assert len(claim.guard.parts) == 2


def test_organ_function_behind_a_list_holds_for_all_of_it(doses):
    claim = doses("For patients with hypertension, anuria, or hyperkalemia and severe renal impairment, the recommended dose is 5 mg once daily.")["5"]
    assert isinstance(claim.guard, AllOf)
    assert any(isinstance(part, Category) and part.axis is Axis.RENAL for part in claim.guard.parts)


@pytest.mark.parametrize(("text", "quote"), [("2.2 Heart failure Start with 5 mg once daily.", "Start with"), ("Hypertension Give 5 mg once daily.", "Give")])
def test_the_verb_of_a_sentence_is_no_heading(doses, text, quote):
    assert quote in doses(text)["5"].statement.quote


def test_a_bound_that_opens_a_sentence_is_no_heading(doses):
    claim = doses("2.3 Renal impairment Below 10 mL/min, start with 5 mg once daily.")["5"]
    assert claim.statement.quote.startswith("Below")


def test_an_amount_with_its_equivalent_is_an_instruction(doses):
    assert "20" in doses("Give ZOCOR in a dosage of 20 mg (equivalent to 15 mg base) daily for 14 days.")


def test_the_grounds_of_an_instruction_do_not_make_it_narrative(doses):
    text = "If ketoconazole must be given, based on pharmacokinetic studies, a dose reduction to 5 mg daily should be considered."
    assert "5" in doses(text)


def test_the_reason_behind_a_ceiling_asks_for_nothing(doses):
    found = doses(
        "Do not exceed 60 mg or 6.5 mg/kg per day, whichever is lower, as the rate of retinopathy has been reported to be higher when this dose is exceeded."
    )
    assert set(found) == {"60", "6.5"}
    assert all(isinstance(c.payload, Limit) and c.payload.measure is Measure.DAY and c.guard is None for c in found.values())


def test_doses_by_weight_and_by_surface_are_both_told(doses):
    assert {"25", "0.7"} <= set(doses("Initial dose: 25 mg/kg body weight (or 0.7 g/square meter body surface)."))


def test_a_days_ceiling_and_a_doses_ceiling_of_one_sentence(doses):
    found = doses("The maximum recommended daily dose is 100 mg and the maximum recommended single dose is 40 mg.")
    assert {k: c.payload.measure for k, c in found.items()} == {"100": Measure.DAY, "40": Measure.SINGLE}


def test_numbered_headings_close_each_other(doses):
    found = doses("DOSAGE AND ADMINISTRATION 1. HYPERTENSION: 10 mg once daily. 2. USE WITH OTHER AGENTS: For adults: 20 mg once daily.")
    assert (found["10"].words, found["20"].words) == ("HYPERTENSION", "all patients")


def test_a_regimen_of_two_doses_is_told_whole(doses):
    (claim,) = doses(
        "Adults: 800 mg (620 mg base) followed by 400 mg (310 mg base) at 6 hours after the initial dose (total 1200 mg of the salt or 930 mg base)."
    ).values()
    assert isinstance(claim.payload, Regimen)
    assert [p.amounts[0].low for p in claim.payload.phases] == [Decimal(800), Decimal(400)]
