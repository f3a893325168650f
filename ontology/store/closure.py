"""What a subject reaches: the shortest path to each target, chosen the same way on every engine."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

RELATIONS: tuple[str, ...] = ("ingredient", "class", "role", "is-a", "cross-reacts")
"""`ingredient` leads from a combination to its parts; the others are what the subject or a part of it belongs to, does, is, or cross-reacts with."""

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReachedEdge:
    """An edge that a template found on some path from the subject."""

    relation: str
    source: str
    target: str
    claim: str


def close(subject: str, edges: Iterable[ReachedEdge]) -> dict[tuple[str, str], Path]:
    """(relation, target) -> the claims on the way from the subject, shortest first, then smallest ids; the subject itself is no target.

    `class`, `role` and `is-a` climb edges of their own relation, from the subject or from its ingredients. `cross-reacts` takes one
    cross-reaction from anything the subject is or belongs to: cross-reactivity is not transitive.
    """
    by_relation: dict[str, list[ReachedEdge]] = defaultdict(list)
    for edge in edges:
        by_relation[edge.relation].append(edge)
    parts = _climb({subject: ()}, by_relation["ingredient"])
    reached: dict[tuple[str, str], Path] = {("ingredient", node): path for node, path in parts.items() if node != subject}
    sides = dict(parts)
    for relation in ("class", "role", "is-a"):
        for node, path in _climb(parts, by_relation[relation]).items():
            if node in parts:
                continue
            reached[relation, node] = path
            sides[node] = _better(sides.get(node), path)
    for edge in by_relation["cross-reacts"]:
        if edge.source in sides and edge.target not in parts:
            key = ("cross-reacts", edge.target)
            reached[key] = _better(reached.get(key), (*sides[edge.source], edge.claim))
    return reached


def _climb(starts: Mapping[str, Path], edges: Iterable[ReachedEdge]) -> dict[str, Path]:
    """All nodes reached from the starts, each with its best path, the starts included."""
    outgoing: dict[str, list[ReachedEdge]] = defaultdict(list)
    for edge in edges:
        outgoing[edge.source].append(edge)
    best = dict(starts)
    frontier = sorted(starts)
    while frontier:
        improved: set[str] = set()
        for node in frontier:
            for edge in outgoing[node]:
                path = _better(best.get(edge.target), (*best[node], edge.claim))
                if path != best.get(edge.target):
                    best[edge.target] = path
                    improved.add(edge.target)
        frontier = sorted(improved)
    return best


def _better(known: Path | None, path: Path) -> Path:
    return path if known is None or (len(path), path) < (len(known), known) else known
