"""How long a heading or the sentence before holds for a dose, and which use it is for."""

from __future__ import annotations

import pytest

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.bands import is_state, narrowest, without_words_of_numbers
from kb_builder.propose.dosage.proposer import DosageProposer
from kb_builder.propose.dosage.uses import widened
from ontology.model.dosing import Limit
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Category, Exposure, HasCondition, Interval, Opaque, leaves


def _told(leaf):
    if isinstance(leaf, Opaque):
        return leaf.text
    if isinstance(leaf, Interval):
        return f"{leaf.axis.value} {leaf.low}-{leaf.high}"
    if isinstance(leaf, Category):
        return f"{leaf.axis.value} {'/'.join(sorted(leaf.values))}"
    return leaf.words if isinstance(leaf, HasCondition) else leaf.target.code if isinstance(leaf, Exposure) else str(leaf)


@pytest.fixture
def rules(label):
    """`rules(text, uses)`: {amounts: (use, guard's leaves)} of the dose claims; a limit's amount is marked by its measure."""

    def read(text, uses="", **more):
        made = label(text, "dosage_and_administration", **({"indications_and_usage": uses} if uses else {}), **more)
        out = {}
        for p in DosageProposer().propose(made.document, made.subject, made.lexicon):
            payload = p.claim.payload
            amounts = [payload.amount] if isinstance(payload, Limit) else [a for phase in payload.phases for a in phase.amounts]
            key = "/".join(str(a.high if a.high is not None else a.low) for a in amounts)
            name = p.entities[0].name if p.entities else p.claim.words
            out[f"{payload.measure.value} {key}" if isinstance(payload, Limit) else key] = (name, sorted(_told(x) for x in leaves(p.claim.guard)))
        return out

    return read


def test_a_heading_on_a_partner_ends_before_the_next_heading_on_doses(rules):
    text = (
        "2 DOSAGE AND ADMINISTRATION 2.1 Dosage Usual Starting Dose The usual starting dose of ZOCOR is 5 mg once daily. "
        "Patients Receiving Warfarin Start ZOCOR at 2.5 mg once daily in patients taking warfarin. "
        "Maximum Dose Daily doses above 40 mg are not recommended."
    )
    found = rules(text)
    assert found["2.5"][1] == ["warfarin"]
    assert found["day 40"][1] == []


def test_a_heading_on_doses_right_under_a_partner_stays_under_it(rules):
    text = (
        "2 DOSAGE AND ADMINISTRATION 2.1 Dosage Usual Dose The usual dose of ZOCOR is 5 mg once daily. "
        "Patients receiving warfarin: Maintenance dose: Give 4 mg once daily."
    )
    assert rules(text)["4"][1] == ["warfarin"]


def test_slow_metabolizers_and_the_elderly_stand_beside_an_organ(rules):
    text = (
        "2 DOSAGE AND ADMINISTRATION 2.3 Special Populations Hepatic Impairment In patients with moderate hepatic impairment, reduce the dose by 50%. "
        "Poor Metabolizers of CYP2C9 In CYP2C9 poor metabolizers give 4 mg once daily. Geriatric Patients Start with 3 mg once daily."
    )
    found = rules(text)
    assert found["4"][1] == ["genotype poor metabolizer"]
    assert found["3"][1] == ["age 65-None"]


def test_a_label_on_adults_and_children_ends_the_adults(rules):
    text = "Adults: 40 mg once weekly. Weight-based dosing in adults and pediatric patients: 6 mg/kg once weekly."
    found = rules(text)
    assert found["40"][1] == ["age 18-None"]
    assert found["6"][1] == ["age 0-None"]


def test_all_patients_of_a_heading_do_not_close_what_comes_later(rules):
    text = (
        "2 DOSAGE AND ADMINISTRATION 2.2 Dosage for Epilepsy in Adult and Pediatric Patients Do not crush the tablets. Influenza Treatment must begin early. "
        "Adult patients: 40 mg once a week."
    )
    assert rules(text, "Treatment of epilepsy. Prevention of influenza.")["40"][0].lower() == "influenza"


