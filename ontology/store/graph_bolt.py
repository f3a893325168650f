"""The graph on a Bolt server (Neo4j in production), through the official driver.

The server must hold nothing but this graph: `load` replaces all of it. Servers let writes pass in reading transactions and answer unknown
labels with nothing, so the checks of `graph.bind` are what guards a query.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ontology.model.errors import GraphUnavailable, StoreError
from ontology.model.identifiers import EntityId
from ontology.store.graph import GraphEdge, Parameters, Value, bind
from ontology.store.graph_statements import replace_content

if TYPE_CHECKING:
    import neo4j

CONNECT_SECONDS = 5.0
QUERY_SECONDS = 10.0
LOAD_SECONDS = 120.0


class BoltGraph:
    """A GraphStore on a Bolt server. One driver a process; it pools connections and is safe for threads."""

    def __init__(self, url: str, user: str, password: str, *, database: str | None = None) -> None:
        self._url = url
        self._auth = (user, password)
        self._database = database
        self._driver: neo4j.Driver | None = None
        self._pid = 0

    def open(self) -> None:
        """Connects and asks the server for a sign of life. Raises GraphUnavailable naming the URL."""
        if self._driver is not None and self._pid == os.getpid():
            return
        library = _library()
        try:
            driver: neo4j.Driver = library.GraphDatabase.driver(
                self._url,
                auth=self._auth,
                connection_timeout=CONNECT_SECONDS,
                connection_acquisition_timeout=CONNECT_SECONDS,
                max_transaction_retry_time=CONNECT_SECONDS,
            )
        except (ValueError, library.exceptions.Neo4jError, library.exceptions.DriverError) as e:
            raise GraphUnavailable(f"graph server {self._url}: {e}") from e
        try:
            driver.verify_connectivity()
        except (OSError, library.exceptions.Neo4jError, library.exceptions.DriverError) as e:
            driver.close()
            raise GraphUnavailable(f"graph server {self._url} does not answer: {e}; check that it runs, and the user and password") from e
        self._driver = driver
        self._pid = os.getpid()

    def load(self, vertices: Iterable[EntityId], edges: Iterable[GraphEdge]) -> None:
        """Replaces the server's content. Raises StoreError when the database holds nodes of anybody else."""
        replace_content(partial(self._execute, seconds=LOAD_SECONDS), self._url, vertices, edges)

    def run(self, query: str, parameters: Parameters) -> list[dict[str, Value]]:
        """The rows of a reading query; see GraphStore."""
        return self._execute(bind(query, parameters).text, parameters)

    def close(self) -> None:
        """Closes the driver; the store can be opened again."""
        if self._driver is not None and self._pid == os.getpid():
            self._driver.close()
        self._driver = None

    def _execute(self, query: str, parameters: Mapping[str, Any], *, seconds: float = QUERY_SECONDS) -> list[dict[str, Any]]:
        self.open()
        library = _library()
        assert self._driver is not None  # noqa: S101
        try:
            with self._driver.session(database=self._database) as session:
                return [record.data() for record in session.run(library.Query(query, timeout=seconds), dict(parameters))]
        except library.exceptions.ClientError as e:
            raise StoreError(f"graph server {self._url} refused a query: {e.message}: {query[:200]}") from e
        except (OSError, library.exceptions.Neo4jError, library.exceptions.DriverError) as e:
            raise GraphUnavailable(f"graph server {self._url} does not answer: {e}") from e


def _library() -> ModuleType:
    try:
        import neo4j
    except ImportError as e:
        raise GraphUnavailable("the graph on a Bolt server needs the neo4j driver: pip install 'pharmgraph-cds[cluster]'") from e
    return neo4j
