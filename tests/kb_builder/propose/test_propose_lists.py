"""Lists, examples and hedges of interactions; what a sentence says before it names the product."""

from __future__ import annotations

import pytest

from ontology.model.claims import Strength
from ontology.model.guards import Opaque


def said(label, text, key="drug_interactions", **more):
    return label(text, key, **more).said("interacts_with")


@pytest.mark.parametrize(
    ("key", "text", "action"),
    [
        ("contraindications", "4 CONTRAINDICATIONS ZOCOR is contraindicated with: • Verapamil • Ketoconazole • Strong CYP3A4 inhibitors", "contraindicated"),
        ("contraindications", "4 CONTRAINDICATIONS Do not use ZOCOR in combination with the following: • Verapamil • Ketoconazole • Strong CYP3A4 inhibitors", "contraindicated"),
        ("warnings_and_cautions", "5.3 Do not take ZOCOR together with any of these drugs: • Verapamil • Ketoconazole • Strong CYP3A4 inhibitors", "avoid"),
    ],
)  # fmt: skip
def test_every_item_under_a_lead_has_its_action(label, key, text, action):
    assert said(label, text, key) == {("verapamil", action), ("ketoconazole", action), ("strong cyp3a4 inhibitor", action)}


def test_a_list_under_a_lead_ends_with_the_next_sentence(label):
    text = "5.3 Do not take ZOCOR together with: • Verapamil • Ketoconazole. Patients are to be told of this before they leave. • Warfarin"
    assert "warfarin" not in {name for name, _ in said(label, text, "warnings_and_cautions")}


def test_what_patients_are_allergic_to_leads_no_list_of_partners(label):
    text = "4 CONTRAINDICATIONS ZOCOR is contraindicated in patients with an allergy to drugs taken with: • Verapamil"
    assert said(label, text, "contraindications") == set()


def test_several_drugs_in_brackets_are_examples_and_one_is_the_probe_of_a_study(label):
    assert said(label, "7 DRUG INTERACTIONS Antiarrhythmics (verapamil, digoxin) may increase the effect of ZOCOR.") == {
        ("antiarrhythmics", "caution"),
        ("verapamil", "caution"),
        ("digoxin", "caution"),
    }
    assert said(label, "7 DRUG INTERACTIONS A strong CYP3A4 inhibitor (ketoconazole) increased the effect of ZOCOR.") == {
        ("strong cyp3a4 inhibitor", "caution")
    }


def test_names_under_a_heading_are_what_the_block_is_about(label):
    text = "7 DRUG INTERACTIONS Drugs that May Lower the Effect: rifampin, phenytoin. Where use together is essential, monitor blood pressure."
    assert {("rifampin", "monitor"), ("phenytoin", "monitor")} <= said(label, text)


@pytest.mark.parametrize(("words", "strength"), [("may be needed", Strength.CONSIDER), ("should be given", Strength.SHOULD)])
def test_a_change_of_dose_that_is_left_open_is_to_be_considered(label, words, strength):
    assert label(f"7 DRUG INTERACTIONS A lower dose of digoxin {words} with ZOCOR.").claim("digoxin").strength is strength


@pytest.mark.parametrize("text", ["ZOCOR did not add to the effect of alcohol.", "An interaction of alcohol with ZOCOR was not observed."])
def test_effects_that_were_not_seen_are_none(label, text):
    assert ("alcohol", "caution") not in said(label, f"7 DRUG INTERACTIONS {text}")


def test_an_adjective_of_an_effect_names_no_drugs(label):
    assert said(label, "7 DRUG INTERACTIONS Patients using ZOCOR may become tolerant to some adverse depressant effects.") == set()


def test_patients_who_use_another_drug_are_about_both(label):
    assert said(label, "Do not use ZOCOR in patients who are using verapamil.", "warnings") == {("verapamil", "avoid")}


def test_what_stands_before_the_product_is_a_condition_of_the_contraindication(label):
    (made,) = [p.claim for p in label("4 CONTRAINDICATIONS In myocardial infarction ZOCOR is contraindicated in bradycardia.", "contraindications").proposals()]
    assert (made.object.code, made.guard.concept.code) == ("bradycardia", "myocardial-infarction")
    (unread,) = [p.claim for p in label("4 CONTRAINDICATIONS In wet weather ZOCOR is contraindicated in bradycardia.", "contraindications").proposals()]
    assert unread.guard == Opaque("wet weather")


@pytest.mark.parametrize("opening", ["In addition,", "In general,", "In common with all of these,"])
def test_a_joining_phrase_is_no_condition(label, opening):
    (made,) = [p.claim for p in label(f"4 CONTRAINDICATIONS {opening} ZOCOR is contraindicated in bradycardia.", "contraindications").proposals()]
    assert made.guard is None


def test_grades_with_one_noun_stay_one_state(label):
    names = {name for name, _ in label("4 CONTRAINDICATIONS Second-degree or third-degree AV block.", "contraindications").said()}
    assert names == {"second-degree or third-degree av block"}


@pytest.mark.parametrize("reason", ["", " because of lack of experience,"])
def test_children_behind_another_state_are_an_item_of_their_own(label, reason):
    text = f"4 CONTRAINDICATIONS ZOCOR is contraindicated in patients with asthma and,{reason} in children under 2 years of age."
    made = {str(p.claim.object.type): p.claim for p in label(text, "contraindications").proposals()}
    assert made["Condition"].guard is None
    assert made["Population"].guard.high == 2


@pytest.mark.parametrize("text", ["Avoid NSAIDs with ZOCOR.", "Avoid NSAIDs (e.g., ibuprofen, aspirin) with ZOCOR.", "7.1 NSAIDs Avoid NSAIDs with ZOCOR."])
def test_a_short_sentence_that_ends_with_the_product_is_no_heading(label, text):
    assert ("nonsteroidal anti-inflammatory drugs", "avoid") in said(label, f"7 DRUG INTERACTIONS {text}")


def test_examples_of_the_products_own_group_stand_for_the_product(label):
    text = "7.1 Warfarin NSAIDs with short half-lives (e.g., aspirin) should be avoided with warfarin two days before ADVIL is given."
    assert said(label, f"7 DRUG INTERACTIONS {text}", drug="ibuprofen", brand="ADVIL") == {("warfarin", "avoid")}
    beside = "7 DRUG INTERACTIONS ADVIL should be avoided with other NSAIDs (e.g., aspirin)."
    assert ("aspirin", "avoid") in said(label, beside, drug="ibuprofen", brand="ADVIL")
    assert ("aspirin", "avoid") in said(label, "7 DRUG INTERACTIONS Avoid the use of NSAIDs (e.g., aspirin) with ZOCOR.")


def test_what_patients_do_is_not_taken(label):
    made = said(label, "Patients receiving ZOCOR should be cautioned against operating machinery or taking alcohol.", "warnings")
    assert made == {("alcohol", "caution")}