def test_a_use_in_the_very_words_of_the_indications_replaces_the_one_above(rules):
    text = (
        "2 DOSAGE AND ADMINISTRATION 2.1 Recommended Dosage Patients with Untreated Blorb Disease The dosage is 20 mg once daily. "
        "Patients with Relapsed or Refractory Blorb Disease The dosage is 30 mg once daily."
    )
    found = rules(text, "ZOCOR is indicated for untreated Blorb disease and for relapsed or refractory Blorb disease.")
    assert found["20"][0] == "Untreated Blorb Disease"
    assert found["30"] == ("Relapsed or Refractory Blorb Disease", [])


def test_uses_that_share_a_code_are_objects_of_their_own(label):
    text = (
        "2 DOSAGE AND ADMINISTRATION 2.1 Acquired Epilepsy The maximum dose of ZOCOR is 200 mg once daily. "
        "2.2 Inborn Seizure Disorder Epilepsy The maximum dose of ZOCOR is 75 mg once daily."
    )
    made = label(text, "dosage_and_administration", indications_and_usage="Treatment of acquired epilepsy and of inborn seizure disorder epilepsy.")
    claims = [p.claim for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]
    assert len({c.object for c in claims}) == 2


def test_a_chronic_dosage_is_no_use(rules):
    text = "2 DOSAGE AND ADMINISTRATION 2.1 Dosage for Asthma in Adults Initial dosage: 40 mg daily. Chronic dosage: 20 mg once daily."
    found = rules(text, "Treatment of chronic asthma in adults.")
    assert found["20"][0].lower() == "asthma"


def test_a_name_is_as_wide_as_the_indications_have_it():
    text = "for patients with beta thalassemia"
    at = text.index("thalassemia")
    assert text[widened(text, at, len(text), 0, "indicated for beta thalassemia") :] == "beta thalassemia"
    assert widened(text, at, len(text), 0, "indicated for thalassemia") == at
    assert widened(text, at, len(text), 0, "") == at


def test_a_label_without_a_bullet_stays_under_its_lead(rules):
    text = (
        "2 DOSAGE AND ADMINISTRATION 2.2 Dosage Epilepsy Treatment must begin early. The dosages for the treatment of asthma are: "
        "Adult patients: Give 80 mg once daily. Pediatric patients 31 kg and over: Give 30 mg once daily."
    )
    found = rules(text, "Treatment of asthma and of epilepsy.")
    assert found["80"][0].lower() == "asthma"
    assert found["30"][0].lower() == "asthma"


def test_a_dose_under_adverse_reactions_without_a_condition_keeps_that_ground(rules):
    text = (
        "2 DOSAGE AND ADMINISTRATION 2.2 Dosage Modification • Grade 2 or 3 toxicity: Delay treatment until recovery, then therapy may be restarted at 14 mg. "
        "• Grade 4 toxicity: Delay treatment until recovery, then the dose should be reduced to 10 mg."
    )
    found = rules(text)
    assert "Grade 2 or 3 toxicity" in found["14"][1]
    assert "Grade 4 toxicity" in found["10"][1]
    assert rules("2.3 Dosage Modifications for Adverse Reactions The dose is reduced to 10 mg once daily.")["10"][1] == [
        "Dosage Modifications for Adverse Reactions"
    ]


def test_a_dose_after_a_pause_keeps_the_pause(rules):
    text = "Withhold ZOCOR until recovery, then restart at 19 mg once daily for one week, then 38 mg once daily."
    assert rules(text)["19/38"][1] == ["Withhold ZOCOR until recovery"]


def test_a_daily_volume_is_a_ceiling(rules):
    assert set(rules("The maximum daily volume is 10 mL.")) == {"day 10"}


def test_another_drugs_name_opens_its_own_dose(rules):
    text = "For patients over 12 kg, the doses are: ZOCOR 8 mg per kg every 6 hours for 4 days. Aspirin 60 mg per kg on each of two days."
    assert set(rules(text)) == {"8"}


def test_an_escalation_holds_for_the_patients_of_the_sentence_before(rules):
    text = (
        "2 DOSAGE AND ADMINISTRATION 2.3 Hepatic Impairment The recommended dose in patients with severe hepatic impairment is 50 mg per day. "
        "Dose escalation above 100 mg per day is not recommended."
    )
    assert rules(text)["day 100"][1] == ["hepatic severe"]


