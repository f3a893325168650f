"""How a recorded allergy meets an order: the drug itself, a class or component, what its label forbids after an allergy, cross-reaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum

from cds_service.audit.clinical import setting, words
from cds_service.audit.evidence import Statement, statements
from cds_service.audit.knowledge import VIEWS, DossierView, Knowledge, entities_named
from cds_service.audit.roster import Medication, Reach
from cds_service.audit.select import LabelChoice
from cds_service.intake.prescription import AllergyFact
from ontology.model.entities import EntityType
from ontology.model.facts import Facts
from ontology.model.guards import Truth, evaluate
from ontology.model.identifiers import EntityId
from ontology.store.records import ClaimRecord, ClosureRow
from ontology.terms.identity import ConceptMatch


class Way(IntEnum):
    """How an allergy meets an order, the surest first."""

    SAME = 0  # the ingredient itself
    LABEL = 1  # the label forbids the drug after an allergy to this, or to a class of this
    MEMBER = 2  # the record names a class, the drug is one of it
    EXCIPIENT = 3  # a label of the order says that the product contains it
    CROSS = 4  # a recorded cross-reaction


@dataclass(frozen=True, slots=True)
class AllergyMatch:
    """One way an allergy meets an order: the allergen of the record, by which entity they meet, and the label's statements that say so.

    `allergen_row` is the closure row by which the recorded substance reaches the meeting point, `reach` how the order does.
    """

    way: Way
    allergen: ConceptMatch
    target: EntityId
    target_name: str
    statements: tuple[Statement, ...]
    reach: Reach | None
    allergen_row: ClosureRow | None


def allergy_matches(medication: Medication, allergy: AllergyFact, knowledge: Knowledge, facts: Facts) -> Iterator[AllergyMatch]:
    """Every way in which one recorded allergy meets an order; an order's excipients count as its label tells them."""
    own = {r.object for v in medication.views for r in v.compositions if r.predicate == "has_ingredient"} | medication.ingredients | {medication.drug.subject}
    by_use = entities_named(knowledge.terminology, words("allergy", "by_use"), (EntityType.DRUG_CLASS,))
    for allergen in allergy.substances:
        if allergen.id in by_use:
            continue
        above = closure_of(allergen.id, knowledge)
        forbidden = list(_forbidding(medication, allergen, above, own, facts))
        if allergen.id in medication.ingredients:
            yield AllergyMatch(Way.SAME, allergen, allergen.id, allergen.name, _about(forbidden, own), None, None)
            continue
        for statement, row in forbidden:
            rule = statement.rule
            if rule.object not in own and rule.object not in by_use:
                reach = medication.closure.get(rule.object)
                yield AllergyMatch(Way.LABEL, allergen, rule.object, rule.object_name, (statement,), reach, row)
        if allergen.id in medication.closure:
            yield AllergyMatch(Way.MEMBER, allergen, allergen.id, allergen.name, _about(forbidden, own), medication.closure[allergen.id], None)
            continue
        yield from _contained(medication, allergen, above, knowledge)
        meeting = next((t for t in (allergen.id, *above) if t in medication.crosses and t not in by_use), None)
        if meeting is not None:
            reach = medication.crosses[meeting]
            yield AllergyMatch(Way.CROSS, allergen, meeting, reach.row.target_name if reach.row else allergen.name, (), reach, above.get(meeting))


def _contained(medication: Medication, allergen: ConceptMatch, above: Mapping[EntityId, ClosureRow | None], knowledge: Knowledge) -> Iterator[AllergyMatch]:
    """The excipients of the order's product that are the recorded allergen or a class of it."""
    meant = {allergen.id, *above, *_as_excipient(allergen.id, knowledge)}
    for view, choice in zip(medication.views, medication.choices, strict=True):
        for rule in view.excipients:
            claims = tuple(c for c in rule.claims if rule.object in meant and _tells(c, view, choice, medication))
            if claims:
                target, first = rule.object, choice.label.document if choice.label else None
                statement = Statement(rule, view, choice, tuple(sorted(claims, key=lambda c: c.document != first)))
                yield AllergyMatch(Way.EXCIPIENT, allergen, target, rule.object_name, (statement,), None, above.get(target))


def _tells(claim: ClaimRecord, view: DossierView, choice: LabelChoice, medication: Medication) -> bool:
    """True for the label that judges the order; where the order names no product, for one that warns of what a product it may mean contains."""
    if choice.label is not None and claim.document == choice.label.document:
        return True
    if medication.drug.documents or not any(s.section in words("excipients", "warned_in") for s in claim.evidence):
        return False
    label = next((x for x in view.dossier.labels if x.document == claim.document), None)
    form = medication.order.form or medication.drug.form
    wanted = ((medication.route, label.routes), (form, label.forms)) if label is not None else ()
    return label is not None and all(not offered or one is None or one in offered for one, offered in wanted)


def _as_excipient(allergen: EntityId, knowledge: Knowledge) -> Iterator[EntityId]:
    """The excipient that an active ingredient is when it is not the active one."""
    for ingredient, excipient in setting("excipients", "of_ingredients"):
        if allergen in entities_named(knowledge.terminology, (ingredient,), (EntityType.INGREDIENT,)):
            yield from entities_named(knowledge.terminology, (excipient,), (EntityType.ALLERGEN,))


def closure_of(entity: EntityId, knowledge: Knowledge) -> Mapping[EntityId, ClosureRow | None]:
    """Everything that an allergen is or belongs to, with the row that says so where a dossier has one."""
    view = VIEWS.view(knowledge, entity) if entity.type in (EntityType.INGREDIENT, EntityType.DRUG) else None
    found: dict[EntityId, ClosureRow | None] = dict.fromkeys(sorted(knowledge.terminology.ancestors(entity)))
    if view is not None:
        found.update({t: row for t, row in view.reach.items() if row.relation != "ingredient"})
    return found


def _forbidding(
    medication: Medication, allergen: ConceptMatch, above: Mapping[EntityId, ClosureRow | None], own: set[EntityId] | frozenset[EntityId], facts: Facts
) -> Iterator[tuple[Statement, ClosureRow | None]]:
    """The label's statements on hypersensitivity whose object is the recorded allergen, a class of it, or the drug itself."""
    for view, choice in zip(medication.views, medication.choices, strict=True):
        for statement in statements(medication, ((view, choice, rule) for rule in view.allergies), other_labels=False):
            target = statement.rule.object
            if (target == allergen.id or target in above or target in own) and evaluate(statement.rule.guard, facts).truth is not Truth.FALSE:
                yield statement, above.get(target)


def _about(forbidden: list[tuple[Statement, ClosureRow | None]], own: set[EntityId] | frozenset[EntityId]) -> tuple[Statement, ...]:
    return tuple(s for s, _ in forbidden if s.rule.object in own)


def is_severe(allergy: AllergyFact) -> bool:
    """True when the record calls the reaction severe, or names one that excludes re-exposure."""
    told = " ".join(allergy.reactions).casefold()
    return allergy.severity == "severe" or allergy.criticality == "high" or any(w in told for w in words("severe_reactions"))


def is_side_effect(allergy: AllergyFact) -> bool:
    """True for an intolerance, or an entry whose only reactions are side effects of the drug."""
    if allergy.kind == "intolerance":
        return True
    return bool(allergy.reactions) and all(any(w in r.casefold() for w in words("side_effects")) for r in allergy.reactions) and not is_severe(allergy)


def stale_years() -> int:
    """Years after which a recorded reaction is said to be old."""
    return int(setting("allergy", "stale_years"))
