"""How firmly a dose is put, and what a ceiling is on: the start alone, the step, the day however it is divided, or what practice seldom exceeds."""

from __future__ import annotations

import time
from decimal import Decimal

import pytest

from kb_builder.propose.dosage.proposer import DosageProposer
from ontology.model.claims import Strength
from ontology.model.dosing import Limit, Measure, PerWhat, PhaseKind, Regimen
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Category, Interval, Opaque, leaves


@pytest.fixture
def claims(label):
    def propose(text, **more):
        made = label(text, "dosage_and_administration", **more)
        return [p.claim for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]

    return propose


def the(claims, kind):
    (found,) = [c for c in claims if isinstance(c.payload, kind)]
    return found


@pytest.mark.parametrize(
    ("text", "strength"),
    [
        ("In the elderly a dose of 20 mg three times daily may be warranted.", Strength.CONSIDER),
        ("A starting dose of 5 mg once daily should be considered in patients 65 years of age and older.", Strength.CONSIDER),
        ("For patients 65 years of age and older, consider starting at 5 mg once daily.", Strength.CONSIDER),
        ("Geriatric patients may be started on 2.5 mg once daily.", Strength.CONSIDER),
        ("In patients 75 years of age and older, the dose may be titrated down to 20 mg once daily.", Strength.CONSIDER),
        ("In patients 65 years of age and older the recommended starting dose is 5 mg once daily.", Strength.SHOULD),
        ("Consider the needs of the patient; the recommended dose is 5 mg once daily.", Strength.SHOULD),
        ("When treatment beyond 24 weeks is considered necessary, give 200 mg once daily.", Strength.SHOULD),
        ("When treatment alone may be appropriate, the usual initial dosage in adults is 2 mg once daily.", Strength.SHOULD),
        ("In adults the dose may be increased to 40 mg once daily.", Strength.SHOULD),
    ],
)
def test_a_dose_that_is_only_suggested_is_to_consider(claims, text, strength):
    assert the(claims(text), Regimen).strength is strength


@pytest.mark.parametrize(
    ("text", "strength"),
    [
        ("Maintenance doses above 2 grams a day are seldom required.", Strength.CONSIDER),
        ("It is unusual to employ a dosage in excess of 1 g/day, but up to 1.5 g/day has sometimes been required.", Strength.CONSIDER),
        ("Doses above 2 grams a day are seldom required and should not be used.", Strength.MUST),
        ("The dose should not exceed 40 mg a day.", Strength.MUST),
    ],
)
def test_what_practice_seldom_exceeds_is_no_firm_ceiling(claims, text, strength):
    assert {c.strength for c in claims(text) if isinstance(c.payload, Limit)} == {strength}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The initial dose for adults should not exceed 20 mg per day.", PhaseKind.STARTING),
        ("The maximum recommended initial dose is 20 mg a day.", PhaseKind.STARTING),
        ("Do not initiate treatment with doses higher than 20 mg.", PhaseKind.STARTING),
        ("Initiation of therapy at dosages exceeding 20 mg daily is not recommended.", PhaseKind.STARTING),
        ("Do not exceed 20 mg as an initial dose.", PhaseKind.STARTING),
        ("Begin therapy in adults with a loading dose of up to 20 mg on day 1.", PhaseKind.LOADING),
    ],
)
def test_a_ceiling_on_the_start_leaves_later_doses_free(claims, text, kind):
    (claim,) = claims(text)
    (phase,) = claim.payload.phases
    assert (phase.kind, phase.amounts[0].low, phase.amounts[0].high) == (kind, None, Decimal(20))


@pytest.mark.parametrize(
    "text",
    [
        "The usual initial dose is 5 mg once daily and the maximum dose is 20 mg once daily.",
        "After the initial dose, increase up to a maximum of 20 mg once daily.",
        "The starting dose is 5 mg. Do not exceed 20 mg a day.",
    ],
)
def test_a_ceiling_beside_a_start_is_one_on_every_dose(claims, text):
    assert the(claims(text), Limit).payload.amount.high == Decimal(20)


@pytest.mark.parametrize(
    ("text", "high"),
    [("The maximum dose is 6 mg twice a day (12 mg per day).", 12), ("The maximum recommended dose is 100 mg three times a day (300 mg/day).", 300)],
)
def test_a_ceiling_whose_total_is_told_is_on_the_day(claims, text, high):
    limit = the(claims(text), Limit).payload
    assert (limit.measure, limit.amount.high) == (Measure.DAY, Decimal(high))


def test_a_ceiling_on_steps_with_its_total_is_none_on_doses(claims):
    assert claims("Increase the dose with adjustments not to exceed 2 mg twice daily (4 mg/day).") == []


@pytest.mark.parametrize(
    "text",
    [
        "At least 14 days must elapse between discontinuation of another antidepressant and the first dose of ZOCOR.",
        "Take ZOCOR at least 2 hours apart from any other drug.",
    ],
)
def test_time_from_another_drug_is_no_interval_between_doses(claims, text):
    assert claims(text) == []


def test_an_interval_between_doses_stays(claims):
    assert the(claims("At least 8 hours should elapse between doses of ZOCOR."), Limit).payload.measure is Measure.MINIMUM_INTERVAL


