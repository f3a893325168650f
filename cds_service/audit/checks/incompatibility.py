"""Physical incompatibility: two drugs that are given into a vein at one time although a label says not to mix them.

The label speaks of one line or one bag, not of the patient: where the orders do not say that the two meet, the finding is information for whoever
gives them. It is a warning where they are ordered together, as one group or as drug and diluent.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from cds_service.audit.checks.interaction import partners_of
from cds_service.audit.checks.interaction_match import QUIET
from cds_service.audit.checks.protocol import Case, counterpart, drug_ref
from cds_service.audit.clinical import table
from cds_service.audit.evidence import Statement, merge, statements, titled
from cds_service.audit.outcomes import Category, Certainty, Clear, Finding, PathStep, Result, RiskType
from cds_service.audit.roster import Medication
from cds_service.intake.prescription import OrderRole
from ontology.model.advice import ACTION_RANK, Advice
from ontology.model.guards import Truth, evaluate
from ontology.model.predicates import Stratum


class IncompatibilityCheck:
    """Intravenous drafts against the other intravenous orders of the same time."""

    name = "incompatibility"
    category = Category.INTERACTION
    stratum = Stratum.GRAPH
    kinds = ()

    def judge(self, case: Case, medication: Medication) -> Iterator[Result]:
        """The orders that must not meet a draft order in a line or bag."""
        partners = (p for p in partners_of(case, medication) if p.order.role is not OrderRole.RECENT) if _into_vein(medication) else ()
        found = [f for partner in partners if _into_vein(partner) and (f := _finding(case, medication, partner)) is not None]
        yield from found
        if not found:
            yield Clear(self.name, drug_ref(medication))


def _into_vein(medication: Medication) -> bool:
    return medication.route in _routes()


def _said(case: Case, owner: Medication, partner: Medication) -> list[tuple[Medication, Statement]]:
    facts = case.profile.at(owner, partner)
    rules = (
        (view, choice, rule)
        for view, choice in zip(owner.views, owner.choices, strict=True)
        for target in view.mixed.keys() & partner.closure.keys()
        for rule in view.mixed[target]
    )
    holding = (s for s in statements(owner, rules, other_labels=True) if evaluate(s.rule.guard, facts).truth is Truth.TRUE)
    return [(owner, s) for s in holding if isinstance(s.rule.payload, Advice) and s.rule.payload.strictest not in QUIET]


def _finding(case: Case, first: Medication, second: Medication) -> Finding | None:
    said = [*_said(case, first, second), *_said(case, second, first)]
    if not said:
        return None
    owner, lead = min(said, key=lambda s: (_rank(s[1]), s[0] is not first, s[1].rule.key))
    partner = second if owner is first else first
    payload = lead.rule.payload
    together = _ordered_together(first, second)
    return Finding(
        check="incompatibility",
        category=Category.INTERACTION,
        risk=RiskType.INCOMPATIBILITY,
        drug=drug_ref(owner),
        other=counterpart(partner, lead.rule.words or lead.rule.object_name),
        action=payload.strictest if isinstance(payload, Advice) else ACTION_RANK[-1],
        hazard="mixture",
        certainty=Certainty.CODED if "name" not in (owner.drug.how, partner.drug.how) else Certainty.STATED,
        evidence=titled(merge(s.evidence() for _, s in said), case.knowledge),
        rules=tuple(dict.fromkeys(s.claims[0].id for _, s in said)),
        path=(PathStep(owner.called, "must not be mixed with", lead.rule.object_name, lead.claims[0].id),),
        data=(owner.order.source, partner.order.source),
        qualifiers=() if together else ("both are given into a vein: use separate lines, or flush between them",),
        cap=None if together else "info",
        strength=lead.rule.strength,
        effect=payload.effect if isinstance(payload, Advice) else None,
        orders=tuple(sorted({first.reference, second.reference})),
    )


def _rank(statement: Statement) -> int:
    payload = statement.rule.payload
    return ACTION_RANK.index(payload.strictest) if isinstance(payload, Advice) else len(ACTION_RANK)


def _ordered_together(first: Medication, second: Medication) -> bool:
    """True when the orders put the two into one line or bag: one group, a diluent, or the other's name in the words of one."""
    if first.order.group is not None and first.order.group == second.order.group:
        return True
    if any(m.use is not None and m.use[0] == "diluent" for m in (first, second)):
        return True
    return any(
        f" {joint} {i.name.casefold()}" in f" {m.words}" for m, o in ((first, second), (second, first)) for i in o.drug.ingredients for joint in _joints()
    )


@cache
def _routes() -> frozenset[str]:
    return frozenset(table("pairs")["into_vein"]["routes"])


@cache
def _joints() -> tuple[str, ...]:
    return tuple(table("pairs")["into_vein"]["joints"])
