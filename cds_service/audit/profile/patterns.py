"""Makes the patterns over notes once a process, so that the first note of a day does not pay for them."""

from __future__ import annotations

from datetime import UTC, datetime

from cds_service.audit.profile.birth import Birth
from cds_service.audit.profile.demographics import Demographics
from cds_service.audit.profile.genotype import Genome
from cds_service.audit.profile.hepatic import Liver
from cds_service.audit.profile.last_use import told_last_use
from cds_service.audit.profile.maternity import Maternity
from cds_service.audit.profile.measurements import Measurements
from cds_service.intake.prescription import Patient, Prescription, Source

_NOTE = "Term newborn, born at 39 weeks. No ascites. BP 120/80 in the past. Last dose on 2000-01-01."


def compile_patterns() -> None:
    """Reads a note of nobody, through every family of data that reads notes."""
    day = datetime(2000, 1, 2, tzinfo=UTC)
    nobody = Patient("Patient", "2000-01-01", "female", None, (), (), (), ((_NOTE, Source("DocumentReference", day.date(), "notes")),))
    prescription = Prescription("order-sign", nobody, (), {}, day)
    measurements = Measurements.of(prescription)
    who = Demographics(prescription, measurements)
    Maternity(who, measurements).pregnancy  # noqa: B018 - read for the patterns it makes
    Birth(who, measurements).gestational_age  # noqa: B018
    Liver(who, measurements).grade  # noqa: B018
    Genome(who, measurements).genotype("G6PD")
    told_last_use(who.passages, ("dose",))
