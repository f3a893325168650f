"""Hierarchies run upwards only: nothing is a kind of itself, on whatever way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ontology.model.errors import TerminologyError
from ontology.model.identifiers import EntityId
from ontology.terms.entries import EdgeRow

UPWARD = frozenset({"is_a", "subclass_of", "belongs_to"})
"""Predicates whose object is broader than their subject."""


def refuse_cycles(edges: Iterable[EdgeRow]) -> None:
    """Raises TerminologyError naming the way that leads back to where it started."""
    parents: dict[EntityId, list[EntityId]] = {}
    for edge in edges:
        if edge.predicate in UPWARD:
            parents.setdefault(edge.subject, []).append(edge.object)
    done: set[EntityId] = set()
    for start in parents:
        circle = _circle_above(start, parents, done)
        if circle:
            raise TerminologyError(f"a hierarchy runs in a circle: {' is a kind of '.join(map(str, circle))}; remove one of these parents")


def _circle_above(start: EntityId, parents: Mapping[EntityId, list[EntityId]], done: set[EntityId]) -> list[EntityId]:
    """The nodes of a circle met on the way up, the first of them again at the end; empty where there is none. Nodes without one go into `done`."""
    way: list[EntityId] = []
    on_way: set[EntityId] = set()
    stack: list[tuple[EntityId, bool]] = [(start, False)]
    while stack:
        node, leaving = stack.pop()
        if leaving:
            way.pop()
            on_way.discard(node)
            done.add(node)
        elif node in on_way:
            return [*way[way.index(node) :], node]
        elif node not in done:
            way.append(node)
            on_way.add(node)
            stack.append((node, True))
            stack.extend((parent, False) for parent in parents.get(node, ()))
    return []
