"""Every drug of the release is audited once before the first order."""

import logging
from pathlib import Path

import pytest

import cds_service.audit.chain as chain
from cds_service.answering import Desk
from cds_service.audit.checks.contraindication import ContraindicationCheck
from cds_service.audit.knowledge import VIEWS
from cds_service.cli.serve import _run, claim_port
from cds_service.settings import Settings
from cds_service.wire import logs, rehearsal
from cds_service.wire.rehearsal import rehearse
from cds_service.wire.runtime import Runtime, open_runtime


@pytest.fixture
def runtime(starter: Path, tmp_path: Path) -> Runtime:
    return open_runtime(Settings(release=starter, state=tmp_path / "state"))


def test_what_is_kept_of_each_labelled_drug_is_worked_out(runtime: Runtime) -> None:
    release = runtime.release
    assert rehearse(runtime) == len(list(release.subjects()))
    labelled = [s for s in release.subjects() if (d := release.dossier(s)) is not None and d.labels]
    views = {s: VIEWS.view(release, s) for s in labelled}
    assert len(labelled) > 10
    assert [str(s) for s, v in views.items() if v is None or not v._kept] == []


def test_nothing_is_stored_and_nothing_of_a_whole_release_is_told(runtime: Runtime, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        rehearse(runtime)
    assert runtime.state.trace_ids() == ()
    assert [r.message for r in caplog.records] == []


def test_a_rehearsal_ends_when_its_time_is_up(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Desk, "answer", lambda *_, **__: pytest.fail("audited"))
    assert rehearse(runtime, seconds=0) == 0


@pytest.mark.parametrize("broken", ["a check", "the chain"])
def test_a_drug_that_cannot_be_audited_is_told_at_the_start(
    runtime: Runtime, broken: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks(*_: object, **__: object) -> None:
        raise RuntimeError("damaged")

    if broken == "a check":
        monkeypatch.setattr(ContraindicationCheck, "judge", breaks)
    else:
        monkeypatch.setattr(chain, "synthesise", breaks)
    warfarin = next(s for s in runtime.release.subjects() if (d := runtime.release.dossier(s)) is not None and d.name == "warfarin")
    monkeypatch.setattr(rehearsal, "kept_subjects", lambda _: iter((warfarin,)))
    rehearse(runtime)
    told = [r for r in caplog.records if r.message == "a drug of the release cannot be audited"]
    assert [r.drugs for r in told] == ["warfarin"]


def test_serving_rehearses_before_it_forks(starter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Rehearsed(Exception):
        pass

    def rehearsed(runtime: Runtime) -> None:
        raise Rehearsed(runtime.release.path.name)

    monkeypatch.setattr(rehearsal, "rehearse", rehearsed)
    monkeypatch.setattr(logs, "configure_logs", lambda _: None)
    with claim_port("127.0.0.1", 0) as listener, pytest.raises(Rehearsed, match=starter.name):
        _run(Settings(release=starter, state=tmp_path / "state"), listener)
