"""Left-over words that are no condition, open words with examples, partners' doses, and how often a whole part is given."""

from __future__ import annotations

import pytest

from kb_builder.propose.dosage.proposer import DosageProposer
from ontology.model.dosing import Limit
from ontology.model.guards import AnyOf, Interval, Not, Opaque, leaves
from ontology.text.doses import read_doses


@pytest.fixture
def claims(label):
    """`claims(text, uses)`: {amount: claim} of the dose claims."""

    def read(text, uses=""):
        made = label(text, "dosage_and_administration", **({"indications_and_usage": uses} if uses else {}))
        out = {}
        for p in DosageProposer().propose(made.document, made.subject, made.lexicon):
            payload = p.claim.payload
            for amount in [payload.amount] if isinstance(payload, Limit) else [a for phase in payload.phases for a in phase.amounts]:
                out[str(amount.high if amount.high is not None else amount.low)] = p.claim
        return out

    return read


def opaque(claim):
    return [leaf.text for leaf in leaves(claim.guard) if isinstance(leaf, Opaque)]


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("Do not exceed 6 tablets in 24 hours, unless directed by a doctor.", "6"),
        ("If selected for treatment, the recommended starting dose is 4 mg once daily.", "4"),
        ("Double the dose every two weeks to the highest level tolerated by the patient or up to 200 mg of it.", "200"),
        ("Once adequate rhythm control is achieved, or if side effects become prominent, reduce the dose to 600 mg/day for one month.", "600"),
        ("Reduce the dose to 40 mg for patients with severe hepatic impairment; monitor these patients more closely for reactions.", "40"),
        ("Reduce the dose to 40 mg in patients with pre-existing hepatic impairment (Child-Pugh A, B, or C).", "40"),
        ("In patients with mild to moderate cirrhosis (Child-Pugh A and B) the dose is 40 mg once daily.", "40"),
    ],
)
def test_left_over_words_are_no_condition(claims, text, amount):
    assert opaque(claims(text)[amount]) == []


def test_side_effects_alone_are_a_condition(claims):
    assert opaque(claims("If side effects become prominent, reduce the dose to 600 mg/day.")["600"]) == ["side effects become prominent"]


def test_examples_are_alternatives_to_the_open_words(claims):
    guard = claims("Give 40 mg three times a day in patients who may respond more (e.g., renal impairment, elderly, etc.).")["40"].guard
    assert isinstance(guard, AnyOf)
    assert len(guard.parts) == 3
    assert "etc" not in " ".join(leaf.text for leaf in leaves(guard) if isinstance(leaf, Opaque))


@pytest.mark.parametrize(
    "text",
    [
        "Administer warfarin on Day 1 of each 28-day cycle for 6 cycles, at a dose of 375 mg intravenously for Cycle 1 and 500 mg for the others.",
        "Start warfarin administration at 100 mg on Day 1, followed by 900 mg on Day 2. Administer 1000 mg on Days 8 and 15.",
        "A dose of 100 mg/day was tolerated in two patients with severe renal impairment.",
        "Doses of 5 mg twice a day are clearly effective for only the first day of such a course.",
        "Doses of 400 mg or 600 mg should be administered once daily, whereas a dose of 800 mg should be administered as 400 mg twice a day.",
    ],
)
def test_doses_of_partners_and_how_a_set_dose_is_divided_are_no_rules(claims, text):
    assert claims(text) == {}


def test_the_own_drug_given_first_keeps_its_dose(claims):
    assert set(claims("Start ZOCOR at 40 mg on Day 1 with warfarin.")) == {"40"}


def test_an_example_at_one_weight_is_no_dose(claims):
    assert set(claims("The usual adult dosage is 7.5 mg/kg every six hours (approx. 500 mg for a 70-kg adult).")) == {"7.5"}


def test_without_radiation_is_a_condition(claims):
    text = "Give 80 mg twice daily when administered with concomitant radiation therapy and 120 mg twice daily when administered without radiation therapy."
    assert opaque(claims(text)["120"]) == ["without radiation therapy"]


def test_a_state_that_opens_its_sentence_is_a_condition(claims):
    assert [leaf.words for leaf in leaves(claims("In anuria, a dose of 40 mg once daily is usual.", "for hypertension")["40"].guard)] == ["anuria"]


def test_a_change_by_at_least_a_share_is_a_dose(claims):
    assert "1.5" in claims("If patients must be given a strong CYP3A4 inducer, the dosage should be increased by at least 50%.")


