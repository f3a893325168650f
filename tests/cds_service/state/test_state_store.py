import multiprocessing
import os
import sqlite3
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from cds_service.errors import StateBroken, TraceMissing, TraceUnreadable
from cds_service.state.protocol import Feedback, ReadEntry, StateStore, Trace, Verdict
from cds_service.state.site_key import SiteKey
from cds_service.state.sqlite import DATABASE, SqliteState

NOW = datetime(2026, 11, 30, 4, 5, 6, 789_000, tzinfo=UTC)
KEY = SiteKey(b"k" * 32)
Open = Callable[..., SqliteState]


@pytest.fixture
def open_state(tmp_path: Path) -> Open:
    return lambda key=KEY, **options: SqliteState(tmp_path, key, **options)


@pytest.fixture
def store(open_state: Open) -> StateStore:
    return open_state()


def trace(identifier: str = "t1", received: datetime = NOW, request: bytes = b'{"hook": "order-sign", "name": "Ada"}') -> Trace:
    return Trace(identifier, "pharmgraph-order-sign", received, "rel-1", "pol-1", "http://x", True, request, "hash")


def test_a_trace_comes_back_as_it_was_and_over_a_reopening(store: StateStore, open_state: Open) -> None:
    store.save_trace(trace())
    assert store.trace("t1") == trace()
    store.close()
    assert open_state().trace("t1") == trace()


def test_a_missing_trace_is_said(store: StateStore) -> None:
    with pytest.raises(TraceMissing, match="t9"):
        store.trace("t9")


def test_a_trace_does_not_open_with_another_key_nor_when_damaged(store: StateStore, open_state: Open, tmp_path: Path) -> None:
    store.save_trace(trace())
    with pytest.raises(TraceUnreadable, match="key"):
        open_state(SiteKey(b"x" * 32)).trace("t1")
    db = sqlite3.connect(tmp_path / DATABASE)
    db.execute("UPDATE trace SET body = substr(body, 1, 100)")
    db.commit()
    with pytest.raises(TraceUnreadable):
        store.trace("t1")


def test_nothing_of_a_patient_is_on_disk_in_the_clear(store: StateStore, tmp_path: Path) -> None:
    store.save_trace(trace(request=b"Ada Lovelace " * 500))
    store.save_feedback([Feedback("c1", "s", NOW, b'{"userComment": "Ada Lovelace"}')])
    assert b"Lovelace" not in b"".join(p.read_bytes() for p in tmp_path.iterdir())


def test_feedback_is_kept_once(store: StateStore) -> None:
    first, second = Feedback("c1", "s", NOW, b"{}"), Feedback("c1", "s", NOW + timedelta(hours=1), b'{"outcome": "overridden"}')
    assert store.save_feedback([first, second]) == 2
    assert store.save_feedback([Feedback("c1", "s", NOW + timedelta(days=1), b"{}")]) == 0
    assert store.feedback("c1") == (first, second)
    assert store.feedback("c2") == ()


def test_a_new_verdict_takes_the_place_of_the_old(store: StateStore) -> None:
    assert store.verdict("t1") is None
    store.save_verdict(Verdict("t1", NOW, True, "3 of 3"))
    store.save_verdict(Verdict("t1", NOW, False, "2 of 3"))
    assert store.verdict("t1") == Verdict("t1", NOW, False, "2 of 3")


def test_reads_are_logged_in_order(store: StateStore) -> None:
    entries = [ReadEntry(NOW + timedelta(seconds=i), "ada", "t1", "explain") for i in range(3)]
    for entry in entries:
        store.log_read(entry)
    assert store.reads("t1") == tuple(entries)


def test_purge_removes_what_is_older_than_the_days_and_keeps_the_log_of_reads(open_state: Open) -> None:
    store = open_state(days=30)
    store.save_trace(trace("old", NOW - timedelta(days=31)))
    store.save_trace(trace("new", NOW - timedelta(days=29)))
    store.save_feedback([Feedback("c", "s", NOW - timedelta(days=31), b"{}")])
    store.save_verdict(Verdict("old", NOW - timedelta(days=31), True, ""))
    store.log_read(ReadEntry(NOW - timedelta(days=31), "ada", "old", "explain"))
    store.purge(NOW)
    with pytest.raises(TraceMissing):
        store.trace("old")
    assert store.trace("new").id == "new"
    assert (store.feedback("c"), store.verdict("old"), len(store.reads("old"))) == ((), None, 1)


def test_a_writer_purges_now_and_then_by_itself(open_state: Open) -> None:
    time = [0.0]
    store = open_state(days=1, clock=lambda: time[0])
    store.save_trace(trace("first", datetime.now(UTC)))
    store.save_trace(trace("old", NOW - timedelta(days=10_000)))
    assert store.trace("old")
    time[0] = 4000.0
    store.save_trace(trace("second", datetime.now(UTC)))
    with pytest.raises(TraceMissing):
        store.trace("old")


