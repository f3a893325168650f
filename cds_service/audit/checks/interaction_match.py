"""Statements that two orders' labels make about each other: the set join, the guards, and how far each statement may be shown."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, structs

from cds_service.audit.checks.interaction_words import FIRM, asks_for_another_method, is_for_other_purpose, is_on_allergy, listed_for, lowered, spoken_action
from cds_service.audit.checks.protocol import Case
from cds_service.audit.clinical import words
from cds_service.audit.dose_caps import dose_cap, within
from cds_service.audit.evidence import Statement, statements
from cds_service.audit.judgement import needs_judgement
from cds_service.audit.knowledge import DossierView, Knowledge, once_a_view
from cds_service.audit.levels import level_reached
from cds_service.audit.pest.company import is_dosed_beside
from cds_service.audit.roster import Medication, Reach
from cds_service.audit.select import LabelChoice
from cds_service.intake.prescription import OrderRole
from ontology.model.advice import Action, Advice
from ontology.model.claims import Basis, Polarity, Strength
from ontology.model.entities import EntityType
from ontology.model.facts import Axis, ExposureState, Whose
from ontology.model.guards import Category, Exposure, Guard, Outcome, Truth, evaluate, leaves
from ontology.model.identifiers import EntityId
from ontology.store.records import Rule

QUIET = frozenset({Action.NO_ADJUSTMENT, Action.NO_RECOMMENDATION, Action.NOT_STUDIED})
"""Actions that raise nothing."""

LOUD = frozenset({Action.CONTRAINDICATED, Action.STOP, Action.AVOID, Action.NOT_RECOMMENDED, Action.ADJUST_DOSE, Action.SEPARATE})
"""Actions that ask for another order."""

_WATCHING = frozenset({Action.MONITOR, Action.CAUTION})
_KINDS = {"inhibitor": "modulators", "inducer": "modulators", "substrate": "substrates"}
_WASH_OUT = frozenset({ExposureState.STOPPED_WITHIN, ExposureState.EVER})


class PairStatement(Struct, frozen=True):
    """One label's statement about a partner: by what the partner is meant, its truth for this patient, and the most it may be shown as.

    `depth` counts what the target descends from: the deeper, the narrower.
    """

    statement: Statement
    owner: Medication
    partner: Medication
    target: EntityId
    reach: Reach
    action: Action
    outcome: Outcome
    cap: str | None
    qualifiers: tuple[str, ...]
    depth: int
    strength: Strength

    @property
    def advice(self) -> Advice:
        """The statement's payload."""
        payload = self.statement.rule.payload
        if not isinstance(payload, Advice):
            raise TypeError(f"rule {self.statement.rule.key} carries {type(payload).__name__}, an interaction carries Advice")
        return payload

    @property
    def direct(self) -> bool:
        """True when the statement names the partner's ingredient itself, not a class or role of it."""
        return self.reach.row is None

    @property
    def firm(self) -> bool:
        """True when the label says must or should, not that something may be considered."""
        return self.strength in FIRM

    @property
    def denies(self) -> bool:
        """True when the label says that nothing needs to be done."""
        return self.statement.rule.polarity is Polarity.NEGATIVE or self.action is Action.NO_ADJUSTMENT

    @property
    def judged(self) -> bool:
        """True when it is UNKNOWN only because a person must judge its words."""
        return needs_judgement(self.outcome)


def pair_statements(case: Case, owner: Medication, partner: Medication) -> Iterator[PairStatement]:
    """Every statement of the owner's labels whose object the partner is or belongs to, and whose guard is not FALSE."""
    for view, choice in _sources(owner):
        partners = _partners(view)
        if partners.keys().isdisjoint(partner.closure):
            continue
        stopped = tuple(m for m in (owner, partner) if m.order.role is OrderRole.RECENT)
        facts = case.profile.at(owner, partner)
        for target in partners.keys() & partner.closure.keys():
            rules = ((view, choice, rule) for rule in partners[target])
            for statement in statements(owner, rules, other_labels=True):
                guard = statement.rule.guard
                if not all(_has_window(guard, m, owner) for m in stopped) or is_for_other_purpose(statement, partner, target, case.knowledge):
                    continue
                outcome = evaluate(guard, facts)
                if (
                    outcome.truth is not Truth.FALSE
                    and not _idle_role(statement, target, partner, case.knowledge)
                    and not _idle_route(statement, owner, partner)
                ):
                    yield _weigh(case, statement, owner, partner, target, outcome)


def _sources(owner: Medication) -> Iterator[tuple[DossierView, LabelChoice]]:
    """What speaks for an order: its labels, and what is said of the herbs in it."""
    yield from zip(owner.views, owner.choices, strict=True)
    for herb in owner.herbs:
        yield herb, LabelChoice(None, "said of a herb in it")


@once_a_view
def _partners(view: DossierView) -> dict[EntityId, tuple[Rule, ...]]:
    """The rules of a view by what the partner is, without those on an allergy."""
    listed = ((target, tuple(r for r in rules if not is_on_allergy(r))) for target, rules in view.partners.items())
    return {target: rules for target, rules in listed if rules}


def _own_dose(advice: Advice) -> bool:
    """True when the change is one of the label's own drug."""
    return all(step.whose is not Whose.PARTNER for step in advice.steps if step.action is Action.ADJUST_DOSE)


