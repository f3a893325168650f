import getpass
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cds_service.settings import Settings
from cds_service.state.site_key import site_key
from cds_service.state.sqlite import DATABASE, SqliteState
from cds_service.wire.app import create_app

Run = Callable[..., Result]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def trace(repository: Path, starter: Path, state: Path) -> str:
    """The id of an audit that a service answered."""
    app = create_app(Settings(release=starter, state=state))
    raw = (repository / "fixtures/requests/sample-order-sign.json").read_bytes()
    answer = app.test_client().post("/cds-services/pharmgraph-order-sign", data=raw, content_type="application/json")
    app.extensions["pharmgraph"].close()
    return answer.get_json()["cards"][0]["extension"]["org.pharmgraph.trace"]


def test_a_past_answer_is_computed_again_and_is_the_same(run: Run, trace: str, state: Path, starter: Path) -> None:
    result = run("explain", trace, "--state", state, "--release", starter)
    assert result.exit_code == 0, result.stderr
    assert "the same as was sent" in result.stdout
    assert "quotes stand in the release" in result.stdout
    assert "finding interaction clarithromycin / simvastatin" in result.stdout


def test_the_report_as_json(run: Run, trace: str, state: Path, starter: Path) -> None:
    report = json.loads(run("explain", trace, "--state", state, "--release", starter, "--json").stdout)
    assert report["same"] is True
    assert report["quotes"]["sound"] is True
    assert {s["stage"] for s in report["steps"]} >= {"plan", "query", "select", "judge"}
    assert report["cards"]


def test_the_reading_is_logged(run: Run, trace: str, state: Path, starter: Path) -> None:
    run("explain", trace, "--state", state, "--release", starter)
    (entry,) = SqliteState(state, site_key(None, state)).reads(trace)
    assert (entry.who, entry.purpose) == (getpass.getuser(), "explain")


def test_an_answer_that_differs_is_exit_1(run: Run, trace: str, state: Path, starter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from cds_service import answering

    real = answering.compose
    monkeypatch.setattr(answering, "compose", lambda *a: real(*a)[1:])
    result = run("explain", trace, "--state", state, "--release", starter)
    assert (result.exit_code, "DIFFERS" in result.stdout) == (1, True)


def test_another_release_cannot_replay(run: Run, trace: str, state: Path, repository: Path, tmp_path: Path, starter: Path) -> None:
    other = tmp_path / "other"
    build = ["build", "--source", str(repository / "fixtures/monographs/warfarin-tablets.md"), "--out", str(other)]
    from click.testing import CliRunner

    from kb_builder.cli import main as builder

    assert CliRunner().invoke(builder, build).exit_code == 0
    result = run("explain", trace, "--state", state, "--release", other)
    assert result.exit_code == 3
    assert "give the release of that time" in result.stderr


@pytest.mark.parametrize("damage", ["no trace", "other key", "no database"])
def test_a_trace_that_is_not_there_or_does_not_open(run: Run, trace: str, state: Path, starter: Path, damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if damage == "no trace":
        db = sqlite3.connect(state / DATABASE)
        db.execute("DELETE FROM trace")
        db.commit()
    elif damage == "other key":
        monkeypatch.setenv("PHARMGRAPH_SITE_KEY", "eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHg=")
    else:
        (state / DATABASE).write_bytes(b"x" * 9000)
    result = run("explain", trace, "--state", state, "--release", starter)
    assert result.exit_code == 8
    assert len(result.stderr.splitlines()) == 1
