"""Doses for patients who need less: shares of the first dose, how sure a genotype is, and when a first dose may be raised."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kb_builder.propose.dosage.proposer import DosageProposer
from ontology.model.dosing import PhaseKind
from ontology.model.facts import Axis
from ontology.model.guards import AnyOf, Category, Interval, Opaque, leaves


@pytest.fixture
def claims(label):
    def propose(text, **sections):
        made = label(f"DOSAGE AND ADMINISTRATION {text}", "dosage_and_administration", **sections)
        return [p.claim for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]

    return propose


def axes(claim):
    return {leaf.axis for leaf in leaves(claim.guard) if isinstance(leaf, Interval | Category)}


def unread(claim):
    return [leaf.text for leaf in leaves(claim.guard) if isinstance(leaf, Opaque)]


@pytest.mark.parametrize("how", ["known or suspected", "suspected or confirmed", "known, presumed or proven"])
def test_how_sure_a_genotype_is_makes_no_two_kinds_of_patients(claims, how):
    (claim,) = claims(f"In adults who are {how} to be poor CYP2D6 metabolizers, start ZOCOR at half of the usual dose.")
    assert axes(claim) == {Axis.AGE, Axis.GENOTYPE}
    assert not isinstance(claim.guard, AnyOf)
    assert not any(isinstance(part, AnyOf) for part in claim.guard.parts)


def test_adults_or_poor_metabolizers_stay_alternatives(claims):
    (claim,) = claims("In the elderly or CYP2D6 poor metabolizers, start ZOCOR at half of the usual dose.")
    assert isinstance(claim.guard, AnyOf)


def test_metabolizers_of_the_substrates_of_an_enzyme_are_read_whole(claims):
    (claim,) = claims("2.4 Poor Metabolizers of CYP2C9 Substrates The recommended dose of ZOCOR is 5 mg once daily.")
    assert (axes(claim), unread(claim)) == ({Axis.GENOTYPE}, [])


@pytest.mark.parametrize(
    "later",
    [
        ", and increased only after the effect on the kidneys and on lipid levels has been seen",
        " and then titrated gradually based on response",
        ", and may be increased if it is well tolerated by the kidneys",
    ],
)
def test_when_a_dose_may_be_raised_says_not_whom_the_first_dose_is_for(claims, later):
    (claim,) = claims(f"ZOCOR should be initiated at a dose of 5 mg per day in patients with severe renal impairment{later}.")
    assert (axes(claim), unread(claim)) == ({Axis.RENAL}, [])


def test_whom_a_first_dose_and_its_steps_are_for_is_kept(claims):
    (claim,) = claims("Initiate ZOCOR at 5 mg once daily and increase slowly in patients with severe renal impairment.")
    assert axes(claim) == {Axis.RENAL}


def test_what_a_later_dose_waits_for_is_kept_with_that_dose(claims):
    found = claims("Start ZOCOR at 5 mg once daily, and increase after two weeks to 10 mg once daily in patients with creatinine clearance above 60 mL/min.")
    (raised,) = [c for c in found if any(a.high == Decimal(10) for p in c.payload.phases for a in p.amounts)]
    assert axes(raised) == {Axis.CRCL}


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("initiate ZOCOR at one-half of the usual starting dose", PhaseKind.STARTING),
        ("reduce the recommended initial dose of ZOCOR by 50%", PhaseKind.STARTING),
        ("the starting dose of ZOCOR should be reduced by 50%", PhaseKind.STARTING),
        ("give half of the usual dose of ZOCOR", PhaseKind.ADJUSTED),
    ],
)
def test_a_share_of_the_starting_dose_is_a_start(claims, words, kind):
    (claim,) = claims(f"In patients with creatinine clearance below 30 mL/min, {words}.")
    assert [p.kind for p in claim.payload.phases] == [kind]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Give ZOCOR 4 mg/kg (asthma) or 6 mg/kg (status asthmaticus) once every 48 hours.", [(4, 48), (6, 48)]),
        ("Give ZOCOR 4 mg/kg (asthma) once every 48 hours.", [(4, 48)]),
        ("Give ZOCOR 10 mg for asthma or 20 mg for angina every 12 hours.", [(10, 12), (20, 12)]),
        ("Give a single dose of ZOCOR 10 mg (asthma) or 20 mg (angina) every 12 hours.", [(10, None), (20, 12)]),
        ("Give ZOCOR 10 mg in the morning and 20 mg every 12 hours.", [(10, None), (20, 12)]),
    ],
)
def test_how_often_is_said_once_for_the_amounts_of_several_uses(claims, text, expected):
    phases = [p for c in claims(text) for p in c.payload.phases]
    told = [(p.amounts[0].high, p.frequency.every_hours_low if p.frequency is not None else None) for p in phases]
    assert told == [(Decimal(a), None if h is None else Decimal(h)) for a, h in expected]


@pytest.mark.parametrize("letters", ["MM and MCL", "MM or MCL", "MM/MCL"])
def test_several_uses_by_letters_are_told_by_their_words(claims, letters):
    uses = "ZOCOR is indicated for multiple myeloma (MM), mantle cell lymphoma (MCL) and small bowel sarcoma (SBS)."
    (claim,) = claims(f"2.1 Doses For patients with {letters}, the recommended dose of ZOCOR is 5 mg once daily.", indications_and_usage=uses)
    assert claim.words == "multiple myeloma or mantle cell lymphoma"


@pytest.mark.parametrize("name", ["seizure disorder", "convulsive disorder"])
def test_a_use_by_another_of_its_names_is_that_use(claims, name):
    told = "ZOCOR is indicated in adults for the treatment of seizure disorder."
    (claim,) = claims(f"The recommended dose of ZOCOR for adult patients in a state of {name} is 5 mg once daily.", indications_and_usage=told)
    assert (claim.words, axes(claim)) == (name, {Axis.AGE})


@pytest.mark.parametrize(("sign", "open_"), [(">", False), ("≥", True)])
def test_failing_kidneys_are_those_below_the_clearance_that_keeps_the_usual_dose(claims, sign, open_):
    text = f"2.5 Renal Impairment Usual regimens of ZOCOR may be followed with a creatinine clearance {sign} 40 mL/min. Hypertension For patients with renal impairment, the initial dose is 5 mg once daily."
    (claim,) = claims(text)
    (band,) = leaves(claim.guard)
    assert (band.axis, band.low, band.high, band.high_open) == (Axis.CRCL, None, Decimal(40), open_)
    assert any("40 mL/min" in span.quote for span in claim.evidence)


def test_a_degree_of_failing_kidneys_stays_what_it_is(claims):
    text = "2.5 Renal Impairment Usual regimens of ZOCOR may be followed with a creatinine clearance > 40 mL/min. For patients with severe renal impairment, the initial dose is 5 mg once daily."
    (claim,) = claims(text)
    assert Category(Axis.RENAL, ("severe", "esrd")) in leaves(claim.guard)


@pytest.mark.parametrize(
    ("under", "whom"),
    [("Usual daily dose is ZOCOR 150 mg four times a day", {Axis.AGE}), ("If renal function is poor give ZOCOR 150 mg once daily", {Axis.AGE, Axis.RENAL})],
)
def test_usual_doses_of_adults_stand_beside_general_words_on_organs_before_them(claims, under, whom):
    told = "In patients with renal impairment: ZOCOR should be used cautiously in patients with impaired renal function. Total dosage should be decreased."
    (claim,) = claims(f"{told} Adults: {under}.")
    assert axes(claim) == whom


def test_doses_of_adults_under_the_doses_of_an_impairment_are_for_the_impaired(claims):
    told = "Renal Impairment: Patients with renal impairment need less. Start with ZOCOR 50 mg once daily."
    found = claims(f"{told} Adults: Go on with ZOCOR 150 mg once daily.")
    assert all(Axis.RENAL in axes(c) for c in found)
