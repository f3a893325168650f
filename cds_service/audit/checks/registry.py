"""The checks, in the order in which their findings are listed: what can kill at once first, what only doubles a dose last."""

from __future__ import annotations

from cds_service.audit.checks.allergy import AllergyCheck
from cds_service.audit.checks.antagonism import AntagonismCheck
from cds_service.audit.checks.class_duplicate import ClassDuplicateCheck
from cds_service.audit.checks.contraindication import ContraindicationCheck
from cds_service.audit.checks.dosage import DosageCheck
from cds_service.audit.checks.duplicate import DuplicateCheck
from cds_service.audit.checks.food import FoodCheck
from cds_service.audit.checks.incompatibility import IncompatibilityCheck
from cds_service.audit.checks.indication import IndicationCheck
from cds_service.audit.checks.interaction import InteractionCheck
from cds_service.audit.checks.population import PopulationCheck
from cds_service.audit.checks.prerequisite import PrerequisiteCheck
from cds_service.audit.checks.protocol import Check

CHECKS: tuple[Check, ...] = (
    AllergyCheck(),
    ContraindicationCheck(),
    PopulationCheck(),
    PrerequisiteCheck(),
    InteractionCheck(),
    AntagonismCheck(),
    IncompatibilityCheck(),
    FoodCheck(),
    DosageCheck(),
    IndicationCheck(),
    DuplicateCheck(),
    ClassDuplicateCheck(),
)
"""Every check, once."""
