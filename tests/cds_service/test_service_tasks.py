import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import InvalidToken

from cds_service.errors import SettingsError
from cds_service.settings import Settings
from cds_service.state.site_key import SiteKey
from cds_service.state.sqlite import SqliteState
from cds_service.submit import PURPOSE, CelerySubmitter, ThreadSubmitter, open_payload
from cds_service.tasks import recheck, run_task, worker_app
from ontology.model.claims import ClaimStatus
from ontology.store.release import Release

KEY = SiteKey(b"k" * 32)


@pytest.fixture
def release(starter: Path) -> Any:
    with Release.open(starter) as found:
        yield found


@pytest.fixture
def quotes(release: Release) -> list[list[Any]]:
    claims = list(release.claims(ClaimStatus.APPROVED))[:5]
    spans = [(c.id, c.statement) for c in claims]
    return [[i, s.document, s.version, s.section, s.start, s.end, s.quote] for i, s in spans]


@pytest.fixture
def state(tmp_path: Path) -> SqliteState:
    return SqliteState(tmp_path, KEY)


def test_quotes_that_stand_make_a_sound_verdict(release: Release, quotes: list[list[Any]], state: SqliteState) -> None:
    recheck({"trace": "t1", "quotes": quotes}, release, state)
    verdict = state.verdict("t1")
    assert verdict is not None
    assert (verdict.sound, verdict.words) == (True, "5 of 5 quotes stand in the release at their offsets")
    assert verdict.checked <= datetime.now(UTC)


@pytest.mark.parametrize(("place", "value"), [(0, "c0"), (1, "no document"), (2, "9999"), (3, "no_section"), (4, 1), (6, "Another sentence altogether.")])
def test_anything_that_does_not_stand_is_found(release: Release, quotes: list[list[Any]], state: SqliteState, place: int, value: Any) -> None:
    quotes[2][place] = value
    verdict = recheck({"trace": "t1", "quotes": quotes}, release, state)
    assert not verdict.sound
    assert verdict.words.startswith("4 of 5")


def test_a_quote_without_a_claim_stands_by_its_place_alone(release: Release, quotes: list[list[Any]], state: SqliteState) -> None:
    quotes[2][0] = ""
    assert recheck({"trace": "t1", "quotes": quotes}, release, state).sound
    quotes[2][4] += 1
    assert not recheck({"trace": "t1", "quotes": quotes}, release, state).sound


def test_a_quote_that_stood_is_read_once_and_one_that_did_not_is_read_again(
    release: Release, quotes: list[list[Any]], state: SqliteState, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Any] = []
    real = Release.section
    monkeypatch.setattr(Release, "section", lambda self, *place: read.append(place) or real(self, *place))
    wrong = [*quotes[0][:6], "Another sentence altogether."]
    for listed in (quotes, quotes, [wrong], [wrong]):
        recheck({"trace": "t1", "quotes": listed}, release, state)
    assert len(read) == len({tuple(q[1:4]) for q in quotes}) + 2


def test_an_unknown_task_is_an_error(release: Release, state: SqliteState) -> None:
    with pytest.raises(KeyError):
        run_task("nonsense", {}, release, state)


def test_the_thread_runs_tasks_in_order_and_survives_one_that_breaks() -> None:
    seen: list[Any] = []

    def run(task: str, payload: Mapping[str, Any]) -> None:
        if payload.get("break"):
            raise ValueError("broken")
        seen.append((task, payload["n"]))

    submitter = ThreadSubmitter(run)
    assert all(submitter.submit("t", p) for p in ({"n": 1}, {"break": True}, {"n": 2}))
    submitter.close()
    assert seen == [("t", 1), ("t", 2)]


def test_a_full_queue_takes_nothing_and_never_waits() -> None:
    submitter = ThreadSubmitter(lambda *_: time.sleep(0.3), size=1)
    taken = [submitter.submit("t", {}) for _ in range(4)]
    assert taken[0]
    assert not taken[-1]


def test_a_broker_that_is_away_takes_nothing_and_soon_says_so() -> None:
    submitter = CelerySubmitter("redis://127.0.0.1:1/0", KEY)
    start = time.monotonic()
    assert not submitter.submit("recheck", {"trace": "t1"})
    assert time.monotonic() - start < 5


def test_payloads_are_encrypted_with_the_site_key() -> None:
    sealed = KEY.cipher(PURPOSE).encrypt(b'{"trace": "t1"}').decode()
    assert open_payload(sealed, KEY) == {"trace": "t1"}
    with pytest.raises(InvalidToken):
        open_payload(sealed, SiteKey(b"x" * 32))


def test_a_worker_without_a_broker_is_told_what_to_do(starter: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="--broker"):
        worker_app(Settings(release=starter, state=tmp_path))
