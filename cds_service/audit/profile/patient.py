"""The patient as guards see one: the `Facts` of a prescription, from the place of one order.

What is known of the patient is worked out once an audit and shared; what depends on the order (its route, its dose, its partner) is asked
through `PatientProfile.at`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property

from cds_service.audit.clinical import table
from cds_service.audit.doses import daily_dose
from cds_service.audit.exposures import Exposures
from cds_service.audit.knowledge import Knowledge, entities_named
from cds_service.audit.outcomes import Certainty
from cds_service.audit.profile.demographics import Demographics
from cds_service.audit.profile.hepatic import liver
from cds_service.audit.profile.measurements import Measurements
from cds_service.audit.profile.record import ProblemList, RecordMatch
from cds_service.audit.profile.renal import Renal
from cds_service.audit.roster import Medication, Roster
from cds_service.intake.prescription import Prescription, Retrieval, Source
from ontology.model.entities import EntityType
from ontology.model.errors import InvalidQuantity
from ontology.model.facts import Axis, ConditionState, DoseBounds, ExposureState, Known, Unknown, UnknownReason, Whose, needs_of
from ontology.model.guards import Truth
from ontology.model.identifiers import EntityId
from ontology.model.quantities import Quantity, Unit

_RENAL_AXES = frozenset({Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR, Axis.SCR, Axis.RENAL, Axis.DIALYSIS})
_STATUS_NAMES = {Axis.PREGNANCY: ("pregnancy",), Axis.LACTATION: ("lactation", "breastfeeding", "breast-feeding"), Axis.DIALYSIS: ("dialysis", "hemodialysis")}


@dataclass(frozen=True)
class PatientProfile:
    """What a prescription says of its patient, worked out once."""

    prescription: Prescription
    knowledge: Knowledge
    roster: Roster
    _matches: dict[tuple[EntityId, ConditionState, str], RecordMatch] = field(default_factory=dict)

    @cached_property
    def measurements(self) -> Measurements:
        """Weight, height, laboratory values."""
        return Measurements.of(self.prescription)

    @cached_property
    def who(self) -> Demographics:
        """Age, sex, pregnancy, lactation."""
        return Demographics(self.prescription, self.measurements)

    @cached_property
    def renal(self) -> Renal:
        """Renal function."""
        return Renal(self.who, self.measurements)

    @cached_property
    def problems(self) -> ProblemList:
        """The problem list."""
        return ProblemList(self.prescription, self.measurements, self.knowledge.terminology)

    @cached_property
    def status_axes(self) -> dict[EntityId, Axis]:
        """Concepts that are a state of the patient with an axis of its own: pregnancy, lactation, dialysis."""
        types = (EntityType.CONDITION, EntityType.POPULATION)
        return {e: axis for axis, names in _STATUS_NAMES.items() for e in entities_named(self.knowledge.terminology, names, types)}

    @cached_property
    def sources(self) -> dict[str, Source]:
        """Every datum's source by its reference, for the evidence page."""
        p = self.prescription
        rows: Iterable[Source] = (
            *(o.source for o in p.orders),
            *(c.source for c in p.patient.conditions),
            *(a.source for a in p.patient.allergies),
            *(m.source for m in p.patient.measurements),
        )
        return {p.patient.reference: Source(p.patient.reference, None, "patient"), **{s.reference: s for s in rows}}

    @cached_property
    def impairments(self) -> dict[EntityId, tuple[Axis, frozenset[str]]]:
        """Concepts that are a grade of renal or hepatic function."""
        rows = table("clinical")["impairment"]
        terms = self.knowledge.terminology
        return {e: (Axis(r["axis"]), frozenset(r["grades"])) for r in reversed(rows) for e in entities_named(terms, tuple(r["names"]), (EntityType.CONDITION,))}

    def retrieval(self, kind: str) -> Retrieval:
        """How a kind of data was retrieved."""
        return self.prescription.retrieval.get(kind, Retrieval.NOT_RETRIEVED)

    def has(self, concept: EntityId, state: ConditionState, words: str) -> RecordMatch:
        """What the record says of a condition."""
        key = (concept, state, words)
        found = self._matches.get(key)
        if found is None:
            found = self._status(concept, words)
            if found is None:
                found = self.problems.match(concept, state, words)
                if found.truth is not Truth.TRUE and state is ConditionState.ACTIVE and concept in self.impairments:
                    found = self._graded(concept) or found
            self._matches[key] = found
        return found

    def at(self, medication: Medication, partner: Medication | None = None) -> OrderFacts:
        """The facts from the place of an order, and of its partner in a pair."""
        return OrderFacts(self, medication, partner)

    def data_of(self, used: Iterable[Known]) -> tuple[Source, ...]:
        """The sources of the facts that were used, without doubles."""
        return tuple(dict.fromkeys(self.sources.get(k.reference, Source(k.reference, k.observed, "")) for k in used if k.reference))

    def _graded(self, concept: EntityId) -> RecordMatch | None:
        """An impairment by measured function, where the problem list does not name it; None leaves the list's answer."""
        axis, grades = self.impairments[concept]
        fact = self.renal.grade if axis is Axis.RENAL else liver(self.who, Axis.HEPATIC)
        if isinstance(fact, Unknown):
            return RecordMatch(Truth.UNKNOWN, reason=fact.reason, needs=fact.needs)
        source = self.sources.get(fact.reference) if fact.reference else None
        shown = f"{fact.value} {axis.value} impairment"
        return RecordMatch(Truth.TRUE if fact.value in grades else Truth.FALSE, shown, source, Certainty.APPROXIMATED if fact.approximated else Certainty.CODED)

    def _status(self, concept: EntityId, words: str) -> RecordMatch | None:
        axis = self.status_axes.get(concept)
        if axis is None:
            return None
        fact = self.renal.dialysis if axis is Axis.DIALYSIS else self.who.pregnant_in(words) if axis is Axis.PREGNANCY else self.who.lactation
        if isinstance(fact, Unknown):
            return RecordMatch(Truth.UNKNOWN, reason=fact.reason, needs=fact.needs)
        if fact.value == "no":
            return RecordMatch(Truth.FALSE)
        shown = {Axis.PREGNANCY: "pregnancy", Axis.LACTATION: "lactation", Axis.DIALYSIS: "dialysis"}[axis]
        if isinstance(fact.value, str) and fact.value != "yes":
            shown = f"{shown} ({fact.value.replace('-', ' ')})"
        return RecordMatch(Truth.TRUE, shown, self.sources.get(fact.reference or "") or Source(fact.reference or "", fact.observed, "patient"))


