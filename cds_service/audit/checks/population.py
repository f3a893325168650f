"""Special populations: what the label that judges the order says of patients like this one, beyond doses.

The population a rule is about decides with its guard; where the guard measures the same thing more closely ("creatinine clearance below 30"),
the guard decides alone. A dose that the label states for the population is the dose check's; here stands what has no number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from msgspec import Struct

from cds_service.audit.bearing import Aside, aside_of
from cds_service.audit.checks.protocol import Case, drug_ref
from cds_service.audit.evidence import Statement, merge, statements
from cds_service.audit.judgement import BY_PERSON, borne_out, without_weeks_again
from cds_service.audit.knowledge import DossierView, once_a_view
from cds_service.audit.outcomes import Category, Certainty, Clear, Counterpart, Finding, Gap, PathStep, Result, RiskType
from cds_service.audit.pest.guards import CHILDHOOD, GENOTYPE, HEPATIC, HEPATIC_FUNCTION, OLD_AGE, PREGNANCY, RENAL, RENAL_FUNCTION, Family, families
from cds_service.audit.pest.routes import is_for_other_routes
from cds_service.audit.pest.spoken import condition_words, fact_words, patient_words
from cds_service.audit.roster import Medication
from ontology.model.advice import ACTION_RANK, Action, Advice
from ontology.model.claims import Strength
from ontology.model.facts import Axis, UnknownReason
from ontology.model.guards import AllOf, AnyOf, Guard, Interval, Not, Opaque, Outcome, Truth, both, evaluate, leaves
from ontology.model.guards import Category as WordsOf
from ontology.model.predicates import Stratum
from ontology.store.records import Rule

_IMPAIRED = ("mild", "moderate", "severe")
_AGE = frozenset({Axis.AGE, Axis.POSTNATAL_AGE})


@dataclass(frozen=True, slots=True)
class Group:
    """A population: who belongs to it where the rule does not say more closely, on which axes it may, and the kind of patient it is for doses."""

    guard: Guard
    axes: frozenset[Axis]
    family: Family | None
    shown: str


GROUPS: dict[str, Group] = {
    "pediatric": Group(Interval(Axis.AGE, None, Decimal(18), "a", high_open=True), _AGE, CHILDHOOD, "age"),
    "neonate": Group(Interval(Axis.AGE, None, Decimal(28), "d"), _AGE, CHILDHOOD, "age"),
    "geriatric": Group(Interval(Axis.AGE, Decimal(65), None, "a"), _AGE, OLD_AGE, "age"),
    "pregnancy": Group(WordsOf(Axis.PREGNANCY, ("yes",)), frozenset({Axis.PREGNANCY, Axis.GESTATIONAL_AGE}), PREGNANCY, "pregnancy"),
    "lactation": Group(WordsOf(Axis.LACTATION, ("yes",)), frozenset({Axis.LACTATION}), PREGNANCY, "breastfeeding"),
    "renal": Group(WordsOf(Axis.RENAL, (*_IMPAIRED, "esrd")), RENAL, RENAL_FUNCTION, "renal function"),
    "hepatic": Group(WordsOf(Axis.HEPATIC, _IMPAIRED), HEPATIC, HEPATIC_FUNCTION, "hepatic function"),
}
"""Populations by the code of their concept. A genotype has no group: the guard of its rule says which."""

_ASKING = frozenset({Action.CONTRAINDICATED, Action.STOP, Action.AVOID, Action.NOT_RECOMMENDED})
_SILENT = frozenset({Action.NO_ADJUSTMENT, Action.NO_RECOMMENDATION, Action.NOT_STUDIED})


class Whom(Struct, frozen=True):
    """The patients that a rule means: the guard that is asked, whether the rule's own measures them, and the kinds of patient whose doses would be theirs."""

    guard: Guard | None
    measured: bool
    families: frozenset[Family]

    def is_dosed(self, dosed: frozenset[Family]) -> bool:
        """True when the label states doses in numbers for all of these kinds."""
        return bool(self.families) and self.families <= dosed


@dataclass(frozen=True, slots=True)
class Advised:
    """A rule that may concern this patient, with the truth of its population and guard together."""

    statement: Statement
    code: str
    outcome: Outcome
    whom: Whom
    aside: Aside | None = None

    @property
    def rule(self) -> Rule:
        """The rule."""
        return self.statement.rule

    @property
    def action(self) -> Action:
        """The label's strictest step."""
        payload = self.rule.payload
        return payload.strictest if isinstance(payload, Advice) else Action.CAUTION

    @property
    def needs(self) -> frozenset[str]:
        """The data that would decide it."""
        return self.outcome.needs if self.outcome.truth is Truth.UNKNOWN and not self.outcome.reasons <= BY_PERSON else frozenset()


