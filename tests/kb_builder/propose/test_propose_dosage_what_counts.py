"""Which amounts are instructions though the sentence looks like a narrative, a list item without a verb, or a comparison."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kb_builder.propose.dosage.proposer import DosageProposer
from ontology.model.dosing import Limit, Measure
from ontology.model.facts import Axis
from ontology.model.guards import Interval, Opaque, leaves


@pytest.fixture
def claims(label):
    def propose(text, **more):
        made = label(text, "dosage_and_administration", **more)
        return [p.claim for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]

    return propose


def amount(claim):
    found = claim.payload.amount if isinstance(claim.payload, Limit) else claim.payload.phases[0].amounts[0]
    return found.high if found.high is not None else found.low


def ages(claim):
    return [(leaf.low, leaf.high) for leaf in leaves(claim.guard) if isinstance(leaf, Interval) and leaf.axis is Axis.AGE] if claim.guard else []


@pytest.mark.parametrize(
    "text", ["Studies in 300 adults show that the usual dose is 30 mg twice a day.", "In adults with an eGFR above 50, begin treatment at 30 mg once daily."]
)
def test_an_instruction_is_read_though_it_tells_of_studies_or_of_the_treatment(claims, text):
    assert [amount(c) for c in claims(f"2.1 Dosing {text}")] == [Decimal(30)]


@pytest.mark.parametrize(
    "text",
    [
        "Doses over 300 mg/day are not recommended.",
        "The safety of doses above 300 mg/day has not been established; therefore, this daily dose must not be exceeded.",
        "Doses greater than 300 mg/day have not been studied and are not recommended.",
        "Doses higher than 300 mg/day have not been studied, and ordinarily should not be administered.",
        "The dose can be increased up to 300 mg/day in those who do not respond.",
    ],
)
def test_a_ceiling_is_read_however_it_is_put(claims, text):
    (claim,) = claims(f"2.1 Dosing {text}")
    assert isinstance(claim.payload, Limit)
    assert (claim.payload.measure, amount(claim)) == (Measure.DAY, Decimal(300))


def test_a_dose_that_was_only_not_studied_is_no_ceiling(claims):
    assert claims("2.1 Dosing Doses above 300 mg/day have not been studied.") == []


def test_items_with_people_and_a_piece_are_doses_without_a_verb(claims):
    found = claims(
        "2.1 Asthma ZOCOR is taken in the evening. The following doses are advised: For adults: one 12-mg tablet. "
        "For children 7 to 13 years of age: one 6-mg chewable tablet. For children 3 to 6 years of age: one 3-mg chewable tablet."
    )
    assert {amount(c): ages(c) for c in found} == {
        Decimal(12): [(Decimal(18), None)],
        Decimal(6): [(Decimal(7), Decimal(13))],
        Decimal(3): [(Decimal(3), Decimal(6))],
    }


def test_the_dose_of_adults_as_a_measure_makes_nobody_an_adult(claims):
    (claim,) = claims("2.2 Pediatric Patients The recommended dose is 12 mg/kg/day in two doses (up to the adult dose).")
    assert ages(claim) == [(None, Decimal(18))]
    (claim,) = claims("2.2 Pediatric Patients Give 12 mg/kg/day, not to exceed the maximum adult dosage.")
    assert not [leaf for leaf in leaves(claim.guard) if isinstance(leaf, Opaque)]


def test_a_dose_for_others_takes_no_condition_of_the_sentence_before(claims):
    found = {
        amount(c): c
        for c in claims("Arrhythmia: The dose in digitalized patients is 300 mg/day. The dose for prophylaxis (non-digitalized patients) is 400 mg/day.")
    }
    assert [leaf.text for leaf in leaves(found[Decimal(300)].guard) if isinstance(leaf, Opaque)] == ["digitalized"]
    assert [leaf.text for leaf in leaves(found[Decimal(400)].guard) if isinstance(leaf, Opaque)] == ["non-digitalized"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Doses are adjusted to the patient, starting with a dose of 30 mg once daily.", 30),
        ("Consideration may be given to treatment with 30 mg every 8 weeks.", 30),
        ("Some patients respond satisfactorily on 15 to 30 mg daily.", 30),
        ("Patients with severe hypertension may require from 15 mg to 30 mg per day.", 30),
        ("One 30 mcg vial (3 mL) once daily.", 30),
        ("The recommended dosage is 30 mg/kg/day, in two doses, depending on the weight as shown in Table 1.", 30),
    ],
)
def test_usual_doses_are_read_behind_words_that_elsewhere_tell_of_a_dose_already_taken(claims, text, expected):
    assert [amount(c) for c in claims(f"2.1 Dosing {text}")] == [Decimal(expected)]


@pytest.mark.parametrize(
    "text", ["Patients starting with a dose of 30 mg tolerated it well.", "Treatment of patients requiring as much as 30 mg should begin in hospital."]
)
def test_doses_that_only_name_patients_are_no_instructions(claims, text):
    assert claims(f"2.1 Dosing {text}") == []


@pytest.mark.parametrize("opening", ["After discontinuation of the strong CYP3A4 inhibitor", "When the strong CYP3A4 inhibitor has been stopped"])
def test_the_dose_after_a_partner_is_stopped_is_no_dose_beside_it(claims, opening):
    found = claims(
        "2.4 Use with CYP3A Inhibitors If strong CYP3A4 inhibitors cannot be avoided, reduce the dose to 20 mg once daily. "
        f"{opening}, resume ZOCOR 60 mg once daily."
    )
    assert [amount(c) for c in found] == [Decimal(20)]


def test_a_heading_of_the_product_that_speaks_of_doses_ends_the_matter_above(claims):
    (claim,) = claims(
        "DOSAGE AND ADMINISTRATION Patient Access to Naloxone for the Emergency Treatment of Overdose Discuss naloxone with the patient. "
        "Initial Dosage Use of ZOCOR Tablets as the First Drug Initiate treatment with ZOCOR tablets in a range of 10 to 20 mg every 6 to 8 hours."
    )
    assert amount(claim) == Decimal(20)
