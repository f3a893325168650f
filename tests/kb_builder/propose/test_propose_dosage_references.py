"""Amounts that are printed and not ordered: rungs, strengths, examples; and changes by a share of the dose."""

from __future__ import annotations

import pytest

from kb_builder.propose.dosage.proposer import DosageProposer
from kb_builder.propose.dosage.references import names_a_place, without_examples
from ontology.model.dosing import Limit, Measure, Regimen
from ontology.model.guards import Interval, Opaque, leaves
from ontology.text.doses import read_doses


@pytest.fixture
def said(label):
    """`said(text)`: (amounts, words or axes of the guard) of every dose claim, limits marked by their measure."""

    def read(text, **more):
        made = label(text, "dosage_and_administration", **more)
        out = []
        for p in DosageProposer().propose(made.document, made.subject, made.lexicon):
            payload = p.claim.payload
            amounts = [payload.amount] if isinstance(payload, Limit) else [a for phase in payload.phases if not phase.increment for a in phase.amounts]
            numbers = "/".join(f"{a.low}-{a.high}" if a.low != a.high else f"{a.high}" for a in amounts)
            guard = [leaf.text if isinstance(leaf, Opaque) else leaf.axis.value if isinstance(leaf, Interval) else str(leaf) for leaf in leaves(p.claim.guard)]
            out.append((f"{payload.measure.value} {numbers}" if isinstance(payload, Limit) else numbers, *guard))
        return sorted(out)

    return read


@pytest.mark.parametrize(
    "text",
    [
        "If there is no response after 3 weeks at the 25 mg starting dose, stop treatment with ZOCOR.",
        "Stop ZOCOR if the patient does not improve at the maximum dose level (80 mg).",
        "The 40 mg dose is both the first dose and the dose to stay on.",
        "1 mg = 1000 mcg, as the infusion rate needs.",
        "The starting dose is half of a 5 mg tablet twice daily.",
        "The starting dose is half to one 5 mg scored tablet daily.",
        "The effect of doses much lower than 1 mg/kg of ZOCOR is unclear.",
        "The effect of ZOCOR (20-160 mg) was established in trials of maintenance.",
        "A 300 mg oral dose of ZOCOR achieves an exposure like that of 4 mg/kg given intravenously.",
        "Studies have not been done with total doses beyond 4 mg (two 2-mg doses).",
    ],
)
def test_an_amount_that_only_names_a_place_is_no_dose(said, text):
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Initiate treatment at the 25 mg dose.", "25"),
        ("Restart ZOCOR at the recommended dose (80 mg) once daily.", "80"),
        ("The usual doses have ranged from 6 mg to 15 mg daily.", "6-15"),
        ("The dose of ZOCOR, together with aspirin, is 30 mg once daily.", "30"),
    ],
)
def test_an_instruction_in_the_same_words_stays_one(said, text, expected):
    assert [s[0] for s in said(text)] == [expected]


def test_each_rung_of_a_ladder_holds_for_the_dose_that_the_patient_has(said):
    text = "If on 120 mg once daily, resume at 80 mg once daily; if on 80 mg, resume at 40 mg once daily; on 40 mg, resume at 20 mg once daily."
    found = dict(said(text))
    assert set(found) == {"80", "40", "20"}
    assert "120 mg" in found["80"]
    assert "80 mg" in found["40"]
    assert "40 mg" in found["20"]


def test_the_examples_of_a_relative_change_are_no_doses(said):
    text = "Reduce the dose by about 40% (i.e., from 180 mg to 120 mg, 120 mg to 90 mg, or from 90 mg to 60 mg) in patients with a CrCl of 15 to 29 mL/min."
    assert said(text) == [("0.6", "crcl")]


def test_examples_are_blanked_in_place():
    text = "by half (i.e., from 20 mg to 10 mg) daily (e.g., from 8 mg to 4 mg)"
    blanked = without_examples(text, 0, len(text))
    assert len(blanked) == len(text)
    assert blanked.split() == ["by", "half", "daily"]


def test_a_ceiling_is_never_a_place():
    text = "up to the 40 mg dose"
    (phrase,) = read_doses(text)
    assert phrase.bound is Measure.SINGLE
    assert not names_a_place("at the 40 mg dose", 0, phrase)


@pytest.mark.parametrize(
    "text",
    [
        "The dose should be cut by 50% in patients with a CrCl below 30 mL/min.",
        "Cut the dose in half in patients with a CrCl below 30 mL/min.",
        "Loading doses stay, but the maintenance dose should be halved in patients with a CrCl below 30 mL/min.",
    ],
)
def test_a_dose_cut_is_a_share(said, text):
    assert said(text) == [("0.5", "crcl")]


def test_steps_in_a_list_or_in_brackets_are_no_doses(said):
    assert said("Increase in increments of 3 mg (2 mL) or 6 mg (4 mL) at weekly intervals.") == []
    assert said("The dose, if increased, should go up in small (2.5 mg) increments.") == []
    assert said("An additional 5 mg tablet may be added to the regimen every 3 days.") == []


def test_a_single_and_a_daily_ceiling_in_one_sentence_are_two(said):
    assert said("The recommended single maximum dose is 20 mg with a maximum total daily dose of 160 mg.") == [("day 160",), ("single 20",)]


def test_the_largest_daily_volume_is_a_ceiling(said):
    assert said("The largest daily volume for patients over 70 kg is 3 mL (28.5 mg) per day.") == [("day 28.5", "weight")]


def test_limited_data_bound_nothing(said):
    assert said("Based on limited data in children from 11 to 15 years, the starting dose is 5 mg once daily.")[0][0] == "5"


def test_one_dose_or_two_divided_doses_are_once_or_twice(label):
    made = label("Give ZOCOR 40 mg to 60 mg daily as a single daily dose or two divided doses.", "dosage_and_administration")
    (claim,) = [p.claim for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]
    assert isinstance(claim.payload, Regimen)
    frequency = claim.payload.phases[0].frequency
    assert frequency is not None
    assert (frequency.times_low, frequency.times_high) == (1, 2)


def test_a_kind_that_only_a_number_tells_apart_stays_in_its_words(said):
    assert said("Patients with heart failure of group 4 start at 20 mg once daily.")[0][-1] == "group 4"
