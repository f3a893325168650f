"""The facts that a guard asks for, from the place of one order: each axis to the family of data that answers it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from msgspec import Struct

from cds_service.audit.doses import daily_dose
from cds_service.audit.exposures import Exposures
from cds_service.audit.liver_grades import grades_by_bilirubin
from cds_service.audit.outcomes import Certainty
from cds_service.audit.profile.chart import Chart
from cds_service.audit.profile.earlier import earlier_dose, is_on_record
from cds_service.audit.roster import Medication
from cds_service.intake.prescription import ConditionFact
from ontology.model.errors import InvalidQuantity
from ontology.model.facts import Axis, ConditionState, DoseBounds, ExposureState, Known, Unknown, UnknownReason, Whose, needs_of
from ontology.model.guards import Truth
from ontology.model.identifiers import EntityId
from ontology.model.quantities import Quantity, Unit

_YEARS = Unit.of("a")
WEIGHT_AXES = (Axis.WEIGHT, Axis.WEIGHT_IDEAL, Axis.WEIGHT_ADJUSTED, Axis.WEIGHT_LEAN, Axis.BSA, Axis.BMI)
RENAL_AXES = (Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR, Axis.SCR, Axis.RENAL, Axis.DIALYSIS)
_POSTMENSTRUAL = ("postmenstrual", "post-menstrual", "postconception", "post-conception", "corrected")


@dataclass(frozen=True)
class PatientProfile(Chart):
    """The patient as guards see one; what depends on the order (its route, its dose, its partner) is asked through `at`."""

    def at(self, medication: Medication, partner: Medication | None = None) -> OrderFacts:
        """The facts from the place of an order, and of its partner in a pair."""
        return OrderFacts(self, medication, partner)


class OrderFacts(Struct, frozen=True):
    """`Facts` as one order sees them."""

    profile: PatientProfile
    medication: Medication
    partner: Medication | None

    def value(self, axis: Axis, detail: str | None, unit: Unit | None) -> Known | Unknown:
        """The patient's place on an axis, in the unit asked for; never a default. What is the patient's alone is worked out once an audit."""
        if axis in _OF_ORDER:
            return self._answer(axis, detail, unit)
        key = (axis, detail, unit.code if unit else None)
        known = self.profile.answers.get(key)
        if known is None:
            known = self.profile.answers[key] = self._answer(axis, detail, unit)
        return known

    def _answer(self, axis: Axis, detail: str | None, unit: Unit | None) -> Known | Unknown:
        answer = _ANSWERS.get(axis)
        fact = answer(_Question(self, axis, detail, unit)) if answer is not None else Unknown(UnknownReason.UNSUPPORTED, needs_of(axis, detail))
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
        asked = Exposures(self.profile.roster, self.medication, self.partner, self.profile.retrieval("medications"), today, self.profile.last_uses)
        return asked.ask(target, minus, whose, state, within_days, dose, route)

    def condition(self, concept: EntityId, state: ConditionState, words: str, within_days: Decimal | None = None) -> Known | Unknown:
        """Whether the patient has or had a condition."""
        found = self.profile.has(concept, state, words) if within_days is None else self.profile.had_within(concept, within_days)
        if found.truth is Truth.UNKNOWN:
            return Unknown(found.reason or UnknownReason.NOT_RECORDED, found.needs)
        source = found.source
        approximated = found.certainty is Certainty.APPROXIMATED
        return Known(found.truth is Truth.TRUE, source.date if source else None, source.reference if source else None, approximated)

    @property
    def reasons(self) -> tuple[ConditionFact, ...]:
        """What the order is given for, as far as it says."""
        mine = self.medication.reference
        return tuple(c for c in self.profile.prescription.patient.conditions if c.source.reference == mine and c.source.kind == "medications")

    def indication(self) -> Known | Unknown:
        """The order's reason; without one the active problems, any of which it may be."""
        given = self.reasons
        if given:
            return Known(given[0].text, given[0].source.date, self.medication.reference, also=tuple(c.text for c in given[1:]))
        listed = tuple(c for c in self.profile.who.conditions("active") if c.source.kind == "conditions")
        if listed and self.profile.who.complete:
            return Unknown(UnknownReason.NOT_RECORDED, needs_of(Axis.INDICATION), among=frozenset(c.text for c in listed))
        return Unknown(UnknownReason.NOT_RECORDED, needs_of(Axis.INDICATION))

    def gestation(self, detail: str | None) -> Known | Unknown:
        """Of a young child the age at birth, or the postmenstrual age where the words ask for it; of others the weeks of the own pregnancy."""
        birth, maternity = self.profile.birth, self.profile.maternity
        said = (detail or "").casefold()
        if any(w in said for w in _POSTMENSTRUAL):
            return birth.postmenstrual_age
        if said == "birth" or birth.young:
            return birth.gestational_age
        if maternity.gestation is not None:
            return Known(Quantity(maternity.gestation[0], Unit.of("wk")), maternity.gestation[1], maternity.gestation[2])
        pregnancy = maternity.pregnancy
        if isinstance(pregnancy, Known) and pregnancy.value == "no":
            return Known(Quantity(Decimal(0), Unit.of("wk")), pregnancy.observed, pregnancy.reference)
        return Unknown(UnknownReason.NOT_RECORDED, frozenset({"pregnancy-status"}))

    def of_order(self, value: Quantity | str | None, axis: Axis) -> Known | Unknown:
        """A datum of the order itself."""
        return Known(value, None, self.medication.reference) if value else Unknown(UnknownReason.NOT_RECORDED, needs_of(axis))


