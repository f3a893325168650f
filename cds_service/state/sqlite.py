"""The embedded state store: one SQLite file in write-ahead mode, a connection a thread of each process."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cds_service.errors import StateBroken, TraceMissing
from cds_service.state.protocol import Acknowledgement, Feedback, Offer, ReadEntry, Trace, Verdict
from cds_service.state.sealing import (
    open_acknowledgement,
    open_bytes,
    open_offers,
    open_trace,
    seal_acknowledgement,
    seal_bytes,
    seal_offers,
    seal_trace,
)
from cds_service.state.site_key import SiteKey

DATABASE = "state.sqlite"
FORMAT = 2
LEAST_FREE = 1024 * 1024
"""Bytes that a state folder must have free to take the traces of a few requests."""
ASK_EVERY = 0.002
"""Seconds between two askings for the lock of the file."""
PURGE_EVERY = 3600.0
"""Seconds between two purges by a process that writes."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS trace (id TEXT PRIMARY KEY, received INTEGER NOT NULL, body BLOB NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS trace_received ON trace (received);
CREATE TABLE IF NOT EXISTS feedback (key TEXT PRIMARY KEY, card TEXT NOT NULL, service TEXT NOT NULL, received INTEGER NOT NULL, body BLOB NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS feedback_card ON feedback (card, received);
CREATE TABLE IF NOT EXISTS offer (card TEXT PRIMARY KEY, received INTEGER NOT NULL, body BLOB NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS offer_received ON offer (received);
CREATE TABLE IF NOT EXISTS acknowledgement (whose TEXT NOT NULL, problem TEXT NOT NULL, given INTEGER NOT NULL, expires INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (whose, problem)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS verdict (trace TEXT PRIMARY KEY, checked INTEGER NOT NULL, sound INTEGER NOT NULL, words TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reading (at INTEGER NOT NULL, who TEXT NOT NULL, trace TEXT NOT NULL, purpose TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS reading_trace ON reading (trace, at);
"""


class SqliteState:
    """A StateStore in a folder. Safe for threads and over a fork; opening touches nothing, the first use makes the file."""

    def __init__(self, folder: Path, key: SiteKey, *, days: int = 30, wait_ms: int = 500, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = folder / DATABASE
        self._cipher = key.cipher("state 1")
        self._index = key.index("state index 1")
        self._days = days
        self._wait = wait_ms / 1000
        self._clock = clock
        self._next_purge = 0.0
        self._local = threading.local()
        self._writers = (os.getpid(), threading.Lock())

    def save_trace(self, trace: Trace, offers: Sequence[Offer] = ()) -> None:
        """See StateStore. Purges what is over now and then."""
        sealed = seal_trace(trace, self._cipher)
        cards = {o.card: [other for other in offers if other.card == o.card] for o in offers}
        rows = [(card, _stamp(trace.received), seal_offers(listed, self._cipher)) for card, listed in cards.items()]
        with self._writing() as db:
            db.execute("INSERT OR REPLACE INTO trace VALUES (?, ?, ?)", (trace.id, _stamp(trace.received), sealed))
            db.executemany("INSERT OR REPLACE INTO offer VALUES (?, ?, ?)", rows)
        if self._clock() >= self._next_purge:
            self._next_purge = self._clock() + PURGE_EVERY
            self.purge(datetime.now(UTC))

    def trace(self, trace_id: str) -> Trace:
        """See StateStore."""
        with self._reading() as db:
            row = db.execute("SELECT body FROM trace WHERE id = ?", (trace_id,)).fetchone()
        if row is None:
            raise TraceMissing(f"there is no trace {trace_id}: traces are kept {self._days} days")
        return open_trace(trace_id, row[0], self._cipher)

    def trace_ids(self, since: datetime | None = None) -> tuple[str, ...]:
        """See StateStore."""
        with self._reading() as db:
            rows = db.execute("SELECT id FROM trace WHERE received >= ? ORDER BY received, id", (_stamp(since) if since is not None else 0,)).fetchall()
        return tuple(r[0] for r in rows)

    def save_feedback(self, items: Sequence[Feedback]) -> int:
        """See StateStore. Two items are the same when service, card and body are."""
        rows = [(_key(f), f.card, f.service, _stamp(f.received), seal_bytes(f.body, self._cipher)) for f in items]
        with self._writing() as db:
            return sum(db.execute("INSERT OR IGNORE INTO feedback VALUES (?, ?, ?, ?, ?)", row).rowcount for row in rows)

    def feedback(self, card: str) -> tuple[Feedback, ...]:
        """See StateStore."""
        with self._reading() as db:
            rows = db.execute("SELECT card, service, received, body FROM feedback WHERE card = ? ORDER BY received, key", (card,)).fetchall()
        return tuple(Feedback(r[0], r[1], _instant(r[2]), open_bytes(r[3], self._cipher)) for r in rows)

    def acknowledge(self, card: str, service: str, reason: str, now: datetime) -> int:
        """See StateStore."""
        with self._writing() as db:
            row = db.execute("SELECT body FROM offer WHERE card = ?", (card,)).fetchone()
            offers = [o for o in open_offers(row[0], self._cipher) if o.service == service] if row is not None else []
            for o in offers:
                given = Acknowledgement(o.problem, o.facts, now, now + timedelta(days=o.days), reason)
                sealed = seal_acknowledgement(given, self._cipher)
                key = (self._index(o.whose), self._index(o.problem))
                db.execute("INSERT OR REPLACE INTO acknowledgement VALUES (?, ?, ?, ?, ?)", (*key, _stamp(now), _stamp(given.expires), sealed))
            if offers:
                db.execute("DELETE FROM offer WHERE card = ?", (card,))
        return len(offers)

    def acknowledgements(self, whose: str, now: datetime) -> tuple[Acknowledgement, ...]:
        """See StateStore."""
        with self._reading() as db:
            rows = db.execute("SELECT body FROM acknowledgement WHERE whose = ? AND expires > ? ORDER BY problem", (self._index(whose), _stamp(now))).fetchall()
        return tuple(open_acknowledgement(r[0], self._cipher) for r in rows)

    def save_verdict(self, verdict: Verdict) -> None:
        """See StateStore."""
        with self._writing() as db:
            db.execute("INSERT OR REPLACE INTO verdict VALUES (?, ?, ?, ?)", (verdict.trace, _stamp(verdict.checked), verdict.sound, verdict.words))

    def verdict(self, trace_id: str) -> Verdict | None:
        """See StateStore."""
        with self._reading() as db:
            row = db.execute("SELECT trace, checked, sound, words FROM verdict WHERE trace = ?", (trace_id,)).fetchone()
        return None if row is None else Verdict(row[0], _instant(row[1]), bool(row[2]), row[3])

    def log_read(self, entry: ReadEntry) -> None:
        """See StateStore."""
        with self._writing() as db:
            db.execute("INSERT INTO reading VALUES (?, ?, ?, ?)", (_stamp(entry.at), entry.who, entry.trace, entry.purpose))

    def reads(self, trace_id: str) -> tuple[ReadEntry, ...]:
        """See StateStore."""
        with self._reading() as db:
            rows = db.execute("SELECT at, who, trace, purpose FROM reading WHERE trace = ? ORDER BY at, rowid", (trace_id,)).fetchall()
        return tuple(ReadEntry(_instant(r[0]), r[1], r[2], r[3]) for r in rows)

    def purge(self, now: datetime) -> int:
        """See StateStore. The log of reads is kept: it holds no patient data."""
        limit = _stamp(now - timedelta(days=self._days))
        with self._writing() as db:
            gone = db.execute("DELETE FROM trace WHERE received < ?", (limit,)).rowcount
            db.execute("DELETE FROM feedback WHERE received < ?", (limit,))
            db.execute("DELETE FROM verdict WHERE checked < ?", (limit,))
            db.execute("DELETE FROM offer WHERE received < ?", (limit,))
            db.execute("DELETE FROM acknowledgement WHERE given < ? OR expires < ?", (limit, _stamp(now)))
        return gone

    def probe(self) -> None:
        """See StateStore. Writes a page and takes it back; a disk that is all but full counts as one that cannot be written."""
        if self._path.parent.is_dir() and (free := shutil.disk_usage(self._path.parent).free) < LEAST_FREE:
            raise StateBroken(f"state {self._path.parent}: {free} bytes are free; make room, or choose another folder with --state")
        with self._failing(), self._connection() as db:
            self._begin(db)
            db.execute("INSERT INTO reading VALUES (0, '', '', 'probe')")
            db.execute("ROLLBACK")

    def close(self) -> None:
        """Closes this thread's connection."""
        held: tuple[int, sqlite3.Connection] | None = getattr(self._local, "held", None)
        if held is not None and held[0] == os.getpid():
            held[1].close()
        self._local = threading.local()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._failing(), self._connection() as db, self._turn():
            self._begin(db)
            yield db
            db.execute("COMMIT")

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Lets the threads of a process write one after another."""
        if self._writers[0] != os.getpid():
            self._writers = (os.getpid(), threading.Lock())
        lock = self._writers[1]
        if not lock.acquire(timeout=self._wait):
            raise sqlite3.OperationalError("database is locked by another thread")
        try:
            yield
        finally:
            lock.release()

    def _begin(self, db: sqlite3.Connection) -> None:
        """Opens a transaction that writes. SQLite's own waiting sleeps ever longer, so one starves under a steady flow of orders; this asks steadily."""
        end = time.monotonic() + self._wait
        db.execute("PRAGMA busy_timeout = 0")
        while not db.in_transaction:
            try:
                db.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as e:
                if (e.sqlite_errorcode & 0xFF) != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
                time.sleep(ASK_EVERY)
        db.execute(f"PRAGMA busy_timeout = {round(self._wait * 1000)}")

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._failing(), self._connection() as db:
            yield db

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Turns the database's errors into StateBroken."""
        try:
            yield
        except sqlite3.Error as e:
            raise StateBroken(f"state {self._path}: {e}; make room, end the program that holds the lock, or restore the file") from e

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """This thread's connection, without an open transaction before and after."""
        held: tuple[int, sqlite3.Connection] | None = getattr(self._local, "held", None)
        if held is None or held[0] != os.getpid():
            held = (os.getpid(), self._connect())
            self._local.held = held
        db = held[1]
        try:
            yield db
        except sqlite3.Error:
            # A disk that was full or a file that was replaced may be whole again at the next use.
            del self._local.held
            db.close()
            raise
        finally:
            if getattr(self._local, "held", None) is held and db.in_transaction:
                db.execute("ROLLBACK")

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, timeout=self._wait, isolation_level=None, check_same_thread=False)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if not 0 <= version <= FORMAT:
                raise StateBroken(
                    f"state {self._path} has the format {version}, this service reads {FORMAT}: use the service that wrote it, or another --state"
                )
            if version < FORMAT:
                db.executescript(f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {FORMAT}; COMMIT;")
                self._path.chmod(0o600)
        except BaseException:
            db.close()
            raise
        return db


def _key(item: Feedback) -> str:
    return hashlib.sha256(b"\0".join((item.service.encode(), item.card.encode(), item.body))).hexdigest()


def _stamp(instant: datetime) -> int:
    return int(instant.timestamp() * 1_000_000)


def _instant(stamp: int) -> datetime:
    return datetime.fromtimestamp(stamp / 1_000_000, UTC)
