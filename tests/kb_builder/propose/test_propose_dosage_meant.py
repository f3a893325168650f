"""Whom and what a dose sentence means where its own words do not say it: those of the sentence before, a title run into the text, another dose held against it."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kb_builder.propose.dosage.proposer import DosageProposer
from ontology.model.dosing import Limit, Measure, PerWhat, Regimen
from ontology.model.guards import Exposure, HasCondition, Opaque, leaves


@pytest.fixture
def claims(label):
    def propose(text):
        made = label(text, "dosage_and_administration")
        return [p.claim for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]

    return propose


def tops(found):
    return [c.payload.amount.high if isinstance(c.payload, Limit) else c.payload.phases[0].amounts[0].high for c in found]


def test_a_bare_reduction_is_for_those_whom_the_sentences_before_it_tell_of(claims):
    text = "DOSAGE AND ADMINISTRATION Failing circulation, above all heart failure, may lead to a higher bioavailability. The fall in pressure may be larger in these patients. The dosage should be reduced to 5 mg once daily."
    (claim,) = claims(text)
    named = leaves(claim.guard)
    assert any(isinstance(leaf, HasCondition) and leaf.words == "heart failure" for leaf in named)
    assert any(isinstance(leaf, Opaque) and leaf.text.startswith("Failing circulation") for leaf in named)


def test_a_reduction_behind_a_sentence_on_the_drug_itself_takes_nobody_over(claims):
    (claim,) = claims("DOSAGE AND ADMINISTRATION ZOCOR may increase the risk of heart failure. The dosage should be reduced to 5 mg once daily.")
    assert not any(isinstance(leaf, HasCondition) for leaf in leaves(claim.guard))


def test_these_patients_behind_a_semicolon_are_those_of_the_sentence_itself(claims):
    text = "DOSAGE AND ADMINISTRATION In patients with a creatinine clearance of 35 mL/min or less, the initial dosage should be 10 mg once daily. In patients with lesser renal disease, the initial dosage should be 20 mg once daily; levels may also help in these patients during changes of the dosage."
    low, high = sorted(claims(text), key=lambda c: tops([c]))
    assert "35" in str(low.guard)
    assert "35" not in str(high.guard)
    assert not any(isinstance(leaf, Opaque) and "these patients" in leaf.text for leaf in leaves(high.guard))


def test_a_title_on_inhibitors_run_into_its_order_is_the_partner(claims):
    (claim,) = claims(
        "DOSAGE AND ADMINISTRATION Changes for drug interactions Strong CYP3A4 Inhibitors (e.g., fluvoxamine) Reduce ZOCOR to 5 mg three times a day."
    )
    assert any(isinstance(leaf, Exposure) for leaf in leaves(claim.guard))


def test_the_use_of_another_drug_is_company(claims):
    (claim,) = claims("DOSAGE AND ADMINISTRATION With use of verapamil at a dosage of 240 mg twice daily, reduce ZOCOR to 5 mg three times a day.")
    assert any(isinstance(leaf, Exposure) for leaf in leaves(claim.guard))
    assert tops([claim]) == [Decimal(5)]


@pytest.mark.parametrize(
    "text",
    [
        "Some people may show a better response to 80 mg of ZOCOR daily as compared to 40 mg.",
        "When treating patients with 80 mg/day, the prescriber should see enough added benefit.",
        "ZOCOR may be tapered off at a rate of 10 mg per day until the daily dose has been reduced to 10 mg.",
    ],
)
def test_doses_compared_and_the_pace_of_a_taper_are_no_doses(claims, text):
    assert claims(f"DOSAGE AND ADMINISTRATION {text}") == []


def test_a_dose_worked_out_for_one_child_is_an_example(claims):
    (claim,) = claims("DOSAGE AND ADMINISTRATION Oral: 5 mg every 4 hours (e.g., for 40 lb child - 10 mg every 4 hours).")
    assert tops([claim]) == [Decimal(5)]


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("Consider a starting dose of 5 mg once daily in patients taking azole antifungals (for example, ketoconazole).", 5),
        ("Nausea and Vomiting: 10 to 25 mg every 4 to 6 hours.", 25),
        ("For patients with a serum albumin concentration less than 3.5 g/dL, the maximum daily dose of ZOCOR should be 10 mg.", 10),
    ],
)
def test_an_order_stays_one_beside_examples_of_drugs_a_use_or_a_level(claims, text, amount):
    assert tops(claims(f"DOSAGE AND ADMINISTRATION {text}"))[:1] == [Decimal(amount)]


@pytest.mark.parametrize("text", ["If vomiting occurs within 30 minutes, give 10 mg again.", "If a dose is vomited, give 10 mg once."])
def test_a_vomited_dose_gives_no_rule(claims, text):
    assert claims(f"DOSAGE AND ADMINISTRATION {text}") == []


def test_fewer_doses_a_day_than_their_interval_leaves_room_for(claims):
    (claim,) = claims("DOSAGE AND ADMINISTRATION 80 mg every 4 hours, 5 times daily for 7 days.")
    assert isinstance(claim.payload, Regimen)
    frequency = claim.payload.phases[0].frequency
    assert (frequency.times_high, frequency.every_hours_low) == (Decimal(5), Decimal(4))


@pytest.mark.parametrize(
    ("text", "most", "daily"),
    [
        ("The maximum recommended daily dose of ZOCOR is 40 mg twice daily.", 40, False),
        ("Daily doses should not exceed 40 mg every 12 hours.", 40, False),
        ("The maximum daily dose of ZOCOR is 40 mg in two divided doses.", 40, True),
        ("The maximum dose of ZOCOR is 40 mg once daily.", 40, True),
    ],
)
def test_a_ceiling_given_more_than_once_a_day_is_on_one_dose(claims, text, most, daily):
    (claim,) = claims(f"DOSAGE AND ADMINISTRATION {text}")
    assert claim.payload.amount.high == Decimal(most)
    assert claim.payload.measure is (Measure.DAY if daily else Measure.SINGLE)


@pytest.mark.parametrize(
    ("text", "amount", "shares"),
    [
        ("The starting dosage is 20 mg per night, divided into two doses: 10 mg at bedtime and 10 mg taken 3 hours later.", 20, 2),
        ("Give 75 mg daily (50 mg in the morning and 25 mg in the evening).", 75, 2),
        ("The dose is 80 mg daily (given as 40 mg twice daily).", 80, 2),
        ("The dose is 80 mg (as free base) (given as 40 mg twice daily).", 80, 2),
    ],
)
def test_the_shares_of_a_dose_are_no_doses_of_their_own(claims, text, amount, shares):
    (claim,) = claims(f"DOSAGE AND ADMINISTRATION {text}")
    (phase,) = claim.payload.phases
    assert (phase.amounts[0].high, phase.amounts[0].per, phase.frequency.times_high) == (Decimal(amount), PerWhat.DAY, Decimal(shares))


def test_parts_of_a_step_are_no_doses(claims):
    text = "Increase the dosage by 5 mg per night at weekly intervals (additional 2.5 mg at bedtime and 2.5 mg taken 3 hours later) to 20 mg per night."
    assert tops(claims(f"DOSAGE AND ADMINISTRATION {text}")) == [Decimal(20)]


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("Increase the dose from 10 mg to 20 mg once daily.", [20]),
        ("The dose may be increased from 10 mg every 12 hours to 20 mg every 12 hours.", [20]),
        ("The increase of the exposure from 10 mg to 20 mg once daily was seen with each dose.", []),
    ],
)
def test_an_increase_from_one_dose_to_another_orders_the_other(claims, text, amount):
    found = claims(f"DOSAGE AND ADMINISTRATION {text}")
    assert [(c.payload.phases[0].amounts[0].low, c.payload.phases[0].amounts[0].high) for c in found] == [(Decimal(a), Decimal(a)) for a in amount]


def test_from_which_dose_on_a_strength_is_used_is_no_dose(claims):
    text = "For daily dosing of 80 mg (as free base) and above, dosing should be accomplished using the 40 mg tablet."
    assert claims(f"DOSAGE AND ADMINISTRATION {text}") == []


def test_the_doses_of_a_course_s_days_are_doses_once_each(claims):
    text = "In patients who achieve a CR or CRi, the total dose of ZOCOR is 1.8 mg/m2 per cycle, given as 3 divided doses on Day 1 (0.8 mg/m2), Day 8 (0.5 mg/m2), and Day 15 (0.5 mg/m2)."
    found = claims(f"DOSAGE AND ADMINISTRATION {text}")
    phases = [p for c in found for p in c.payload.phases]
    assert sorted(p.amounts[0].high for p in phases)[-2:] == [Decimal("0.8"), Decimal("1.8")]
    assert all(p.frequency is None or p.frequency.times_high is None for p in phases)
    assert all([leaf.text for leaf in leaves(c.guard)] == ["achieve a CR or CRi"] for c in found)


def test_a_rule_under_a_heading_on_technique_is_read(claims):
    assert tops(claims("2.1 Preparation and Administration Shake the bottle well. The usual adult total daily dosage is 40 mg given in 2 divided doses.")) == [
        Decimal(40)
    ]
    assert claims("2.1 Preparation and Administration Work the dose out from the recommended dosage of 40 mg.") == []


def test_doses_for_adjunctive_therapy_are_of_the_product(claims):
    assert tops(claims("2.1 Dosing in Adjunctive Therapy of Hypertension Initiate treatment at 20 mg once daily.")) == [Decimal(20)]


def test_the_next_group_behind_times_a_day_has_its_own_sentence(claims):
    found = claims("DOSAGE AND ADMINISTRATION Adults - 5 mg b.i.d. or t.i.d. Elderly patients - 2 mg b.i.d. or t.i.d. Higher doses may be needed.")
    by_amount = {tops([c])[0]: str(c.guard) for c in found}
    assert "65" in by_amount[Decimal(2)]
    assert "65" not in by_amount[Decimal(5)]


def test_a_frame_around_prose_is_read_as_prose(label):
    words = "Adults with gout - 5 mg b.i.d. or t.i.d."
    made = label(f"DOSAGE AND ADMINISTRATION {words}", "dosage_and_administration", tables=(f"<table><tbody><tr><td>{words}</td></tr></tbody></table>",))
    found = [p.claim for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]
    assert tops(found) == [Decimal(5)]


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("The recommended initial dose for patients not receiving verapamil is 10 mg once a day.", 10),
        ("The recommended starting dose of ZOCOR in a patient on verapamil is 5 mg once daily.", 5),
        ("The recommended dose when given with verapamil is 5 mg once daily.", 5),
        ("The dose of digoxin in patients taking verapamil is 5 mg once daily.", None),
        ("In patients taking ZOCOR, digoxin is given at 5 mg once daily.", None),
    ],
)
def test_the_dose_in_patients_on_another_drug_is_the_product_s(claims, text, amount):
    found = claims(f"DOSAGE AND ADMINISTRATION {text}")
    assert tops(found) == ([] if amount is None else [Decimal(amount)])
    assert all(any(isinstance(leaf, Exposure) for leaf in leaves(c.guard)) for c in found)


def test_how_often_at_most_a_dose_is_raised_is_not_how_often_it_is_given(claims):
    (claim,) = claims("DOSAGE AND ADMINISTRATION The dosage may be increased gradually, not more frequently than every 5 days, first to 20 mg per day.")
    frequency = claim.payload.phases[0].frequency
    assert frequency is None or frequency.period_days == 1


def test_what_a_dose_gives_is_no_order(claims):
    assert claims("DOSAGE AND ADMINISTRATION A dose of 80 mg gives an increased response, but experience with this dose is limited.") == []


def test_an_interval_between_steps_is_no_limit_on_doses(claims):
    assert claims("DOSAGE AND ADMINISTRATION The dosage should be increased no more frequently than every 5 days.") == []
    (claim,) = claims("DOSAGE AND ADMINISTRATION ZOCOR should be taken no more often than every 4 hours.")
    assert claim.payload.measure is Measure.MINIMUM_INTERVAL


def test_what_one_dose_may_do_beside_another_is_no_order(claims):
    assert claims("DOSAGE AND ADMINISTRATION The 10-mg dose may provide a greater effect than the 5-mg dose.") == []


def test_a_protein_named_for_a_disease_is_no_disease(claims):
    found = claims("DOSAGE AND ADMINISTRATION Give 5 mg once daily in patients taking P-glycoprotein/heart failure resistance protein inhibitors.")
    assert not any(isinstance(leaf, HasCondition) for c in found for leaf in leaves(c.guard))


def test_the_dose_that_a_sentence_allows_is_no_condition_of_its_ceiling(claims):
    found = claims(
        "DOSAGE AND ADMINISTRATION In adults taking verapamil, only the 5-mg dose of simvastatin is recommended, up to a maximum of 3 doses in any 24-hour period (15 mg)."
    )
    assert sorted(tops(found)) == [Decimal(5), Decimal(15)]
    assert all(leaf.dose is None for c in found for leaf in leaves(c.guard) if isinstance(leaf, Exposure))


def test_a_first_dose_told_after_words_on_missed_doses_is_read(claims):
    text = "Missed Doses If a dose is missed, it should not be made up. Adults and Adolescents In adults, ZOCOR should be initiated at 4 mg once daily."
    assert tops(claims(f"DOSAGE AND ADMINISTRATION {text}")) == [Decimal(4)]
    assert claims("2.1 Missed Doses If doses were missed for a week, ZOCOR should be started at 4 mg once daily.") == []


@pytest.mark.parametrize(
    "text",
    [
        "Titration increments should not exceed 20 mg b.i.d.",
        "Increases in the dose should not be more than 20 mg daily.",
        "Dosage adjustments not to exceed 20 mg twice daily may be made.",
        "Later may increase the doage in increments up to 20 mg, once or twice weekly.",
    ],
)
def test_a_ceiling_on_steps_is_no_ceiling_on_doses(claims, text):
    assert claims(f"DOSAGE AND ADMINISTRATION {text}") == []


def test_these_patient_groups_are_those_of_the_sentence_before(claims):
    text = "In patients with heart failure or hypertension clearance may be lower. A starting dose not exceeding 5 mg daily is recommended in these patient groups."
    for claim in claims(f"DOSAGE AND ADMINISTRATION {text}"):
        assert leaves(claim.guard) != ()


@pytest.mark.parametrize(
    "text", ["If patients reach a 27 mg cumulative daily dose, another drug should be used.", "More severely ill people responded to a mean dose of 35 mg/day."]
)
def test_a_dose_reached_or_responded_to_is_no_order(claims, text):
    assert claims(f"DOSAGE AND ADMINISTRATION {text}") == []


def test_another_way_to_give_the_same_amount_is_a_dose_of_its_own(claims):
    assert tops(claims("DOSAGE AND ADMINISTRATION The initial dosage should be 10 mg once daily (or 5 mg twice daily).")) == [Decimal(10), Decimal(5)]
