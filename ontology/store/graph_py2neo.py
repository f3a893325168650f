"""The graph on a Neo4j 4.x server through py2neo, for sites that have it: the same statements as `graph_bolt`, another driver.

py2neo is at the end of its life and speaks Bolt up to 4.3; its schema helpers emit statements that servers no longer read, so all
statements go through `run`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping
from typing import Any

from ontology.model.errors import GraphUnavailable, StoreError
from ontology.model.identifiers import EntityId
from ontology.store.graph import GraphEdge, Parameters, Value, bind
from ontology.store.graph_statements import replace_content


class Py2neoGraph:
    """A GraphStore on a Bolt server through py2neo. One connection pool a process."""

    def __init__(self, url: str, user: str, password: str, *, database: str | None = None) -> None:
        self._url = url
        self._auth = (user, password)
        self._database = database
        self._graph: Any = None
        self._pid = 0
        self._lock = threading.Lock()

    def open(self) -> None:
        """Connects. Raises GraphUnavailable naming the URL, or the extra to install."""
        with self._lock:
            if self._graph is not None and self._pid == os.getpid():
                return
            try:
                import py2neo
            except ImportError as e:
                raise GraphUnavailable("the graph through py2neo needs py2neo: pip install 'pharmgraph-cds[py2neo]'") from e
            try:
                self._graph = py2neo.Graph(self._url, auth=self._auth, name=self._database)
            except (OSError, ValueError, py2neo.errors.Neo4jError, py2neo.errors.ConnectionUnavailable, py2neo.errors.WireError) as e:
                raise GraphUnavailable(f"graph server {self._url} does not answer: {e}; check that it runs, and the user and password") from e
            self._pid = os.getpid()

    def load(self, vertices: Iterable[EntityId], edges: Iterable[GraphEdge]) -> None:
        """Replaces the server's content. Raises StoreError when the database holds nodes of anybody else."""
        replace_content(self._execute, self._url, vertices, edges)

    def run(self, query: str, parameters: Parameters) -> list[dict[str, Value]]:
        """The rows of a reading query; see GraphStore."""
        return self._execute(bind(query, parameters).text, parameters)

    def close(self) -> None:
        """Lets the connection pool go; the store can be opened again."""
        self._graph = None

    def _execute(self, query: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        self.open()
        import py2neo

        try:
            return [dict(row) for row in self._graph.run(query, dict(parameters)).data()]
        except py2neo.errors.Neo4jError as e:
            raise StoreError(f"graph server {self._url} refused a query: {e}: {query[:200]}") from e
        except (OSError, py2neo.errors.ConnectionUnavailable, py2neo.errors.WireError) as e:
            raise GraphUnavailable(f"graph server {self._url} does not answer: {e}") from e
