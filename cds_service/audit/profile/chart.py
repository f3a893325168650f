"""The patient of an audit: every family of data, worked out once and shared by all orders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property

from cds_service.audit.clinical import sections, table
from cds_service.audit.knowledge import Knowledge, entities_named
from cds_service.audit.outcomes import Certainty
from cds_service.audit.profile.birth import Birth
from cds_service.audit.profile.body import Body
from cds_service.audit.profile.demographics import Demographics
from cds_service.audit.profile.genotype import Genome
from cds_service.audit.profile.habits import Habit, habits_of
from cds_service.audit.profile.hepatic import Liver
from cds_service.audit.profile.last_use import told_last_use
from cds_service.audit.profile.maternity import Maternity
from cds_service.audit.profile.measurements import Measurements
from cds_service.audit.profile.recent import had_within
from cds_service.audit.profile.record import ProblemList, RecordMatch
from cds_service.audit.profile.renal import Renal
from cds_service.audit.roster import Roster
from cds_service.intake.prescription import Prescription, Retrieval, Source
from ontology.model.entities import EntityType
from ontology.model.facts import Axis, ConditionState, Known, Unknown
from ontology.model.guards import Category, Truth
from ontology.model.identifiers import EntityId

_STAGES = ("first trimester of pregnancy", "second trimester of pregnancy", "third trimester of pregnancy", "pregnancy at term", "labor and delivery")
_STATUS_NAMES = {
    Axis.PREGNANCY: ("pregnancy", "use in pregnancy", *_STAGES),
    Axis.LACTATION: ("lactation", "use in lactation", "breastfeeding", "breast-feeding"),
    Axis.DIALYSIS: ("dialysis", "hemodialysis"),
}


@dataclass(frozen=True)
class Chart:
    """What a prescription says of its patient."""

    prescription: Prescription
    knowledge: Knowledge
    roster: Roster
    _matches: dict[tuple[EntityId, ConditionState, str], RecordMatch] = field(default_factory=dict)
    answers: dict[tuple[Axis, str | None, str | None], Known | Unknown] = field(default_factory=dict)

    @cached_property
    def measurements(self) -> Measurements:
        """Laboratory values and vital signs."""
        return Measurements.of(self.prescription)

    @cached_property
    def who(self) -> Demographics:
        """Age and sex."""
        return Demographics(self.prescription, self.measurements)

    @cached_property
    def maternity(self) -> Maternity:
        """Pregnancy and breastfeeding."""
        return Maternity(self.who, self.measurements)

    @cached_property
    def birth(self) -> Birth:
        """Gestational age at birth."""
        return Birth(self.who, self.measurements)

    @cached_property
    def body(self) -> Body:
        """Weights, surface, mass index."""
        return Body(self.who, self.measurements)

    @cached_property
    def renal(self) -> Renal:
        """Renal function."""
        return Renal(self.who, self.measurements, self.body)

    @cached_property
    def liver(self) -> Liver:
        """Hepatic function."""
        return Liver(self.who, self.measurements)

    @cached_property
    def genome(self) -> Genome:
        """Genotypes and ancestry."""
        return Genome(self.who, self.measurements)

    @cached_property
    def last_uses(self) -> dict[str, date]:
        """The day of the last dose of each stopped drug, where a note tells it, by the order's reference."""
        if not self.who.passages:
            return {}
        told = ((m.reference, told_last_use(self.who.passages, [i.name.casefold() for i in m.drug.ingredients])) for m in self.roster.recent)
        return {reference: day for reference, day in told if day is not None}

    @cached_property
    def problems(self) -> ProblemList:
        """The problem list."""
        return ProblemList(self.prescription, self.measurements, self.knowledge.terminology)

    @cached_property
    def habits(self) -> Mapping[EntityId, Habit]:
        """What the patient eats, drinks or smokes."""
        return habits_of(self.who, self.knowledge.terminology)

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
            *(source for _, source in p.patient.notes),
        )
        return {p.patient.reference: Source(p.patient.reference, None, "patient"), **{s.reference: s for s in rows}}

    @cached_property
    def impairments(self) -> dict[EntityId, tuple[Axis, frozenset[str]]]:
        """Concepts that are a grade of renal or hepatic function."""
        terms = self.knowledge.terminology
        rows = reversed(sections()["impairment"])
        return {e: (Axis(r["axis"]), frozenset(r["grades"])) for r in rows for e in entities_named(terms, tuple(r["names"]), (EntityType.CONDITION,))}

    @cached_property
    def past_impairments(self) -> dict[EntityId, frozenset[EntityId]]:
        """Concepts that are a grade of function, with the diseases that were such an impairment once they are over."""
        terms, kinds = self.knowledge.terminology, (EntityType.CONDITION,)
        rows = [r for r in sections()["impairment"] if "past" in r]
        return {e: entities_named(terms, tuple(r["past"]), kinds) for r in rows for e in entities_named(terms, tuple(r["names"]), kinds)}

    @cached_property
    def genetic_states(self) -> dict[EntityId, Category]:
        """Concepts that are a genotype, as the question that decides them."""
        terms = self.knowledge.terminology
        rows = table("genotype")["state"]
        named = ((r, e) for r in rows for e in entities_named(terms, tuple(r["names"]), (EntityType.CONDITION,)))
        return {e: Category(Axis.GENOTYPE, tuple(r["values"]), r["gene"]) for r, e in named}

    def retrieval(self, kind: str) -> Retrieval:
        """How a kind of data was retrieved."""
        return self.prescription.retrieval.get(kind, Retrieval.NOT_RETRIEVED)

    def has(self, concept: EntityId, state: ConditionState, words: str) -> RecordMatch:
        """What the record says of a condition."""
        key = (concept, state, words)
        found = self._matches.get(key)
        if found is None:
            found = self._status(concept, words)
            if found is not None and found.truth is Truth.UNKNOWN and (listed := self.problems.match(concept, state, words)).truth is Truth.TRUE:
                found = listed
            if found is None:
                found = self.problems.match(concept, state, words)
                if found.truth is not Truth.TRUE and state is ConditionState.ACTIVE and concept in self.impairments:
                    found = self._graded(concept) or found
                if found.truth is not Truth.TRUE and state is ConditionState.HISTORY:
                    found = self._was_impaired(concept) or found
                if found.truth is not Truth.TRUE and concept in self.genetic_states:
                    found = self._inherited(concept) or found
            self._matches[key] = found
        return found

    def had_within(self, concept: EntityId, days: Decimal) -> RecordMatch:
        """What the record says of a condition in the days before today."""
        return had_within(self.problems, concept, days, self.who.today)

    def data_of(self, used: Iterable[Known]) -> tuple[Source, ...]:
        """The sources of the facts that were used, without doubles."""
        return tuple(dict.fromkeys(self.sources.get(k.reference, Source(k.reference, k.observed, "")) for k in used if k.reference))

    def why_open(self, needs: Iterable[str]) -> tuple[str, ...]:
        """What is known all the same of data that are missing, as a person reads it: the numbers that disagree, or why none holds."""
        said: list[str] = []
        if "renal-function" in needs:
            clearance = self.renal.clearance
            if self.renal.unstable:
                said.append(f"renal function is changing: {self.renal.unstable}")
            elif isinstance(clearance, Unknown) and clearance.within is not None:
                said.append(f"creatinine clearance {clearance.within.shown}")
        if "hepatic-function" in needs and isinstance(grade := self.liver.grade, Unknown) and grade.among and grade.reference:
            said.append(
                f"hepatic impairment of a grade that the record leaves open: {' or '.join(g for g in ('none', 'mild', 'moderate', 'severe') if g in grade.among)}"
            )
        return tuple(said)

    def _graded(self, concept: EntityId) -> RecordMatch | None:
        """An impairment by measured function, where the problem list does not name it."""
        axis, grades = self.impairments[concept]
        fact = self.renal.grade if axis is Axis.RENAL else self.liver.grade
        if isinstance(fact, Unknown):
            if not fact.among or (fact.among & grades and fact.among - grades):
                named = f"{' or '.join(sorted(fact.among))} {axis.value} impairment" if fact.among else ""
                return RecordMatch(Truth.UNKNOWN, named, reason=fact.reason, needs=fact.needs)
            source = self.sources.get(fact.reference or "")
            return RecordMatch(Truth.TRUE if fact.among <= grades else Truth.FALSE, f"{axis.value} impairment", source, Certainty.APPROXIMATED)
        source = self.sources.get(fact.reference) if fact.reference else None
        shown = f"{fact.value} {axis.value} impairment"
        return RecordMatch(Truth.TRUE if fact.value in grades else Truth.FALSE, shown, source, Certainty.APPROXIMATED if fact.approximated else Certainty.CODED)

    def _was_impaired(self, concept: EntityId) -> RecordMatch | None:
        """A disease of the list that is or was an impairment of the organ; None where there is none."""
        for disease in sorted(self.past_impairments.get(concept, ()), key=str):
            if (found := self.problems.match(disease, ConditionState.HISTORY, "")).truth is Truth.TRUE:
                return found
        return None

    def _inherited(self, concept: EntityId) -> RecordMatch | None:
        """A genotype by its result; None leaves the list's answer, as a gene that nobody tested does."""
        asked = self.genetic_states[concept]
        fact = self.genome.genotype(asked.detail)
        known = (fact.value, *fact.also) if isinstance(fact, Known) else tuple(fact.among)
        if not known:
            return None
        meets = any(w in asked.values for w in known) if isinstance(fact, Known) else all(w in asked.values for w in known)
        if isinstance(fact, Unknown) and not meets:
            return None
        source = self.sources.get(fact.reference or "")
        certainty = Certainty.APPROXIMATED if isinstance(fact, Known) and fact.approximated else Certainty.STATED
        return RecordMatch(Truth.TRUE if meets else Truth.FALSE, f"{asked.detail} {known[0]}", source, certainty)

    def _status(self, concept: EntityId, words: str) -> RecordMatch | None:
        axis = self.status_axes.get(concept)
        if axis is None:
            return None
        fact = self.renal.dialysis if axis is Axis.DIALYSIS else self.maternity.pregnant_in(words) if axis is Axis.PREGNANCY else self.maternity.lactation
        if isinstance(fact, Unknown):
            return RecordMatch(Truth.UNKNOWN, reason=fact.reason, needs=fact.needs)
        if fact.value == "no":
            return RecordMatch(Truth.FALSE)
        shown = {Axis.PREGNANCY: "pregnancy", Axis.LACTATION: "lactation", Axis.DIALYSIS: "dialysis"}[axis]
        if isinstance(fact.value, str) and fact.value != "yes":
            shown = f"{shown} ({fact.value.replace('-', ' ')})"
        source = self.sources.get(fact.reference or "") or Source(fact.reference or "", fact.observed, "patient")
        return RecordMatch(Truth.TRUE, shown, source, from_notes=source.kind == "notes")
