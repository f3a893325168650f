"""Whom a member of a list restricts, what stands beside the population, and what a claim about it leaves out."""

from __future__ import annotations

import pytest

from kb_builder.propose.populations.proposer import PopulationProposer
from kb_builder.publish.conditions import conditions_of
from ontology.model.entities import EntityType
from ontology.model.guards import HasCondition, leaves

PLR = "8 USE IN SPECIFIC POPULATIONS "
SEVERE = ("renal", "severe or esrd renal impairment")


def claims(made):
    return [p.claim for p in PopulationProposer().propose(made.document, made.subject, made.lexicon)]


def said(made):
    """(population, action) of every claim."""
    return {(c.object.code, c.payload.strictest.value) for c in claims(made)}


def guards(made, axis, action=None):
    """The disjuncts of the guards of the claims about a population, each as a set of axis and words or bounds."""
    return {
        frozenset((c["axis"], str(c.get("value") or f"{c.get('low')}..{c.get('high')}")) for c in disjunct)
        for claim in claims(made)
        if claim.object.code == axis and (action is None or claim.payload.strictest.value == action)
        for disjunct in conditions_of(claim.guard, str)
    }


def test_a_list_of_contraindications_leaves_its_other_states_to_themselves(label):
    made = label("ZOCOR is contraindicated in patients with known asthma, sepsis, following surgery and severely impaired renal function.", "contraindications")
    assert guards(made, "renal") == {frozenset({SEVERE})}


def test_of_alternatives_only_the_states_of_the_organ_are_its_matter(label):
    made = label("ZOCOR is contraindicated in patients with heart block, acute renal disease, glaucoma or gout.", "contraindications")
    assert guards(made, "renal") == {frozenset({("other", "acute renal disease")})}


def test_a_state_of_the_organ_stays_beside_its_degrees(label):
    made = label("ZOCOR is contraindicated in patients with decompensated cirrhosis or severe hepatic impairment.", "contraindications")
    assert guards(made, "hepatic") == {frozenset({("other", "decompensated cirrhosis")}), frozenset({("hepatic", "severe hepatic impairment")})}


def test_mothers_in_a_list_are_not_narrowed_by_its_other_states(label):
    made = label("ZOCOR is contraindicated in infants less than 6 months of age, nursing mothers and in patients with asthma and gout.", "contraindications")
    assert guards(made, "lactation") == {frozenset()}


def test_the_risk_behind_an_item_is_no_condition(label):
    made = label("ZOCOR is contraindicated in: • Patients less than 2 years of age due to the risk of asthma", "contraindications")
    assert guards(made, "pediatric") == {frozenset({("age", "None..2")})}


@pytest.mark.parametrize(
    "text",
    [
        "The dose of ZOCOR should be reduced in the elderly and debilitated patients.",
        "Debilitated, elderly patients and acutely ill patients should be given reduced doses of ZOCOR.",
    ],
)
def test_the_weak_are_listed_beside_the_elderly(label, text):
    assert guards(label(text, "warnings"), "geriatric") == {frozenset()}


def test_two_organs_joined_are_each_a_population(label):
    made = label("ZOCOR should be used with caution in patients with hepatic and renal impairment.", "warnings")
    assert guards(made, "renal") == {frozenset()}
    assert guards(made, "hepatic") == {frozenset()}


def test_both_organs_are_asked_for_together(label):
    made = label("ZOCOR should be used with caution in patients with both hepatic and renal impairment.", "warnings")
    assert guards(made, "renal") == {frozenset({("hepatic", "hepatic impairment")})}


def test_a_vague_degree_of_either_organ_is_that_organ_s(label):
    made = label("For patients with significantly reduced hepatic or renal function, reduce the dose of ZOCOR.", "dosage_and_administration")
    assert guards(made, "renal") == {frozenset({("renal", "renal impairment"), ("other", "significantly reduced hepatic or renal function")})}


def test_children_with_an_impaired_organ_are_the_childrens_matter(label):
    made = label("ZOCOR has not been studied in pediatric patients with severe renal impairment.", "dosage_and_administration")
    assert said(made) == {("pediatric", "not-studied")}
    assert guards(made, "pediatric") == {frozenset({SEVERE})}


