"""Ceilings on the steps of a titration, and those that a later step passes: no ceilings on the dose."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kb_builder.propose.dosage.proposer import DosageProposer
from ontology.model.dosing import Limit


@pytest.fixture
def ceilings(label):
    def propose(text):
        made = label(f"DOSAGE AND ADMINISTRATION {text}", "dosage_and_administration")
        found = [p.claim.payload for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]
        return [p.amount.high for p in found if isinstance(p, Limit)]

    return propose


@pytest.mark.parametrize(
    "text",
    [
        "The dose of ZOCOR may be increased by a maximum of 600 mg/day at weekly intervals.",
        "Increase the dosage of ZOCOR by up to 200 mg/day each week.",
        "Taper ZOCOR gradually by no more than 5 mg per day every third day.",
    ],
)
def test_by_how_much_a_dose_is_raised_or_lowered_is_no_ceiling(ceilings, text):
    assert ceilings(text) == []


def test_a_ceiling_that_a_later_step_passes_is_none(ceilings):
    text = "The dose of ZOCOR may be raised weekly up to a maximum of 9 mg/day, and then by up to 3 mg/day weekly up to a maximum of 24 mg/day."
    assert ceilings(text) == [Decimal(24)]


def test_ceilings_beside_each_other_stay(ceilings):
    text = "Do not exceed 40 mg per day of ZOCOR in adults, and do not exceed 20 mg per day in patients older than 60 years."
    assert sorted(ceilings(text)) == [Decimal(20), Decimal(40)]


def test_a_highest_dose_before_what_is_done_then_stays(ceilings):
    assert ceilings("Increase ZOCOR to a maximum of 40 mg/day, then reassess the patient.") == [Decimal(40)]
