"""Where the age ranges of a label meet.

"2 to 12 years" lasts until the thirteenth birthday, unless the label gives another rule from twelve years on: then it ends where that one begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from ontology.model.entities import EntityType
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Guard, Interval, Not, leaves
from ontology.model.identifiers import EntityId
from ontology.model.quantities import Unit
from ontology.store.records import Rule

Beginnings = dict[EntityId | None, frozenset[Decimal]]
"""Ages, in years, from which rules begin, by the use they are for; None for any use."""


def beginnings(rules: Iterable[Rule], guard_of: Callable[[Rule], Guard | None]) -> Beginnings:
    """The ages from which rules begin by the guards that hold for them."""
    found: Beginnings = {}
    for rule in rules:
        use = _use(rule)
        found[use] = found.get(use, frozenset()) | _begins(guard_of(rule))
    return found


def until_the_next(guard: Guard | None, rule: Rule, begun: Beginnings) -> Guard | None:
    """The guard whose age ranges end at the birthday where another rule for the same use, or for any, begins."""
    use = _use(rule)
    ages = begun.get(use, frozenset()) | begun.get(None, frozenset()) if use is not None else frozenset[Decimal]().union(*begun.values())
    return _narrowed(guard, ages)


def _use(rule: Rule) -> EntityId | None:
    return None if rule.object.type == EntityType.POPULATION else rule.object


@lru_cache(maxsize=8192)
def _begins(guard: Guard | None) -> frozenset[Decimal]:
    return frozenset(_years(leaf.low, leaf.unit) for leaf in leaves(guard) if isinstance(leaf, Interval) and leaf.axis is Axis.AGE and leaf.low is not None)


@lru_cache(maxsize=8192)
def _narrowed(guard: Guard | None, ages: frozenset[Decimal]) -> Guard | None:
    if isinstance(guard, AllOf | AnyOf):
        return replace(guard, parts=tuple(part for p in guard.parts if (part := _narrowed(p, ages)) is not None))
    if isinstance(guard, Not):
        part = _narrowed(guard.part, ages)
        return guard if part is None else Not(part)
    if isinstance(guard, Interval) and guard.axis is Axis.AGE and guard.high is not None and guard.low != guard.high:
        return replace(guard, high_open=True) if _years(guard.high, guard.unit) in ages else guard
    return guard


def _years(number: Decimal, unit: str) -> Decimal:
    """The age in years; whole months make whole years where they can."""
    return (number * Unit.of(unit).factor / Unit.of("a").factor).quantize(Decimal("0.001"))
