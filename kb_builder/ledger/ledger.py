"""The ledger of claims: what each build recorded, as rows with a recorded period.

A build that finds a claim unchanged leaves its row open; one that finds it changed closes the row and adds another; one that reads a
document and no longer finds the claim closes the row. Claims of documents that a build did not read stay as they are.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from kb_builder.errors import LedgerError
from kb_builder.ingest.shape import SourceShape
from ontology.model.claims import Claim
from ontology.model.identifiers import content_hash
from ontology.store.rows import claim_row, evidence_row, to_json

FILE = "ledger.sqlite"
FORMAT = 1
_RECORDED = ("recorded_from", "recorded_to")
_SCHEMA = """
CREATE TABLE IF NOT EXISTS run (run INTEGER PRIMARY KEY, recorded TEXT NOT NULL, policy TEXT NOT NULL, sources TEXT NOT NULL, release TEXT);
CREATE TABLE IF NOT EXISTS claim (
    row INTEGER PRIMARY KEY, id TEXT NOT NULL, document TEXT NOT NULL, version TEXT NOT NULL, subject TEXT NOT NULL, predicate TEXT NOT NULL,
    object TEXT NOT NULL, status TEXT NOT NULL, reason TEXT, valid_from TEXT, valid_to TEXT,
    recorded_from TEXT NOT NULL, recorded_to TEXT, closed_because TEXT, hash TEXT NOT NULL, body TEXT NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS open_claim ON claim (id) WHERE recorded_to IS NULL;
CREATE INDEX IF NOT EXISTS claim_said ON claim (subject, predicate, object);
CREATE INDEX IF NOT EXISTS claim_document ON claim (document);
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the ledger. Open while `recorded_to` is None."""

    id: str
    document: str
    version: str
    status: str
    reason: str | None
    valid_from: str | None
    valid_to: str | None
    recorded_from: str
    recorded_to: str | None
    closed_because: str | None

    def line(self) -> str:
        """The row for a person."""
        until = f"until {self.recorded_to} ({self.closed_because})" if self.recorded_to else "and stands"
        reason = f", {self.reason}" if self.reason else ""
        return f"{self.id}  {self.document} version {self.version}: {self.status}{reason}; recorded {self.recorded_from} {until}"


class Ledger:
    """One ledger folder; the only writer of claims across builds."""

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        """Opens the ledger of a folder. Raises LedgerError when there is none (unless `create`), or it is no ledger of this format."""
        self.path = folder / FILE
        if not create and not self.path.is_file():
            raise LedgerError(f"{folder} holds no ledger ({FILE}); give the folder that `kb-builder build --ledger` wrote")
        with self._explained():
            folder.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, isolation_level=None, timeout=60)
            found = self._db.execute("PRAGMA user_version").fetchone()[0]
            if found not in (0, FORMAT):
                raise LedgerError(f"{self.path} has format {found}, this version reads {FORMAT}; use the version that wrote it")
            self._db.executescript(_SCHEMA)
            self._db.execute(f"PRAGMA user_version = {FORMAT}")

    @contextmanager
    def recording(self, policy: str, sources: Mapping[str, SourceShape], now: datetime | None = None) -> Iterator[Recording]:
        """One run's recording: everything in it becomes part of the ledger when the block ends well, nothing otherwise."""
        with self._explained():
            self._db.execute("BEGIN IMMEDIATE")
        try:
            instant = (now or datetime.now(UTC)).isoformat(timespec="seconds")
            recording = Recording(self._db, instant, policy, sources)
            yield recording
            with self._explained():
                recording.close_missing()
                self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def last_shape(self, source: str) -> SourceShape | None:
        """The shape that the source of this name had in the last run that read it, or None."""
        with self._explained():
            rows = self._db.execute("SELECT sources FROM run ORDER BY run DESC").fetchall()
        shapes = (json.loads(row[0]).get(source) for row in rows)
        found = next((shape for shape in shapes if shape is not None), None)
        return None if found is None else SourceShape.of_data(found)

    def history(self, subject: str, predicate: str, object_: str) -> list[Entry]:
        """Every row that says this, oldest first."""
        columns = ", ".join(Entry.__slots__)
        said = "SELECT {} FROM claim WHERE subject = ? AND predicate = ? AND object = ? ORDER BY recorded_from, row"
        with self._explained():
            return [Entry(*row) for row in self._db.execute(said.format(columns), (subject, predicate, object_))]

    def close(self) -> None:
        """Closes the file."""
        self._db.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as e:
            raise LedgerError(f"ledger {self.path}: {e}; make room, or give another folder. The ledger is as it was before") from e


class Recording:
    """What one run adds and closes."""

    def __init__(self, db: sqlite3.Connection, instant: str, policy: str, sources: Mapping[str, SourceShape]) -> None:
        self._db = db
        self._instant = instant
        shapes = json.dumps({name: shape.as_data() for name, shape in sources.items()}, sort_keys=True, ensure_ascii=False)
        self._run = db.execute("INSERT INTO run (recorded, policy, sources) VALUES (?, ?, ?)", (instant, policy, shapes)).lastrowid
        db.execute("CREATE TEMP TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY) WITHOUT ROWID")
        db.execute("CREATE TEMP TABLE IF NOT EXISTS read_document (document TEXT PRIMARY KEY, version TEXT) WITHOUT ROWID")
        db.execute("DELETE FROM seen")
        db.execute("DELETE FROM read_document")
        self.added = self.closed = 0

    def read(self, document: str, version: str) -> None:
        """Says that this run read a document, so that what it no longer finds there is closed."""
        self._db.execute("INSERT OR REPLACE INTO read_document VALUES (?, ?)", (document, version))

    def record(self, claims: Iterator[Claim]) -> Iterator[Claim]:
        """Passes the claims on and records them."""
        for claim in claims:
            self._record(claim)
            yield claim

    def finish(self, release: str) -> None:
        """Notes which release the run made."""
        self._db.execute("UPDATE run SET release = ? WHERE run = ?", (release, self._run))

    def close_missing(self) -> None:
        """Closes the open rows of documents that were read and in which the claim was not found."""
        gone = """UPDATE claim SET recorded_to = ?,
            closed_because = 'no longer found in version ' || (SELECT version FROM read_document r WHERE r.document = claim.document)
            WHERE recorded_to IS NULL AND document IN (SELECT document FROM read_document) AND id NOT IN (SELECT id FROM seen)"""
        self.closed += self._db.execute(gone, (self._instant,)).rowcount

    def _record(self, claim: Claim) -> None:
        row = {k: v for k, v in claim_row(claim).items() if k not in _RECORDED}
        body = to_json({**row, "evidence": [evidence_row(claim.id, n, span) for n, span in enumerate(claim.evidence)]})
        digest = content_hash(body)
        self._db.execute("INSERT OR IGNORE INTO seen VALUES (?)", (claim.id,))
        known = self._db.execute("SELECT row, hash FROM claim WHERE id = ? AND recorded_to IS NULL", (claim.id,)).fetchone()
        if known is not None:
            if known[1] == digest:
                return
            self._db.execute("UPDATE claim SET recorded_to = ?, closed_because = 'recorded anew' WHERE row = ?", (self._instant, known[0]))
            self.closed += 1
        said = (claim.id, claim.document, claim.evidence[0].version, str(claim.subject), claim.predicate, str(claim.object), claim.status.value, claim.reason)
        valid = tuple(day.isoformat() if day else None for day in (claim.valid.start, claim.valid.end))
        self._db.execute(
            "INSERT INTO claim (id, document, version, subject, predicate, object, status, reason, valid_from, valid_to, recorded_from, hash, body)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*said, *valid, self._instant, digest, body),
        )
        self.added += 1
