"""What restricts a partner of the product itself: roles it must have besides, what is excepted from it, its dose and route, the time since it was stopped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from kb_builder.propose.conditions.restrictions import Restriction, exposure, stop_window
from kb_builder.propose.interactions.companions import booster_behind, given_besides, not_taken
from kb_builder.propose.interactions.partners import Cast, only_names
from kb_builder.propose.reading.blocks import Statement
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.advice import Action, Step
from ontology.model.entities import EntityType
from ontology.model.facts import DoseBounds
from ontology.model.guards import AnyOf, Exposure, Not, Opaque
from ontology.model.identifiers import EntityId
from ontology.model.quantities import Unit

_ALREADY_TAKING = re.compile(
    r"\W*(?:in|for|among)\s+(?:[\w-]+\s+){0,3}(?:patients|those|individuals|women)\s+(?:who are\s+)?(?:already\s+|also\s+|currently\s+)?(?:taking|receiving|on|treated with|maintained on)\s[^.;]{3,120}?,\s",
    re.IGNORECASE,
)
_REGIMEN = re.compile(
    r"\s+(?P<amount>\d[\d,]*(?:\.\d+)?)\s?(?P<unit>mg|mcg|g)\s+(?P<times>(?:once|twice|(?:two|three|four) times)\s+(?:daily|a day|per day))"
    r"(?:\s+for (?:more|longer) than [\w ]{1,20}?)?(?:\s+(?:is|are|should|must)\b|\s*[.;])",
    re.IGNORECASE,
)
_STOP = frozenset({Action.CONTRAINDICATED, Action.AVOID, Action.NOT_RECOMMENDED})
_IN_BRACKET = re.compile(r"\s*\((?:[^()]*[\s,])?")
_CLOSE = 80
"""Code points from a drug to the one without which it is meant."""
_LISTED = re.compile(r"(?:(?:and|or|and/or)\s+)?", re.IGNORECASE)
"""What stands between a comma and the next member of a list."""


def partner_limits(blank: str, thing: Thing, target: EntityId, statement: Statement, steps: tuple[Step, ...], people: Cast) -> Iterator[Restriction]:
    """The restrictions of `target`, one of the entities of a thing, in the statement that asks for `steps`."""
    if thing.joint:
        yield from (Restriction(Exposure(t.id), thing.start, thing.end) for t in thing.targets[:-1])
    if people.minus.get(thing):
        yield Restriction(Exposure(target, minus=people.minus[thing]), thing.start, thing.end)
    if not (statement.start <= thing.start and thing.end <= statement.end):
        return
    yield from _third_drugs(blank, thing, statement)
    yield from _without(blank, thing, statement)
    booster = booster_behind(blank, thing, statement.things)
    if booster is not None:
        yield Restriction(Exposure(booster.targets[0].id), booster.start, booster.end)
    yield from _amount_of_group(blank, thing, statement)
    taken = exposure(blank, thing, target)
    if taken is not None and not (isinstance(taken.guard, Opaque) and any(s.action is Action.ADJUST_DOSE for s in steps)):
        yield taken
    if taken is None and any(s.action in _STOP for s in steps):
        yield from _full_dose(blank, thing, target)
    window = stop_window(blank, statement.start, statement.end, target, statement.things)
    if window is not None and not any(s.action is Action.SEPARATE for s in steps):
        yield window


def _full_dose(blank: str, thing: Thing, target: EntityId) -> Iterator[Restriction]:
    """The regimen behind a drug, as the least that is forbidden ("use of X 600 mg twice daily is not recommended" says nothing of 100 mg)."""
    m = _REGIMEN.match(blank, thing.end) if thing.type in (EntityType.INGREDIENT, EntityType.DRUG) else None
    unit = Unit.find(m["unit"].lower()) if m is not None else None
    if m is not None and unit is not None:
        bounds = DoseBounds(Decimal(m["amount"].replace(",", "")), None, unit.code, per="dose")
        yield Restriction(Exposure(target, dose=bounds), m.start("amount"), m.end("times"))


def _amount_of_group(blank: str, thing: Thing, statement: Statement) -> Iterator[Restriction]:
    """The amount that the words before a group give, of a member in the bracket behind it ("large amounts of depressants (alcohol, ...)")."""
    group = next((t for t in reversed(statement.things) if t.end <= thing.start and _IN_BRACKET.fullmatch(blank, t.end, thing.start)), None)
    if group is None or group.type not in (EntityType.DRUG_CLASS, EntityType.ENZYME_ROLE):
        return
    taken = exposure(blank, group, group.targets[0].id)
    if taken is not None and isinstance(taken.guard, Opaque):
        yield taken


def _without(blank: str, thing: Thing, statement: Statement) -> Iterator[Restriction]:
    """What patients must not take besides for a sentence on two drugs to hold ("BRAND and X without Y is not recommended")."""
    absent = not_taken(blank, statement.start, statement.things)
    guards = tuple(dict.fromkeys(Exposure(target.id) for t in absent for target in t.targets))
    if guards and 0 <= absent[0].start - thing.end <= _CLOSE:
        entities = tuple(target.entity for t in absent for target in t.targets if target.entity is not None)
        yield Restriction(Not(guards[0] if len(guards) == 1 else AnyOf(guards)), absent[0].start, absent[-1].end, entities)


def _third_drugs(blank: str, thing: Thing, statement: Statement) -> Iterator[Restriction]:
    """What patients take already where a sentence then asks for something of the product with another ("In patients taking X, avoid it with Y")."""
    given = given_besides(blank, statement.start, statement.end, statement.things)
    if given and thing not in given:
        yield _exposed(given)
    clause = _ALREADY_TAKING.match(blank, statement.start, statement.end)
    if clause is None or any(_LISTED.fullmatch(blank, clause.end(), t.start) for t in statement.things if t.start >= clause.end()):
        return
    if thing.start < clause.end() or not any(t.own and t.start >= clause.end() for t in statement.things):
        return
    third = [t for t in statement.things if t.kind is Kind.PARTNER and not t.own and t.end <= clause.end()]
    if third:
        yield _exposed(third)


def _exposed(things: Sequence[Thing]) -> Restriction:
    """Taking one of the drugs."""
    guards = tuple(dict.fromkeys(Exposure(target.id) for t in things for target in t.targets))
    entities = tuple(target.entity for t in things for target in t.targets if target.entity is not None)
    return Restriction(guards[0] if len(guards) == 1 else AnyOf(guards), things[0].start, things[-1].end, entities)


def without_told(blank: str, found: Sequence[Restriction], things: Sequence[Thing], people: Cast) -> list[Restriction]:
    """The restrictions without unread exceptions that say no more than which drugs are excepted: those the exposure holds."""
    excepted = [i for ids in people.minus.values() for i in ids]
    return [r for r in found if not (isinstance(r.guard, Opaque) and only_names(blank, r.start, r.end, things, excepted))]
