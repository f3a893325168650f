"""Opposing effects of two orders, over the hand-kept tables of effects: what each does by itself or as one of its class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from cds_service.audit.clinical import table
from cds_service.audit.kept import kept_with
from cds_service.audit.knowledge import Knowledge, Terms, entities_named
from cds_service.audit.roster import Medication
from ontology.model.claims import edge_claim_id
from ontology.model.entities import EntityType
from ontology.model.identifiers import EntityId
from ontology.terms.entries import EdgeRow

_DOCUMENT = "terms.{}"


@dataclass(frozen=True, slots=True)
class Opposition:
    """Two effects that oppose each other, each with the entity that has it and by which an order reaches it."""

    first: EdgeRow
    second: EdgeRow
    between: EdgeRow


@dataclass(frozen=True, slots=True)
class _Effects:
    of: Mapping[EntityId, tuple[EdgeRow, ...]]
    against: Mapping[tuple[EntityId, EntityId], EdgeRow]


def opposition(first: Medication, second: Medication, knowledge: Knowledge) -> Opposition | None:
    """The first pair of effects by which two orders work against each other; None where no listed pair does."""
    terms = knowledge.terminology
    known = _effects(terms)
    if known.of.keys().isdisjoint(first.closure) or known.of.keys().isdisjoint(second.closure):
        return None
    counted = entities_named(terms, _counted(), (EntityType.EFFECT,))
    for mine in _rows(first, known):
        for theirs in _rows(second, known):
            between = known.against.get((mine.object, theirs.object))
            if between is not None and (mine.object in counted or theirs.object in counted):
                return Opposition(mine, theirs, between)
    return None


def has_effect(medication: Medication, knowledge: Knowledge) -> bool:
    """True when the tables name an effect of the order."""
    return not _effects(knowledge.terminology).of.keys().isdisjoint(medication.closure)


def claim_ids(found: Opposition) -> tuple[str, ...]:
    """The ids of the claims that the rows stand for in a release."""
    rows = (found.first, found.second, found.between)
    return tuple(edge_claim_id(_DOCUMENT.format(r.file), r.predicate, r.subject, r.object) for r in rows)


def _rows(medication: Medication, known: _Effects) -> list[EdgeRow]:
    return [row for entity in medication.closure if entity in known.of for row in known.of[entity]]


@cache
def _counted() -> tuple[str, ...]:
    return tuple(table("pairs")["antagonism"]["effects"])


@kept_with
def _effects(terms: Terms) -> _Effects:
    of: dict[EntityId, list[EdgeRow]] = {}
    against: dict[tuple[EntityId, EntityId], EdgeRow] = {}
    for row in terms.edge_rows():
        if row.predicate == "has_effect":
            of.setdefault(row.subject, []).append(row)
        elif row.predicate == "opposes":
            against[row.subject, row.object] = against[row.object, row.subject] = row
    return _Effects({e: tuple(rows) for e, rows in of.items()}, against)
