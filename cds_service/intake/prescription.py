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

from msgspec import Struct

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


class Source(Struct, frozen=True):
    """Where a datum came from: FHIR reference, date, and which kind of data it belongs to."""

    reference: str
    date: date | None
    kind: str


CONTRADICTION = "the words say otherwise: "
"""How an entry of `unread` begins that is not unread but contradicted by the structure."""


class DoseInstruction(Struct, frozen=True):
    """One dosage instruction as far as it was read; None is "not said". `text` is the free-text sig.

    `dose_*` is the amount of one administration, per kg or per m2 where `dose_per` says so; `day_*` the amount of a day where the order states
    that ("900 mg daily in 3 divided doses"). `times_*` lie within `period_days`, so once a week is 1 in 7.
    """

    text: str | None = None
    dose_low: Quantity | None = None
    dose_high: Quantity | None = None
    dose_per: str | None = None  # "kg" or "m2"
    counted: Quantity | None = None  # the same dose in tablets or millilitres, where the order says both
    day_low: Quantity | None = None
    day_high: Quantity | None = None
    times_low: Decimal | None = None
    times_high: Decimal | None = None
    period_days: Decimal = Decimal(1)
    every_hours_low: Decimal | None = None  # the hours between doses, where the order states those
    every_hours_high: Decimal | None = None
    weekdays: tuple[str, ...] = ()  # mon, tue ... where the order names them
    count: Decimal | None = None  # administrations in all; 1 is once
    sequence: int | None = None  # phases THEN: 1, 2 ...; None or equal is side by side
    as_needed: bool = False
    as_needed_for: str | None = None
    max_single: Quantity | None = None
    max_per_day: Quantity | None = None
    max_doses_per_day: Decimal | None = None
    max_lifetime: Quantity | None = None
    duration_days: Decimal | None = None
    rate: Quantity | None = None  # of a running infusion, an hour
    rate_per: str | None = None  # "kg" or "m2"
    over_hours: Decimal | None = None  # how long one dose runs in
    route: str | None = None
    schedule: str | None = None  # as-directed, per-protocol, sliding-scale, titrated, pharmacy-to-dose
    read_from: str = "structure"  # structure, words, both
    unread: tuple[str, ...] = ()

    @property
    def is_contradicted(self) -> bool:
        """True where structure and words say different things; the structure was taken."""
        return any(u.startswith(CONTRADICTION) for u in self.unread)

    @property
    def times_per_day_low(self) -> Decimal | None:
        """The fewest administrations a day, a fraction for those that are not daily."""
        return None if self.times_low is None else self.times_low / self.period_days

    @property
    def times_per_day_high(self) -> Decimal | None:
        """The most administrations a day, a fraction for those that are not daily."""
        return None if self.times_high is None else self.times_high / self.period_days


class Order(Struct, frozen=True):
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
    """A laboratory value or vital sign; `comparator` as received (`<`, `>=` ...).

    `upper` and `lower` are the ends of the result's own reference range. `moment` orders the results of one day: the time as received.
    """

    code: Code | None
    text: str
    value: Quantity | None
    word: str | None
    comparator: str | None
    source: Source
    upper: Quantity | None = None
    moment: str = ""
    lower: Quantity | None = None


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
    ancestry: tuple[str, ...] = ()  # codes and words of the recorded race, ethnicity or ancestry


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
    units: tuple[str, ...] = ()  # what the ward or service is called, where the request says

    def orders_in(self, *roles: OrderRole) -> tuple[Order, ...]:
        """The orders in these roles, in received order."""
        return tuple(o for o in self.orders if o.role in roles)
