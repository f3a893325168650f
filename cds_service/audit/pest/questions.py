"""The dose questions of an order: one by the label that judges it, and for a combination one an ingredient by the ceilings of that ingredient's label."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cds_service.audit.checks.protocol import Case
from cds_service.audit.evidence import Statement, statements
from cds_service.audit.knowledge import VIEWS, DossierView
from cds_service.audit.pest.applicability import applied
from cds_service.audit.pest.compare import Fit
from cds_service.audit.pest.dosing import Dosing
from cds_service.audit.pest.forms import of_the_form
from cds_service.audit.pest.indicated import for_the_indicated
from cds_service.audit.pest.indications import uses_of
from cds_service.audit.pest.points import widened
from cds_service.audit.pest.routes import by_each_route, of_the_route
from cds_service.audit.pest.sizes import BodySizes
from cds_service.audit.roster import Medication
from cds_service.audit.select import select_label
from ontology.model.guards import Truth
from ontology.store.records import Rule


def dosing_of(case: Case, medication: Medication) -> Dosing:
    """The dose question of a draft order."""
    facts = case.profile.at(medication)
    doses = widened(of_the_form(of_the_route(_said(medication, lambda view: view.doses), medication.route), medication))
    # a ceiling on the ingredient holds in whatever column it is printed
    limits = of_the_route(_said(medication, lambda view: view.limits), medication.route)
    labelled = tuple(r for view in medication.views for r in view.indications)
    doses = for_the_indicated(doses, labelled)
    uses = uses_of(case.profile, medication, tuple(s.rule for s in (*doses, *limits)), labelled)
    rules = applied(doses, facts, case.profile, uses)
    ceilings = applied(limits, facts, case.profile, uses, everybody=True)
    return Dosing(case, medication, facts, uses, BodySizes(facts), tuple(rules), tuple(ceilings), bool(doses) and not rules, tuple(doses))


def open_by_route(case: Case, medication: Medication) -> tuple[Dosing, ...]:
    """The dose question by each route, where the order names none and its dose is right by one route and wrong by another; else none."""
    asked = [(d, judged) for by_it in by_each_route(case, medication) if (judged := is_judged_wrong(d := dosing_of(case, by_it))) is not None]
    return tuple(d for d, _ in asked) if len({judged for _, judged in asked}) > 1 else ()


def is_judged_wrong(dosing: Dosing) -> bool | None:
    """Whether the dose is wrong whatever is not known; None where nothing that surely holds speaks of it."""
    verdict = dosing.unanimous(dosing.verdict())
    if any(e.applied.truth is Truth.TRUE and not e.needs for e in dosing.excesses()):
        return True
    return None if verdict.fit is Fit.NONE or dosing.lacking() else dosing.is_wrong(verdict)


def _said(medication: Medication, rules: Callable[[DossierView], tuple[Rule, ...]]) -> Iterator[Statement]:
    """The statements of the label that judges the order."""
    for view, choice in zip(medication.views, medication.choices, strict=True):
        yield from statements(medication, ((view, choice, rule) for rule in rules(view)), other_labels=False)


def ingredient_dosings(case: Case, medication: Medication) -> Iterator[Dosing]:
    """For a combination with a label of its own: what the labels of its ingredients allow at most, summed over all orders of the ingredient."""
    if len(medication.ingredients) < 2 or medication.borrowed:
        return
    facts = case.profile.at(medication)
    for ingredient in sorted(medication.ingredients):
        view = VIEWS.view(case.knowledge, ingredient)
        if view is None or not view.limits:
            continue
        choice = select_label(medication.order, medication.drug, view.dossier.labels)
        limits = list(statements(medication, ((view, choice, rule) for rule in view.limits), other_labels=False)) if choice.label else []
        uses = uses_of(case.profile, medication, tuple(s.rule for s in limits))
        ceilings = applied(limits, facts, case.profile, uses, everybody=True)
        if ceilings:
            yield Dosing(case, medication, facts, uses, BodySizes(facts), (), tuple(ceilings), False, (), ingredient)