@dataclass(frozen=True)
class OrderFacts:
    """`Facts` as one order sees them."""

    profile: PatientProfile
    medication: Medication
    partner: Medication | None

    def value(self, axis: Axis, detail: str | None, unit: Unit | None) -> Known | Unknown:
        """The patient's place on an axis."""
        who, body = self.profile.who, self.profile.measurements
        fact: Known | Unknown
        if axis is Axis.AGE or axis is Axis.POSTNATAL_AGE:
            fact = who.age(unit or Unit.of("a"))
        elif axis is Axis.SEX:
            fact = who.sex()
        elif axis is Axis.WEIGHT:
            fact = body.weight(who.adult)
        elif axis in (Axis.BSA, Axis.BMI):
            fact = self._built(axis)
        elif axis in _RENAL_AXES:
            fact = self.profile.renal.value(axis)
        elif axis is Axis.PREGNANCY:
            fact = who.pregnancy
        elif axis is Axis.LACTATION:
            fact = who.lactation
        elif axis is Axis.GESTATIONAL_AGE:
            fact = self._gestation() if detail != "birth" else _missing(axis)  # of a newborn: the mother's weeks are not it
        elif axis is Axis.LAB:
            fact = body.lab(detail, unit)
        elif axis is Axis.ROUTE:
            fact = Known(self.medication.route, None, self.medication.reference) if self.medication.route else _missing(axis)
        elif axis is Axis.FORMULATION:
            form = self.medication.order.form or self.medication.drug.form
            fact = Known(form, None, self.medication.reference) if form else _missing(axis)
        elif axis is Axis.DAILY_DOSE:
            amount = daily_dose(self.medication.order)
            fact = Known(amount, None, self.medication.reference) if amount else _missing(axis)
        elif axis in (Axis.HEPATIC, Axis.CHILD_PUGH):
            fact = liver(who, axis)
        else:
            fact = Unknown(UnknownReason.UNSUPPORTED, needs_of(axis, detail))
        return _in_unit(fact, unit, axis, detail)

    def exposure(
        self,
        target: EntityId,
        minus: tuple[EntityId, ...],
        whose: Whose,
        state: ExposureState,
        within_days: Decimal | None,
        dose: DoseBounds | None,
        route: str | None,
    ) -> Known | Unknown:
        """Whether the patient is or was exposed."""
        today: date = self.profile.who.today
        asked = Exposures(self.profile.roster, self.medication, self.partner, self.profile.retrieval("medications"), today)
        return asked.ask(target, minus, whose, state, within_days, dose, route)

    def condition(self, concept: EntityId, state: ConditionState, words: str) -> Known | Unknown:
        """Whether the patient has or had a condition."""
        found = self.profile.has(concept, state, words)
        if found.truth is Truth.UNKNOWN:
            return Unknown(found.reason or UnknownReason.NOT_RECORDED, found.needs)
        source = found.source
        approximated = found.certainty is Certainty.APPROXIMATED
        return Known(found.truth is Truth.TRUE, source.date if source else None, source.reference if source else None, approximated)

    def _built(self, axis: Axis) -> Known | Unknown:
        who, body = self.profile.who, self.profile.measurements
        weight, height = body.weight(who.adult), body.height(who.adult)
        for fact in (weight, height):
            if isinstance(fact, Unknown):
                return fact
        if not (isinstance(weight, Known) and isinstance(height, Known) and isinstance(weight.value, Quantity) and isinstance(height.value, Quantity)):
            return _missing(axis)
        kg, cm = weight.value.value, height.value.value
        number = (kg * cm / 3600).sqrt() if axis is Axis.BSA else kg / (cm / 100) ** 2
        return Known(Quantity(number.quantize(Decimal("0.001")), Unit.of("m2" if axis is Axis.BSA else "kg/m2")), weight.observed, weight.reference)

    def _gestation(self) -> Known | Unknown:
        found = self.profile.who.gestation
        if found is not None:
            return Known(Quantity(found[0], Unit.of("wk")), found[1], found[2])
        pregnancy = self.profile.who.pregnancy
        if isinstance(pregnancy, Known) and pregnancy.value == "no":
            return Known(Quantity(Decimal(0), Unit.of("wk")), pregnancy.observed, pregnancy.reference)
        return Unknown(UnknownReason.NOT_RECORDED, frozenset({"pregnancy-status"}))


def _missing(axis: Axis) -> Unknown:
    return Unknown(UnknownReason.NOT_RECORDED, needs_of(axis))


def _in_unit(fact: Known | Unknown, unit: Unit | None, axis: Axis, detail: str | None) -> Known | Unknown:
    """The fact in the unit asked for; unknown where a word stands for a number or the units do not convert."""
    if isinstance(fact, Unknown) or unit is None:
        return fact
    if not isinstance(fact.value, Quantity):
        return Unknown(UnknownReason.TOO_BROAD, needs_of(axis, detail))
    try:
        return Known(fact.value.to(unit), fact.observed, fact.reference, fact.approximated)
    except InvalidQuantity:
        return Unknown(UnknownReason.IMPLAUSIBLE, needs_of(axis, detail))