class PopulationCheck:
    """Pregnancy, breastfeeding, children, the elderly, renal and hepatic impairment, genotype."""

    name = "special-population"
    category = Category.SPECIAL_POPULATION
    stratum = Stratum.RELATIONAL
    kinds = ("conditions", "observations")

    def judge(self, case: Case, medication: Medication) -> Iterator[Result]:
        """What the label says of patients like this one, for a draft order."""
        if medication.use or medication.borrowed:
            yield Clear(self.name, drug_ref(medication))
            return
        advised = _advised(case, medication)
        dosed = _dosed_families(medication)
        found = [a for a in advised if not a.needs and a.outcome.truth is not Truth.FALSE and _speaks(a, dosed)]
        loud = min((ACTION_RANK.index(a.action) for a in found if a.outcome.truth is Truth.TRUE and a.aside is None), default=len(ACTION_RANK))
        open_ = [a for a in advised if a.needs and _asks(a, dosed) and a.rule.strength in (Strength.MUST, Strength.SHOULD)]
        open_ = [a for a in open_ if ACTION_RANK.index(a.action) < loud and "genotype" not in a.needs and not (a.aside is not None and a.aside.cap == "info")]
        kept = (*_strictest_of_each([a for a in found if a.aside is None]), *_strictest_of_each([a for a in found if a.aside is not None]))
        yield from (_finding(case, medication, a) for a in kept)
        yield from _gaps(medication, open_)
        if not found and not open_:
            yield Clear(self.name, drug_ref(medication))


def _advised(case: Case, medication: Medication) -> list[Advised]:
    facts = case.profile.at(medication)
    found: list[Advised] = []
    for view, choice in zip(medication.views, medication.choices, strict=True):
        meant = _meant(view)
        for statement in statements(medication, ((view, choice, rule) for rule in view.populations), other_labels=False):
            whom = meant.get(statement.rule.key)
            if whom is None or is_for_other_routes(statement, medication.route):
                continue
            outcome = evaluate(whom.guard, facts)
            if outcome.truth is not Truth.FALSE:
                found.append(Advised(statement, statement.rule.object.code, outcome, whom, aside_of(case, medication, statement)))
    return found


@once_a_view
def _meant(view: DossierView) -> Mapping[str, Whom]:
    """Whom each population rule of a label means, by the rule's key; rules on groups that nothing tells are left out."""
    found: dict[str, Whom] = {}
    for rule in view.populations:
        group, told = GROUPS.get(rule.object.code), [leaf for leaf in leaves(rule.guard) if isinstance(leaf, Interval | WordsOf)]
        if group is not None or any(isinstance(leaf, WordsOf) and leaf.axis is Axis.GENOTYPE for leaf in told):
            own = without_weeks_again(rule.guard)
            guard = own if group is None else within(group, own)
            found[rule.key] = Whom(guard, bool(told), _kinds(GENOTYPE if group is None else group.family, families(rule.guard)))
    return found


def _kinds(own: Family | None, beside: frozenset[Family]) -> frozenset[Family]:
    """Whose doses a rule's patients get: their own kind's, but of the elderly with impaired kidneys those for the impairment."""
    others = beside - {OLD_AGE}
    return others if own == OLD_AGE and others else frozenset() if own is None else frozenset({own})


def within(group: Group, guard: Guard | None) -> Guard | None:
    """The guard with the group in each way of meeting it that does not measure the group itself: "below 6 years, or with a GFR below 30" of children."""
    if _measures(group, guard):
        return guard
    if isinstance(guard, AnyOf):
        parts = tuple(p for part in guard.parts if (p := within(group, part)) is not None)
        return AnyOf(parts)
    return both(group.guard, guard)


def _measures(group: Group, guard: Guard | None) -> bool:
    """True when whoever meets the guard has a value on an axis of the group."""
    if isinstance(guard, AnyOf):
        return all(_measures(group, part) for part in guard.parts)
    if isinstance(guard, AllOf):
        return any(_measures(group, part) for part in guard.parts)
    if isinstance(guard, Not):
        return _measures(group, guard.part)
    return isinstance(guard, Interval | WordsOf) and guard.axis in group.axes


def _dosed_families(medication: Medication) -> frozenset[Family]:
    """The kinds of patient for whom the label states doses in numbers: the dose check judges those, whether or not they hold here."""
    return frozenset().union(*map(_families_dosed, medication.views))


@once_a_view
def _families_dosed(view: DossierView) -> frozenset[Family]:
    return frozenset(f for rule in (*view.doses, *view.limits) for f in families(rule.guard))


def _speaks(a: Advised, dosed: frozenset[Family]) -> bool:
    """True for what is to be said of a rule that holds: no mere absence of data, no change of dose that the dose check judges."""
    if a.action in _SILENT:
        return a.action is Action.NOT_STUDIED and a.code == "pediatric" and a.outcome.truth is Truth.TRUE
    return a.action is not Action.ADJUST_DOSE or not a.whom.is_dosed(dosed)


