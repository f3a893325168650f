"""The working store of one build: documents, term rows and what was extracted, on disk, so that memory stays flat.

It is a private folder beside the output that a lock marks as in use; a folder whose lock is free was left by a killed run and is removed.
"""

from __future__ import annotations

import contextlib
import fcntl
import pickle
import shutil
import sqlite3
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from ontology.text.document import Document

_LOCK = "lock"
_FILE = "workspace.sqlite"
_SCHEMA = """
CREATE TABLE document (
    set_id TEXT, version TEXT, effective TEXT, number INTEGER, richness INTEGER, hash TEXT, judging INTEGER DEFAULT 0, body BLOB,
    PRIMARY KEY (set_id, version)
) WITHOUT ROWID;
CREATE TABLE term (position INTEGER PRIMARY KEY, kind TEXT, body TEXT);
CREATE TABLE extraction (set_id TEXT PRIMARY KEY, body BLOB) WITHOUT ROWID;
"""
_NEWEST_FIRST = "effective DESC, number DESC, richness DESC, hash DESC"
_JUDGING = f"""
UPDATE document SET judging = 1 WHERE (set_id, version) IN (
    SELECT set_id, version FROM (
        SELECT set_id, version, row_number() OVER (PARTITION BY set_id ORDER BY {_NEWEST_FIRST}) AS place FROM document
    ) WHERE place = 1
)
"""  # noqa: S608 - no value of the data enters the statement


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a document: `new`, `duplicate` (same content), `poorer` or `richer` (than another record of the same version)."""

    outcome: str
    version: str


class Workspace:
    """Documents by set id and version; exactly one version of each set id judges."""

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        self.folder = folder
        self._db = sqlite3.connect(folder / _FILE, isolation_level=None)
        self._db.execute("PRAGMA synchronous = OFF")
        if create:
            self._db.execute("PRAGMA journal_mode = MEMORY")
            self._db.executescript(_SCHEMA)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file; the folder stays."""
        self._db.close()

    # -- documents

    def add(self, document: Document) -> Added:
        """Takes a document in. Of two records of one version the one with more text stays."""
        version, row = document.version, (document.set_id, document.version.key)
        known = self._db.execute("SELECT hash, richness FROM document WHERE set_id = ? AND version = ?", row).fetchone()
        richness = sum(len(section.text) for section in document.sections)
        if known is not None:
            if known[0] == version.content_hash:
                return Added("duplicate", version.key)
            if (known[1], known[0]) >= (richness, version.content_hash):
                return Added("poorer", version.key)
        effective, number, content_hash = version.precedence()
        self._db.execute(
            "INSERT OR REPLACE INTO document (set_id, version, effective, number, richness, hash, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*row, effective.isoformat(), number, richness, content_hash, pack(document)),
        )
        return Added("new" if known is None else "richer", version.key)

    def rewrite(self, document: Document) -> None:
        """Keeps a document in the place of its former self."""
        self._db.execute("UPDATE document SET body = ? WHERE set_id = ? AND version = ?", (pack(document), document.set_id, document.version.key))

    def choose_judging(self) -> tuple[int, int]:
        """Marks the newest version of every set id; how many judge, and how many older ones are kept beside them."""
        self._db.execute("UPDATE document SET judging = 0")
        self._db.execute(_JUDGING)
        judging, total = self._db.execute("SELECT sum(judging), count(*) FROM document").fetchone()
        return judging or 0, total - (judging or 0)

    def set_ids(self) -> list[str]:
        """All set ids, sorted."""
        return [row[0] for row in self._db.execute("SELECT DISTINCT set_id FROM document ORDER BY set_id")]

    def versions(self, set_id: str) -> list[Document]:
        """All versions of a document, the judging one first."""
        rows = self._db.execute(f"SELECT body FROM document WHERE set_id = ? ORDER BY judging DESC, {_NEWEST_FIRST}", (set_id,))  # noqa: S608
        return [_unpack(row[0]) for row in rows]

    def judging(self, set_id: str) -> Document:
        """The version of a document that judges."""
        row = self._db.execute("SELECT body FROM document WHERE set_id = ? AND judging = 1", (set_id,)).fetchone()
        document: Document = _unpack(row[0])
        return document

    # -- terms

    def put_terms(self, rows: Iterable[tuple[str, str]]) -> None:
        """Keeps the terminology that the second pass and the release use."""
        with self._transaction():
            self._db.execute("DELETE FROM term")
            self._db.executemany("INSERT INTO term (kind, body) VALUES (?, ?)", rows)

    def terms(self) -> Iterator[tuple[str, str]]:
        """The terminology's rows, in their order."""
        yield from self._db.execute("SELECT kind, body FROM term ORDER BY position")

    # -- extractions

    def put_extraction(self, set_id: str, packed: bytes) -> None:
        """Keeps what was extracted from a document, packed."""
        self._db.execute("INSERT OR REPLACE INTO extraction VALUES (?, ?)", (set_id, packed))

    def extraction(self, set_id: str) -> Any:
        """What was extracted from a document, or None."""
        row = self._db.execute("SELECT body FROM extraction WHERE set_id = ?", (set_id,)).fetchone()
        return None if row is None else _unpack(row[0])

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")


@contextlib.contextmanager
def working_folder(output: Path) -> Iterator[Path]:
    """A private folder beside the output, gone at the end whatever happens; what killed runs left is removed first."""
    prefix = f".{output.name}.building-"
    for left in output.parent.glob(f"{prefix}*"):
        _remove_if_left(left)
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=output.parent))
    try:
        with (folder / _LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_if_left(folder: Path) -> None:
    try:
        with (folder / _LOCK).open("r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
    except OSError:
        return  # another run is at work in it, or it belongs to somebody else


def pack(value: object) -> bytes:
    """A value as the workspace keeps it."""
    return zlib.compress(pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL), 1)


def _unpack(blob: bytes) -> Any:
    return pickle.loads(zlib.decompress(blob))  # noqa: S301 - a file this run wrote in its own private folder
