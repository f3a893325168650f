"""Whom a sentence is about that names nobody, or names only the noun of a group that stands above it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.interactions.memory import Directive, Scope
from kb_builder.propose.reading import cues
from kb_builder.propose.reading.blocks import Statement
from kb_builder.propose.reading.things import Thing
from ontology.model.advice import Action
from ontology.model.entities import EntityType

_GROUPS = (EntityType.DRUG_CLASS, EntityType.ENZYME_ROLE)
_OPEN_BRACKET = re.compile(r"\((?:[^()]|\([^()]*\))*$")
_CHANGED = re.compile(r"[↑↓⇑⇓]\s*$")
_UNCHANGED = re.compile(r"[↔⇔]\s*$")
_MILD = frozenset({Action.MONITOR, Action.ADJUST_DOSE, Action.CAUTION})
_INCLUDING = re.compile(r",?\s+including\s+(?:[\w-]+\s+){0,3}$", re.IGNORECASE)


def context(scope: Scope, lower: str) -> tuple[Thing, ...]:
    """The partners of a sentence of the interactions section that names none: the block's, or the last named ones where it points back."""
    if cues.is_of_their_substrates(lower):
        return ()
    if scope.cleared and cues.is_contrast(lower):
        return scope.cleared
    if cues.is_of_those_roles(lower) and any(t.type == EntityType.ENZYME_ROLE for t in scope.recent):
        return scope.recent
    if not scope.topics and cues.is_of_all_drugs(lower):
        return ()
    if scope.last and (not scope.topics or _narrow(scope.topics, scope.last) or _one_side(scope.topics, scope.last)):
        return scope.last
    return scope.open or (scope.last if cues.is_anaphoric(lower) else ())


def _narrow(topics: Sequence[Thing], last: Sequence[Thing]) -> bool:
    """True when the roles named last are those of the heading at one strength ("moderate CYP3A inhibitors" under "CYP3A inhibitors")."""
    names = [_role(t) for t in topics if t.type == EntityType.ENZYME_ROLE]
    if len(names) < len(topics):
        return False
    return bool(names) and all(t.type == EntityType.ENZYME_ROLE and any(_role(t).endswith(f" {name}") for name in names) for t in last)


def _one_side(topics: Sequence[Thing], last: Sequence[Thing]) -> bool:
    """True when a heading names inhibitors and inducers and the sentence before was on one of them."""
    of_heading, of_last = _sides(topics), _sides(last)
    return len(of_heading) > 1 and len(of_last) == 1 and of_last < of_heading


def _sides(things: Sequence[Thing]) -> set[str]:
    return {target.words.lower().rstrip("s").rsplit(" ", 1)[-1] for t in things if t.type == EntityType.ENZYME_ROLE for target in t.targets}


def _role(thing: Thing) -> str:
    return thing.targets[0].words.lower().replace("cyp3a4", "cyp3a")


def meant(topics: Sequence[Thing], thing: Thing) -> Thing:
    """The group above a sentence whose noun the thing is ("anesthetics" under "Halogenated anesthetics"), else the thing."""
    if thing.type != EntityType.DRUG_CLASS:
        return thing
    words = thing.targets[0].words.lower()
    return next((t for t in topics if t.type == EntityType.DRUG_CLASS and t.targets[0].words.lower().endswith(f" {words}")), thing)


def directive_of_group(blank: str, scope: Scope, thing: Thing, statement: Statement) -> Directive | None:
    """What the block asks for of the group that a sentence names a drug or a narrower group as an example of, or None."""
    before = blank[statement.start : thing.start]
    if thing.type == EntityType.INGREDIENT:
        exemplifies = _OPEN_BRACKET.search(before) is not None
    else:
        exemplifies = thing.type == EntityType.DRUG_CLASS and _INCLUDING.search(before) is not None
    if not exemplifies:
        return None
    groups = {i for other in statement.things if other.type in _GROUPS and other.end <= thing.start for i in other.ids}
    return next((directive for planned, directive in scope.plans if planned.ids & groups), None)


def changed(blank: str, topics: Sequence[Thing], statement: Statement) -> tuple[Thing, ...]:
    """Those of a row whose pair a cell of arrows shows a change of: all where the product's own level changes, else not those whose level stays."""
    own = any(t.own and _CHANGED.search(blank, statement.start, t.start) for t in statement.things)
    same = {i for t in statement.things if not t.own and _UNCHANGED.search(blank, statement.start, t.start) for i in t.ids}
    return tuple(t for t in topics if own or not t.ids & same)


def directive_of_row(scope: Scope, thing: Thing) -> Directive | None:
    """What a row with arrows asks for of the group that its drugs are members of; a ban only where the row names the group beside the drugs."""
    if scope.shown is None or thing.type != EntityType.INGREDIENT:
        return None
    named = {i for t in (*scope.topics, *scope.shown.things) if t.type == EntityType.DRUG_CLASS for i in t.ids}
    plans = [(planned, d) for planned, d in scope.plans if planned.type == EntityType.DRUG_CLASS and not any(t.ids & thing.ids for t in d.statement.things)]
    sure = next((d for planned, d in plans if planned.ids & named), None)
    return sure or next((d for _, d in plans if all(f.frame.action in _MILD for f in d.found)), None)


def named_itself(scope: Scope, thing: Thing) -> bool:
    """True when an instruction of the block names the thing, and does not only reach it through what the block is about."""
    return any(planned.ids & thing.ids and d.statement.start <= planned.start < d.statement.end for planned, d in scope.plans)
