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
    def propose(text):
        made = label(f"DOSAGE AND ADMINISTRATION {text}", "dosage_and_administration")
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
