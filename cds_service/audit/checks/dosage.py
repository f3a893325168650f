"""Doses: what is ordered beside what the label that judges the order allows this patient.

Regimens are selected and limits accumulate (`cds_service.audit.pest`). A datum is asked for only where it would change the verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from cds_service.audit.checks.protocol import Case, drug_ref
from cds_service.audit.evidence import merge
from cds_service.audit.outcomes import (
    Category,
    Certainty,
    Clear,
    Counterpart,
    Finding,
    Gap,
    NotEvaluated,
    NotEvaluatedReason,
    PathStep,
    Result,
    RiskType,
    TraceStep,
)
from cds_service.audit.pest.applicability import Applied, unread
from cds_service.audit.pest.compare import Fit
from cds_service.audit.pest.correct import corrected_instruction
from cds_service.audit.pest.dosing import Dosing
from cds_service.audit.pest.guards import COMEDICATION, HEPATIC_FUNCTION, RENAL_FUNCTION, Family
from cds_service.audit.pest.limits import Excess
from cds_service.audit.pest.path import selection_steps
from cds_service.audit.pest.questions import dosing_of, ingredient_dosings, is_judged_wrong, open_by_route
from cds_service.audit.pest.spoken import allowed_words, amount, condition_words, fact_words, ordered_words, patient_words, stretch_words
from cds_service.audit.pest.verdict import Verdict, only_begins
from cds_service.audit.roster import Medication
from ontology.model.advice import Action
from ontology.model.claims import Strength
from ontology.model.dosing import Measure
from ontology.model.entities import EntityType
from ontology.model.facts import UnknownReason
from ontology.model.guards import Exposure, Truth, leaves
from ontology.model.predicates import Stratum

_RISK = {Fit.OVER: RiskType.DOSAGE_OVER, Fit.UNDER: RiskType.DOSAGE_UNDER, Fit.TOO_OFTEN: RiskType.FREQUENCY_ERROR}
_OF_LIMIT = {Measure.DURATION: RiskType.DURATION_ERROR, Measure.MINIMUM_INTERVAL: RiskType.FREQUENCY_ERROR}
_COUNTERPARTS = {"renal function": "lab", "laboratory value": "lab", "condition": "condition", "co-medication": "drug"}
_ASKED_ELSEWHERE = frozenset({"genotype"})
"""Data that few records hold: they are asked for where the label asks for a test, not where some dose depends on one."""

_LACKING = {"dose": "dose", "frequency": "frequency", "drug-identity": "strength of the product"}

_MOST_CASES = 3
"""Cases of a label's dose that a question names."""

_SET_ELSEWHERE = frozenset({"per-protocol", "sliding-scale", "titrated", "pharmacy-to-dose"})


class DosageCheck:
    """Single and daily dose, frequency, weekly for daily, duration, under-dose, and the adjustments a label asks for."""

    name = "dosage"
    category = Category.DOSAGE
    stratum = Stratum.RELATIONAL
    kinds = ("observations", "conditions")

    def judge(self, case: Case, medication: Medication) -> Iterator[Result | TraceStep]:
        """The dose of a draft order, and the path of the selection."""
        if any(i.is_contradicted for i in medication.order.instructions):
            yield _unjudged(medication, "the order's structure and its words disagree; what the structure says was checked", NotEvaluatedReason.CONFLICT)
        if medication.use or not medication.systemic:
            yield Clear(self.name, drug_ref(medication))
            return
        if medication.injected_otherwise:
            routes = " or ".join(medication.injected_otherwise)
            yield _unjudged(medication, f"its label gives doses for {routes} use, the order is for {medication.route} use; the dose was not checked")
            return
        for part in ingredient_dosings(case, medication):
            yield from (r for r in dose_results(case, medication, part) if isinstance(r, Finding))
        dosing = dosing_of(case, medication)
        if not dosing.rules and not dosing.limits:
            yield _silent(medication, dosing)
            return
        if case.telling:
            yield from selection_steps(medication, dosing)
        yield from _unrouted(case, medication, dosing)


def dose_results(case: Case, medication: Medication, dosing: Dosing) -> Iterator[Result]:
    """The results of a dose question: the strictest finding and the data by which the dose would be right after all, else what would decide, else nothing."""
    found: list[Result] = []
    excesses = dosing.excesses()
    broken = [e for e in excesses if e.applied.truth is Truth.TRUE and not e.needs]
    verdict = dosing.unanimous(dosing.verdict())
    if broken:
        found.append(replace(_excess(case, medication, dosing, max(broken, key=lambda e: e.ratio)), corrected=corrected_instruction(dosing, verdict)))
    elif dosing.is_wrong(verdict) and "frequency" not in dosing.lacking():
        found.append(_finding(case, medication, dosing, verdict))
        found.extend(_asked(medication, _needs_of(dosing, dosing.deciding(verdict))))
    if not found:
        found.extend(_excess(case, medication, dosing, e) for e in excesses if e.applied.judged and not e.needs and e.applied.borne_out)
    if not found:
        found.extend(_gaps(medication, dosing, verdict, excesses))
    yield from found or [_silent(medication, dosing)]


