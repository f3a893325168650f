"""The graph store behind one protocol: topology only, rebuilt from the relational truth.

A vertex carries its entity type as label and `code` (the entity id); an edge carries its predicate in capitals as type and `claim` (the claim
id), and nothing else. Both engines run the same Cypher. What an engine would let pass in silence is refused here: a parameter that the query
names and nobody supplies, a label, type or property the schema does not have, and anything that writes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from ontology.model.entities import EntityType
from ontology.model.errors import MissingParameter, StoreError
from ontology.model.identifiers import EntityId
from ontology.model.predicates import REGISTRY, Stratum

NODE_LABELS: tuple[str, ...] = tuple(t.value for t in EntityType)
EDGE_TYPES: dict[str, tuple[tuple[str, str], ...]] = {
    spec.name.upper(): tuple((a.value, b.value) for a in sorted(spec.domain) for b in sorted(spec.range)) for spec in REGISTRY if spec.stratum is Stratum.GRAPH
}
"""Relationship type -> the (from label, to label) pairs that the predicate's domain and range allow."""

PROPERTIES: frozenset[str] = frozenset({"code", "claim"})
MAX_HOPS = 30

Value = str | int | bool | None
Parameters = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """One edge to load: the predicate's name, both ends, and the claim it stands for."""

    predicate: str
    source: EntityId
    target: EntityId
    claim: str

    @property
    def type(self) -> str:
        """The relationship type."""
        return self.predicate.upper()


class GraphStore(Protocol):
    """A property graph that answers the Cypher of `templates`. Implementations: `graph_ladybug` (reference), `graph_bolt`, `graph_py2neo`.

    `open` and every other method raise GraphUnavailable when the engine does not answer.
    """

    def open(self) -> None:
        """Connects; safe to call again."""
        ...

    def load(self, vertices: Iterable[EntityId], edges: Iterable[GraphEdge]) -> None:
        """Replaces the whole content. Raises StoreError when an end of an edge is not among the vertices, or its predicate does not allow it."""
        ...

    def run(self, query: str, parameters: Parameters) -> list[dict[str, Value]]:
        """The rows of a reading query, each a mapping of its aliases.

        Raises MissingParameter for a `$name` without a value and StoreError for a query that `check_query` refuses.
        """
        ...

    def close(self) -> None:
        """Releases what `open` took."""
        ...


def check_edge(edge: GraphEdge, vertices: frozenset[EntityId] | set[EntityId]) -> None:
    """Raises StoreError unless the edge's type allows its ends and both are vertices."""
    if (edge.source.type, edge.target.type) not in EDGE_TYPES.get(edge.type, ()):
        raise StoreError(f"edge {edge.claim}: {edge.type} does not go from {edge.source.type} to {edge.target.type}")
    for end in (edge.source, edge.target):
        if end not in vertices:
            raise StoreError(f"edge {edge.claim} ({edge.source} {edge.type} {edge.target}): {end} is not among the entities")


_STRING = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|//[^\n]*|/\*.*?\*/", re.S)
_PARAMETER = re.compile(r"\$([A-Za-z_]\w*)")
_WRITE = re.compile(r"\b(CREATE|MERGE|SET|DELETE|DETACH|REMOVE|DROP|ALTER|COPY|LOAD|INSTALL|ATTACH|CALL|FOREACH|IMPORT|EXPORT|INSERT|BEGIN|COMMIT)\b", re.I)
_MAP = re.compile(r"\{[^{}]*\}")
_KEY = re.compile(r"[{,]\s*([A-Za-z_]\w*)\s*:")
_ACCESS = re.compile(r"\b[A-Za-z_]\w*\.([A-Za-z_]\w*)")
_NAMES = re.compile(r":\s*([A-Za-z_]\w*(?:\s*[|:]\s*:?[A-Za-z_]\w*)*)")
_BRACKET = re.compile(r"\[[^\]]*\]")
_STAR = re.compile(r"\*\s*(?:(\d+)\s*(\.\.)?\s*(\d+)?)?")


@dataclass(frozen=True, slots=True)
class CheckedQuery:
    """A query that may run on every engine, and the parameters it needs."""

    text: str
    parameters: frozenset[str]


@lru_cache(maxsize=512)
def check_query(text: str) -> CheckedQuery:
    """The query with its parameters' names. Raises StoreError when it writes, walks without a bound, or names what the schema lacks."""
    bare = _STRING.sub("''", text)
    write = _WRITE.search(bare)
    if write:
        raise StoreError(f"query refused: {write[1].upper()} is not a reading clause, in: {_short(text)}")
    if ";" in bare:
        raise StoreError(f"query refused: one statement only, in: {_short(text)}")
    _check_properties(bare, text)
    shape = _MAP.sub("", bare)
    _check_names(" ".join(_BRACKET.findall(shape)), EDGE_TYPES, "relationship type", text)
    _check_names(_BRACKET.sub("", shape), NODE_LABELS, "label", text)
    for bracket in _BRACKET.findall(bare):
        for star in _STAR.finditer(bracket):
            high = star[3] or (star[1] if not star[2] else None)
            if high is None or int(high) > MAX_HOPS:
                raise StoreError(f"query refused: a path needs an upper bound of at most {MAX_HOPS} hops, in: {_short(text)}")
    return CheckedQuery(text, frozenset(_PARAMETER.findall(bare)))


def bind(query: str, parameters: Parameters) -> CheckedQuery:
    """The checked query, all of whose parameters have a value that is not None.

    Raises MissingParameter naming those that lack one, and StoreError naming those that the query does not use: engines read a missing
    parameter as NULL and answer with nothing, which an audit would take for "no interaction".
    """
    checked = check_query(query)
    missing = sorted(name for name in checked.parameters if parameters.get(name) is None)
    if missing:
        raise MissingParameter(f"query needs {', '.join('$' + m for m in missing)}, given were {sorted(parameters) or 'none'}: {_short(query)}")
    strange = sorted(set(parameters) - checked.parameters)
    if strange:
        raise StoreError(f"query has no parameter {', '.join('$' + s for s in strange)}: {_short(query)}")
    return checked


def _check_properties(bare: str, text: str) -> None:
    named = [key for each in _MAP.findall(bare) for key in _KEY.findall(each)] + _ACCESS.findall(bare)
    for name in named:
        if name not in PROPERTIES:
            raise StoreError(f"query refused: the graph has no property {name!r} (it has {', '.join(sorted(PROPERTIES))}), in: {_short(text)}")


def _check_names(part: str, known: Collection[str], what: str, text: str) -> None:
    for found in _NAMES.findall(part):
        for name in re.split(r"[|:\s]+", found.strip()):
            if name and name not in known:
                raise StoreError(f"query refused: the graph has no {what} {name!r}, in: {_short(text)}")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 200 else line[:197] + "..."
