"""The writing statements of Bolt servers: schema, clearing, and batches of vertices and edges.

Neo4j and its kin read them alike; they never pass through `graph.bind`, which lets only reading queries through.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from ontology.model.errors import StoreError
from ontology.model.identifiers import EntityId
from ontology.store.graph import NODE_LABELS, GraphEdge, check_edge

BATCH = 1_000
CLEAR_BATCH = 200

CLEAR: tuple[str, ...] = (
    f"MATCH (a)-[r]->(b) WITH r LIMIT {CLEAR_BATCH} DELETE r RETURN count(*) AS n",
    f"MATCH (n) WITH n LIMIT {CLEAR_BATCH} DELETE n RETURN count(*) AS n",
)
"""Each runs until it deletes nothing; edges go first, since a vertex may have any number of them and servers limit a statement's time."""
COUNT_STRANGERS = f"MATCH (n) WHERE NOT ({' OR '.join('n:' + label for label in NODE_LABELS)}) RETURN count(n) AS n"

Batch = tuple[str, list[dict[str, str]]]
Execute = Callable[[str, Mapping[str, Any]], list[dict[str, Any]]]


def replace_content(execute: Execute, server: str, vertices: Iterable[EntityId], edges: Iterable[GraphEdge]) -> None:
    """Makes a server's database hold these vertices and edges and nothing else.

    Raises StoreError when the database holds nodes that are no entities: it is somebody else's.
    """
    strangers = execute(COUNT_STRANGERS, {})
    if strangers and strangers[0]["n"]:
        raise StoreError(f"graph server {server}: the database holds {strangers[0]['n']} nodes that are no entities; give the graph a database of its own")
    for statement in CLEAR:
        while execute(statement, {})[0]["n"]:
            pass
    for statement in constraint_statements():
        execute(statement, {})
    known = set(vertices)
    for statement, rows in chain(vertex_batches(known), edge_batches(edges, known)):
        execute(statement, {"rows": rows})


def constraint_statements() -> Iterator[str]:
    """One statement a label: `code` is unique, and so indexed."""
    for label in NODE_LABELS:
        yield f"CREATE CONSTRAINT IF NOT EXISTS FOR (n:{label}) REQUIRE n.code IS UNIQUE"


def vertex_batches(vertices: Iterable[EntityId]) -> Iterator[Batch]:
    """(statement, rows) for all vertices. Raises StoreError on a type that is no label."""
    by_label: dict[str, list[dict[str, str]]] = defaultdict(list)
    for vertex in sorted(vertices):
        if vertex.type not in NODE_LABELS:
            raise StoreError(f"entity {vertex}: the graph has no label {vertex.type!r}")
        by_label[vertex.type].append({"code": str(vertex)})
    for label, rows in by_label.items():
        yield from _cut(f"UNWIND $rows AS row CREATE (n:{label} {{code: row.code}})", rows)


def edge_batches(edges: Iterable[GraphEdge], vertices: set[EntityId]) -> Iterator[Batch]:
    """(statement, rows) for all edges. Raises StoreError on an edge that `check_edge` refuses."""
    by_kind: dict[tuple[str, str, str], list[dict[str, str]]] = defaultdict(list)
    for edge in edges:
        check_edge(edge, vertices)
        row = {"source": str(edge.source), "target": str(edge.target), "claim": edge.claim}
        by_kind[edge.source.type, edge.type, edge.target.type].append(row)
    for (source, type_, target), rows in sorted(by_kind.items()):
        statement = (
            f"UNWIND $rows AS row MATCH (a:{source} {{code: row.source}}) MATCH (b:{target} {{code: row.target}}) "
            f"CREATE (a)-[:{type_} {{claim: row.claim}}]->(b)"
        )
        yield from _cut(statement, rows)


def _cut(statement: str, rows: list[dict[str, str]]) -> Iterator[Batch]:
    for start in range(0, len(rows), BATCH):
        yield statement, rows[start : start + BATCH]