def _in_unit(fact: Known | Unknown, unit: Unit | None, axis: Axis, detail: str | None) -> Known | Unknown:
    """The fact in the unit asked for; unknown where a word stands for a number or the units do not convert."""
    if unit is None:
        return fact
    if isinstance(fact, Unknown):
        within = fact.within
        wrong = within is not None and any(b is not None and b.unit.dimension != unit.dimension for b in (within.low, within.high))
        return Unknown(fact.reason, fact.needs) if wrong else fact
    if not isinstance(fact.value, Quantity):
        return Unknown(UnknownReason.TOO_BROAD, needs_of(axis, detail))
    try:
        return Known(fact.value.to(unit), fact.observed, fact.reference, fact.approximated, fact.also)
    except InvalidQuantity:
        return Unknown(UnknownReason.IMPLAUSIBLE, needs_of(axis, detail))


class _Question(Struct, frozen=True):
    """One question of a guard."""

    facts: OrderFacts
    axis: Axis
    detail: str | None
    unit: Unit | None

    @property
    def profile(self) -> PatientProfile:
        """The patient."""
        return self.facts.profile

    @property
    def medication(self) -> Medication:
        """The order judged."""
        return self.facts.medication


def _family(axes: Iterable[Axis], answer: Callable[[_Question], Known | Unknown]) -> dict[Axis, Callable[[_Question], Known | Unknown]]:
    return dict.fromkeys(axes, answer)


_ANSWERS: Mapping[Axis, Callable[[_Question], Known | Unknown]] = {
    **_family((Axis.AGE, Axis.POSTNATAL_AGE), lambda q: q.profile.who.age(q.unit or _YEARS)),
    Axis.GESTATIONAL_AGE: lambda q: q.facts.gestation(q.detail),
    Axis.SEX: lambda q: q.profile.who.sex(),
    Axis.ANCESTRY: lambda q: q.profile.genome.ancestry,
    Axis.GENOTYPE: lambda q: q.profile.genome.genotype(q.detail),
    **_family(WEIGHT_AXES, lambda q: q.profile.body.value(q.axis)),
    **_family(RENAL_AXES, lambda q: q.profile.renal.value(q.axis, q.detail)),
    Axis.CHILD_PUGH: lambda q: q.profile.liver.value(q.axis, q.unit),
    Axis.HEPATIC: lambda q: q.profile.liver.grade_by_bilirubin if any(map(grades_by_bilirubin, q.medication.views)) else q.profile.liver.grade,
    Axis.PREGNANCY: lambda q: q.profile.maternity.pregnant_in(q.detail or ""),
    Axis.LACTATION: lambda q: q.profile.maternity.lactation,
    Axis.LAB: lambda q: q.profile.measurements.lab(q.detail, q.unit),
    Axis.INDICATION: lambda q: q.facts.indication(),
    Axis.ROUTE: lambda q: q.facts.of_order(q.medication.route, q.axis),
    Axis.FORMULATION: lambda q: q.facts.of_order(q.medication.order.form or q.medication.drug.form, q.axis),
    Axis.DAILY_DOSE: lambda q: q.facts.of_order(daily_dose(q.medication.order), q.axis),
    Axis.PRIOR_DOSE: lambda q: earlier_dose(q.profile, q.medication) if q.unit else is_on_record(q.profile, q.medication),
    Axis.DOSE_LEVEL: lambda q: earlier_dose(q.profile, q.medication),
}
"""Every axis and the family of data that answers it."""

_OF_ORDER = frozenset({Axis.HEPATIC, Axis.INDICATION, Axis.ROUTE, Axis.FORMULATION, Axis.DAILY_DOSE, Axis.PRIOR_DOSE, Axis.DOSE_LEVEL})
"""Axes whose answer depends on the order."""
