"""Antagonism: two orders with opposing effects of which no label speaks.

Where a label does, the interaction is its finding and is called an antagonism. What only the tables of effects say is information, with the
path shown. A drug and the antidote kept ready against it are care and raise nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from cds_service.audit.antidote_pairs import are_antidotes
from cds_service.audit.checks.interaction import partners_of
from cds_service.audit.checks.protocol import Case, counterpart, drug_ref
from cds_service.audit.effects import Opposition, claim_ids, has_effect, opposition
from cds_service.audit.evidence import cite_path
from cds_service.audit.outcomes import Category, Certainty, Clear, Finding, PathStep, Result, RiskType
from cds_service.audit.roster import Medication
from cds_service.intake.prescription import OrderRole
from ontology.model.advice import Action
from ontology.model.claims import Strength
from ontology.model.predicates import Stratum


class AntagonismCheck:
    """Drafts against what is taken beside them, by the effects of both."""

    name = "antagonism"
    category = Category.INTERACTION
    stratum = Stratum.GRAPH
    kinds = ("medications",)

    def judge(self, case: Case, medication: Medication) -> Iterator[Result]:
        """The orders that work against a draft order."""
        partners = partners_of(case, medication) if has_effect(medication, case.knowledge) else ()
        found = [f for partner in partners if (f := _finding(case, medication, partner)) is not None]
        yield from found
        if not found:
            yield Clear(self.name, drug_ref(medication))


def _finding(case: Case, first: Medication, second: Medication) -> Finding | None:
    pair = (first, second)
    met = opposition(first, second, case.knowledge)
    if met is None or any(m.use or not m.systemic or m.order.role is OrderRole.RECENT for m in pair) or are_antidotes(first, second, case.knowledge):
        return None
    if _spoken_of(first, second) or _spoken_of(second, first):
        return None
    evidence = cite_path(claim_ids(met), case.knowledge)
    if not evidence:
        return None
    name = case.knowledge.terminology.name
    return Finding(
        check="antagonism",
        category=Category.INTERACTION,
        risk=RiskType.ANTAGONISM,
        drug=drug_ref(first),
        other=counterpart(second, None),
        action=Action.CAUTION,
        hazard="combination",
        certainty=Certainty.CODED if "name" not in (first.drug.how, second.drug.how) else Certainty.STATED,
        evidence=evidence,
        rules=tuple(e.claim for e in evidence if e.claim),
        path=_path(case, first, second, met),
        data=(first.order.source, second.order.source),
        qualifiers=(f"{name(met.first.object)} and {name(met.second.object)} oppose each other; no label in the release speaks of this pair",),
        cap="info",
        strength=Strength.CONSIDER,
        orders=tuple(sorted({first.reference, second.reference})),
    )


def _spoken_of(owner: Medication, partner: Medication) -> bool:
    """True when a label of the owner says anything of the partner."""
    return any(view.partners.keys() & partner.closure.keys() for view in owner.views)


def _path(case: Case, first: Medication, second: Medication, met: Opposition) -> tuple[PathStep, ...]:
    name = case.knowledge.terminology.name
    mine, theirs, between = claim_ids(met)
    return (
        PathStep(first.called, "has the effect", name(met.first.object), mine),
        PathStep(name(met.first.object), "opposes", name(met.second.object), between),
        PathStep(second.called, "has the effect", name(met.second.object), theirs),
    )
