"""What a release can say of a formulary: which of its drugs are identified, labelled, have dose rules, are read by a person.

A line is looked at as an order of it would be: the same identity, the same choice of label, the same claims that speak for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from cds_service.audit.knowledge import Knowledge
from cds_service.audit.roster import Medication, describe
from cds_service.audit.select import speaking_claims
from cds_service.intake.formulary import FormularyLine
from cds_service.intake.prescription import Order, OrderIntent, OrderRole, Source
from ontology.store.records import ClaimRecord, LabelSet
from ontology.terms.identity import DrugIdentity, UnidentifiedDrug
from ontology.terms.terminology import Terminology

DOSE_PREDICATES = frozenset({"has_dose_rule", "has_limit"})
COMPOSITION_PREDICATES = frozenset({"has_ingredient", "has_brand", "belongs_to", "has_role"})
"""What identifies a drug; no person need read it for an order to be judged by it."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the release can say of one line.

    `drug` is the identity or why there is none; `labels` the labels that would judge an order of it (several where a combination has no
    label of its own and its parts judge); `why_not` says in words why none does. `statements` counts the claims that speak for it,
    `dose_rules` those on doses and limits among them, `read` those that a person has read.
    """

    line: FormularyLine
    drug: DrugIdentity | UnidentifiedDrug
    labels: tuple[LabelSet, ...] = ()
    by_parts: bool = False
    why_not: str = ""
    statements: int = 0
    dose_rules: int = 0
    read: int = 0

    @property
    def identified(self) -> bool:
        """Whether the line names one drug."""
        return isinstance(self.drug, DrugIdentity)

    @property
    def labelled(self) -> bool:
        """Whether a label judges an order of it; a combination counts when each of its parts is judged."""
        return bool(self.labels)


def coverage_of(line: FormularyLine, knowledge: Knowledge, terminology: Terminology) -> Coverage:
    """The coverage of one line."""
    drug = terminology.identify_drug(line.codes, line.name or None)
    if not isinstance(drug, DrugIdentity):
        return Coverage(line, drug)
    route, form = terminology.route(line.route), terminology.form(line.form)
    medication = describe(_order(line, drug, route, form), drug, knowledge)
    labels = tuple(c.label for c in medication.choices if c.label is not None)
    missing = _missing(medication, knowledge)
    speaking = list(_speaking(medication))
    return Coverage(
        line,
        drug,
        labels if not missing else (),
        medication.borrowed,
        missing,
        len({c.id for _, c in speaking}),
        len({c.id for predicate, c in speaking if predicate in DOSE_PREDICATES}),
        len({c.id for _, c in speaking if c.approval is not None and c.approval.read_by_person}),
    )


def _order(line: FormularyLine, drug: DrugIdentity, route: str | None, form: str | None) -> Order:
    reference = f"formulary/{line.number}"
    return Order(reference, OrderRole.DRAFT, OrderIntent.NEW, drug, line.name, route, form, (), None, Source(reference, date.min, "medications"))


def _missing(medication: Medication, knowledge: Knowledge) -> str:
    """Why no label judges the order, or which parts of a combination none judges; empty when all is judged."""
    refused = [c.why for c in medication.choices if c.label is None]
    if not medication.borrowed:
        return refused[0] if refused else "" if medication.choices else "no label of these ingredients is in the release"
    known = {v.dossier.subject for v in medication.views if v.dossier.labels}
    unknown = sorted(knowledge.terminology.name(i) for i in medication.ingredients if i not in known)
    if unknown:
        return f"no label of the combination, and none of {', '.join(unknown)}"
    return refused[0] if refused else ""


def _speaking(medication: Medication) -> Iterator[tuple[str, ClaimRecord]]:
    for view, choice in zip(medication.views, medication.choices, strict=True):
        for rule in view.dossier.rules:
            if rule.predicate not in COMPOSITION_PREDICATES:
                for claim in speaking_claims(rule, choice, medication.route, other_labels=False):
                    yield rule.predicate, claim