def _silent(medication: Medication, dosing: Dosing) -> Result:
    """Nothing found: the dose was judged, or the label gives none for this patient."""
    outside = dosing.outside()
    return (
        Clear("dosage", drug_ref(medication)) if outside is None else _unjudged(medication, f"its label gives no dose for {outside}; the dose was not checked")
    )


def _unrouted(case: Case, medication: Medication, dosing: Dosing) -> Iterator[Result]:
    """The results of a dose question; where the order names no route and it decides, the route as what is missing, beside what is wrong by the others."""
    by_route = open_by_route(case, medication)
    if not by_route:
        yield from dose_results(case, medication, dosing)
        return
    right = " or ".join(d.medication.route or "" for d in by_route if not is_judged_wrong(d))
    told = [d.rules[0] if d.rules else d.limits[0] for d in by_route]
    note = f"the order names no route: by the {right} route the label allows it"
    for found in dose_results(case, medication, dosing):
        if isinstance(found, Finding):
            yield replace(found, cap=found.cap or "warning", qualifiers=(*found.qualifiers, note))
    yield Gap("dosage", Category.DOSAGE, drug_ref(medication), ("route",), f"the label's dose of {medication.called} depends on it: what is ordered fits by the {right} route only",
              merge(a.statement.evidence() for a in told), tuple(dict.fromkeys(a.statement.claims[0].id for a in told)), (UnknownReason.NOT_RECORDED,))  # fmt: skip


def _gaps(medication: Medication, dosing: Dosing, verdict: Verdict, excesses: list[Excess]) -> Iterator[Result]:
    ordered = dosing.ordered
    if ordered.schedule in _SET_ELSEWHERE:
        yield _unjudged(
            medication, f"its dose is set elsewhere ({ordered.schedule.replace('-', ' ')}); the dose was not checked", NotEvaluatedReason.OUT_OF_SCOPE
        )
        return
    lacking = dosing.lacking()
    if lacking:
        yield Gap("dosage", Category.DOSAGE, drug_ref(medication), tuple(sorted(lacking)), f"{medication.called}: the order gives no {' and no '.join(_LACKING[m] for m in sorted(lacking) if m in _LACKING) or 'dose'}; its dose cannot be judged",
                  merge(a.statement.evidence() for a in dosing.rules[:1]), tuple(a.statement.claims[0].id for a in dosing.rules[:1]))  # fmt: skip
        return
    needs = _needs_of(dosing, dosing.deciding(verdict))
    for e in excesses:
        if e.needs or e.applied.needs:
            needs.setdefault(e.needs | e.applied.needs, []).append(e.applied)
    if verdict.comparison.needs:
        needs.setdefault(verdict.comparison.needs, []).extend([verdict.lead] if verdict.lead else [])
    if not needs and dosing.use_decides():
        needs[dosing.uses.needs] = [a for a in dosing.rules if a.rule.object.type != EntityType.POPULATION][:3]
    yield from _asked(medication, needs)


def _needs_of(dosing: Dosing, rules: list[Applied]) -> dict[frozenset[str], list[Applied]]:
    """The rules by the data that would decide them."""
    needs: dict[frozenset[str], list[Applied]] = {}
    for a in rules:
        needs.setdefault(a.needs | dosing.question.compare(a).needs, []).append(a)
    return needs


def _asked(medication: Medication, needs: dict[frozenset[str], list[Applied]]) -> Iterator[Gap]:
    """One gap for each set of missing data, with the cases of the label's dose that hang on it."""
    for asked, rules in needs.items():
        if not asked - _ASKED_ELSEWHERE:
            continue
        cases = list(dict.fromkeys(w for a in rules if (w := condition_words(a.rule))))
        told = "; ".join(cases[:_MOST_CASES]) + (f" and {len(cases) - _MOST_CASES} more" if len(cases) > _MOST_CASES else "")
        reasons = tuple(sorted({r for a in rules for r in a.outcome.reasons if r is not UnknownReason.JUDGEMENT}))
        yield Gap("dosage", Category.DOSAGE, drug_ref(medication), tuple(sorted(asked)), f"the label's dose of {medication.called} depends on it{f' ({told})' if told else ''}",
                  merge(a.statement.evidence() for a in rules), tuple(dict.fromkeys(a.statement.claims[0].id for a in rules)), reasons)  # fmt: skip


def _finding(case: Case, medication: Medication, dosing: Dosing, verdict: Verdict) -> Finding:
    lead, c = verdict.lead, verdict.comparison
    if lead is None or c.band is None:
        raise ValueError(f"verdict {verdict.fit} without a rule")
    said = ordered_words(dosing.ordered, c.band.dimension, c.per)
    risk = RiskType.DOSE_ADJUSTMENT_MISSED if verdict.family is not None and verdict.fit is Fit.OVER else _RISK[verdict.fit]
    made = _base(case, medication, dosing, lead, verdict.family)
    weekly = verdict.fit is Fit.TOO_OFTEN
    first = verdict.fit is Fit.OVER and dosing.starting and only_begins(lead)
    return replace(
        made,
        risk=risk,
        ordered=said,
        allowed=allowed_words(c.band, c.per),
        excess=c.ratio if weekly else None,
        cap="info" if verdict.fit is Fit.UNDER else made.cap,
        qualifiers=(
            *made.qualifiers,
            *(("no earlier order of it is on record, and this is the label's first dose: confirm that it is a start",) if first else ()),
        ),
        hazard="dose",
        corrected=corrected_instruction(dosing, verdict),
    )


