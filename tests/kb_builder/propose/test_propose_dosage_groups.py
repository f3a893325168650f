"""What headings join, name by letters or leave to a list: groups of people, uses of organs, partners behind a use."""

from __future__ import annotations

import pytest

from kb_builder.propose.dosage.abbreviations import explained, spelled
from kb_builder.propose.dosage.proposer import DosageProposer
from ontology.model.dosing import Limit
from ontology.model.guards import AllOf, AnyOf, Category, Exposure, HasCondition, Interval, Opaque


def _told(guard):
    if isinstance(guard, Opaque):
        return guard.text
    if isinstance(guard, Interval):
        return f"{guard.axis.value} {guard.low}-{guard.high}"
    if isinstance(guard, Category):
        return guard.axis.value
    if isinstance(guard, AnyOf | AllOf):
        return (" | " if isinstance(guard, AnyOf) else " & ").join(sorted(_told(p) for p in guard.parts))
    return guard.words if isinstance(guard, HasCondition) else guard.target.code if isinstance(guard, Exposure) else str(guard)


@pytest.fixture
def rules(label):
    """`rules(text, uses)`: {amount: (use, guard, routes)} of the dose claims."""

    def read(text, uses=""):
        made = label(text, "dosage_and_administration", **({"indications_and_usage": uses} if uses else {}))
        out = {}
        for p in DosageProposer().propose(made.document, made.subject, made.lexicon):
            payload = p.claim.payload
            amount = payload.amount if isinstance(payload, Limit) else payload.phases[0].amounts[0]
            out[str(amount.high if amount.high is not None else amount.low)] = (p.claim.words, _told(p.claim.guard))
        return out

    return read


def test_groups_that_a_heading_joins_are_each_meant(rules):
    found = rules("2 DOSAGE AND ADMINISTRATION Patients with Impaired Renal Function and Elderly Patients Give 4 mg once daily. Give less if needed.")
    assert found["4"][1] == "age 65-None | renal"


def test_a_group_in_words_stands_beside_the_others(rules):
    text = "2 DOSAGE AND ADMINISTRATION Patients With Slow Clearance Factors, The Elderly (>60 Years), And Those In Whom Levels Are Not Taken: Give 4 mg once daily."
    assert rules(text)["4"][1].count(" | ") == 2


def test_adults_and_children_are_everyone(rules):
    text = "2.1 Recommended Dosage for Heart Failure Adults and Pediatric Patients Give 4 mg once daily. 2.2 Angina Give 6 mg once daily."
    assert rules(text, "heart failure and angina")["4"] == ("Heart Failure", "age 0-None")


def test_a_state_before_everyone_still_holds(rules):
    assert rules("Renal impairment in adults and children: 4 mg once daily.")["4"][1] == "age 0-None & renal"


def test_what_stands_behind_the_last_group_is_not_given_to_it_alone(rules):
    assert "renal" in rules("Adults and the elderly with renal impairment: 4 mg once daily.")["4"][1].split(" & ")


def test_a_disease_of_an_organ_is_a_use_and_ends_the_one_before(rules):
    text = "For acute sore throat: 750 mg once daily. For bacterial liver abscess: 500 mg once daily."
    found = rules(text, "ZOCOR is for acute sore throat and bacterial liver abscess.")
    assert found["500"] == ("bacterial liver abscess", "None")


def test_a_use_before_its_partner_is_read_apart_from_it(rules):
    text = "Treatment of Angina: 4 mg once daily. Perioperative Treatment of Hypertension With Concomitant Cooling: 6 mg once daily."
    found = rules(text, "angina. hypertension.")
    assert found["6"] == ("Hypertension", "With Concomitant Cooling")


def test_changes_for_kinds_of_patients_hold_for_all_uses(rules):
    text = "DOSAGE AND ADMINISTRATION Hypertension: 40 mg once daily. Heart failure: 20 mg once daily. Dosage Adjustments Patients with renal impairment: 5 mg daily."
    assert rules(text, "hypertension. heart failure.")["5"][0] == "all patients"


def test_patients_named_with_their_use_stand_beside_each_other(rules):
    text = "Adults with heart failure: 40 mg once daily. Patients with renal impairment: 5 mg once daily."
    assert rules(text, "heart failure")["5"] == ("all patients", "renal")


def test_a_heading_on_an_organ_ends_adults_and_children_both_told_before(rules):
    text = "Adults: 40 mg once daily. Pediatric patients over 1 month of age: 4 mg once daily. Patients with Renal Impairment Give 2 mg once daily."
    assert rules(text)["2"][1] == "renal"


