"""`shadow-report`: would-be cards per 100 orders, feedback, top rules, and a sheet without patient identifiers."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from past_answers import NAME, answered, opened, sample

from cds_service.cli.shadow_figures import Row, write_sheet
from cds_service.state.site_key import site_key
from cds_service.state.sqlite import SqliteState

Run = Callable[..., Result]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def silent(tmp_path: Path, repository: Path) -> Path:
    """A policy in which interactions are silent."""
    folder = tmp_path / "site"
    folder.mkdir()
    text = (repository / "cds_service/answer/data/policy.toml").read_text()
    (folder / "policy.toml").write_text(text.replace('interaction = "live"', 'interaction = "silent"\nwhy = "being introduced"'))
    return folder


def report(run: Run, state: Path, starter: Path, *more: object) -> dict:
    result = run("shadow-report", "--state", state, "--release", starter, "--json", *more)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8-sig", newline="") as f:
        return list(csv.DictReader(f))


def test_cards_are_counted_per_100_orders_by_check_and_level(run: Run, state: Path, starter: Path, repository: Path) -> None:
    (answer, _) = answered(starter, state, sample(repository), sample(repository))
    found = report(run, state, starter)
    orders = len(sample(repository)["context"]["draftOrders"]["entry"])
    assert (found["traces"], found["orders"]) == (2, 2 * orders)
    (interaction,) = (c for c in found["checks"] if c["check"] == "interaction")
    critical = sum(c["indicator"] == "critical" and c["source"]["topic"]["code"] == "interaction" for c in answer["cards"])
    assert critical > 0
    assert interaction["critical"] == interaction["critical_shown"] == 2 * critical
    assert interaction["critical_per_100"] == round(100 * 2 * critical / (2 * orders), 1)


def test_a_silent_check_is_counted_as_if_it_were_live(run: Run, state: Path, starter: Path, repository: Path, silent: Path) -> None:
    answered(starter, state, sample(repository), policy=silent)
    (interaction,) = (c for c in report(run, state, starter, "--policy", silent)["checks"] if c["check"] == "interaction")
    assert interaction["critical"] > 0
    assert interaction["critical_shown"] == 0


def test_feedback_is_counted_and_its_comments_are_not_read(run: Run, state: Path, starter: Path, repository: Path) -> None:
    answered(starter, state, sample(repository), sample(repository), override="interaction")
    found = report(run, state, starter)
    assert sum(c["overridden"] for c in found["checks"]) == 2
    assert [c["reasons"] for c in found["checks"] if c["overridden"]] == ["will-monitor 2"]
    assert [r["cards"] for r in found["rules"]] == sorted((r["cards"] for r in found["rules"]), reverse=True)
    assert max(r["overridden"] for r in found["rules"]) == 2
    readable = run("shadow-report", "--state", state, "--release", starter).stdout
    assert "overridden 2 (will-monitor 2)" in readable
    assert NAME not in readable + json.dumps(found)


def test_what_was_acknowledged_is_told_apart(run: Run, state: Path, starter: Path, repository: Path, tmp_path: Path) -> None:
    answered(starter, state, sample(repository), sample(repository), override="information")
    found = report(run, state, starter, "--out", tmp_path / "out")
    assert sum(c["acknowledged"] for c in found["checks"]) > 0
    listed = rows(tmp_path / "out" / "sheet.csv")
    assert {r["shown"] for r in listed if r["level"] == "info"} == {"info", "acknowledged"}
    assert all(opened(starter, state, r["link"])[0] == 200 for r in listed)


def test_the_sheet_has_a_line_a_card_with_room_to_judge_and_no_patient(run: Run, state: Path, starter: Path, repository: Path, tmp_path: Path) -> None:
    (answer,) = answered(starter, state, sample(repository))
    assert NAME in json.dumps(answer)
    result = run("shadow-report", "--state", state, "--release", starter, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.stderr
    listed = rows(tmp_path / "out" / "sheet.csv")
    assert listed
    assert list(listed[0]) == [*Row.__dataclass_fields__, "agree", "disagree", "comment"]
    assert {(r["agree"], r["disagree"], r["comment"]) for r in listed} == {("", "", "")}
    assert [r["level"] for r in listed] == sorted((r["level"] for r in listed), key=("critical", "warning", "info").index)
    assert all(r["trace"] and r["drug"] and r["summary"] and r["quote"] and r["link"] for r in listed)
    patient = sample(repository)["context"]["patientId"]
    for file in ("sheet.csv", "checks.csv", "rules.csv"):
        text = (tmp_path / "out" / file).read_text("utf-8-sig")
        assert NAME not in text
        assert f"Patient/{patient}" not in text


def test_the_links_open_the_card_that_was_sent_and_the_card_that_would_have_been(
    run: Run, state: Path, starter: Path, repository: Path, silent: Path, tmp_path: Path
) -> None:
    (answer,) = answered(starter, state, sample(repository), policy=silent)
    assert "interaction" not in {c["source"]["topic"]["code"] for c in answer["cards"]}
    run("shadow-report", "--state", state, "--release", starter, "--policy", silent, "--out", tmp_path / "out")
    listed = rows(tmp_path / "out" / "sheet.csv")
    (hidden,) = (r for r in listed if r["check"] == "interaction" and r["level"] == "critical")
    assert hidden["shown"] == "silent"
    status, page = opened(starter, state, hidden["link"], silent)
    assert status == 200
    assert "simvastatin" in page
    for row in listed:
        assert opened(starter, state, row["link"], silent)[0] == 200


def test_the_reading_is_logged_when_the_sheet_is_written(run: Run, state: Path, starter: Path, repository: Path, tmp_path: Path) -> None:
    (answer,) = answered(starter, state, sample(repository))
    trace = answer["cards"][0]["extension"]["org.pharmgraph.trace"]
    store = SqliteState(state, site_key(None, state))
    run("shadow-report", "--state", state, "--release", starter)
    assert store.reads(trace) == ()
    run("shadow-report", "--state", state, "--release", starter, "--out", tmp_path / "out")
    assert [r.purpose for r in store.reads(trace)] == ["shadow report"]


def test_no_cell_is_taken_for_a_formula(tmp_path: Path) -> None:
    write_sheet(tmp_path / "sheet.csv", [Row("t", "h", "dosage", "info", "info", "=cmd()", "@x", "-1", "+1", "", "l")])
    (row,) = rows(tmp_path / "sheet.csv")
    assert [row[k] for k in ("drug", "summary", "quote", "label")] == ["'=cmd()", "'@x", "'-1", "'+1"]


def test_no_traces_are_a_report_too(run: Run, state: Path, starter: Path, repository: Path, tmp_path: Path) -> None:
    answered(starter, state, sample(repository))
    result = run("shadow-report", "--state", state, "--release", starter, "--since", "2099-01-01", "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert "0 orders" in result.stdout
    assert rows(tmp_path / "out" / "sheet.csv") == []


def test_a_folder_that_cannot_be_written_is_said(run: Run, state: Path, starter: Path, repository: Path, tmp_path: Path) -> None:
    answered(starter, state, sample(repository))
    (tmp_path / "file").write_text("")
    result = run("shadow-report", "--state", state, "--release", starter, "--out", tmp_path / "file" / "out")
    assert result.exit_code == 4
    assert "choose a folder that can be written" in result.stderr
