"""Whom a label's doses are for where none of them names an age and every use of the label does: the patients that it is indicated for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal

from msgspec import structs

from cds_service.audit.evidence import Statement
from cds_service.audit.pest.guards import AGES, OLD_AGE, family_of, names_age
from ontology.model.claims import Polarity
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, Guard, Interval, both, leaves
from ontology.model.quantities import Unit
from ontology.store.records import Rule

_ADULT = Decimal(18)


def for_the_indicated(doses: Sequence[Statement], labelled: Iterable[Rule]) -> list[Statement]:
    """The dose statements, limited to the indicated ages where the label so says who takes the drug ("in patients 5 years and older"), else as they are.

    Only a label whose every use begins at an age below 18 years is meant, and of several ages the oldest: below it not every use is labelled. What it
    gives the aged besides, and weight groups of which the heaviest has no upper end, part no adults from children.
    """
    uses = [r for r in labelled if r.polarity is Polarity.POSITIVE]
    if not doses or not uses or _parts_ages(doses):
        return list(doses)
    since = [_since(r.guard) for r in uses]
    known = [s for s in since if s is not None]
    if len(known) < len(since) or not all(_years(s) < _ADULT for s in known):
        return list(doses)
    oldest = max(known, key=_years)
    return [structs.replace(s, rule=replace(s.rule, guard=both(oldest, s.rule.guard))) for s in doses]


def _parts_ages(doses: Sequence[Statement]) -> bool:
    """True when some dose names an age other than old age, or the body sizes named leave the heaviest patients to doses without one."""
    sized = [s for s in doses if names_age(s.rule.guard)]
    bounds = [[leaf for leaf in leaves(s.rule.guard) if isinstance(leaf, Interval) and names_age(leaf)] for s in sized]
    sizes = [b for b in bounds if any(leaf.axis not in AGES for leaf in b)]
    if any(leaf.axis in AGES and family_of(leaf) is not OLD_AGE for b in bounds for leaf in b):
        return True
    return bool(sizes) and not any(all(leaf.high is None for leaf in b) for b in sizes)


def _since(guard: Guard | None) -> Interval | None:
    """The age from which a use holds, where its guard states one and no last age."""
    parts = guard.parts if isinstance(guard, AllOf) else (guard,)
    ages = [p for p in parts if isinstance(p, Interval) and p.axis is Axis.AGE]
    return ages[0] if len(ages) == 1 and ages[0].low is not None and ages[0].high is None else None


def _years(age: Interval) -> Decimal:
    return (age.low or Decimal(0)) * Unit.of(age.unit).factor / Unit.of("a").factor
