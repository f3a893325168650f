"""Contraindications in the patient's state: conditions, pregnancy, age, laboratory values, as the label that judges the order writes them.

The state itself (the rule's object) and the rule's guard must both hold. What cannot be decided because a datum is missing becomes one gap a
drug and datum; words that only a person can judge become a finding that is shown as a warning at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from cds_service.audit.bearing import aside_of
from cds_service.audit.checks.protocol import Case, drug_ref
from cds_service.audit.evidence import Statement, merge, statements
from cds_service.audit.judgement import BY_PERSON, beside, borne_out, only_excepts
from cds_service.audit.outcomes import Category, Certainty, Clear, Counterpart, Finding, Gap, NotEvaluated, NotEvaluatedReason, PathStep, Result, RiskType
from cds_service.audit.pest.spoken import patient_words
from cds_service.audit.profile import PatientProfile
from cds_service.audit.profile.record import RecordMatch
from cds_service.audit.roster import Medication
from cds_service.audit.states import UNDECIDED, state_of
from ontology.model.advice import ACTION_RANK, Action, Advice
from ontology.model.claims import Polarity
from ontology.model.entities import EntityType
from ontology.model.facts import Axis, UnknownReason
from ontology.model.guards import Interval, Outcome, Truth, evaluate, leaves
from ontology.model.predicates import Stratum
from ontology.model.quantities import Quantity, plain
from ontology.store.records import Rule

MOST_STATES = 3
"""Conditions that a gap names; the evidence page shows the statements."""

_IN_TREATMENT = frozenset({Action.STOP, Action.ADJUST_DOSE})
"""Steps that a label takes when something is found during treatment."""

_HUNDREDTH = Decimal("0.01")
_COUNTERPART = {EntityType.POPULATION: "population", EntityType.LAB_TEST: "lab"}


@dataclass(frozen=True, slots=True)
class Judged:
    """A rule for this patient: the state it is about, and its guard."""

    statement: Statement
    state: RecordMatch
    guard: Outcome

    @property
    def truth(self) -> Truth:
        """FALSE if either is; TRUE if both are; else UNKNOWN."""
        pair = (self.state.truth, self.guard.truth)
        if Truth.FALSE in pair:
            return Truth.FALSE
        return Truth.TRUE if pair == (Truth.TRUE, Truth.TRUE) else Truth.UNKNOWN

    @property
    def needs(self) -> frozenset[str]:
        """The data that would decide it; empty when only a person's judgement is missing."""
        state = self.state.needs if self.state.truth is Truth.UNKNOWN else frozenset()
        guard = self.guard.needs if self.guard.truth is Truth.UNKNOWN and not self.guard.reasons <= BY_PERSON else frozenset()
        return state | guard

    @property
    def reasons(self) -> frozenset[UnknownReason]:
        """Why the data that would decide it are not known."""
        state = {self.state.reason} if self.state.truth is Truth.UNKNOWN and self.state.reason is not None else set()
        guard = self.guard.reasons - BY_PERSON if self.guard.truth is Truth.UNKNOWN else frozenset()
        return frozenset(state | guard)

    @property
    def action(self) -> Action:
        """The label's strictest step."""
        payload = self.statement.rule.payload
        return payload.strictest if isinstance(payload, Advice) else Action.CONTRAINDICATED


class ContraindicationCheck:
    """What the label forbids or advises against in the patient's state."""

    name = "contraindication"
    category = Category.CONTRAINDICATION
    stratum = Stratum.RELATIONAL
    kinds = ("conditions", "observations")

    def judge(self, case: Case, medication: Medication) -> Iterator[Result]:
        """The contraindications of a draft order."""
        if medication.use:
            yield Clear(self.name, drug_ref(medication))
            return
        if medication.borrowed:
            yield NotEvaluated(
                self.name,
                self.category,
                drug_ref(medication),
                NotEvaluatedReason.NO_KNOWLEDGE,
                f"no label of the combination {medication.called} is in the release; its contraindications were not checked",
            )
            return
        judged = _judge(case.profile, medication)
        holding = [j for j in judged if j.truth is Truth.TRUE or (j.truth is Truth.UNKNOWN and not j.needs)]
        for j in holding:
            yield _finding(case, medication, j)
        sure = {j.statement.rule.object for j in holding if j.truth is Truth.TRUE}
        # Who "is known to have" a genotype is asked by the check for tests before the first dose, where the label wants them tested.
        open_ = (j for j in judged if j.truth is Truth.UNKNOWN and j.needs - {"genotype"} and j.statement.rule.object not in sure)
        unknown = [j for j in open_ if _worth_asking(j) and _is_borne_out(j, case.profile) and not _is_what_it_is_for(j, case.profile, medication)]
        unknown = [j for j in unknown if (aside := aside_of(case, medication, j.statement)) is None or aside.cap != "info"]
        yield from _gaps(medication, unknown)
        if not holding and not unknown:
            yield Clear(self.name, drug_ref(medication))