def _asks(a: Advised, dosed: frozenset[Family]) -> bool:
    """True for what would be a warning if it held: a prohibition, or another dose for patients whom the label measures and nothing else judges."""
    return a.action in _ASKING or (a.action is Action.ADJUST_DOSE and a.whom.measured and _speaks(a, dosed))


def _strictest_of_each(found: list[Advised]) -> list[Advised]:
    """For each population the strictest rule and how sure it is; what only asks to watch is said where nothing more is asked."""
    kept: dict[tuple[str, bool], Advised] = {}
    for a in sorted(found, key=_order):
        kept.setdefault((a.code, a.outcome.truth is Truth.TRUE), a)
    return [a for a in kept.values() if a.outcome.truth is Truth.TRUE or _stricter(a, kept.get((a.code, True)))]


def _stricter(a: Advised, sure: Advised | None) -> bool:
    return sure is None or ACTION_RANK.index(a.action) < ACTION_RANK.index(sure.action)


def _order(a: Advised) -> tuple[int, bool, str]:
    return ACTION_RANK.index(a.action), a.rule.strength not in (Strength.MUST, Strength.SHOULD), a.rule.key


def _finding(case: Case, medication: Medication, a: Advised) -> Finding:
    rule = a.rule
    advice = rule.payload if isinstance(rule.payload, Advice) else None
    shown = ", ".join(dict.fromkeys(w for k in a.outcome.used if (w := fact_words(k)) and w not in ("yes", "no")))
    group = GROUPS[a.code].shown if a.code in GROUPS else "genotype"
    asked, facts = a.whom.guard, case.profile.at(medication)
    own = patient_words(asked, facts)
    qualifiers: list[str] = []
    cap = None
    if a.outcome.truth is Truth.UNKNOWN:
        cap = "warning" if borne_out(rule.guard, case.profile) and a.action in _ASKING else "info"
        qualifiers.append("the label limits this to cases that need your judgement; see the quoted sentence")
    elif a.action is Action.ADJUST_DOSE and not a.whom.measured:
        cap = "info"
    if a.aside is not None:
        cap = "info" if cap == "info" else a.aside.cap
        qualifiers.append(a.aside.why)
    boxed = any(e.span.section == "boxed_warning" for e in a.statement.evidence())
    step = advice.steps[0] if advice and advice.steps else None
    return Finding(
        check="special-population",
        category=Category.SPECIAL_POPULATION,
        risk=RiskType.DOSE_ADJUSTMENT_MISSED if a.action is Action.ADJUST_DOSE else RiskType.POPULATION_RISK,
        drug=drug_ref(medication),
        other=Counterpart(
            "population", f"{group} ({shown})" if shown and shown != group else group, rule.words or condition_words(rule) or rule.object_name, own or group
        ),
        action=a.action,
        hazard=f"population {a.code}",
        certainty=Certainty.APPROXIMATED if any(k.approximated for k in a.outcome.used) else Certainty.CODED,
        evidence=merge([a.statement.evidence()]),
        rules=(a.statement.claims[0].id,),
        path=(PathStep(medication.called, a.action.value.replace("-", " "), rule.object_name, a.statement.claims[0].id),),
        data=case.profile.data_of(a.outcome.used),
        subject_key=a.code,
        qualifiers=tuple(qualifiers),
        cap=cap,
        strength=Strength.SHOULD if boxed and a.action in _ASKING and rule.strength is Strength.CONSIDER else rule.strength,
        basis=rule.basis,
        effect=advice.effect if advice else None,
        parameter=step.parameter if step else None,
        orders=(medication.reference,),
        patient=patient_words(asked, facts, dated=True),
    )


def _gaps(medication: Medication, unknown: list[Advised]) -> Iterator[Gap]:
    """One gap for each set of missing data."""
    groups: dict[frozenset[str], list[Advised]] = {}
    for a in sorted(unknown, key=_order):
        groups.setdefault(a.needs, []).append(a)
    for needs, group in groups.items():
        names = ", ".join(dict.fromkeys(_who(a.rule) for a in group[:3]))
        question = f"{medication.called}: its label says “{group[0].action.value.replace('-', ' ')}” for {names}"
        reasons = tuple(sorted({r for a in group for r in a.outcome.reasons if r is not UnknownReason.JUDGEMENT}))
        yield Gap(
            "special-population",
            Category.SPECIAL_POPULATION,
            drug_ref(medication),
            tuple(sorted(needs)),
            question,
            merge(a.statement.evidence() for a in group),
            tuple(dict.fromkeys(a.statement.claims[0].id for a in group)),
            reasons,
        )


def _who(rule: Rule) -> str:
    """Whom a rule is about: what its guard measures, else the label's word for them."""
    opaque = any(isinstance(leaf, Opaque) for leaf in leaves(rule.guard))
    return ("" if opaque else condition_words(rule)) or rule.words or rule.object_name
