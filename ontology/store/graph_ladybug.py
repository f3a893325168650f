"""The embedded graph: one ladybug file, loaded in bulk, read by many processes.

A database that was open when a process forked hangs the child, so an opened store works in the process that opened it and says so elsewhere.
The file's format belongs to one storage version of ladybug; it is a cache that every release rebuilds from its relational part.
"""

from __future__ import annotations

import csv
import os
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ontology.model.errors import GraphUnavailable, StoreError
from ontology.model.identifiers import EntityId
from ontology.store.graph import EDGE_TYPES, NODE_LABELS, GraphEdge, Parameters, Value, bind, check_edge

READ_POOL_BYTES = 128 << 20
LOAD_POOL_BYTES = 1 << 30  # what loading may take; a million edges need a fifth of it
ADDRESS_SPACE_BYTES = 16 << 30  # the engine reserves 8 TiB otherwise, which limited containers refuse
QUERY_TIMEOUT_MS = 10_000


class LadybugGraph:
    """A GraphStore on a ladybug file. Reading opens it read-only; `load` writes a new file, which must not exist yet.

    Threads take turns: queries take well under a millisecond, and several connections at once fill the buffer pool.
    """

    def __init__(self, path: Path, *, buffer_pool_bytes: int = READ_POOL_BYTES) -> None:
        self._path = path
        self._buffer_pool_bytes = buffer_pool_bytes
        self._database: Any = None
        self._pid = 0
        self._lock = threading.Lock()
        self._connection: Any = None

    def open(self) -> None:
        """Opens the file read-only; later calls in the same process do nothing. Raises GraphUnavailable."""
        import ladybug

        with self._lock:
            if self._database is not None:
                self._refuse_fork()
                return
            if not self._path.is_file():
                raise GraphUnavailable(f"graph file {self._path} does not exist; build the release again")
            self._database = self._connect(read_only=True)
            self._connection = ladybug.Connection(self._database, num_threads=1)
            self._connection.set_query_timeout(QUERY_TIMEOUT_MS)
            self._pid = os.getpid()

    def load(self, vertices: Iterable[EntityId], edges: Iterable[GraphEdge]) -> None:
        """Writes the file from the vertices and edges, all at once. Raises StoreError, and then leaves no file."""
        import ladybug

        if self._path.exists():
            raise StoreError(f"graph file {self._path} exists; a graph is written once, under a new name")
        known = set(vertices)
        database = self._connect(read_only=False)
        connection = ladybug.Connection(database)
        try:
            for label in NODE_LABELS:
                _execute(connection, f"CREATE NODE TABLE {label}(code STRING PRIMARY KEY)")
            for type_, pairs in EDGE_TYPES.items():
                ends = ", ".join(f"FROM {a} TO {b}" for a, b in pairs)
                _execute(connection, f"CREATE REL TABLE {type_}({ends}, claim STRING)")
            with tempfile.TemporaryDirectory(dir=self._path.parent, prefix=".graph-csv-") as folder:
                for statement in _copies(Path(folder), known, edges):
                    _execute(connection, statement)
            _execute(connection, "CHECKPOINT")
        except (RuntimeError, OSError, StoreError) as e:
            connection.close()
            database.close()
            self.remove()
            if isinstance(e, StoreError):
                raise
            cause = str(e).rpartition("Original error: ")[2]
            raise StoreError(f"cannot write the graph file {self._path}: {cause}; make room on that disk or choose another place") from e
        connection.close()
        database.close()

    def run(self, query: str, parameters: Parameters) -> list[dict[str, Value]]:
        """The rows of a reading query; see GraphStore."""
        checked = bind(query, parameters)
        self.open()
        with self._lock:
            try:
                result = self._connection.execute(checked.text, dict(parameters))
                rows: list[dict[str, Value]] = list(result.rows_as_dict())
                result.close()
            except RuntimeError as e:
                raise StoreError(f"the graph refused a query: {e}: {checked.text}") from e
        return rows

    def close(self) -> None:
        """Closes the database; the store can be opened again."""
        with self._lock:
            if self._database is not None and self._pid == os.getpid():
                self._connection.close()
                self._database.close()
            self._database = self._connection = None

    def remove(self) -> None:
        """Deletes the file and what ladybug keeps beside it."""
        for path in self._path.parent.glob(self._path.name + "*"):
            path.unlink(missing_ok=True)

    def _refuse_fork(self) -> None:
        if self._pid != os.getpid():
            raise GraphUnavailable(f"graph {self._path} was opened in process {self._pid} before it forked; open it in each worker")

    def _connect(self, *, read_only: bool) -> Any:
        import ladybug

        pool = self._buffer_pool_bytes if read_only else LOAD_POOL_BYTES
        try:
            return ladybug.Database(str(self._path), read_only=read_only, buffer_pool_size=pool, max_num_threads=1, max_db_size=ADDRESS_SPACE_BYTES)
        except RuntimeError as e:
            raise GraphUnavailable(
                f"cannot open the graph file {self._path} with ladybug {ladybug.__version__}: {e}; it is rebuilt with the release by `kb-builder build`"
            ) from e


def storage_version() -> str:
    """The version of ladybug that decides the file's format."""
    import ladybug

    return str(ladybug.__version__)


def _copies(folder: Path, vertices: set[EntityId], edges: Iterable[GraphEdge]) -> Iterator[str]:
    """Writes a CSV file for each label and each kind of edge, then yields the statement that loads each."""
    statements: dict[str, str] = {}
    with ExitStack() as stack:
        writers: dict[str, Any] = {}

        def write(name: str, statement: str, row: tuple[str, ...]) -> None:
            if name not in writers:
                path = folder / f"{name}.csv"
                writers[name] = csv.writer(stack.enter_context(path.open("w", encoding="utf-8", newline="")), quoting=csv.QUOTE_ALL)
                statements[name] = statement.format(file=str(path).replace("\\", "\\\\").replace("'", "\\'"))
            writers[name].writerow(row)

        for vertex in sorted(vertices):
            if vertex.type not in NODE_LABELS:
                raise StoreError(f"entity {vertex}: the graph has no label {vertex.type!r}")
            write(vertex.type, f"COPY {vertex.type} FROM '{{file}}' (header=false, parallel=false)", (str(vertex),))
        for edge in edges:
            check_edge(edge, vertices)
            source, target = edge.source.type, edge.target.type
            pair = f", from='{source}', to='{target}'" if len(EDGE_TYPES[edge.type]) > 1 else ""
            statement = f"COPY {edge.type} FROM '{{file}}' (header=false, parallel=false{pair})"
            write(f"{edge.type}-{source}-{target}", statement, (str(edge.source), str(edge.target), edge.claim))
    yield from statements.values()


def _execute(connection: Any, statement: str) -> None:
    connection.execute(statement).close()
