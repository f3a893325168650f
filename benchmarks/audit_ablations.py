"""The audit beside poorer versions of itself and a plain rule engine, on the same cases and the same release.

    python benchmarks/audit_ablations.py --release RELEASE --cases ../shared/benchmark/cases-dev/*.json [--runner ../shared/benchmark/run_cases.py]

Every version answers the cases in this process; the benchmark's own scorer counts. Versions:

- full: the product.
- P-EST off: doses are held against every rule of the label whose guard is TRUE, side by side: nothing is selected by patient, words and missing data count as false, nothing is asked for.
- class and role off: drugs interact only where a label names the very ingredient; no class, no enzyme role.
- pair and maximum: a plain engine over the same facts: ingredient pairs, the highest daily maximum any rule of the label states, contraindications by
  equal code; no guards, no patient.

Prints, never asserts. Stops and says so when the runner is absent.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec import structs

from cds_service.answer.compose import AnswerContext, compose
from cds_service.answer.policy import Policy
from cds_service.audit.chain import run_chain
from cds_service.audit.checks.dosage import DosageCheck, dose_results
from cds_service.audit.checks.protocol import Case, Check, drug_ref
from cds_service.audit.checks.registry import CHECKS
from cds_service.audit.evidence import cite
from cds_service.audit.knowledge import DossierView, Knowledge
from cds_service.audit.outcomes import Category, Certainty, Counterpart, Finding, NotEvaluated, NotEvaluatedReason, Result, RiskType, TraceStep
from cds_service.audit.pest.applicability import Applied
from cds_service.audit.pest.questions import dosing_of
from cds_service.audit.roster import Medication
from cds_service.intake.request import read_request
from ontology.model.advice import ACTION_RANK, Action, Advice
from ontology.model.dosing import Limit, Measure
from ontology.model.entities import EntityType
from ontology.model.guards import Truth
from ontology.model.identifiers import EntityId
from ontology.model.predicates import Stratum
from ontology.model.quantities import Unit
from ontology.store.records import Dossier, Rule
from ontology.store.release import Release


@dataclass(frozen=True)
class Version:
    """One version of the audit: its name, its checks, and what it sees of the release."""

    name: str
    checks: tuple[Check, ...]
    seen: Callable[[Knowledge], Knowledge] = lambda knowledge: knowledge


class WithoutClasses:
    """A release whose drugs reach nothing but themselves."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge

    def __getattr__(self, name: str) -> Any:
        return getattr(self._knowledge, name)

    @property
    def id(self) -> str:
        """An id of its own, so that no view of the whole release is taken for it."""
        return f"{self._knowledge.id}-without-classes"

    def dossier(self, subject: EntityId) -> Dossier | None:
        """The dossier without its closure and without rules on classes and roles."""
        found = self._knowledge.dossier(subject)
        kept = (EntityType.DRUG_CLASS, EntityType.ENZYME_ROLE)
        return (
            replace(found, closure=(), rules=tuple(r for r in found.rules if r.object.type not in kept or r.predicate != "interacts_with")) if found else None
        )


class UnselectedDoses(DosageCheck):
    """Doses without selection: every rule that is TRUE counts the same, nothing is asked for."""

    def judge(self, case: Case, medication: Medication) -> Iterator[Result | TraceStep]:
        """The findings of the dose check over the rules that are TRUE, none of them binding over another."""
        if medication.use or not medication.systemic:
            return
        whole = dosing_of(case, medication)
        true = replace(
            whole,
            rules=tuple(_flat(a) for a in whole.rules if a.outcome.truth is Truth.TRUE),
            limits=tuple(a for a in whole.limits if a.outcome.truth is Truth.TRUE),
        )
        yield from (r for r in dose_results(case, medication, true) if isinstance(r, Finding))


def _flat(a: Applied) -> Applied:
    """The rule without its guard: it binds over none."""
    return structs.replace(a, statement=structs.replace(a.statement, rule=replace(a.statement.rule, guard=None)))


class PlainPairs:
    """Ingredient pairs as any label states them, whatever the patient."""

    name, category, stratum, kinds = "interaction", Category.INTERACTION, Stratum.GRAPH, ("medications",)

    def judge(self, case: Case, medication: Medication) -> Iterator[Result]:
        """A finding a pair, by the strictest advice."""
        for other in case.roster.taken:
            if other.reference == medication.reference:
                continue
            for owner, partner in ((medication, other), (other, medication)):
                rules = [(view, r) for view in owner.views for r in view.partners.get(partner.drug.subject, ())]
                if rules:
                    view, rule = min(rules, key=lambda row: ACTION_RANK.index(_strictest(row[1])))
                    yield _plain(
                        self.name,
                        Category.INTERACTION,
                        RiskType.INTERACTION_DRUG_DRUG,
                        owner,
                        view,
                        rule,
                        _strictest(rule),
                        Counterpart("drug", partner.drug.name),
                    )
                    break


class PlainStates:
    """Contraindications whose code stands in the record, whatever else the label asks."""

    name, category, stratum, kinds = "contraindication", Category.CONTRAINDICATION, Stratum.RELATIONAL, ("conditions",)

    def judge(self, case: Case, medication: Medication) -> Iterator[Result]:
        """A finding a state."""
        own = {m.id for c in case.prescription.patient.conditions for m in c.concepts}
        for view in medication.views:
            for rule in view.states:
                if rule.object in own:
                    yield _plain(
                        self.name,
                        self.category,
                        RiskType.CONTRAINDICATION_CONDITION,
                        medication,
                        view,
                        rule,
                        _strictest(rule),
                        Counterpart("condition", rule.object_name),
                    )


