"""Small prescriptions for the tests of the audit."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal

from cds_service.intake.prescription import ConditionFact, Measurement, Patient, Prescription, Retrieval, Source
from ontology.model.identifiers import Code
from ontology.model.quantities import quantity

TODAY = date(2026, 11, 1)
ALL_FOUND = dict.fromkeys(("patient", "medications", "conditions", "allergies", "observations", "notes"), Retrieval.FOUND)


def measured(loinc: str, value: str, unit: str, *, day: date = TODAY, text: str = "", comparator: str | None = None, ref: str | None = None) -> Measurement:
    """A coded measurement."""
    reference = ref or f"Observation/{loinc}-{value}-{day}"
    return Measurement(Code("loinc", loinc), text, quantity(Decimal(value), unit), None, comparator, Source(reference, day, "observations"))


def answered(loinc: str, word: str, *, day: date = TODAY) -> Measurement:
    """A coded answer."""
    return Measurement(Code("loinc", loinc), "", None, word, None, Source(f"Observation/{loinc}", day, "observations"))


def problem(text: str, *codes: Code, status: str = "active", day: date = TODAY) -> ConditionFact:
    """A problem without concepts: what demographics and renal function read."""
    return ConditionFact((), text, codes, status, Source(f"Condition/{text}", day, "conditions"))


def prescribed(
    *,
    born: str | None = "1960-11-01",
    sex: str | None = "female",
    measurements: tuple[Measurement, ...] = (),
    conditions: tuple[ConditionFact, ...] = (),
    retrieval: Mapping[str, Retrieval] | None = None,
) -> Prescription:
    """A prescription without orders."""
    patient = Patient("Patient/p", born, sex, "administrative", conditions, (), measurements)
    return Prescription("order-sign", patient, (), {**ALL_FOUND, **(retrieval or {})}, datetime(2026, 11, 1, 12, tzinfo=UTC))
