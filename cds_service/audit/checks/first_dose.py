"""What the first dose must wait for: a value that is not yet where the label wants it, for those who come from another drug.

The guard of such a rule is the state in which its drug must not be started. The value is asked for where the record shows the other drug; when that
ended is asked for only where the value alone leaves it open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cds_service.audit.checks.protocol import Case, drug_ref
from cds_service.audit.evidence import Statement, merge
from cds_service.audit.outcomes import Category, Certainty, Counterpart, Finding, Gap, PathStep, RiskType
from cds_service.audit.pest.guards import Leaf, without
from cds_service.audit.pest.spoken import patient_words
from cds_service.audit.roster import Medication
from ontology.model.advice import Action, Advice
from ontology.model.facts import Axis, Facts, UnknownReason
from ontology.model.guards import Outcome, Truth, evaluate
from ontology.store.records import Rule

_WAITING = frozenset({Action.AVOID, Action.NOT_RECOMMENDED, Action.CONTRAINDICATED})


def makes_wait(rule: Rule) -> bool:
    """True for a prerequisite that says until when its drug must not be started."""
    return isinstance(rule.payload, Advice) and rule.payload.strictest in _WAITING


def first_dose_results(case: Case, medication: Medication, statements: Iterable[Statement]) -> Iterator[Finding | Gap]:
    """For a drug that is begun: what holds its first dose back, and the values that would tell; each value is asked for once."""
    facts = case.profile.at(medication)
    asked: dict[frozenset[str], list[Statement]] = {}
    for s in statements:
        outcome = evaluate(s.rule.guard, facts)
        if outcome.truth is Truth.TRUE:
            yield _finding(case, medication, s, outcome, facts)
        elif outcome.truth is Truth.UNKNOWN and _is_met(evaluate(without(s.rule.guard, _is_value), facts)):
            values = frozenset(n for n in outcome.needs if n.startswith("lab:"))
            asked.setdefault(values or outcome.needs, []).append(s)
    for needs, found in asked.items():
        until = ", ".join(dict.fromkeys(_until(s.rule) for s in found))
        question = f"{medication.called}: its label lets the first dose wait {until}"
        reasons = tuple(sorted({r for s in found for r in evaluate(s.rule.guard, facts).reasons}))
        yield Gap("prerequisite", Category.CONTRAINDICATION, drug_ref(medication), tuple(sorted(needs)), question,
                  merge(s.evidence() for s in found), tuple(dict.fromkeys(s.claims[0].id for s in found)), reasons)  # fmt: skip


def _finding(case: Case, medication: Medication, s: Statement, outcome: Outcome, facts: Facts) -> Finding:
    own = patient_words(s.rule.guard, facts)
    made = Finding(
        check="prerequisite",
        category=Category.CONTRAINDICATION,
        risk=RiskType.CONTRAINDICATION_CONDITION,
        drug=drug_ref(medication),
        other=Counterpart("lab", own or s.rule.object_name, s.rule.object_name, own or None),
        action=s.rule.payload.strictest if isinstance(s.rule.payload, Advice) else Action.AVOID,
        hazard="first dose",
        certainty=Certainty.APPROXIMATED if any(k.approximated for k in outcome.used) else Certainty.CODED,
        evidence=merge([s.evidence()]),
        rules=(s.claims[0].id,),
        path=(PathStep(medication.called, "waits for", s.rule.object_name, s.claims[0].id),),
        data=case.profile.data_of(outcome.used),
        subject_key=str(s.rule.object),
        strength=s.rule.strength,
        basis=s.rule.basis,
        orders=(medication.reference,),
        patient=patient_words(s.rule.guard, facts, dated=True),
    )
    return replace(made, qualifiers=(f"the first dose waits {_until(s.rule)}",))


def _until(rule: Rule) -> str:
    step = rule.payload.steps[0] if isinstance(rule.payload, Advice) and rule.payload.steps else None
    return step.parameter if step is not None and step.parameter else f"for the {rule.object_name}"


def _is_met(others: Outcome) -> bool:
    """True when all but the value holds, or the record leaves open only when it ended."""
    return others.truth is Truth.TRUE or (others.truth is Truth.UNKNOWN and others.reasons == {UnknownReason.NOT_RECORDED})


def _is_value(leaf: Leaf) -> bool:
    return getattr(leaf, "axis", None) is Axis.LAB
