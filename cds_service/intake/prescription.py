"""The prescription instance P = (patient facts, orders): what the audit sees of a request.

The audit never sees FHIR. Every datum carries the reference and date it came from; every kind of data carries one of the four retrieval
states, so that "none" and "not known" stay apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from ontology.model.identifiers import Code
from ontology.model.quantities import Quantity
from ontology.terms.identity import ConceptMatch, DrugIdentity, UnidentifiedDrug


class Retrieval(StrEnum):
    """State of one kind of data. FOUND, NONE_FOUND and ASSERTED_NONE are read as complete; the other two make guards UNKNOWN."""

    FOUND = "found"
    ASSERTED_NONE = "asserted-none"  # the record says so, for example "no known allergy"
    NONE_FOUND = "none-found"  # a search ran and returned nothing, or the key was null
    NOT_RETRIEVED = "not-retrieved"
    INCOMPLETE = "incomplete"  # OperationOutcome, search.mode=outcome, an unfollowed next link, unreadable entries


KINDS: tuple[str, ...] = ("patient", "medications", "conditions", "allergies", "observations", "notes")
"""The prefetch keys a service advertises, which are also the kinds of data."""


class OrderRole(StrEnum):
    """Where an order stands relative to the signature."""

    DRAFT = "draft"  # being signed (or re-signed) now
    CURRENT = "current"  # already active
    RECENT = "recent"  # stopped, completed; counts for wash-out only
    IGNORED = "ignored"  # entered in error, cancelled


class OrderIntent(StrEnum):
    """What the order does, by the order table."""

    NEW = "new"
    RENEWAL = "renewal"
    REPLACEMENT = "replacement"
    STOP = "stop"
    PROHIBITION = "prohibition"
    ALTERNATIVE = "alternative"
    ONE_TIME = "one-time"
    PROTOCOL = "protocol"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a datum came from: FHIR reference, date, and which kind of data it belongs to."""

    reference: str
    date: date | None
    kind: str


@dataclass(frozen=True, slots=True)
class DoseInstruction:
    """One dosage instruction as far as it was read; None is "not said". `text` is the free-text sig."""

    text: str | None = None
    dose_low: Quantity | None = None
    dose_high: Quantity | None = None
    times_per_day_low: Decimal | None = None
    times_per_day_high: Decimal | None = None
    as_needed: bool = False
    max_per_day: Quantity | None = None
    duration_days: Decimal | None = None
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Order:
    """One medication order. `resource` is the FHIR resource as received, used only to build suggestions."""

    reference: str
    role: OrderRole
    intent: OrderIntent
    drug: DrugIdentity | UnidentifiedDrug
    text: str
    route: str | None
    form: str | None
    instructions: tuple[DoseInstruction, ...]
    status: str | None
    source: Source
    prior: str | None = None
    group: str | None = None
    selected: bool = True  # order-select: advice focuses on the selections
    unknown_modifiers: tuple[str, ...] = ()
    resource: Mapping[str, Any] | None = None
    ended: date | None = None  # the day of the last dose, or the latest day it can have been, where the record gives one


@dataclass(frozen=True, slots=True)
class ConditionFact:
    """A problem, diagnosis or order reason. `status` is `active`, `historical`, `refuted`, `unconfirmed` or `family`."""

    concepts: tuple[ConceptMatch, ...]
    text: str
    codes: tuple[Code, ...]
    status: str
    source: Source
    onset: date | None = None


@dataclass(frozen=True, slots=True)
class AllergyFact:
    """An allergy or intolerance. `substances` are ingredients, classes or allergens; `status` is `confirmed`, `unconfirmed`, `refuted`."""

    substances: tuple[ConceptMatch, ...]
    text: str
    codes: tuple[Code, ...]
    status: str
    kind: str  # allergy, intolerance, unspecified
    criticality: str | None
    reactions: tuple[str, ...]
    severity: str | None
    source: Source


@dataclass(frozen=True, slots=True)
class Measurement:
    """A laboratory value or vital sign; `comparator` as received (`<`, `>=` ...)."""

    code: Code | None
    text: str
    value: Quantity | None
    word: str | None
    comparator: str | None
    source: Source


@dataclass(frozen=True, slots=True)
class Patient:
    """Demographics and the record's facts."""

    reference: str
    birth_date: str | None  # as received: may be a year or a month only
    sex: str | None  # for clinical use or at birth where recorded, else administrative gender
    sex_source: str | None
    conditions: tuple[ConditionFact, ...]
    allergies: tuple[AllergyFact, ...]
    measurements: tuple[Measurement, ...]
    notes: tuple[tuple[str, Source], ...] = ()


@dataclass(frozen=True, slots=True)
class IntakeIssue:
    """Something that was received and not used: where, what, and what it makes unknown (a kind of data, or one order)."""

    where: str
    what: str
    kind: str
    order: str | None = None


@dataclass(frozen=True, slots=True)
class Prescription:
    """P: the patient, all orders, the state of each kind of data, and what could not be used."""

    hook: str
    patient: Patient
    orders: tuple[Order, ...]
    retrieval: Mapping[str, Retrieval]
    reference_time: datetime
    issues: tuple[IntakeIssue, ...] = ()

    def orders_in(self, *roles: OrderRole) -> tuple[Order, ...]:
        """The orders in these roles, in received order."""
        return tuple(o for o in self.orders if o.role in roles)