class PlainMaximum:
    """The highest daily maximum that the label states for anybody."""

    name, category, stratum, kinds = "dosage", Category.DOSAGE, Stratum.RELATIONAL, ("observations",)

    def judge(self, case: Case, medication: Medication) -> Iterator[Result]:
        """A finding where the day's amount is above it."""
        found: list[tuple[Decimal, DossierView, Rule]] = []
        for view in medication.views:
            for rule in view.limits:
                limit = rule.payload
                unit = Unit.find(limit.amount.unit) if isinstance(limit, Limit) else None
                if isinstance(limit, Limit) and limit.measure is Measure.DAY and limit.amount.high is not None and unit and unit.dimension == "mass":
                    found.append((limit.amount.high * unit.factor, view, rule))
        given = dosing_of(case, medication).ordered.given.get("mass") if found else None
        if given is None or given.daily_high is None:
            return
        most, view, rule = max(found, key=lambda row: row[0])
        if given.daily_high > most:
            yield _plain(self.name, self.category, RiskType.DOSAGE_OVER, medication, view, rule, Action.ADJUST_DOSE, None)


def _strictest(rule: Rule) -> Action:
    return rule.payload.strictest if isinstance(rule.payload, Advice) else Action.CAUTION


def _plain(
    check: str, category: Category, risk: RiskType, medication: Medication, view: DossierView, rule: Rule, action: Action, other: Counterpart | None
) -> Finding:
    return Finding(
        check, category, risk, drug_ref(medication), other, action, check, Certainty.CODED, (cite(rule.claims[0], view),), (rule.claims[0].id,),
        subject_key=str(rule.object), orders=(medication.reference,),
    )  # fmt: skip


def versions() -> tuple[Version, ...]:
    """What is compared."""
    others = tuple(c for c in CHECKS if not isinstance(c, DosageCheck))
    simple = ("allergy", "duplicate")
    plain: tuple[Check, ...] = (*(c for c in CHECKS if c.name in simple), PlainStates(), PlainPairs(), PlainMaximum())
    return (
        Version("full", CHECKS),
        Version("P-EST off", (*others, UnselectedDoses())),
        Version("class and role off", CHECKS, lambda knowledge: WithoutClasses(knowledge)),
        Version("pair and maximum", plain),
    )


def answer(case: Mapping[str, Any], version: Version, release: Release, runner: ModuleType, policy: Policy) -> dict[str, Any]:
    """The cards of one case by one version. Raises RuntimeError where a check broke: a table without it would compare nothing."""
    body = json.loads(json.dumps(runner.compile_case(case)), parse_float=Decimal, parse_int=Decimal)
    prescription = read_request(body, release.terminology, received=datetime.now(UTC), use_request_time=True)
    result = run_chain(prescription, version.seen(release), policy, checks=version.checks)
    names = {check.name for check in version.checks}
    broken = [r for r in result.results if isinstance(r, NotEvaluated) and r.reason is NotEvaluatedReason.UNAVAILABLE and r.check in names]
    if broken:
        raise RuntimeError(f"{version.name}, case {case['id']}: {broken[0].message}")
    context = AnswerContext("ablation", release.id, policy, lambda card: f"https://cds.example/{card}", "https://cds.example")
    return {"cards": compose(result, prescription, context)}


def main() -> int:
    """Prints one line a version."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", required=True, type=Path)
    parser.add_argument("--cases", required=True, nargs="+")
    parser.add_argument("--runner", default="../shared/benchmark/run_cases.py", type=Path)
    args = parser.parse_args()
    spec = importlib.util.spec_from_file_location("run_cases", args.runner) if args.runner.exists() else None
    if spec is None or spec.loader is None:
        print(f"{args.runner} is not there: the benchmark's runner compiles and scores the cases; give its path with --runner")
        return 2
    runner = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(runner)
    policy = Policy.shipped()
    print(f"{'version':20} {'F1':>6} {'prec.':>6} {'recall':>6} {'gaps':>7} {'traps':>5} {'clean':>7} {'loud cards':>10}")
    with Release.open(args.release) as release:
        for version in versions():
            cases = runner.load(args.cases)
            rows = [runner.score_case(case, answer(case, version, release, runner, policy)) for case in cases]
            print_version(version.name, rows, [not case.get("expect") for case in cases], runner)
    return 0


def print_version(name: str, rows: list[dict[str, Any]], clean: list[bool], runner: ModuleType) -> None:
    """One line of the table."""
    hit, missed, false = (sum(len(r[k]) for r in rows) for k in ("hit", "missed", "false"))
    asked = sum(r["gaps_expected"] for r in rows)
    named = asked - sum(len(r["gap_missed"]) for r in rows)
    quiet = sum(1 for r, c in zip(rows, clean, strict=True) if c and not r["false"])
    precision, recall = hit / (hit + false) if hit else 0, hit / (hit + missed) if hit else 0
    print(
        f"{name:20} {runner.f1(hit, missed, false):6.3f} {precision:6.3f} {recall:6.3f} {named:3}/{asked:<3} {sum(len(r['trapped']) for r in rows):5} "
        f"{quiet:3}/{sum(clean):<3} {sum(r['loud_cards'] for r in rows) / len(rows):10.2f}"
    )


if __name__ == "__main__":
    sys.exit(main())