def test_a_drug_given_alone_says_that_there_is_no_partner(rules):
    assert rules("Monotherapy: 4 mg once daily.", "heart failure")["4"][1] == "Monotherapy (without a partner drug)"


def test_an_adjective_of_the_use_narrows_nothing(rules):
    found = rules("Pediatric Hypertensive Patients 6 Years of Age and Older: 4 mg once daily.", "treatment of hypertension")
    assert "Hypertensive" not in found["4"][1]
    assert "age" in found["4"][1]


def test_a_label_that_lists_its_partners_is_no_heading(rules):
    text = "2.1 Angina Begin ZOCOR on Day 1 in combination with: - warfarin - aspirin The usual dose of ZOCOR is 4 mg once daily."
    assert "in combination" not in rules(text, "angina")["4"][1]


def test_letters_in_words_and_long_words_are_explained():
    names = explained(
        "aggressive frog mastocytosis (AFM), hyperbolic syndrome (HBS), myelodry/myelowet diseases (MDW/MWD) in chronic phase (CP) or Blast Crisis (BC)"
    )
    assert names["AFM"] == "aggressive frog mastocytosis"
    assert names["HBS"] == "hyperbolic syndrome"
    assert spelled("CP, or BC", names) == "chronic phase or Blast Crisis"
    assert spelled("CP of old", names) is None


def test_a_use_by_its_letters_is_told_in_words(rules):
    found = rules("Adult Patients With PFD 4 mg once daily is the usual dose. Give more as needed.", "adults with purple frog disease (PFD)")
    assert found["4"] == ("purple frog disease", "age 18-None")


def test_headings_that_open_alike_stand_beside_each_other(rules):
    text = (
        "DOSAGE AND ADMINISTRATION Dosage adjustment for patients taking ZOCOR with potential CYP3A4 inhibitors: Give 4 mg once daily. "
        "Dosage adjustment for patients who are poor metabolizers of CYP2D6: Give 2 mg once daily."
    )
    assert rules(text)["2"][1] == "genotype"


def test_a_heading_of_letters_names_the_use_they_stand_for(rules):
    text = "2.1 Recommended Dosage for PFD The recommended dose is 4 mg once daily."
    assert rules(text, "adults with purple frog disease (PFD)")["4"][0] == "purple frog disease"


def test_people_listed_in_brackets_are_all_meant(rules):
    assert rules("Pediatric Population (children and adolescents) The dose is 4 mg once daily. It may be repeated.")["4"][1] == "age None-18"


def test_drugs_named_as_examples_of_their_class_add_nothing(rules):
    found = rules("The dose should be 4 mg once daily when co-administered with strong CYP3A4 inhibitors such as ketoconazole, itraconazole or fluconazole.")
    assert "azole" not in found["4"][1]


def test_digits_in_the_name_of_a_mutation_keep_the_use(rules):
    text = "Renal cancer: 8 mg once daily. Recommended Dosage for Spotted Neoplasms with ABCD1 Rearrangement The recommended dose is 4 mg once daily."
    assert rules(text, "renal cancer. relapsed spotted neoplasms (SNs) with ABCD1 rearrangement.")["4"][0] == "Spotted Neoplasms with ABCD1 Rearrangement"


def test_body_surface_in_square_metres_by_words(rules):
    found = rules("Pediatric Patients with Body Surface Area Less Than 1 Meter-Squared: 4 mg once daily.")
    assert found["4"][1] == "age None-18 & bsa None-1"


def test_a_short_name_of_a_use_is_found_by_its_stem(rules):
    assert rules("Anuria The average dose is 4 mg at bedtime. It may be repeated.", "for anuric patients")["4"][0].lower() == "anuria"


def test_a_use_with_its_cause_is_named_whole(rules):
    text = "2.1 Left Heart Weakness Following Myocardial Infarction Start at 4 mg once daily."
    assert rules(text, "left heart weakness following myocardial infarction")["4"][0] == "Left Heart Weakness Following Myocardial Infarction"


def test_a_band_as_a_label_inside_a_run_of_labels_is_its_own(rules):
    found = rules("2.1 Angina Recommended Dosage Less than 50 kg: 120 mg 50 kg or greater: 160 mg Take ZOCOR twice daily.", "angina")
    assert found["120"][1] == "weight None-50"
    assert found["160"][1] == "weight 50-None"


def test_partners_in_capitals_stand_beside_uses_in_capitals(rules):
    text = "ANGINA PAINS: 40 mg once daily. CONCOMITANT USE WITH OTHER AGENTS: 20 mg once daily."
    assert rules(text, "angina pains. hypertension.")["20"][0] == "all patients"
