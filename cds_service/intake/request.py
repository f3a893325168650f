"""A CDS Hooks request to the prescription instance, one resource at a time."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from cds_service.errors import PatientMissing
from cds_service.intake.bundles import open_value
from cds_service.intake.envelope import Envelope, open_envelope
from cds_service.intake.fhir.allergy import Absence, read_allergy
from cds_service.intake.fhir.condition import read_condition
from cds_service.intake.fhir.encounter import units_of
from cds_service.intake.fhir.note import read_note
from cds_service.intake.fhir.observation import read_observation
from cds_service.intake.fhir.patient import Demographics, read_demographics
from cds_service.intake.fhir.reading import Reading, ResourceIndex, Unreadable
from cds_service.intake.fhir.values import Resource, text
from cds_service.intake.names import Names
from cds_service.intake.orders import SUBJECTS, named_drafts, read_orders
from cds_service.intake.prefetch import Received, Retrieved, retrieve
from cds_service.intake.prescription import KINDS, AllergyFact, Measurement, Patient, Prescription, Retrieval

log = logging.getLogger(__name__)

UNEXPECTED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a shape nobody thought of may raise in a reader; recorded as an unreadable resource and logged, never passed on."""

MAX_ORDERS = 300
"""Orders read of a request, of each the signed and the recorded: pairs grow with the square."""

_ARRIVED = (Retrieval.FOUND, Retrieval.NONE_FOUND, Retrieval.ASSERTED_NONE)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OpenedRequest:
    """A request with its lists opened and its resources sorted by kind, none of them read yet."""

    envelope: Envelope
    drafts: list[tuple[str, Received]]
    retrieved: Retrieved
    index: ResourceIndex


def read_request(body: Mapping[str, Any], terminology: Names, *, received: datetime, use_request_time: bool) -> Prescription:
    """The prescription instance of any JSON object. Never raises: what cannot be used is an issue and makes its kind of data incomplete.

    `received` is the instant the request came in; with `use_request_time` the request's own reference time counts where it gives one.
    """
    return read_opened(open_request(body), terminology, received=received, use_request_time=use_request_time)


def open_request(body: Mapping[str, Any]) -> OpenedRequest:
    """The request with its lists opened."""
    envelope = open_envelope(body)
    signed: list[Received] = []
    faults: list[tuple[str, str]] = []
    for where, value in envelope.orders:
        opened = open_value(value, where)
        signed += [Received(e.resource, e.where, e.full_url) for e in opened.entries]
        faults += [(where, what) for what in opened.faults]
    drafts = named_drafts(signed)
    retrieved = retrieve(envelope.prefetch, {reference for reference, _ in drafts})
    for place, rows in (("context.draftOrders", drafts), ("prefetch.medications", retrieved.by_kind["medications"])):
        if len(rows) > MAX_ORDERS:
            retrieved.fail("medications", place, f"{len(rows)} medications; the first {MAX_ORDERS} were read")
            del rows[MAX_ORDERS:]
    for where, what in faults:
        retrieved.fail("medications", where, what)
    index = ResourceIndex()
    for item in (*signed, *retrieved.others, *(r for rows in retrieved.by_kind.values() for r in rows)):
        index.add(item.resource, item.full_url)
    return OpenedRequest(envelope, drafts, retrieved, index)


def require_patient(opened: OpenedRequest) -> None:
    """Nothing, when a Patient came with the request, when any other data came that orders can be audited against, or when there is no order.

    Raises PatientMissing otherwise: without the Patient and without any record nothing can be audited. Where other data came, the orders are audited
    against them and the answer names the demographics as missing.
    """
    if opened.drafts and not opened.retrieved.by_kind["patient"] and not any(opened.retrieved.states[kind] in _ARRIVED for kind in KINDS if kind != "patient"):
        raise PatientMissing(
            "prefetch.patient is missing, no other prefetch arrived and no FHIR server can be asked: send the Patient resource of context.patientId "
            "under the prefetch key `patient`",
            ("prefetch.patient",),
        )