def test_patients_of_every_age_with_an_impaired_organ_are_the_organs_matter(label):
    made = label("Reduce the dose of ZOCOR in adults and pediatric patients with severe renal impairment.", "dosage_and_administration")
    assert said(made) == {("renal", "adjust-dose")}


def test_a_bracket_of_figures_names_nobody(label):
    made = label(
        "Start ZOCOR in patients with renal impairment at the lowest recommended dose (i.e., 15 mg for pediatric patients weighing 45 kg or more and 5 mg for others).",
        "dosage_and_administration",
    )
    assert said(made) == {("renal", "adjust-dose")}
    assert guards(made, "renal") == {frozenset()}


def test_these_patients_of_a_count_are_those_of_that_age(label):
    made = label(
        PLR + "8.5 Geriatric Use Of the 600 patients with gout who received ZOCOR with warfarin, 200 (33%) were aged 65 years and older. "
        "No overall differences in safety were observed between these patients and younger patients.",
        "use_in_specific_populations",
    )
    assert guards(made, "geriatric", "no-adjustment") == {frozenset({("age", "65..None")})}


def test_words_that_only_repeat_the_other_conditions_are_none(label):
    made = label("Use caution when treating patients with mild hepatic impairment with ZOCOR.", "warnings")
    assert guards(made, "hepatic") == {frozenset({("hepatic", "mild hepatic impairment")})}


def test_a_title_run_into_a_sentence_says_nothing_of_its_degrees(label):
    made = label(
        "Dosage Modification in Patients with Renal Impairment and End-Stage Renal Disease In patients with moderate renal impairment, start ZOCOR at 10 mg.",
        "dosage_and_administration",
    )
    assert guards(made, "renal") == {frozenset({("renal", "moderate renal impairment")})}


def test_patients_who_take_another_medicine_are_not_those_of_the_heading(label):
    made = label("Renal Impairment: An initial dose of ZOCOR 5 mg should be given to patients concomitantly taking warfarin.", "dosage_and_administration")
    assert said(made) == set()


@pytest.mark.parametrize(
    ("text", "uses"),
    [
        ("The safety of ZOCOR has not been established in pediatric patients for the prevention of relapse or for treatment of itching.", {"prevention of relapse", "treatment of itching"}),
        ("Safety of ZOCOR for the prevention of relapse in pediatric patients has not been established.", {"the prevention of relapse"}),
    ],
)  # fmt: skip
def test_uses_of_children_restrict(label, text, uses):
    found = {words.removeprefix("the ") for each in guards(label(text, "pediatric_use"), "pediatric") for _, words in each}
    assert found == {use.removeprefix("the ") for use in uses}


def test_a_use_that_the_vocabulary_has_is_a_condition_of_the_child(label):
    made = label("Safety of ZOCOR for the treatment of hypertension in pediatric patients has not been established.", "pediatric_use")
    (claim,) = claims(made)
    (leaf,) = leaves(claim.guard)
    assert isinstance(leaf, HasCondition)
    assert leaf.concept.type == EntityType.CONDITION


@pytest.mark.parametrize(
    "text",
    [
        "Studies of pregnant women exposed to ZOCOR in the first trimester have not identified an increased risk of malformations.",
        "It is unknown whether the risk of suicide in children extends to longer use of ZOCOR.",
        "Estimates of the prevalence of poor metabolizers among Asian people are not yet available.",
    ],
)
def test_tales_without_advice(label, text):
    assert said(label(text, "warnings")) == set()


def test_a_study_that_found_no_risk_asks_for_no_caution(label):
    made = label(
        PLR + "8.1 Pregnancy Studies of women exposed to ZOCOR during pregnancy have not identified an increased risk of malformations.",
        "use_in_specific_populations",
    )
    assert ("pregnancy", "caution") not in said(made)


def test_another_treatment_for_women_who_plan_a_pregnancy(label):
    made = label(
        PLR + "8.3 Females and Males of Reproductive Potential Use alternative treatment for females who are planning to become pregnant.",
        "use_in_specific_populations",
    )
    assert guards(made, "reproductive", "avoid") == {frozenset({("sex", "female")})}


