"""The state store keeps what an override acknowledges, and what it could."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cds_service.errors import TraceUnreadable
from cds_service.state.protocol import Acknowledgement, Offer, Trace
from cds_service.state.site_key import SiteKey
from cds_service.state.sqlite import DATABASE, SqliteState

NOW = datetime(2026, 11, 30, 4, 5, 6, tzinfo=UTC)
KEY = SiteKey(b"k" * 32)
GIVEN = Acknowledgement("warfarin|Ada", "facts", NOW, NOW + timedelta(days=7), "Ada will be monitored")


def trace(*acknowledgements: Acknowledgement) -> Trace:
    return Trace("t1", "s", NOW, "rel", "pol", "http://x", True, b"{}", "hash", acknowledgements)


def offer(card: str = "c1", whose: str = "Ada|e1|prescribing|doctor", problem: str = "warfarin|Ada") -> Offer:
    return Offer(card, "s", whose, problem, "facts", 7)


@pytest.fixture
def store(tmp_path: Path) -> SqliteState:
    return SqliteState(tmp_path, KEY)


def test_an_override_acknowledges_what_its_card_offered_until_it_expires(store: SqliteState) -> None:
    store.save_trace(trace(), [offer(), offer(problem="another"), offer("c2", problem="third")])
    assert store.acknowledge("c1", "s", GIVEN.reason, NOW) == 2
    held = store.acknowledgements(offer().whose, NOW + timedelta(days=6))
    assert GIVEN in held
    assert {a.problem for a in held} == {GIVEN.problem, "another"}
    assert store.acknowledgements(offer().whose, NOW + timedelta(days=7)) == ()
    assert store.acknowledgements("Ada|e1|medication-verify|pharmacist", NOW) == ()


def test_a_card_acknowledges_once_so_that_a_repeat_makes_it_no_longer(store: SqliteState) -> None:
    store.save_trace(trace(), [offer()])
    assert store.acknowledge("c1", "s", "why", NOW) == 1
    assert store.acknowledge("c1", "s", "why", NOW + timedelta(days=6)) == 0
    assert store.acknowledgements(offer().whose, NOW + timedelta(days=8)) == ()


def test_a_card_of_another_service_or_of_nobody_acknowledges_nothing(store: SqliteState) -> None:
    store.save_trace(trace(), [offer()])
    assert store.acknowledge("c1", "other", "why", NOW) == store.acknowledge("c9", "s", "why", NOW) == 0


def test_a_newer_override_takes_the_place_of_the_old(store: SqliteState) -> None:
    store.save_trace(trace(), [offer(), offer("c2")])
    store.acknowledge("c1", "s", "first", NOW)
    store.acknowledge("c2", "s", "second", NOW + timedelta(days=1))
    assert [a.reason for a in store.acknowledgements(offer().whose, NOW + timedelta(days=2))] == ["second"]


def test_a_trace_keeps_the_acknowledgements_it_was_answered_with(store: SqliteState) -> None:
    store.save_trace(trace(GIVEN))
    assert store.trace("t1") == trace(GIVEN)


def test_nothing_of_a_patient_or_user_is_on_disk_in_the_clear(store: SqliteState, tmp_path: Path) -> None:
    store.save_trace(trace(GIVEN), [offer(), offer("c2")])
    store.acknowledge("c1", "s", GIVEN.reason, NOW)
    written = b"".join(p.read_bytes() for p in tmp_path.iterdir())
    assert not any(word in written for word in (b"Ada", b"warfarin", b"doctor"))
    other = SqliteState(tmp_path, SiteKey(b"x" * 32))
    assert other.acknowledgements(offer().whose, NOW) == ()
    with pytest.raises(TraceUnreadable):
        other.acknowledge("c2", "s", "why", NOW)


def test_offers_and_acknowledgements_go_with_the_retention_time(tmp_path: Path) -> None:
    store = SqliteState(tmp_path, KEY, days=5)
    store.save_trace(trace(), [offer(), offer("c2")])
    store.acknowledge("c1", "s", "why", NOW)
    store.purge(NOW + timedelta(days=4))
    assert len(store.acknowledgements(offer().whose, NOW)) == 1
    store.purge(NOW + timedelta(days=6))
    assert store.acknowledgements(offer().whose, NOW) == ()
    assert store.acknowledge("c2", "s", "why", NOW) == 0


def test_a_state_file_of_the_first_format_goes_on(store: SqliteState, tmp_path: Path) -> None:
    store.save_trace(trace())
    store.close()
    with sqlite3.connect(tmp_path / DATABASE) as db:
        db.executescript("DROP TABLE offer; DROP TABLE acknowledgement; PRAGMA user_version = 1;")
    again = SqliteState(tmp_path, KEY)
    assert again.trace("t1") == trace()
    again.save_trace(trace(), [offer()])
    assert again.acknowledge("c1", "s", "why", NOW) == 1