def test_a_locked_store_is_broken_for_the_time_of_the_lock_only(open_state: Open, tmp_path: Path) -> None:
    store = open_state(wait_ms=10)
    store.save_trace(trace())
    other = sqlite3.connect(tmp_path / DATABASE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    for use in (store.probe, lambda: store.save_trace(trace("t2")), lambda: store.save_feedback([Feedback("c", "s", NOW, b"{}")])):
        with pytest.raises(StateBroken, match="lock"):
            use()
    other.execute("ROLLBACK")
    store.probe()
    store.save_trace(trace("t2"))
    assert store.reads("") == ()


@pytest.mark.parametrize("content", [b"no database at all " * 500, b""])
def test_a_file_that_is_no_database_is_broken_and_an_empty_one_is_filled(open_state: Open, tmp_path: Path, content: bytes) -> None:
    (tmp_path / DATABASE).write_bytes(content)
    store = open_state()
    if content:
        with pytest.raises(StateBroken, match=DATABASE):
            store.save_trace(trace())
    else:
        store.save_trace(trace())
        assert store.trace("t1") == trace()


def test_a_folder_that_is_gone_is_broken_and_whole_again_when_it_is_back(tmp_path: Path) -> None:
    store = SqliteState(tmp_path / "gone", KEY)
    with pytest.raises(StateBroken):
        store.probe()
    (tmp_path / "gone").mkdir()
    store.probe()


def test_another_format_is_refused(store: StateStore, open_state: Open, tmp_path: Path) -> None:
    store.probe()
    store.close()
    db = sqlite3.connect(tmp_path / DATABASE)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StateBroken, match="99"):
        open_state().probe()


def test_a_full_disk_is_broken_and_leaves_the_earlier_traces(store: StateStore, tmp_path: Path) -> None:
    store.save_trace(trace())
    pages = sqlite3.connect(tmp_path / DATABASE)
    size = pages.execute("PRAGMA page_count").fetchone()[0]
    with store._connection() as db:  # type: ignore[attr-defined]
        db.execute(f"PRAGMA max_page_count = {size}")
    with pytest.raises(StateBroken, match="full"):
        store.save_trace(trace("big", request=os.urandom(1_000_000)))
    assert store.trace("t1") == trace()


def _write_from_child(folder: Path) -> None:
    SqliteState(folder, KEY, wait_ms=5000).save_trace(trace("child"))


def test_threads_and_processes_write_side_by_side(open_state: Open, tmp_path: Path) -> None:
    store = open_state(wait_ms=5000)
    store.save_trace(trace())
    child = multiprocessing.get_context("spawn").Process(target=_write_from_child, args=(tmp_path,))
    child.start()
    threads = [threading.Thread(target=lambda n=n: [store.save_trace(trace(f"{n}-{i}")) for i in range(10)]) for n in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    child.join()
    assert child.exitcode == 0
    assert all(store.trace(f"{n}-{i}") for n in range(4) for i in range(10))
    assert store.trace("child")


def test_no_writer_starves_while_others_keep_writing(tmp_path: Path) -> None:
    """One process's flow of traces, and another that opens and closes write transactions without a rest."""
    SqliteState(tmp_path, KEY).probe()
    busy = multiprocessing.get_context("spawn").Process(target=_write_without_rest, args=(tmp_path,))
    busy.start()
    store, done, faults = SqliteState(tmp_path, KEY, wait_ms=1500), [], []

    def write(number: int) -> None:
        for turn in range(10):
            try:
                store.save_trace(trace(f"{number}-{turn}"))
                done.append(number)
            except StateBroken as e:
                faults.append(e)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(8)]
    while not (tmp_path / "writing").exists():
        time.sleep(0.01)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    busy.terminate()
    busy.join()
    assert (len(done), faults) == (80, [])


def _write_without_rest(folder: Path) -> None:
    db = sqlite3.connect(folder / DATABASE, isolation_level=None, timeout=5)
    (folder / "writing").touch()
    while True:
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO reading VALUES (0, '', '', '')")
        time.sleep(0.02)
        db.execute("COMMIT")
        time.sleep(0.001)


def test_a_disk_that_is_all_but_full_is_told_before_an_order_finds_out(store: StateStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.probe()
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=20_000))
    with pytest.raises(StateBroken, match="20000 bytes are free"):
        store.probe()


def test_all_traces_are_listed_oldest_first(store: StateStore) -> None:
    for identifier, days in (("c", 1), ("z", 0), ("b", 1)):
        store.save_trace(trace(identifier, NOW + timedelta(days=days)))
    assert store.trace_ids() == ("z", "b", "c")
    assert store.trace_ids(NOW + timedelta(days=1)) == ("b", "c")
    assert store.trace_ids(NOW + timedelta(days=2)) == ()