def test_the_lowest_dose_is_another_dose_but_not_one_of_a_study(label):
    asked = PLR + "8.6 Renal Impairment In patients with renal impairment, ZOCOR should be initiated at the lowest recommended dosage."
    told = PLR + "8.4 Pediatric Use Exposure at the lowest dose tested was similar to that of people."
    assert said(label(asked, "use_in_specific_populations")) == {("renal", "adjust-dose")}
    assert said(label(told, "use_in_specific_populations")) == set()


def test_words_about_the_gene_of_the_type_named_say_nothing_more(label):
    made = label(
        "Patients with Reduced UGT1A1 Activity Reduce the dose of ZOCOR in patients known to be homozygous for the UGT1A1*28 allele.",
        "dosage_and_administration",
    )
    assert guards(made, "genotype") == {frozenset({("genotype", "UGT1A1 homozygous *28")})}


def test_from_birth_is_from_age_nought(label):
    made = label("ZOCOR is not recommended in pediatric patients from birth to 3 months of age.", "dosage_and_administration")
    assert guards(made, "pediatric") == {frozenset({("age", "0..3")})}


def test_a_further_group_behind_a_narrowed_one_has_its_own_guard(label):
    made = label("ZOCOR is contraindicated in patients with severe renal impairment and children under 2 years of age with gout.", "contraindications")
    assert guards(made, "renal") == {frozenset({SEVERE})}


def test_people_who_are_only_an_example_are_not_advised_on(label):
    made = label("Monitor blood pressure in patients who are vulnerable to falls (e.g., elderly patients) during treatment with ZOCOR.", "warnings")
    assert said(made) == set()


def test_patients_with_a_normal_organ_are_not_the_population(label):
    made = label("If hepatic impairment is excluded, reduce the dose of ZOCOR in patients with normal hepatic function.", "warnings")
    assert all(not any("normal" in words for _, words in each) for each in guards(made, "hepatic"))


def test_what_is_watched_for_is_no_condition(label):
    made = label("Monitor patients with renal impairment for increased QTc.", "warnings")
    assert guards(made, "renal") == {frozenset()}


def test_people_behind_what_is_watched_for_still_restrict(label):
    made = label("Monitor for signs of bleeding in patients with severe renal impairment during treatment with ZOCOR.", "warnings")
    assert guards(made, "renal") == {frozenset({SEVERE})}


def test_what_advice_is_compared_with_is_no_condition(label):
    made = label(
        PLR + "8.7 Hepatic Impairment Dosage adjustment is not required in patients with mild hepatic impairment based on similar exposure of ZOCOR "
        "compared to patients with normal hepatic function.",
        "use_in_specific_populations",
    )
    assert guards(made, "hepatic") == {frozenset({("hepatic", "mild hepatic impairment")})}


def test_a_tale_of_single_patients_is_no_advice(label):
    made = label("In patients with renal impairment, 3 patients who received a starting dose of 1.5 mg of ZOCOR had no toxicity.", "dosage_and_administration")
    assert said(made) == set()


def test_animals_in_a_list_of_contraindications_are_no_item(label):
    assert said(label("Maximum teratogenicity of ZOCOR in mice on day 10 of gestation.", "contraindications")) == set()


def test_a_passage_under_a_run_in_heading_ends_where_it_speaks_of_others(label):
    made = label(
        "PRECAUTIONS General Care. Pediatric Use Safety in children has not been established. Low counts were seen. Fever was seen. Risk factors are known. "
        "They are few. Patients with a low count should be monitored closely.",
        "precautions",
    )
    assert said(made) == {("pediatric", "not-studied")}


def test_without_adjustment_is_no_condition(label):
    made = label("ZOCOR can be used in patients with mild hepatic impairment without any dose adjustment.", "dosage_and_administration")
    assert guards(made, "hepatic") == {frozenset({("hepatic", "mild hepatic impairment")})}


def test_creatinine_clearance_by_its_short_name_names_the_kidney(label):
    made = label("Patients with CCr <10 mL/min have not been studied and use of ZOCOR in this population is not recommended.", "warnings")
    assert guards(made, "renal", "not-recommended") == {frozenset({("crcl", "None..10")})}


def test_those_whom_the_population_is_compared_with_do_not_restrict(label):
    made = label(
        "Since levels of ZOCOR are higher in patients with renal impairment than in patients with normal renal function, "
        "dosage adjustments are recommended in patients with renal impairment.",
        "warnings",
    )
    assert guards(made, "renal", "adjust-dose") == {frozenset()}
