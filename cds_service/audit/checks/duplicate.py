"""The same base ingredient in two orders that act on the whole body at the same time.

Renewals, replacements, alternatives, loading doses, steps of a taper, parts of one day, flushes and carriers are no duplicates. Every finding cites where the
labels say that the ingredient is in both products.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from cds_service.audit.checks.protocol import Case, counterpart, drug_ref
from cds_service.audit.clinical import order_uses
from cds_service.audit.doses import strength_of
from cds_service.audit.evidence import composition, merge
from cds_service.audit.knowledge import entities_named
from cds_service.audit.outcomes import Category, Certainty, Clear, Finding, NotEvaluated, NotEvaluatedReason, PathStep, Result, RiskType, TraceStep
from cds_service.audit.pest.parted_day import are_parts_of_a_day
from cds_service.audit.roster import Medication
from cds_service.audit.site import Shared
from cds_service.intake.prescription import OrderIntent, OrderRole
from ontology.model.advice import Action
from ontology.model.claims import Strength
from ontology.model.entities import EntityType
from ontology.model.identifiers import EntityId
from ontology.model.predicates import Stratum
from ontology.terms.identity import IngredientRef

_ONE_COURSE = frozenset({OrderIntent.RENEWAL, OrderIntent.REPLACEMENT, OrderIntent.ALTERNATIVE, OrderIntent.ONE_TIME, OrderIntent.PROTOCOL})


class DuplicateCheck:
    """Duplicate ingredients, combination products by ingredient."""

    name = "duplicate"
    category = Category.DUPLICATE
    stratum = Stratum.GRAPH
    kinds = ("medications",)

    def judge(self, case: Case, medication: Medication) -> Iterator[Result | TraceStep]:
        """The duplicates of a draft order among everything taken beside it."""
        carriers = entities_named(case.knowledge.terminology, order_uses().carriers, (EntityType.INGREDIENT,))
        found = False
        for other in others_of(case, medication):
            if medication.ingredients.isdisjoint(other.ingredients) or one_course(medication, other) or are_parts_of_a_day(medication, other):
                continue
            for ingredient in medication.drug.ingredients:
                if ingredient.id not in other.ingredients or ingredient.id in carriers:
                    continue
                if (intended := _intended(case, medication, ingredient)) is not None:
                    yield intended
                    continue
                found = True
                yield _finding(case, medication, other, ingredient) or NotEvaluated(
                    self.name,
                    self.category,
                    drug_ref(medication),
                    NotEvaluatedReason.NO_KNOWLEDGE,
                    f"{ingredient.name} seems to be in two orders ({medication.order.text}; {other.order.text}), but no label in the release says so",
                )
        if not found:
            yield Clear(self.name, drug_ref(medication))


def _intended(case: Case, medication: Medication, ingredient: IngredientRef) -> TraceStep | None:
    """The step that says that so many orders of the ingredient are intended at this site, or None."""
    orders = sum(ingredient.id in m.ingredients and m.systemic and not m.use for m in case.roster.taken)
    allowed = case.site.allowance(Shared.INGREDIENT, ingredient.id, orders, case.knowledge.terminology)
    if allowed is None:
        return None
    return TraceStep("judge", f"{orders} orders of {ingredient.name}: the site allows {allowed.most} ({allowed.why})", (medication.reference,))


def others_of(case: Case, medication: Medication) -> Iterator[Medication]:
    """The systemic orders taken beside a draft, every pair once."""
    if not medication.systemic or medication.use:
        return
    for other in case.roster.beside[medication.reference]:
        if other.systemic and not other.use and other.order.role is not OrderRole.RECENT:
            yield other


def one_course(first: Medication, second: Medication) -> bool:
    """True when the two orders belong to one course, or exclude each other."""
    pair = (first, second)
    uses = order_uses()
    if any(m.order.intent in _ONE_COURSE for m in pair) and all(m.order.role is OrderRole.DRAFT for m in pair):
        return True
    if any(m.order.intent in (OrderIntent.ALTERNATIVE, OrderIntent.ONE_TIME) or m.says(uses.alternative) for m in pair):
        return True
    if first.order.prior == second.reference or second.order.prior == first.reference:
        return True
    if first.order.group is not None and first.order.group == second.order.group:
        return True
    together = all(m.order.role is OrderRole.DRAFT for m in pair)
    return together and any(m.says(uses.loading) or m.says(uses.taper) for m in pair)


def _finding(case: Case, medication: Medication, other: Medication, ingredient: IngredientRef) -> Finding | None:
    mine = composition(medication, ingredient.id, ingredient.name, case.knowledge)
    theirs = composition(other, ingredient.id, ingredient.name, case.knowledge)
    evidence = merge((mine, theirs))
    if not evidence:
        return None
    ref = drug_ref(medication, *((other,) if other.ingredients == medication.ingredients else ()))
    strengths = _strengths_of_one_course(medication, other)
    qualifiers = ["both orders are being signed together: if they are strengths of one course, nothing needs to change"] if strengths else []
    claims = tuple(e.claim for e in evidence if e.claim)
    return Finding(
        check="duplicate",
        category=Category.DUPLICATE,
        risk=RiskType.DUPLICATE_INGREDIENT,
        drug=structs.replace(ref, shown=medication.order.text or ref.shown),
        other=counterpart(other, ingredient.name, other.order.text),
        action=Action.AVOID,
        hazard="combination",
        certainty=Certainty.CODED if "name" not in (medication.drug.how, other.drug.how) else Certainty.STATED,
        evidence=evidence,
        rules=claims,
        path=(_contains(medication, ingredient), _contains(other, ingredient)),
        data=tuple(dict.fromkeys((medication.order.source, other.order.source))),
        subject_key="",
        qualifiers=tuple(qualifiers),
        cap="info" if strengths else None,
        strength=Strength.SHOULD,
        orders=tuple(sorted({medication.reference, other.reference})),
    )


def _strengths_of_one_course(first: Medication, second: Medication) -> bool:
    """True for two strengths of one drug that are signed together: a course may need both."""
    if first.ingredients != second.ingredients or any(m.order.role is not OrderRole.DRAFT for m in (first, second)):
        return False
    strengths = (strength_of(first.order), strength_of(second.order))
    return None not in strengths and strengths[0] != strengths[1]


def _contains(medication: Medication, ingredient: IngredientRef) -> PathStep:
    return PathStep(medication.order.text or medication.called, "contains", ingredient.name, _claim_of(medication, ingredient.id))


def _claim_of(medication: Medication, ingredient: EntityId) -> str | None:
    rules = (r for v in medication.views for r in v.compositions if r.predicate == "has_ingredient" and r.object == ingredient)
    return next((r.claims[0].id for r in rules), None)
