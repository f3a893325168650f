"""The chain of verification: plan, query, select, judge, synthesise.

Each check of each order is isolated: one that raises, or is late, becomes a visible "not evaluated" for that drug while the others run. The
log names the check and the fault, never patient data.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from cds_service.audit.checks.protocol import Case, Check, drug_ref
from cds_service.audit.checks.registry import CHECKS
from cds_service.audit.knowledge import Knowledge
from cds_service.audit.missing import missing_data
from cds_service.audit.outcomes import AuditResult, Category, Clear, DrugRef, Finding, Gap, NotEvaluated, NotEvaluatedReason, Result, TraceStep
from cds_service.audit.plan import Task, make_plan
from cds_service.audit.profile import PatientProfile
from cds_service.audit.roster import Roster, call_roster
from cds_service.audit.site import SiteNumbers
from cds_service.audit.synthesise import synthesise
from cds_service.intake.prescription import OrderRole, Prescription

log = logging.getLogger(__name__)


class ChainPolicy(Protocol):
    """What the chain asks of the site's policy."""

    @property
    def budget_seconds(self) -> float:
        """The time an audit may take; what is later is not evaluated."""
        ...

    @property
    def numbers(self) -> SiteNumbers:
        """Tolerances and allowances."""
        ...


def run_chain(
    prescription: Prescription,
    knowledge: Knowledge,
    policy: ChainPolicy,
    *,
    checks: tuple[Check, ...] = CHECKS,
    clock: Callable[[], float] = time.monotonic,
    telling: bool = True,
) -> AuditResult:
    """The result of auditing a prescription, with the steps that led to it where `telling`.

    Never raises for a broken check or release: what could not be evaluated is said.
    """
    deadline = clock() + policy.budget_seconds
    try:
        roster = call_roster(prescription, knowledge)
        plan = make_plan(roster, checks)
    except Exception as e:  # the release may be damaged in any way; the order is answered all the same
        _log_fault("roster", e)
        return AuditResult(tuple(_nothing_checked(prescription)), (TraceStep("plan", "the release could not be read"),))
    case = Case(prescription, knowledge, roster, PatientProfile(prescription, knowledge, roster), policy.numbers, telling)
    results: list[Result] = list(plan.skipped)
    judged: list[TraceStep] = []
    for task in plan.tasks:
        told = [_late(task)] if clock() > deadline else _judge(task, case)
        found = [r for r in told if not isinstance(r, TraceStep)]
        results.extend(found)
        if not telling:
            continue
        judged.extend(r for r in told if isinstance(r, TraceStep))
        judged.append(TraceStep("judge", f"{task.check.name} of {task.medication.called}: {_count(found)}", (task.medication.reference,)))
    results.extend(missing_data(case, results))
    final = synthesise(replace(r, known=case.profile.why_open(r.needs)) if isinstance(r, Gap) else r for r in results)
    if not telling:
        return AuditResult(final)
    return AuditResult(final, (*plan.steps, *_selection(roster), *judged, TraceStep("synthesise", _count(final))))


def _judge(task: Task, case: Case) -> list[Result | TraceStep]:
    try:
        return list(task.check.judge(case, task.medication))
    except Exception as e:  # a broken check is a visible gap in the answer, never an error of the order
        _log_fault(task.check.name, e)
        return [_unavailable(task)]


def _unavailable(task: Task) -> NotEvaluated:
    name = task.medication.called
    message = f"the {task.check.name} check of {name} is unavailable"
    return NotEvaluated(task.check.name, task.check.category, drug_ref(task.medication), NotEvaluatedReason.UNAVAILABLE, message)


def _late(task: Task) -> NotEvaluated:
    message = f"the {task.check.name} check of {task.medication.called} did not finish in time"
    return NotEvaluated(task.check.name, task.check.category, drug_ref(task.medication), NotEvaluatedReason.TIMEOUT, message)


def _nothing_checked(prescription: Prescription) -> Iterator[NotEvaluated]:
    for order in prescription.orders_in(OrderRole.DRAFT):
        ref = DrugRef(order.text or order.reference, None, (order.reference,))
        yield NotEvaluated(
            "knowledge", Category.INTERACTION, ref, NotEvaluatedReason.UNAVAILABLE, f"{ref.name}: the knowledge base could not be read; nothing was checked"
        )


def _selection(roster: Roster) -> Iterator[TraceStep]:
    """Which dossiers were read, by which query templates they were made, and which label judges each medication."""
    templates: dict[str, str] = {}
    for medication in (*roster.taken, *roster.recent):
        name = medication.called
        how = f"identified by {medication.drug.how} {medication.drug.matched}"
        subjects = tuple(str(v.dossier.subject) for v in medication.views)
        templates.update({t: h for v in medication.views for t, h in v.dossier.templates})
        yield TraceStep("query", f"{name}: {how}; {'dossier' if subjects else 'no dossier'}", (medication.reference, *subjects))
        for choice in medication.choices:
            if choice.label is None:
                yield TraceStep("select", f"{name}: no label, {choice.why}", (medication.reference,))
                continue
            label = choice.label
            day = label.effective.isoformat() if label.effective else "label date unknown"
            yield TraceStep(
                "select", f"{name}: {label.title}, {day}; {choice.why}; {choice.considered} considered", (medication.reference, label.document, label.version)
            )
    if templates:
        yield TraceStep("query", "dossiers are the answers of these templates", tuple(f"{t}#{h}" for t, h in sorted(templates.items())))


def _count(results: tuple[Result, ...] | list[Result]) -> str:
    kinds = {Finding: ("finding", "findings"), Clear: ("clear", "clear"), Gap: ("gap", "gaps"), NotEvaluated: ("not evaluated", "not evaluated")}
    counts = {words: sum(isinstance(r, kind) for r in results) for kind, words in kinds.items()}
    return ", ".join(f"{n} {one if n == 1 else many}" for (one, many), n in counts.items() if n) or "nothing"


def _log_fault(where: str, error: Exception) -> None:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    log.error("audit step failed", extra={"step": where, "fault": type(error).__name__, "place": f"{Path(frame.filename).name}:{frame.lineno}"})
