"""Parts of first doses, and parts of first and later doses alike."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kb_builder.propose.dosage.proposer import DosageProposer
from ontology.model.dosing import FractionOf, PhaseKind, Regimen


@pytest.fixture
def part(label):
    def propose(words):
        made = label(f"DOSAGE AND ADMINISTRATION In patients with moderate hepatic impairment, {words}.", "dosage_and_administration")
        (claim,) = [p.claim for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]
        (phase,) = claim.payload.phases
        (amount,) = phase.amounts
        return phase.kind, amount.fraction_of

    return propose


@pytest.mark.parametrize(
    "words",
    [
        "the ZOCOR starting dose should be reduced by approximately half",
        "the starting doses of ZOCOR should be decreased by 50%",
        "the initial dosages should be lowered by about one-half",
    ],
)
def test_a_first_dose_that_is_lowered_by_a_part_is_a_part_of_the_usual_first_dose(part, words):
    assert part(words) == (PhaseKind.STARTING, FractionOf.USUAL)


def test_a_maintenance_dose_that_is_lowered_is_no_first_dose(part):
    assert part("the maintenance dose should be reduced by 50%")[0] is not PhaseKind.STARTING


def test_a_lead_in_is_a_first_dose_and_lasts_as_long_as_it_may(label):
    text = "DOSAGE AND ADMINISTRATION The lead-in dosing with ZOCOR 200 mg once daily should not be continued beyond 28 days."
    made = label(text, "dosage_and_administration")
    (regimen,) = [p.claim.payload for p in DosageProposer().propose(made.document, made.subject, made.lexicon) if isinstance(p.claim.payload, Regimen)]
    assert [(p.kind, p.duration_days_high) for p in regimen.phases] == [(PhaseKind.STARTING, Decimal(28))]


def test_a_part_of_the_maintenance_dose_is_told_as_one(part):
    assert part("patients should receive half of the oral maintenance dose of ZOCOR")[1] is FractionOf.MAINTENANCE
    assert part("the maximum dose of ZOCOR should be reduced by 50%")[1] is FractionOf.RULE
