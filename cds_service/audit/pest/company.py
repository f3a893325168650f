"""Doses that a label states for the company of another drug, and whether an order already is such a dose."""

from __future__ import annotations

from cds_service.audit.checks.protocol import Case
from cds_service.audit.pest.applicability import Applied
from cds_service.audit.pest.compare import Fit
from cds_service.audit.pest.questions import dosing_of
from cds_service.audit.roster import Medication
from ontology.model.guards import Exposure, Truth, leaves


def is_dosed_beside(case: Case, medication: Medication, partner: Medication) -> bool:
    """True when the label that judges an order states its dose beside this partner, in numbers, and the order is such a dose or keeps the ceiling.

    Every rule for the pair that surely applies must be met, and one at least must have been compared: what cannot be compared respects nothing. A lower
    dose than the stated one is not it: beside an inducer the label asks for more.
    """
    if medication.use or not medication.views or medication.injected_otherwise:
        return False
    dosing = dosing_of(case, medication)
    rules = [a for a in dosing.rules if _beside(a, partner)]
    compared = [c.fit for a in rules if (c := dosing.question.compare(a)).fit is not Fit.NONE]
    ceilings = [a for a in dosing.limits if _beside(a, partner)]
    broken = any(e.applied in ceilings for e in dosing.excesses())
    kept = all(fit is Fit.FITS for fit in compared) and not broken
    return kept and (bool(compared) or (bool(ceilings) and bool(dosing.ordered.given)))


def _beside(a: Applied, partner: Medication) -> bool:
    met = any(isinstance(leaf, Exposure) and leaf.target in partner.closure for leaf in leaves(a.rule.guard))
    return met and a.truth is Truth.TRUE