def test_a_state_of_its_own_ends_that_of_the_sentence_before(rules):
    text = (
        "In adults with a CrCl below 30 mL/min the dose is 20 mg once daily. The dose should be 10 mg once daily in patients taking warfarin. "
        "The dose should be 5 mg once daily in patients also taking aspirin."
    )
    found = rules(text)
    assert found["10"][1] == ["age 18-None", "warfarin"]


def test_a_ceiling_for_those_who_do_not_respond_is_everyones(rules):
    assert rules("Patients not responding to 60 mg a day may be raised to a maximum of 200 mg per day.")["day 200"][1] == []
    assert rules("A few patients may be raised to a maximum of 200 mg per day.")["day 200"][1] == []


def test_numbers_stand_for_the_words_they_explain_inside_a_choice_and_under_a_heading():
    crcl = Interval(Axis.CRCL, None, 15, "mL/min", high_open=True)
    severe = Interval(Axis.CRCL, 15, 29, "mL/min")
    choice = Restriction(AnyOf((severe, AllOf((Category(Axis.RENAL, frozenset({"esrd"})), crcl)))), 0, 10)
    assert without_words_of_numbers([choice])[0].guard == AnyOf((severe, crcl))
    words = Restriction(Category(Axis.RENAL, frozenset({"severe", "esrd"})), 0, 5)
    number = Restriction(severe, 200, 210)
    assert narrowest([words, number]) == (number,)


def test_age_alone_is_no_state():
    assert not is_state(Interval(Axis.AGE, 18, None, "a"))
    assert is_state(Interval(Axis.CRCL, None, 30, "mL/min"))


def test_the_dose_behind_another_drugs_dose_is_that_drugs(rules):
    text = "With ZOCOR the initial dose of warfarin is 3 mg once daily. The dose may be raised to 6 mg once daily. ZOCOR 20 mg is given once daily."
    assert set(rules(text)) == {"20"}


def test_a_rung_of_reductions_holds_for_those_who_have_come_to_it(rules):
    text = (
        "2 DOSAGE AND ADMINISTRATION 2.3 Dosage Modifications for Adverse Reactions The recommended reductions are: "
        "• First dose reduction: ZOCOR 75 mg once daily • Second dose reduction: ZOCOR 50 mg once daily"
    )
    found = rules(text)
    assert found["75"][1] == ["First dose reduction"]
    assert found["50"][1] == ["Second dose reduction"]


def test_concomitant_use_that_cannot_be_avoided_is_that_of_the_sentence_before(rules):
    text = "2.4 Changes Avoid concomitant use of ZOCOR with fluconazole. If concomitant use is unavoidable, reduce the dose to 75 mg once daily."
    assert rules(text)["75"][1] == ["fluconazole"]
    alone = "2.4 Changes If concomitant use cannot be avoided, reduce the dose to 75 mg once daily."
    assert rules(alone)["75"][1] == ["If concomitant use cannot be avoided"]
    told = "2.4 Changes Avoid this. If concurrent use is unavoidable, give 160 mg daily when co-administering with a strong CYP3A4 inducer."
    assert len(rules(told)["160"][1]) == 1


def test_those_who_begin_a_partner_after_a_reduction_keep_the_partner(rules):
    text = (
        "In patients who have had a reduction to 75 mg once daily due to adverse reactions and who initiate fluconazole, reduce the dose to 50 mg once daily."
    )
    assert "fluconazole" in rules(text)["50"][1]


def test_doses_in_one_bracket_are_each_for_their_own_patients(rules):
    text = (
        "In patients with a CrCl of 15 to 90 mL/min start with the lowest dosage (i.e., 15 mg daily for patients weighing 45 kg or more, "
        "and 5 mg daily for patients weighing less than 45 kg) taken in divided doses."
    )
    found = rules(text)
    assert found["15"][1] == ["crcl 15-90", "weight 45-None"]
    assert found["5"][1] == ["crcl 15-90", "weight None-45"]


def test_a_choice_of_uses_is_the_use_in_its_words(rules):
    text = "For patients with asthma or epilepsy, give 900 mg once daily."
    assert rules(text, "Treatment of asthma and of epilepsy.")["900"] == ("asthma or epilepsy", [])


