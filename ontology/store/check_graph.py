"""φ between R and G: one vertex an entity row, one edge a released graph claim that affirms, and nothing else."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from ontology.model.identifiers import EntityId
from ontology.store.faults import Fault, FaultKind
from ontology.store.graph import EDGE_TYPES, NODE_LABELS, GraphEdge, GraphStore
from ontology.store.templates import HOPS

_EdgeKey = tuple[str, str, str, str]


def compare_graph(graph: GraphStore, vertices: Iterable[EntityId], edges: Iterable[GraphEdge]) -> list[Fault]:
    """The differences between what the graph holds and what it must hold."""
    return [*_vertex_faults(graph, vertices), *_edge_faults(graph, edges)]


def too_deep(edges: Iterable[GraphEdge]) -> Iterator[Fault]:
    """A fault for every class, role or kind whose hierarchy needs more steps than the templates climb."""
    up: dict[str, dict[EntityId, set[EntityId]]] = {"subclass_of": defaultdict(set), "is_a": defaultdict(set)}
    starts: dict[str, set[EntityId]] = {"subclass_of": set(), "is_a": set()}
    for edge in edges:
        if edge.predicate in up:
            up[edge.predicate][edge.source].add(edge.target)
        if edge.predicate == "belongs_to":
            starts["subclass_of"].add(edge.target)
        if edge.predicate == "has_role":
            starts["is_a"].add(edge.target)
        if edge.predicate == "is_a" and edge.source.type == "Ingredient":
            starts["is_a"].add(edge.target)
    for predicate, nodes in starts.items():
        for start in sorted(nodes):
            depth = _depth(start, up[predicate])
            if depth > HOPS + 1:
                yield Fault(FaultKind.DEPTH, str(start), f"{depth} steps of {predicate} lead up from it, the templates climb {HOPS + 1}")


def _depth(start: EntityId, up: dict[EntityId, set[EntityId]]) -> int:
    seen, frontier, depth = {start}, {start}, 0
    while True:
        frontier = {target for node in frontier for target in up.get(node, ())} - seen
        if not frontier:
            return depth
        seen |= frontier
        depth += 1


def _vertex_faults(graph: GraphStore, vertices: Iterable[EntityId]) -> Iterator[Fault]:
    expected = Counter((vertex.type, str(vertex)) for vertex in vertices)
    found: Counter[tuple[str, str]] = Counter()
    for label in NODE_LABELS:
        found.update((label, str(row["code"])) for row in graph.run(f"MATCH (n:{label}) RETURN n.code AS code", {}))
    labels: dict[str, list[str]] = defaultdict(list)
    for label, code in found:
        labels[code].append(label)
    for key in sorted(expected.keys() | found.keys()):
        label, code = key
        if found[key] > max(expected[key], 1):
            yield Fault(FaultKind.VERTEX, code, f"{found[key]} vertices labelled {label} for one entity")
        elif expected[key] and not found[key]:
            others = labels.get(code)
            yield Fault(FaultKind.VERTEX, code, f"labelled {', '.join(others)} instead of {label}" if others else "has no vertex")
        elif found[key] and not expected[key]:
            yield Fault(FaultKind.VERTEX, code, f"a vertex labelled {label} without an entity row")
    total = graph.run("MATCH (n) RETURN count(n) AS n", {})[0]["n"]
    if total != sum(found.values()):
        yield Fault(FaultKind.VERTEX, "graph", f"holds {total} vertices, {sum(found.values())} of them with a label of the schema")


def _edge_faults(graph: GraphStore, edges: Iterable[GraphEdge]) -> Iterator[Fault]:
    expected: Counter[_EdgeKey] = Counter((e.type, str(e.source), str(e.target), e.claim) for e in edges)
    found: Counter[_EdgeKey] = Counter()
    for type_ in EDGE_TYPES:
        rows = graph.run(f"MATCH (a)-[r:{type_}]->(b) RETURN a.code AS source, b.code AS target, r.claim AS claim", {})
        found.update((type_, str(r["source"]), str(r["target"]), str(r["claim"])) for r in rows)
    for key in sorted(expected.keys() | found.keys()):
        type_, source, target, claim = key
        if found[key] != expected[key]:
            path = f"({source})-[{type_}]->({target})"
            what = f"{path} stands {found[key]} times, {expected[key]} released claims say so"
            yield Fault(FaultKind.EDGE, claim, what)
    total = graph.run("MATCH (a)-[r]->(b) RETURN count(r) AS n", {})[0]["n"]
    if total != sum(found.values()):
        yield Fault(FaultKind.EDGE, "graph", f"holds {total} edges, {sum(found.values())} of them of a type of the schema")
