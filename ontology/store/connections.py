"""Read-only SQLite connections to a release: one a thread, never carried over a fork."""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from pathlib import Path
from urllib.parse import quote

from ontology.model.errors import ReleaseDamaged, StoreError


class _Connection(sqlite3.Connection):
    """A connection that can be referred to weakly: one whose thread has ended is let go."""


class Connections:
    """Hands every thread of every process its own read-only connection to a database file.

    `immutable` promises that nobody writes the file, so that SQLite takes no locks.
    """

    def __init__(self, path: Path, *, immutable: bool = True) -> None:
        self._path = path
        self._mode = "mode=ro&immutable=1" if immutable else "mode=ro"
        self._local = threading.local()
        self._lock = threading.Lock()
        self._opened: weakref.WeakSet[_Connection] = weakref.WeakSet()
        self._inherited: list[object] = []
        self._pid = os.getpid()
        self._closed = False

    def connection(self) -> sqlite3.Connection:
        """This thread's connection. Raises ReleaseDamaged when the file cannot be opened, StoreError after `close`."""
        pid = os.getpid()
        if pid != self._pid:
            self._forget(pid)
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._open()
            self._local.connection = connection
        return connection

    def close(self) -> None:
        """Closes the connections of all threads of this process."""
        with self._lock:
            self._closed = True
            if self._pid == os.getpid():
                for connection in list(self._opened):
                    connection.close()
            self._opened.clear()
            self._local = threading.local()

    def _open(self) -> sqlite3.Connection:
        with self._lock:
            if self._closed:
                raise StoreError(f"release {self._path.parent} is closed")
            try:
                uri = f"file:{quote(str(self._path))}?{self._mode}"
                connection = sqlite3.connect(uri, uri=True, check_same_thread=False, isolation_level=None, factory=_Connection)
                connection.row_factory = sqlite3.Row
                connection.execute("PRAGMA mmap_size = 268435456")
                connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            except sqlite3.DatabaseError as e:
                raise ReleaseDamaged(f"{self._path}: {e}; build the release again or copy it again") from e
            self._opened.add(connection)
            return connection

    def _forget(self, pid: int) -> None:
        """In a forked child the parent's connections are kept and never used: SQLite allows neither use nor closing there."""
        self._inherited += [self._local, *self._opened]
        self._lock = threading.Lock()
        self._opened = weakref.WeakSet()
        self._local = threading.local()
        self._pid = pid