def _excess(case: Case, medication: Medication, dosing: Dosing, e: Excess) -> Finding:
    made = _base(case, medication, dosing, e.applied, next(iter(sorted(dosing.families(e.applied), key=lambda f: f.rank)), None))
    risk = _OF_LIMIT.get(e.measure, RiskType.DOSAGE_OVER)
    if e.dimension == "time":
        lasts = e.measure is Measure.DURATION
        said = f"{'' if lasts else 'every '}{stretch_words(e.ceiling * e.ratio if lasts else e.ceiling / e.ratio)}"
        return replace(made, risk=risk, ordered=said, allowed=f"{'at most' if lasts else 'every'} {stretch_words(e.ceiling)}", hazard="dose")
    total = dosing.totals if e.measure is not Measure.SINGLE else dosing.ordered.given
    given = total[e.dimension]
    value = given.single_high if e.measure is Measure.SINGLE or given.daily_high is None else given.daily_high
    stretch = "a dose" if e.measure is Measure.SINGLE else "a week" if e.measure is Measure.WEEK else "a day"
    days = Decimal(7) if e.measure is Measure.WEEK else Decimal(1)
    others = dosing.others(e.measure)
    notes = (f"together with {', '.join(others)}",) if others else ()
    return replace(
        made, risk=risk, ordered=f"{amount((value or Decimal(0)) * days, e.dimension)} {stretch}", allowed=f"at most {amount(e.ceiling * days, e.dimension)} {stretch}",
        excess=e.ratio, qualifiers=(*made.qualifiers, *notes), hazard="dose",
    )  # fmt: skip


def _base(case: Case, medication: Medication, dosing: Dosing, lead: Applied, family: Family | None) -> Finding:
    qualifiers: list[str] = []
    cap = None
    if unread(lead):
        cap = "warning" if lead.borne_out else "info"
        qualifiers.append("the label limits this to cases that need your judgement; see the quoted sentence")
    approximated = bool(lead.needs) or any(k.approximated for k in lead.used)  # with a need open, every rule that may hold says the same
    return Finding(
        check="dosage",
        category=Category.DOSAGE,
        risk=RiskType.DOSAGE_OVER,
        drug=drug_ref(medication),
        other=_other(dosing, lead, family),
        action=Action.ADJUST_DOSE,
        hazard="dose",
        certainty=Certainty.APPROXIMATED if approximated else Certainty.CODED,
        evidence=merge([lead.statement.evidence()]),
        rules=(lead.statement.claims[0].id,),
        path=(PathStep(medication.called, "dose rule", lead.rule.object_name, lead.statement.claims[0].id),),
        data=(medication.order.source, *case.profile.data_of(lead.used)),
        subject_key="dose",
        qualifiers=tuple(qualifiers),
        cap=cap,
        strength=_strength(lead, family),
        basis=lead.rule.basis,
        orders=(medication.reference,),
        patient=patient_words(lead.rule.guard, dosing.facts, dated=True),
    )


def _strength(lead: Applied, family: Family | None) -> Strength:
    """How firmly the label puts it. Labels write "consider" of doses for failing kidneys and livers too; there a dose left as it is is a missed adjustment."""
    hedged = lead.rule.strength is Strength.CONSIDER and family in (RENAL_FUNCTION, HEPATIC_FUNCTION)
    return Strength.SHOULD if hedged else lead.rule.strength


def _other(dosing: Dosing, lead: Applied, family: Family | None) -> Counterpart | None:
    """The patient's values, or the partner, that make the rule apply; None for a rule for everybody."""
    if family is None:
        return None
    if family is COMEDICATION:
        partner = dosing.partner_of([leaf for leaf in leaves(lead.rule.guard) if isinstance(leaf, Exposure)])
        if partner is not None:
            return Counterpart("drug", partner, condition_words(lead.rule) or None)
    shown = ", ".join(dict.fromkeys(w for k in lead.used if (w := fact_words(k))))
    asked = condition_words(lead.rule) or None
    values = patient_words(lead.rule.guard, dosing.facts) or asked or family.name
    return Counterpart(_COUNTERPARTS.get(family.name, "population"), shown or family.name, asked, values)


def _unjudged(medication: Medication, why: str, reason: NotEvaluatedReason = NotEvaluatedReason.NO_KNOWLEDGE) -> NotEvaluated:
    return NotEvaluated("dosage", Category.DOSAGE, drug_ref(medication), reason, f"{medication.called}: {why}")
