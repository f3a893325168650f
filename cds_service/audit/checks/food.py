"""Food, alcohol, tobacco and herbs: what the label says of them, held against what the record says that the patient takes.

A warning needs a patient who takes it. Where the record does not say so, advice that asks to avoid something or to keep it apart is information
to counsel by; what only asks for caution is left to the label.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from cds_service.audit.checks.interaction_match import LOUD, QUIET
from cds_service.audit.checks.interaction_words import FIRM, spoken_action
from cds_service.audit.checks.protocol import Case, drug_ref
from cds_service.audit.clinical import table
from cds_service.audit.evidence import Statement, merge, statements, titled
from cds_service.audit.judgement import needs_judgement
from cds_service.audit.knowledge import Terms, entities_named
from cds_service.audit.outcomes import Category, Certainty, Clear, Counterpart, Finding, PathStep, Result, RiskType
from cds_service.audit.profile.habits import TAKEN, Habit, unordered
from cds_service.audit.roster import Medication
from ontology.model.advice import ACTION_RANK, Action, Advice
from ontology.model.claims import Polarity
from ontology.model.entities import EntityType
from ontology.model.guards import Outcome, Truth, evaluate
from ontology.model.identifiers import EntityId
from ontology.model.predicates import Stratum

_COUNSELLED = frozenset({EntityType.FOOD, EntityType.LIFESTYLE})
"""What is worth a word to every patient; herbs are where the record names them."""


@dataclass(frozen=True, slots=True)
class _Said:
    statement: Statement
    action: Action
    outcome: Outcome

    @property
    def firm(self) -> bool:
        return self.statement.rule.strength in FIRM


class FoodCheck:
    """Draft orders against food, drink, tobacco and herbs that are no orders."""

    name = "food"
    category = Category.INTERACTION
    stratum = Stratum.RELATIONAL
    kinds = ()

    def judge(self, case: Case, medication: Medication) -> Iterator[Result]:
        """The foods that the label of a draft order speaks of."""
        groups = {} if medication.use or not medication.systemic else _by_food(case, medication)
        habits = case.profile.habits if groups else {}
        found = [f for _, said in sorted(groups.items()) if (f := _finding(case, medication, said, habits)) is not None]
        yield from found
        if not found:
            yield Clear(self.name, drug_ref(medication))


def _by_food(case: Case, medication: Medication) -> Mapping[str, list[_Said]]:
    """The statements that hold, by the name of what they are on."""
    terms = case.knowledge.terminology
    left_out, facts = _left_out(terms), case.profile.at(medication)
    ordered = frozenset(i for m in (*case.roster.taken, *case.roster.recent) for i in m.ingredients)
    also = unordered(terms) - ordered
    found: dict[str, list[_Said]] = {}
    rules = (
        (view, choice, rule)
        for view, choice in zip(medication.views, medication.choices, strict=True)
        for food, stated in (*view.foods.items(), *((t, view.partners[t]) for t in view.partners.keys() & also))
        if food not in left_out and food not in ordered
        for rule in stated
        if rule.polarity is Polarity.POSITIVE
    )
    for statement in statements(medication, rules, other_labels=True):
        payload = statement.rule.payload
        outcome = evaluate(statement.rule.guard, facts)
        if not isinstance(payload, Advice) or not (outcome.truth is Truth.TRUE or needs_judgement(outcome)):
            continue
        action = spoken_action(statement, payload.strictest)
        if action not in QUIET:
            found.setdefault(terms.name(statement.rule.object), []).append(_Said(statement, action, outcome))
    return found


def _finding(case: Case, medication: Medication, said: list[_Said], habits: Mapping[EntityId, Habit]) -> Finding | None:
    group = sorted(said, key=lambda s: (not s.firm, ACTION_RANK.index(s.action), not s.statement.chosen, s.statement.rule.key))
    lead = group[0]
    food = lead.statement.rule.object
    habit = next((habits[s.statement.rule.object] for s in group if s.statement.rule.object in habits), None)
    if habit is None and not (lead.action in LOUD and lead.firm and food.type in _COUNSELLED):
        return None
    rule = lead.statement.rule
    payload = rule.payload
    cap, qualifiers = _shown_as(lead, habit, rule.object_name)
    return Finding(
        check="food",
        category=Category.INTERACTION,
        risk=RiskType.INTERACTION_DRUG_FOOD,
        drug=drug_ref(medication),
        other=Counterpart("food", rule.object_name, rule.words),
        action=lead.action,
        hazard="food",
        certainty=habit.certainty if habit else Certainty.TEXT,
        evidence=titled(merge(s.statement.evidence() for s in group), case.knowledge),
        rules=tuple(dict.fromkeys(s.statement.claims[0].id for s in group)),
        path=(PathStep(medication.called, "interacts with", rule.object_name, lead.statement.claims[0].id),),
        data=(medication.order.source, *((habit.source,) if habit else ()), *case.profile.data_of(lead.outcome.used)),
        subject_key=str(food),
        qualifiers=qualifiers,
        cap=cap,
        strength=rule.strength,
        basis=rule.basis,
        effect=payload.effect if isinstance(payload, Advice) else None,
        orders=(medication.reference,),
    )


def _shown_as(lead: _Said, habit: Habit | None, food: str) -> tuple[str | None, tuple[str, ...]]:
    """The most that the finding is shown as, with what the card adds."""
    judged = ("the label limits this to cases that need your judgement; see the quoted sentence",) if needs_judgement(lead.outcome) else ()
    if habit is None:
        return "info", (f"the record does not say that the patient takes {food}: advise before the first dose", *judged)
    if habit.noted:
        return "info" if judged else "warning", (f"a note says “{habit.name}”: confirm with the patient", *judged)
    return "warning" if judged else None, (f"recorded: {habit.name}", *judged)


@cache
def _left_out_names() -> tuple[str, ...]:
    return tuple(table("foods")["left_out"]["names"])


def _left_out(terms: Terms) -> frozenset[EntityId]:
    return entities_named(terms, _left_out_names(), TAKEN)