def _judge(profile: PatientProfile, medication: Medication) -> list[Judged]:
    """The rules that do not fail for this patient; of two on one entry of the record the closer one."""
    facts = profile.at(medication)
    found: list[Judged] = []
    for view, choice in zip(medication.views, medication.choices, strict=True):
        for statement in statements(medication, ((view, choice, rule) for rule in view.states), other_labels=False):
            state = state_of(profile, medication, statement.rule)
            if state is None or state.truth is Truth.FALSE:
                continue
            found.append(Judged(statement, state, evaluate(beside(statement.rule.guard, statement.rule.words or ""), facts)))
    return [j for j in found if j.guard.truth is not Truth.FALSE and not any(_is_closer(profile, k, j) for k in found)]


def _is_closer(profile: PatientProfile, k: Judged, j: Judged) -> bool:
    """True where `k` names the very entry of the record more closely than `j`, in the same section with the same step, and excepts somebody.

    A label that lists "severe bradycardia" and "sick sinus syndrome (unless a pacemaker is in place)" has told what holds for sick sinus syndrome.
    A closer statement on other people ("cirrhosis in children") tells nothing of this patient, and the wider one stands.
    """
    mine, its = j.statement, k.statement
    return (
        only_excepts(beside(its.rule.guard, its.rule.words or ""))
        and k.state.truth is Truth.TRUE
        and j.state.source is not None
        and j.state.source == k.state.source
        and mine.rule.object != its.rule.object
        and mine.claims[0].document == its.claims[0].document
        and [e.span.section for e in mine.evidence()] == [e.span.section for e in its.evidence()]
        and j.action is k.action
        and profile.problems.terms.covers(mine.rule.object, its.rule.object) is Truth.TRUE
    )


def _worth_asking(j: Judged) -> bool:
    """True where the datum could make the answer a warning; a record that is only less specific is asked about for a prohibition alone."""
    if j.state.reason is UnknownReason.TOO_BROAD:
        return j.action is Action.CONTRAINDICATED
    return ACTION_RANK.index(j.action) < ACTION_RANK.index(Action.MONITOR)


def _is_borne_out(j: Judged, profile: PatientProfile) -> bool:
    """True but for a value at which a treatment is stopped or lowered once it is found: that is asked for where the record tells of it without its number."""
    values = [leaf for leaf in leaves(j.statement.rule.guard) if isinstance(leaf, Interval) and leaf.axis is Axis.LAB]
    return j.action not in _IN_TREATMENT or not values or any(profile.problems.tells_of(v) for v in values)


def _is_what_it_is_for(j: Judged, profile: PatientProfile, medication: Medication) -> bool:
    """True where the entry that is less specific is what the label gives the drug for: nobody who has only that is meant by the prohibition."""
    if j.state.reason is not UnknownReason.TOO_BROAD:
        return False
    entry = next((c for c in profile.prescription.patient.conditions if c.source == j.state.source and c.text == j.state.name), None)
    labelled = [r.object for view in medication.views for r in view.indications if r.polarity is Polarity.POSITIVE]
    covers = profile.problems.terms.covers
    return entry is not None and any(covers(use, m.id) is Truth.TRUE for use in labelled for m in entry.concepts)


