"""Small prescriptions for the tests of the audit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from types import SimpleNamespace
from typing import Any, cast

from case_world import case_world

from cds_service.audit.profile.chart import Chart
from cds_service.audit.profile.measurements import Measurements
from cds_service.audit.profile.order_facts import OrderFacts, PatientProfile
from cds_service.audit.profile.record import ProblemList
from cds_service.intake.prescription import ConditionFact, Measurement, Patient, Prescription, Retrieval, Source
from ontology.model.entities import EntityType
from ontology.model.facts import Known, Range, Unknown
from ontology.model.guards import Guard, Outcome, evaluate
from ontology.model.identifiers import Code, EntityId
from ontology.model.quantities import Quantity, quantity

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
    notes: tuple[str, ...] = (),
    sex_source: str = "sex at birth",
    ancestry: tuple[str, ...] = (),
) -> Prescription:
    """A prescription without orders."""
    texts = tuple((text, Source(f"DocumentReference/{i}", date(2026, 10, 30), "notes")) for i, text in enumerate(notes))
    patient = Patient("Patient/p", born, sex, sex_source, conditions, (), measurements, texts, ancestry)
    return Prescription("order-sign", patient, (), {**ALL_FOUND, **(retrieval or {})}, datetime(2026, 11, 1, 12, tzinfo=UTC))


def chart(**members: Any) -> Chart:
    """The chart of a prescription without orders: what needs no knowledge base."""
    return Chart(prescribed(**members), cast(Any, None), cast(Any, None))


UNLABELLED = SimpleNamespace(views=())
"""An order whose drug has no label."""


def asked(guard: Guard, **members: Any) -> Outcome:
    """What a guard on the patient alone evaluates to."""
    profile = PatientProfile(prescribed(**members), cast(Any, None), cast(Any, None))
    return evaluate(guard, OrderFacts(profile, cast(Any, UNLABELLED), None))


def number(fact: Known | Unknown) -> Decimal:
    """The number of a known fact."""
    assert isinstance(fact, Known), fact
    assert isinstance(fact.value, Quantity)
    return fact.value.value


def word(fact: Known | Unknown) -> object:
    """The word of a known fact, else why it is unknown."""
    return fact.value if isinstance(fact, Known) else fact.reason


def lies(fact: Known | Unknown) -> Range:
    """The range of a fact that is known by it alone."""
    assert isinstance(fact, Unknown), fact
    assert fact.within is not None
    return fact.within


def recorded(text: str, *, icd10: str | None = None, status: str = "active") -> ConditionFact:
    """A problem with the concepts that its code and words denote."""
    codes = (Code("icd10cm", icd10),) if icd10 else ()
    return replace(problem(text, *codes, status=status), concepts=case_world().terminology.match_conditions(codes, text))


def named(name: str) -> EntityId:
    """The condition of the name."""
    return case_world().terminology.lookup(name, (EntityType.CONDITION,))[0]


def record(prescription: Prescription) -> ProblemList:
    """The problem list of a prescription."""
    return ProblemList(prescription, Measurements.of(prescription), case_world().terminology)


def listed(*conditions: ConditionFact, retrieval: Retrieval = Retrieval.FOUND) -> ProblemList:
    """A problem list of the conditions."""
    return record(prescribed(conditions=conditions, retrieval={"conditions": retrieval}))