def test_once_daily_told_for_a_part_holds_for_its_doses_alone(claims):
    text = "2.1 Angina ZOCOR should be taken once daily in the evening. Adults: one 10-mg tablet. 2.2 Heart Failure The following dose is recommended: Adults: one 5-mg tablet."
    found = claims(text, "angina. heart failure.")
    assert found["10"].payload.phases[0].frequency.times_low == 1
    assert found["5"].payload.phases[0].frequency is None


def test_a_week_of_treatment_is_no_dose_a_week():
    assert read_doses("30 mg of it for a week")[0].frequency is None
    assert read_doses("30 mg once a week")[0].frequency.period_days == 7


def test_no_severe_impairment_is_denied(claims):
    guard = claims("No change is needed in elderly patients, up to 2 g per day, provided there is no severe renal impairment.")["2"].guard
    assert any(isinstance(part, Not) for part in getattr(guard, "parts", (guard,)))
    assert opaque(claims("No change is needed in elderly patients, up to 2 g per day, provided there is no severe renal impairment.")["2"]) == []


def test_a_number_with_a_point_does_not_end_a_clause(claims):
    text = "Increase the dose to 9 mg once daily if the marker is not below 5.5 ng and there is no rash."
    assert opaque(claims(text)["9"])[0].endswith("there is no rash")


def test_what_a_daily_amount_is_made_of_is_no_dose_of_its_own(claims):
    assert set(claims("The dose should be increased to 15 mg/day (5 mg and 10 mg as separate doses).")) == {"15"}


def test_a_bracket_right_behind_a_dose_is_its_condition_alone(claims):
    text = "In patients with anuria, the dose is 5 mg (body weight <50 kg), 7.5 mg (body weight 50 to 100 kg), or 10 mg (body weight >100 kg) once daily."
    found = claims(text)
    bounds = {k: [(str(x.low), str(x.high)) for x in leaves(c.guard) if hasattr(x, "low")] for k, c in found.items()}
    assert bounds == {"5": [("None", "50")], "7.5": [("50", "100")], "10": [("100", "None")]}
    assert all(any(getattr(x, "words", "") == "anuria" for x in leaves(c.guard)) for c in found.values())


def test_a_bracket_behind_the_only_dose_stays_with_it(claims):
    assert [str(x.low) for x in leaves(claims("Give 20 mg once daily (elderly patients).")["20"].guard)] == ["65"]


@pytest.mark.parametrize(
    "text",
    [
        "The maximum dose in pediatric and adult patients is 600 mg once daily.",
        "Based on individual patient tolerability and therapeutic response, the dosage may be adjusted to 600 mg once daily.",
        "The recommended dosage for adult patients given as a 60-minute single intravenous drip infusion is 600 mg every 4 weeks.",
    ],
)
def test_words_of_everyone_and_of_how_it_is_given_are_no_condition(claims, text):
    assert opaque(claims(text)["600"]) == []


def test_what_brought_nothing_more_is_no_dose(claims):
    assert claims("There was no clear enhancement to efficacy at the higher doses, i.e., 6 mg for subjects weighing less than 51 kg.") == {}


def test_each_share_of_a_sentence_is_for_its_own_patients(claims):
    found = claims("Reduce the dose by 25% in patients with moderate renal impairment and 50% in patients with severe renal impairment.")
    assert {k: sorted(leaves(c.guard)[0].values) for k, c in found.items()} == {"0.75": ["moderate"], "0.5": ["esrd", "severe"]}


def test_rows_of_bands_that_ran_together_are_no_rules(claims):
    assert claims("Dosage 20 kg to 29 kg 900 mg/day 29.1 kg to 39 kg 1200 mg/day Greater than 39 kg 1800 mg/day") == {}


def test_not_limited_to_a_vial_is_no_ceiling(claims):
    assert set(claims("The recommended dose is 6 mg/m2 (not limited to one 4.5 mg vial) on Day 1.")) == {"6"}


def test_what_is_not_reached_stays_denied_as_a_whole(claims):
    assert opaque(claims("In patients who do not achieve a WX or WXi, the dose is 4 mg once daily.")["4"]) == ["not achieve a WX or WXi"]


def test_a_reduced_dose_already_taken_is_no_rule(claims):
    assert claims("Use another drug beside warfarin in patients who are taking a reduced dose of ZOCOR (40 or 20 mg daily).") == {}


def test_what_a_dose_is_for_holds_for_all_its_people(claims):
    guard = claims("The recommended dose in pediatric and adult patients for chronic purple fever is 10 mg/kg daily.")["10"].guard
    assert [leaf.text for leaf in leaves(guard) if isinstance(leaf, Opaque)] == ["chronic purple fever"]
    assert [leaf.low for leaf in leaves(guard) if isinstance(leaf, Interval)] == [0]