def read_opened(opened: OpenedRequest, terminology: Names, *, received: datetime, use_request_time: bool) -> Prescription:
    """The prescription instance of an opened request."""
    envelope, retrieved = opened.envelope, opened.retrieved
    time = envelope.time if use_request_time and envelope.time is not None else received
    reading = Reading(terminology, opened.index, envelope.patient, time.date())
    reader = _Reader(reading, retrieved)
    demographics = reader.demographics()
    allergies = reader.allergies()
    conditions = reader.all("conditions", partial(read_condition, reading=reading))
    measurements = [_with_standard_code(m, terminology) for found in reader.all("observations", read_observation) for m in found]
    notes = [n for found in reader.all("notes", read_note) for n in found]
    orders = read_orders(opened.drafts, retrieved.by_kind["medications"], envelope.selections, reading, reader.guarded)
    patient = Patient(
        reference=f"Patient/{envelope.patient}" if envelope.patient else "Patient",
        birth_date=demographics.birth_date,
        sex=demographics.sex,
        sex_source=demographics.sex_source,
        ancestry=demographics.ancestry,
        conditions=(*conditions, *orders.reasons),
        allergies=tuple(allergies),
        measurements=tuple(measurements),
        notes=tuple(notes),
    )
    units = units_of((r.resource for r in retrieved.others if r.resource.get("resourceType") == "Encounter"), envelope.encounter, reading)
    return Prescription(envelope.hook, patient, orders.orders, dict(retrieved.states), time, tuple(retrieved.issues), units)


def _with_standard_code(measurement: Measurement, terminology: Names) -> Measurement:
    """The measurement by the LOINC code that a site's own code means; itself where the terms know none."""
    if measurement.code is None or measurement.code.system == "loinc":
        return measurement
    meant = next((c for c in terminology.standard_codes((measurement.code,)) if c.system == "loinc"), None)
    return replace(measurement, code=meant) if meant else measurement


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads resources of the request's patient, one at a time; a failure is recorded where it happened."""

    reading: Reading
    retrieved: Retrieved

    def all(self, kind: str, read: Callable[[Resource], T | None]) -> list[T]:
        """What `read` gives for every resource of the kind that can be used."""
        return [found for r in self.retrieved.by_kind[kind] if (found := self.guarded(r, kind, read)) is not None]

    def guarded(self, received: Received, kind: str, read: Callable[[Resource], T | None], order: str | None = None) -> T | None:
        """What `read` gives, or None after recording that the resource is another patient's or cannot be read."""
        called = text(received.resource.get("resourceType")) or "resource"
        try:
            if not self.reading.same_patient(received.resource, *SUBJECTS):
                self.retrieved.fail(kind, received.where, f"{called} belongs to another patient than context.patientId and was not used", order)
                return None
            return read(received.resource)
        except Unreadable as e:
            self.retrieved.fail(kind, received.where, f"{called} {e}", order)
        except UNEXPECTED as e:
            place = traceback.extract_tb(e.__traceback__)[-1]
            log.error("resource not read", extra={"fault": type(e).__name__, "place": f"{Path(place.filename).name}:{place.lineno}"})
            self.retrieved.fail(kind, received.where, f"{called} has a shape that could not be read ({type(e).__name__})", order)
        return None

    def demographics(self) -> Demographics:
        """The demographics of the Patient whose id is the request's, or of the only one without an id."""
        found = Demographics(None, None, None)
        used = False
        for received in self.retrieved.by_kind["patient"]:
            identifier = text(received.resource.get("id"))
            if identifier is not None and self.reading.patient is not None and identifier != self.reading.patient:
                self.retrieved.fail("patient", received.where, "Patient has another id than context.patientId and was not used")
            elif not used:
                found, used = self.guarded(received, "patient", read_demographics) or found, True
        for member in found.unread:
            self.retrieved.fail("patient", "prefetch.patient", f"Patient.{member} could not be read")
        return found

    def allergies(self) -> list[AllergyFact]:
        """The allergies; an asserted absence that covers drugs is the list's state when nothing else stands on it."""
        facts: list[AllergyFact] = []
        absences: set[str] = set()
        entries: list[AllergyFact | Absence] = self.all("allergies", partial(read_allergy, reading=self.reading))
        for read in entries:
            if isinstance(read, Absence):
                absences.add(read.covers)
            else:
                facts.append(read)
        if "unknown" in absences:
            self.retrieved.fail("allergies", "prefetch.allergies", "the record says that nothing is known about allergies")
        elif not facts and self.retrieved.states["allergies"] is Retrieval.FOUND:
            self.retrieved.states["allergies"] = Retrieval.ASSERTED_NONE if "drug" in absences else Retrieval.NONE_FOUND
        return facts