def _has_window(guard: Guard | None, stopped: Medication, owner: Medication) -> bool:
    """True when a guard speaks of the time after this drug was stopped: a window of the label's own drug says nothing of a partner that is no longer taken."""
    whose = Whose.PARTNER if stopped is owner else Whose.SUBJECT
    windows = (leaf for leaf in leaves(guard) if isinstance(leaf, Exposure) and leaf.state in _WASH_OUT)
    return any(leaf.whose is not whose and leaf.target in stopped.closure for leaf in windows)


def _weigh(case: Case, statement: Statement, owner: Medication, partner: Medication, target: EntityId, outcome: Outcome) -> PairStatement:
    """The statement with the caps that route, role strength, judgement, its words and an already respected dose put on it."""
    rule = statement.rule
    advice = rule.payload if isinstance(rule.payload, Advice) else None
    action = spoken_action(statement, advice.strictest) if advice else Action.CAUTION
    caps: list[str] = []
    said: list[str] = []
    quote = statement.evidence()[0].span.quote
    reached = level_reached(case.profile, owner, quote, case.knowledge.terminology) if action in _WATCHING else None
    if reached is not None:
        action, outcome = Action.ADJUST_DOSE, structs.replace(outcome, used=(*outcome.used, reached.fact))
        said.append(reached.words)
    for m in _unmeant(statement, owner, partner):
        caps.append("info")
        said.append(f"{m.called} is given by a route ({m.route or 'local'}) from which little reaches the body")
    if rule.basis in (Basis.OTHER_FORMULATION, Basis.PREDICTED):
        caps.append("info")
        said.append(
            "the label reports this of another formulation" if rule.basis is Basis.OTHER_FORMULATION else "the label predicts this, it is not established"
        )
    if target.type == EntityType.ENZYME_ROLE and not _counts(target, partner, case.knowledge):
        caps.append("info")
        said.append(f"{partner.called} has this role only weakly, or its strength is not known")
    if needs_judgement(outcome):
        caps.append("warning" if action in LOUD else "info")
        said.append("the label limits this to cases that need your judgement; see the quoted sentence")
    for level, why in lowered(statement, partner, target, action, case.knowledge) if action in LOUD and reached is None else ():
        caps.append(level)
        said.append(why)
    limit = dose_cap(advice, quote, owner, partner) if advice and action is Action.ADJUST_DOSE else None
    if limit is not None and within(limit[0].order, limit[1]):
        caps.append("info")
        said.append("the ordered dose already respects the label's limit for this combination")
    elif advice and action is Action.ADJUST_DOSE and reached is None and "info" not in caps and _own_dose(advice) and is_dosed_beside(case, owner, partner):
        caps.append("info")
        said.append("the ordered dose already is what the label states for this combination")
    depth = len(case.knowledge.terminology.ancestors(target))
    cap = min(caps, key=("info", "warning").index) if caps else None
    firmer = reached is not None or (action in LOUD and rule.strength not in FIRM and asks_for_another_method(statement))
    strength = Strength.SHOULD if firmer else rule.strength
    return PairStatement(statement, owner, partner, target, partner.closure[target], action, outcome, cap, tuple(dict.fromkeys(said)), depth, strength)


def _unmeant(statement: Statement, owner: Medication, partner: Medication) -> list[Medication]:
    """The drugs of the pair that are given locally although the statement speaks of the drug in general: neither guard nor words name the route or form."""
    return [m for m in (owner, partner) if not m.systemic and (m is partner or not statement.chosen) and not _names_route(statement, m)]


def _names_route(statement: Statement, medication: Medication) -> bool:
    guarded = {v for leaf in leaves(statement.rule.guard) if isinstance(leaf, Category) and leaf.axis is Axis.ROUTE for v in leaf.values}
    said = statement.evidence()[0].span.quote.casefold()
    return medication.route in guarded or any(word and word.casefold() in said for word in (medication.route, medication.order.form or medication.drug.form))


def _idle_route(statement: Statement, owner: Medication, partner: Medication) -> bool:
    """True for a statement that only asks to watch a drug in general, where the drug is given locally and little of it reaches the body."""
    payload = statement.rule.payload
    watching = isinstance(payload, Advice) and payload.strictest in (Action.MONITOR, Action.CAUTION)
    return watching and bool(_unmeant(statement, owner, partner))


def _idle_role(statement: Statement, target: EntityId, partner: Medication, knowledge: Knowledge) -> bool:
    """True for a statement that only asks to watch drugs with a role, where the partner has the role weakly or without a known grade."""
    payload = statement.rule.payload
    watching = isinstance(payload, Advice) and payload.strictest in (Action.MONITOR, Action.CAUTION)
    return watching and target.type == EntityType.ENZYME_ROLE and not _counts(target, partner, knowledge)


def _counts(role: EntityId, partner: Medication, knowledge: Knowledge) -> bool:
    """Whether a partner's role is strong enough for a rule on it: the rule names a grade, the partner has one that counts for the kind, or is listed for a transporter."""
    kind = next((k for k in _KINDS if role.code.endswith(f"-{k}")), None)
    if kind is None or partner.ingredients & listed_for(role, knowledge):
        return True
    wanted = tuple(f"{role.code}-{grade}" for grade in words("roles", _KINDS[kind]))
    return any(e.type == EntityType.ENZYME_ROLE and e.code in wanted for e in partner.closure)
