"""Interactions between orders: what either label says of the other drug, its classes and its enzyme roles.

One finding a pair and level: the strictest statement that holds, with the other statements as evidence. A statement about the drug itself
that asks for nothing takes precedence over one about its class. Unknown guards are gaps only where they could make the finding stricter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta

from msgspec import structs

from cds_service.audit.antidote_pairs import are_antidotes
from cds_service.audit.checks.interaction_match import QUIET, PairStatement, pair_statements
from cds_service.audit.checks.interaction_words import works_against
from cds_service.audit.checks.protocol import Case, counterpart, drug_ref
from cds_service.audit.clinical import setting
from cds_service.audit.effects import opposition
from cds_service.audit.evidence import merge, titled
from cds_service.audit.outcomes import Category, Certainty, Clear, Finding, Gap, PathStep, Result, RiskType
from cds_service.audit.roster import Medication
from cds_service.intake.prescription import OrderRole
from ontology.model.advice import ACTION_RANK, Action
from ontology.model.guards import Truth
from ontology.model.predicates import Stratum

_RELATIONS = {"class": "belongs to", "role": "is a", "is-a": "is a kind of"}


class InteractionCheck:
    """Draft against draft and draft against current, and against recent orders where a label speaks of a wash-out."""

    name = "interaction"
    category = Category.INTERACTION
    stratum = Stratum.GRAPH
    kinds = ("medications",)

    def judge(self, case: Case, medication: Medication) -> Iterator[Result]:
        """The interactions of a draft order with everything taken beside it."""
        found = False
        for partner in partners_of(case, medication):
            if medication.use or partner.use:
                continue
            results = list(_judge_pair(case, medication, partner))
            if results and not are_antidotes(medication, partner, case.knowledge):
                found = True
                yield from results
        if not found:
            yield Clear(self.name, drug_ref(medication))


def partners_of(case: Case, medication: Medication) -> Iterator[Medication]:
    """The orders to pair with: every pair once, none with another order of the same composition."""
    return (m for m in case.roster.beside[medication.reference] if m.drug.subject != medication.drug.subject)


def _judge_pair(case: Case, first: Medication, second: Medication) -> Iterator[Result]:
    said = [*pair_statements(case, first, second), *pair_statements(case, second, first)]
    if not said:
        return
    said = [_weighed(s, said) for s in said if not s.denies and s.action not in QUIET]
    holding = [s for s in said if s.outcome.truth is Truth.TRUE or s.judged]
    for level in dict.fromkeys((s.cap, s.firm) for s in sorted(holding, key=_order)):
        yield _finding(case, sorted((s for s in holding if (s.cap, s.firm) == level), key=_order))
    strictest = min((ACTION_RANK.index(s.action) for s in holding if s.cap is None), default=ACTION_RANK.index(Action.MONITOR))
    unknown = [s for s in said if s.outcome.truth is Truth.UNKNOWN and not s.judged and s.cap != "info" and ACTION_RANK.index(s.action) < strictest]
    if unknown:
        yield _gap(first, second, sorted(unknown, key=_order))


def _weighed(statement: PairStatement, said: Iterable[PairStatement]) -> PairStatement:
    """The statement, as information only where the same owner's label also says of the very drug that nothing is needed."""
    denied = any(s.denies and s.direct and s.owner is statement.owner and s.outcome.truth is Truth.TRUE for s in said)
    if not denied or (statement.direct and statement.action is Action.CONTRAINDICATED):
        return statement
    note = f"the same label says of {statement.partner.called} itself that nothing needs to be changed"
    return structs.replace(statement, cap="info", qualifiers=(*statement.qualifiers, note))


def _order(s: PairStatement) -> tuple[int, int, int, int, int, str]:
    """The strictest first; of equal ones what names the drug itself, what the label of the drug being signed says, what is said of the narrowest group."""
    return (ACTION_RANK.index(s.action), not s.direct, s.owner.order.role is not OrderRole.DRAFT, -s.depth, not s.statement.chosen, s.statement.rule.key)