def test_many_tablets_daily_are_the_amount_of_a_day(claims):
    (phase,) = the(claims("If needed the dose may be increased to five or six 250 mg tablets daily."), Regimen).payload.phases
    assert (phase.amounts[0].per, phase.amounts[0].choices, phase.frequency) == (PerWhat.DAY, (Decimal(1250), Decimal(1500)), None)


def test_two_tablets_daily_stay_a_dose(claims):
    (phase,) = the(claims("The recommended dose is two 250 mg tablets daily."), Regimen).payload.phases
    assert (phase.amounts[0].per, phase.frequency.times_high) == (PerWhat.DOSE, Decimal(1))


def test_mean_doses_of_patients_are_no_orders(claims):
    text = "While the maximum recommended dose is 225 mg per day, patients in one program responded to a mean dose of 350 mg per day (range of 150 to 375 mg per day)."
    assert all(isinstance(c.payload, Limit) for c in claims(text))


def test_a_dose_that_resumes_treatment_is_for_those_who_interrupted_it(claims):
    assert the(claims("2.1 Adults In adults: ZOCOR may be resumed at 40 mg once daily."), Regimen).guard is not None
    assert [leaf.text for leaf in leaves(the(claims("ZOCOR may be resumed at 40 mg once daily."), Regimen).guard)] == ["resumed"]


def test_a_clearance_without_upper_end_only_narrows_the_word_for_it(claims):
    text = "For patients with moderate renal insufficiency (creatinine clearance greater than 40 mL/min), the recommended dosage is 40 mg once daily."
    guard = the(claims(text), Regimen).guard
    assert isinstance(guard, AllOf)
    assert Category(Axis.RENAL, ("moderate",)) in guard.parts
    assert [p.low for p in guard.parts if isinstance(p, Interval)] == [Decimal(40)]


def test_a_clearance_with_an_upper_end_stands_for_the_word(claims):
    text = "For patients with moderate renal impairment (creatinine clearance 30 to 59 mL/min), the recommended dosage is 40 mg once daily."
    assert isinstance(the(claims(text), Regimen).guard, Interval)


def test_ages_joined_behind_an_organ_are_of_that_organ(claims):
    text = "2.2 Moderate or Severe Hepatic Impairment (Child-Pugh Class B or C) Adult and Pediatric Patients 12 Years of Age and Older The recommended dosage of ZOCOR is 10 mg once daily."
    guard = the(claims(text), Regimen).guard
    assert not isinstance(guard, AnyOf)
    assert any(isinstance(leaf, Category) for leaf in leaves(guard))
    assert any(isinstance(leaf, Interval) and leaf.low == Decimal(12) for leaf in leaves(guard))


def test_groups_of_their_own_stay_alternatives(claims):
    text = "2.2 Patients with Severe Hepatic Impairment and Elderly Patients The recommended dosage of ZOCOR is 10 mg once daily."
    assert isinstance(the(claims(text), Regimen).guard, AnyOf)


def test_a_label_that_dashes_end_is_a_heading(claims):
    text = "Hypertension--The usual dosage is 5 mg once daily. Heart failure--In mild cases the usual dosage is 10 mg once daily."
    found = {c.payload.phases[0].amounts[0].high: c.words for c in claims(text, indications_and_usage="ZOCOR is indicated for hypertension and heart failure.")}
    assert found == {Decimal(5): "Hypertension", Decimal(10): "Heart failure"}


@pytest.mark.parametrize("piece", ["the initial dose of ", "maximum initial dose ", "may be considered; ", "Adults-- ", "should not exceed 4 mg ("])
def test_long_repetition_is_read_in_bounded_time(claims, piece):
    began = time.perf_counter()
    claims(piece * (20_000 // len(piece)))
    assert time.perf_counter() - began < 20


def test_conditions_stay_in_words_where_the_treatment_is_resumed_on_terms(claims):
    found = claims("When the platelet count recovers, ZOCOR may be resumed at 40 mg once daily.")
    assert all(c.guard is not None for c in found)
    assert not any(isinstance(leaf, Opaque) and leaf.text == "resumed" for c in found for leaf in leaves(c.guard))


def test_a_list_of_three_groups_is_any_of_them(claims):
    text = "In patients with risk factors, the elderly (>60 years), and those in whom more is expected, the initial dose is 2 mg once daily."
    guard = the(claims(text), Regimen).guard
    assert isinstance(guard, AnyOf)
    assert [p.low for p in guard.parts if isinstance(p, Interval)] == [Decimal(60)]
    assert {p.text for p in guard.parts if isinstance(p, Opaque)} == {"risk factors", "more is expected"}


def test_a_group_of_a_list_that_no_reader_has_stays_in_its_words(claims):
    guard = the(claims("In patients with hyperkalemia, those on a salt-free diet, and those with asthma, the initial dose is 2 mg once daily."), Regimen).guard
    assert isinstance(guard, AnyOf)
    assert len(guard.parts) == 3


def test_two_people_told_together_are_no_list(claims):
    guard = the(claims("In adults and children weighing 40 kg or more, the initial dose is 2 mg once daily."), Regimen).guard
    assert not isinstance(guard, AnyOf)
