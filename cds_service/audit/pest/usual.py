"""The usual dose that a label takes parts of: for the use and age of the patient, impairments and other drugs set aside."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

from cds_service.audit.evidence import Statement
from cds_service.audit.pest.applicability import effective
from cds_service.audit.pest.bands import Band, Sizes, Usual, regimen_bands
from cds_service.audit.pest.guards import CHILDHOOD, HEPATIC, RENAL, Leaf, families, family_of, without
from cds_service.audit.pest.indications import Uses
from cds_service.audit.pest.verdict import BEGINNING
from ontology.model.dosing import AmountBasis, PhaseKind, Regimen
from ontology.model.entities import EntityType
from ontology.model.facts import Facts
from ontology.model.guards import Category, Interval, Truth, evaluate
from ontology.model.identifiers import EntityId
from ontology.model.spans import SpanRole

_OF_LOWEST = re.compile(
    r"\b(?:half|halves|third|quarter|\d+\s*%|1/2)\s+(?:of\s+)?(?:the\s+)?(?:usual\s+|recommended\s+)?(?:lowest|minimum|smallest)\s+(?:[\w-]+\s+){0,3}dos(?:e|age)\b",
    re.IGNORECASE,
)
_UNADJUSTED = frozenset({"age", "weight"})
_ORGANS = RENAL | HEPATIC
_GOING_ON = frozenset({PhaseKind.MAINTENANCE, PhaseKind.USUAL})


def usual_dose(statements: Iterable[Statement], facts: Facts, uses: Uses, sizes: Sizes, only: EntityId | None = None) -> Usual | None:
    """The usual dose by these dose rules for the order's use, or for the use `only`; None where none states one.

    What words restrict counts where nothing else does.
    """
    rows: list[tuple[int, Band]] = []
    for statement in statements:
        rule, payload = statement.rule, statement.rule.payload
        if not isinstance(payload, Regimen) or is_fractional(payload) or _adjusted(statement) or (use := uses.truth(rule)) is Truth.FALSE:
            continue
        truth = evaluate(effective(without(rule.guard, _impaired)), facts).truth
        if truth is Truth.FALSE:
            continue
        if only is not None and rule.object.type != EntityType.POPULATION:
            use = Truth.TRUE if rule.object == only else Truth.FALSE
        vague = rule.object.type == EntityType.POPULATION or use is not Truth.TRUE
        if use is not Truth.FALSE:
            rows.extend((2 * vague + (truth is Truth.UNKNOWN), band) for band in regimen_bands(payload, sizes, None))
    usual, first, later = (_spanned([row for row in rows if row[1].kind in kinds]) for kinds in (tuple(PhaseKind), BEGINNING, _GOING_ON))
    return usual and replace(usual, first=first, later=later)


def part_taken_of(statement: Statement, usual: Usual | None) -> Usual | None:
    """What a rule's part is taken of: the usual dose, or its lower end where the sentence says so ("half of the lowest recommended dose")."""
    said = (s.quote for s in statement.claims[0].evidence if s.role is SpanRole.STATEMENT)
    return _lowest(usual) if usual is not None and any(_OF_LOWEST.search(quote) for quote in said) else usual


def _lowest(usual: Usual) -> Usual:
    """The dose at the lower end of its spans."""
    single, daily = ((span[0], span[0]) if span is not None else None for span in (usual.single, usual.daily))
    first, later = (_lowest(part) if part is not None else None for part in (usual.first, usual.later))
    return replace(usual, single=single, daily=daily, first=first, later=later)


def is_fractional(regimen: Regimen) -> bool:
    """True for a dose told as a part of another one."""
    return any(a.basis is AmountBasis.FRACTION for p in regimen.phases for a in p.amounts)


def _spanned(rows: list[tuple[int, Band]]) -> Usual | None:
    """The span of the bands of the lowest rank; None where there are none."""
    best = min((rank for rank, _ in rows), default=None)
    bands = [band for rank, band in rows if rank == best]
    if not bands:
        return None
    dimension = bands[0].dimension
    alike = [b for b in bands if b.dimension == dimension]
    needs = frozenset(n for b in alike for n in b.needs)
    return Usual(dimension, _span((b.single_low, b.single_high) for b in alike), _span((b.daily_low, b.daily_high) for b in alike), needs)


def _impaired(leaf: Leaf) -> bool:
    """True for what sets patients apart whose dose is adjusted, and for the normal organ function that the usual dose is printed for."""
    if isinstance(leaf, Interval | Category) and leaf.axis in _ORGANS:
        return True
    family = family_of(leaf)
    return family is not None and family.name not in _UNADJUSTED


def _adjusted(statement: Statement) -> bool:
    """True for a rule that lowers the dose of some patients: it is no usual dose."""
    kinds = families(statement.rule.guard) - {CHILDHOOD}
    normal = without(statement.rule.guard, lambda leaf: getattr(leaf, "values", ()) == ("none",))
    return bool(kinds) and bool(families(normal) - {CHILDHOOD})


def _span(ends: Iterable[tuple[Decimal | None, Decimal | None]]) -> tuple[Decimal, Decimal] | None:
    known = [(low if low is not None else high, high) for low, high in ends if high is not None]
    return (min(low for low, _ in known), max(high for _, high in known)) if known else None