def _finding(case: Case, group: list[PairStatement]) -> Finding:
    lead = group[0]
    owner, partner, advice, rule = lead.owner, lead.partner, lead.advice, lead.statement.rule
    step = min(advice.steps, key=lambda s: ACTION_RANK.index(s.action))
    qualifiers = [*lead.qualifiers, *_stale(case, owner, partner), *_wash_out(owner, partner), *_borrowed(owner)]
    label = rule.words or (None if lead.direct else rule.object_name)
    return Finding(
        check="interaction",
        category=Category.INTERACTION,
        risk=_risk(case, group),
        drug=structs.replace(drug_ref(owner), shown=_shown(owner, group)),
        other=counterpart(partner, label, _shown(partner, group)),
        action=lead.action,
        hazard="combination",
        certainty=Certainty.CODED if "name" not in (owner.drug.how, partner.drug.how) else Certainty.STATED,
        evidence=titled(merge(s.statement.evidence() for s in group), case.knowledge),
        rules=tuple(dict.fromkeys(c for s in group for c in (s.statement.claims[0].id, *(s.reach.row.path if s.reach.row else ())))),
        path=tuple(dict.fromkeys(p for s in group for p in _path(s))),
        data=tuple(dict.fromkeys((owner.order.source, partner.order.source, *case.profile.data_of(k for s in group for k in s.outcome.used)))),
        subject_key="",
        qualifiers=tuple(dict.fromkeys(qualifiers)),
        cap=lead.cap,
        strength=lead.strength,
        basis=rule.basis,
        effect=advice.effect,
        parameter=step.parameter,
        orders=tuple(sorted({owner.reference, partner.reference})),
    )


def _risk(case: Case, group: list[PairStatement]) -> RiskType:
    """Antagonism where the two have opposing effects and a statement says that one works against the other."""
    lead = group[0]
    said = any(works_against(s.statement) for s in group)
    opposed = said and opposition(lead.owner, lead.partner, case.knowledge) is not None
    return RiskType.ANTAGONISM if opposed else RiskType.INTERACTION_DRUG_DRUG


def _shown(medication: Medication, group: list[PairStatement]) -> str | None:
    """A product of many ingredients by its own name with the ingredients that the other label means; None for others."""
    shown = drug_ref(medication).shown
    met = {s.reach.ingredient for s in group if s.partner is medication}
    meant = [i.name for i in medication.drug.ingredients if i.id in met]
    return f"{shown} ({', '.join(meant)})" if shown and meant else shown


def _path(s: PairStatement) -> tuple[PathStep, ...]:
    rule, claim = s.statement.rule, s.statement.claims[0].id
    steps = [PathStep(s.owner.called, "interacts with", rule.object_name, claim)]
    if s.reach.row is not None:
        relation = _RELATIONS.get(s.reach.row.relation, s.reach.row.relation)
        steps.append(PathStep(s.partner.called, relation, s.reach.row.target_name, s.reach.row.path[0] if s.reach.row.path else None))
    return tuple(steps)


def _gap(draft: Medication, other: Medication, unknown: list[PairStatement]) -> Gap:
    lead = unknown[0]
    needs = tuple(sorted({n for s in unknown for n in s.outcome.needs}))
    evidence = merge(s.statement.evidence() for s in unknown)
    said = lead.action.value.replace("-", " ")
    recent = next((m for m in (lead.owner, lead.partner) if m.order.role is OrderRole.RECENT), None)
    question = (
        f"{draft.called} with {other.called}: the label of {lead.owner.called} says “{said}” for a time after the other drug; "
        f"the record does not say when {recent.called} was last taken"
        if recent is not None
        else f"{draft.called} with {other.called}: the label of {lead.owner.called} says “{said}” in some cases only"
    )
    rules = tuple(dict.fromkeys(s.statement.claims[0].id for s in unknown))
    reasons = tuple(sorted({r for s in unknown for r in s.outcome.reasons})) if recent is None else ()
    return Gap("interaction", Category.INTERACTION, drug_ref(draft), needs, question, evidence, rules, reasons)


def _stale(case: Case, *medications: Medication) -> list[str]:
    oldest = case.prescription.reference_time.date() - timedelta(days=setting("orders", "stale_days"))
    return [
        f"the order of {m.called} is from {m.order.source.date}: confirm that it is still taken"
        for m in medications
        if m.order.role is OrderRole.CURRENT and m.order.source.date is not None and m.order.source.date < oldest
    ]


def _wash_out(*medications: Medication) -> list[str]:
    stopped = [(m.called, f" on {m.order.ended}" if m.order.ended else "") for m in medications if m.order.role is OrderRole.RECENT]
    return [f"{name} was stopped{when}; the label asks for an interval" for name, when in stopped]


def _borrowed(owner: Medication) -> list[str]:
    return [f"no label of {owner.called} itself is in the release; this is what the labels of its ingredients say"] if owner.borrowed else []