def _finding(case: Case, medication: Medication, j: Judged) -> Finding:
    rule, state = j.statement.rule, j.state
    advice = rule.payload if isinstance(rule.payload, Advice) else None
    kind = _COUNTERPART.get(EntityType(rule.object.type), "condition")
    qualifiers: list[str] = []
    cap = None
    certainty = state.certainty
    if state.from_notes:
        cap = "warning"
        qualifiers.append("found in a note only: confirm")
    if certainty is Certainty.TEXT:
        cap = "warning"
        qualifiers.append("matched by the words of the record, not by a code: confirm that it is the condition the label means")
    if state.truth is Truth.UNKNOWN:
        cap = "info"
        qualifiers.append("the label means a group of people that the record does not tell; it needs your judgement")
    elif j.guard.truth is Truth.UNKNOWN:
        cap = "warning" if borne_out(beside(rule.guard, rule.words or ""), case.profile) else "info"
        qualifiers.append("the label limits this to cases that need your judgement; see the quoted sentence")
    aside = aside_of(case, medication, j.statement)
    if aside is not None:
        cap = _calmer(cap, aside.cap)
        qualifiers.append(aside.why)
    if any(k.approximated for k in j.guard.used) and certainty is Certainty.CODED:
        certainty = Certainty.APPROXIMATED
    name = state.name if state.source is not None else _shown(j.guard) or state.name
    source = (state.source,) if state.source is not None else ()
    asked, facts = beside(rule.guard, rule.words or ""), case.profile.at(medication)
    own = patient_words(asked, facts) or None
    return Finding(
        check="contraindication",
        category=Category.CONTRAINDICATION,
        risk=RiskType.POPULATION_RISK if kind == "population" else RiskType.CONTRAINDICATION_CONDITION,
        drug=drug_ref(medication),
        other=Counterpart(kind, name, rule.words or rule.object_name, own if state.source is None else None),
        action=j.action,
        hazard="contraindication",
        certainty=certainty,
        evidence=merge([j.statement.evidence()]),
        rules=(j.statement.claims[0].id,),
        path=(PathStep(medication.called, j.action.value.replace("-", " "), rule.object_name, j.statement.claims[0].id), *_matched(state, rule)),
        data=tuple(dict.fromkeys((*source, *case.profile.data_of(j.guard.used)))),
        subject_key=state.source.reference if state.source is not None else str(rule.object),
        qualifiers=tuple(qualifiers),
        cap=cap,
        excepted=j.guard.truth is Truth.UNKNOWN and only_excepts(beside(rule.guard, rule.words or "")),
        strength=rule.strength,
        basis=rule.basis,
        effect=advice.effect if advice else None,
        orders=(medication.reference,),
        patient=patient_words(asked, facts, dated=True) if state.source is None else "",
    )


def _calmer(cap: str | None, other: str) -> str:
    """The lower of two caps."""
    return "info" if "info" in (cap, other) else other


def _matched(state: RecordMatch, rule: Rule) -> tuple[PathStep, ...]:
    return (PathStep("patient's record", "says", state.name),) if state.name and state.name != rule.object_name else ()


def _shown(guard: Outcome) -> str:
    """The patient's values that decided a guard, as a name for the card."""
    return ", ".join(dict.fromkeys(_spoken(k.value) for k in guard.used if not isinstance(k.value, bool)))


def _spoken(value: Quantity | str | bool) -> str:
    """A fact as a person says it: whole years of age, numbers without needless digits."""
    if not isinstance(value, Quantity):
        return str(value).replace("-", " ")
    if value.unit.code == "a":
        return f"age {int(value.value)} years"
    return f"{plain(value.value.quantize(_HUNDREDTH).normalize())} {value.unit.code}"


def _gaps(medication: Medication, unknown: list[Judged]) -> Iterator[Gap]:
    """One gap for each set of missing data; conditions that were not retrieved are one gap whatever the number of rules."""
    groups: dict[frozenset[str], list[Judged]] = {}
    for j in unknown:
        key = frozenset({"conditions"}) if "conditions" in j.needs and j.state.reason in UNDECIDED else j.needs
        groups.setdefault(key, []).append(j)
    for needs, group in groups.items():
        broader = [j for j in group if j.state.reason is UnknownReason.TOO_BROAD]
        names = list(dict.fromkeys(j.statement.rule.words or j.statement.rule.object_name for j in group))
        named = ", ".join(names[:MOST_STATES])
        more = f" and {len(names) - MOST_STATES} more" if len(names) > MOST_STATES else ""
        question = f"{medication.called} is restricted by its label in: {named}{more}"
        if broader:
            question += f"; the record says “{broader[0].state.name}”, which is less specific"
        rules = tuple(dict.fromkeys(j.statement.claims[0].id for j in group))
        yield Gap(
            "contraindication", Category.CONTRAINDICATION, drug_ref(medication), tuple(sorted(needs)), question,
            merge(j.statement.evidence() for j in group), rules, tuple(sorted({r for j in group for r in j.reasons})),
        )  # fmt: skip
