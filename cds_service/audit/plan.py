"""The plan of an audit: one task a draft order and check, and what is left out with the reason.

Tasks come from what the order is; a planner may add tasks, never drop one without saying so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec import Struct

from cds_service.audit.checks.protocol import Check, drug_ref
from cds_service.audit.outcomes import Category, DrugRef, NotEvaluated, NotEvaluatedReason, TraceStep
from cds_service.audit.roster import Medication, Roster
from cds_service.intake.prescription import Order, OrderRole
from ontology.model.predicates import Stratum
from ontology.terms.identity import UnidentifiedDrug
from ontology.text.document import SectionState

_WHY_UNIDENTIFIED = {
    "unknown": "is not a drug this release knows",
    "ambiguous": "names more than one drug",
    "no-name": "names no drug",
    "conflict": "has a code and a text that name different drugs",
}


class Task(Struct, frozen=True):
    """One check of one draft order; `parameters` are the ids its queries take, `stratum` the store that answers first."""

    check: Check
    medication: Medication
    parameters: tuple[str, ...]
    stratum: Stratum


@dataclass(frozen=True, slots=True)
class Plan:
    """The tasks in the order of the registry, and what is not evaluated whatever the checks say."""

    tasks: tuple[Task, ...]
    skipped: tuple[NotEvaluated, ...]
    steps: tuple[TraceStep, ...]


def make_plan(roster: Roster, checks: tuple[Check, ...]) -> Plan:
    """The plan for a roster."""
    tasks: list[Task] = []
    skipped = list(_unidentified(roster))
    steps = [TraceStep("plan", f"{order.text or 'order'} {why}", (order.reference,)) for order, why in roster.set_aside]
    names = ", ".join(f"{c.name} ({c.stratum.value})" for c in checks)
    for medication in roster.drafts:
        order = medication.order
        if order.unknown_modifiers:
            skipped.append(_modified(medication))
            steps.append(TraceStep("plan", f"{medication.called}: no checks, unknown modifiers", (order.reference,)))
            continue
        if not order.selected:
            steps.append(TraceStep("plan", f"{medication.called}: context only, not among the selections", (order.reference,)))
            continue
        ids = (str(medication.drug.subject), *sorted(str(i) for i in medication.ingredients if i != medication.drug.subject))
        tasks.extend(Task(check, medication, ids, check.stratum) for check in checks)
        steps.append(TraceStep("plan", f"{medication.called}: {names}", (order.reference, *ids)))
    skipped.extend(_without_label(roster))
    skipped.extend(_without_text(roster))
    return Plan(tuple(tasks), tuple(skipped), tuple(steps))


def _unidentified(roster: Roster) -> Iterator[NotEvaluated]:
    for order in roster.unidentified:
        yield NotEvaluated(
            "identity",
            Category.INTERACTION,
            _named_as_ordered(order),
            NotEvaluatedReason.DRUG_IDENTITY,
            f"“{order.text or 'an order without a name'}” {_why(order)}; nothing was checked for it",
            ("drug-identity",),
        )


def _why(order: Order) -> str:
    return _WHY_UNIDENTIFIED.get(order.drug.reason, "is not identified") if isinstance(order.drug, UnidentifiedDrug) else "is not identified"


def _named_as_ordered(order: Order) -> DrugRef:
    text = order.drug.text if isinstance(order.drug, UnidentifiedDrug) else order.text
    return DrugRef(text or order.text or order.reference, None, (order.reference,))


def _modified(medication: Medication) -> NotEvaluated:
    names = ", ".join(medication.order.unknown_modifiers)
    return NotEvaluated(
        "modifiers",
        Category.INTERACTION,
        drug_ref(medication),
        NotEvaluatedReason.OUT_OF_SCOPE,
        f"{medication.called}: the order carries modifiers that change its meaning and are not known here ({names}); it was not checked",
    )


def _without_label(roster: Roster) -> Iterator[NotEvaluated]:
    """Once a drug: no label of it is in the release, or none for its route."""
    told: set[str] = set()
    for medication in roster.taken:
        name, draft = medication.called, medication.order.role is OrderRole.DRAFT
        if any(c.label is not None for c in medication.choices) or str(medication.drug.subject) in told or medication.use:
            continue
        told.add(str(medication.drug.subject))
        why = medication.choices[0].why if medication.choices else "no label of it is in the release"
        lost = "its contraindications and what only its own label says were" if draft else "what only its own label says of interactions was"
        yield NotEvaluated("knowledge", Category.INTERACTION, drug_ref(medication), NotEvaluatedReason.NO_KNOWLEDGE, f"{name}: {why}; {lost} not checked")


def _without_text(roster: Roster) -> Iterator[NotEvaluated]:
    """What a label that judges an order cannot say: it has no section on contraindications, or its text could not be read for claims."""
    for medication in roster.taken:
        labels = [c.label for c in medication.choices if c.label is not None]
        if medication.use or not medication.order.selected:
            continue
        for label in labels:
            states = dict(label.sections)
            if SectionState.UNREAD in states.values():
                said = f"{medication.called}: the text of its label ({label.title}) could not be read whole; what it says was checked only in part"
                yield NotEvaluated("knowledge", Category.INTERACTION, drug_ref(medication), NotEvaluatedReason.UNAVAILABLE, said)
            elif medication.order.role is OrderRole.DRAFT and states.get("contraindications", SectionState.EMPTY) == SectionState.EMPTY:
                said = f"{medication.called}: its label ({label.title}) has no section on contraindications; these were not checked"
                yield NotEvaluated("knowledge", Category.CONTRAINDICATION, drug_ref(medication), NotEvaluatedReason.NO_KNOWLEDGE, said)
            elif medication.order.role is OrderRole.DRAFT and states.get("contraindications") == SectionState.UNKNOWN:
                said = f"{medication.called}: its label ({label.title}) says that contraindications are not known; these were not checked"
                yield NotEvaluated("knowledge", Category.CONTRAINDICATION, drug_ref(medication), NotEvaluatedReason.NO_KNOWLEDGE, said)