def test_rows_of_bands_that_lost_their_cells_are_not_read(rules):
    assert rules("Children 26 to 37 kg 1 mg once daily 38 to 50 kg 1.5 mg once daily 51 kg or greater 2 mg once daily") == {}
    assert rules("Give it twice daily. Weight Tablets 14 kg to less than 20 kg 25 mg once daily 5 20 kg and greater 30 mg once daily 6") == {}


def test_a_weight_behind_two_ages_in_numbers_is_the_last_ones(rules):
    text = "Patients 12 years and older or pediatric patients 6 to less than 12 years weighing 30 kg or more: Give 20 mg once daily."
    assert rules(text)["20"][1] == ["age 12-None", "age 6-12", "weight 30-None"]


def test_doses_reached_are_not_ordered(rules):
    assert rules("Three weeks are enough once the dosage has reached 300 mg daily.") == {}
    assert set(rules("If no response is seen at 300 mg, the dosage may be increased up to 400 mg daily.")) == {"day 400"}
    assert rules("Starting doses lower than 250 mg can only be given as another product.") == {}


def test_what_follows_at_an_interval_has_that_interval(label):
    made = label("The initial dose of ZOCOR is 840 mg, followed every 3 weeks by a dose of 420 mg.", "dosage_and_administration")
    phases = [ph for p in DosageProposer().propose(made.document, made.subject, made.lexicon) for ph in p.claim.payload.phases]
    assert [(str(ph.amounts[0].high), ph.frequency is not None) for ph in phases] == [("840", False), ("420", True)]


def test_a_long_label_of_people_ends_the_one_before(rules):
    text = (
        "2.2 Dosage Pediatric patients 6 to less than 12 years weighing less than 30 kg: Give 10 mg once daily. "
        "Adults and pediatric patients 12 years and older or pediatric patients 6 to less than 12 years weighing 30 kg or more: Give 20 mg once daily."
    )
    assert rules(text)["20"][1] == ["age 12-None", "age 6-12", "weight 30-None"]


def test_unavoidable_use_is_not_that_of_an_earlier_dose(rules):
    text = (
        "2.4 Changes In patients taking warfarin, reduce the dose to 50 mg once daily. Avoid concomitant use of ZOCOR with fluconazole. "
        "If concomitant use is unavoidable, reduce the dose to 75 mg once daily."
    )
    assert rules(text)["75"][1] == ["fluconazole"]


def test_a_strong_inhibitor_begun_after_a_reduction_is_a_partner(rules):
    text = "In patients who had a reduction to 75 mg once daily due to rash and who initiate a strong CYP3A4 inhibitor, reduce the dose to 50 mg once daily."
    assert "strong-cyp3a4-inhibitor" in rules(text)["50"][1]


def test_the_dose_a_change_starts_from_is_not_ordered_and_an_aside_holds_for_its_own_dose(rules):
    text = (
        "Reduce the starting dose of 60 mg daily to 40 mg daily or 30 mg daily to 20 mg daily (for patients weighing less than 45 kg) "
        "in patients with moderate hepatic impairment."
    )
    found = rules(text)
    assert set(found) == {"40", "20"}
    assert found["40"][1] == ["hepatic moderate"]
    assert found["20"][1] == ["hepatic moderate", "weight None-45"]
    assert set(rules("Reduce the dose to 20 mg to 40 mg daily in patients with heart failure.")) == {"40"}


def test_a_dose_for_those_on_another_drug_for_its_sake_is_not_under_the_organ_before_it(rules):
    text = (
        "2 DOSAGE Renal insufficiency: No dose adjustment is necessary in patients with mild renal impairment. "
        "An initial dose of 5 mg should be given to patients concomitantly taking digoxin because simvastatin clearance is reduced in this population."
    )
    assert rules(text)["5"][1] == ["digoxin"]


def test_a_dose_for_those_on_another_drug_that_names_the_organ_keeps_it(rules):
    text = (
        "2 DOSAGE Renal insufficiency: No dose adjustment is necessary in patients with mild renal impairment. An initial dose of 5 mg once daily "
        "should be given to patients with severe renal impairment concomitantly taking digoxin because simvastatin levels are raised."
    )
    assert any(t.startswith("renal") for t in rules(text)["5"][1])
