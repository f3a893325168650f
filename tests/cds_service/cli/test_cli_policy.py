"""`policy check` and `policy dry-run` say what a folder changes before it is used."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from past_answers import answered, sample

from cds_service.answer.policy import Policy
from cds_service.state.sqlite import DATABASE

Run = Callable[..., Result]

PRACTICE = """
[[rule]]
id = "clari-simva"
drugs = ["clarithromycin"]
with = ["{other}"]
checks = ["interaction"]
grade = "{grade}"
statement = "Simvastatin is paused while clarithromycin is given"
source = "Committee minutes 2026-09"
signed_by = "Chief pharmacist"
signed_on = {signed}
expires = 2099-09-15
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "site"
    made.mkdir()
    return made


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def practise(folder: Path, other: str = "simvastatin", grade: str = "permit", signed: str = "2026-01-01") -> None:
    (folder / "practice.toml").write_text(PRACTICE.format(other=other, grade=grade, signed=signed))


def test_an_empty_folder_is_the_shipped_policy(run: Run, folder: Path) -> None:
    result = run("policy", "check", folder)
    assert result.exit_code == 0
    assert "it says what the shipped policy says" in result.stdout
    assert Policy.shipped().id in result.stdout


def test_changes_are_printed_and_as_json(run: Run, folder: Path) -> None:
    practise(folder)
    result = run("policy", "check", folder, "--on", "2026-11-01")
    assert "practice rule clari-simva: permit for clarithromycin, with simvastatin, interaction" in result.stdout
    assert "give --release" in result.stdout
    report = json.loads(run("policy", "check", folder, "--on", "2100-01-01", "--json").stdout)
    assert report["policy"] == Policy.load(folder).id
    assert report["changes"][0].endswith("EXPIRED on 2099-09-15, changes nothing")


def test_a_broken_folder_is_one_sentence_and_the_exit_code_of_settings(run: Run, folder: Path) -> None:
    practise(folder, grade="ignore")
    result = run("policy", "check", folder)
    assert result.exit_code == 4
    assert "practice.toml, rule 1: grade is 'ignore'; expected one of permit" in result.stderr


def test_names_are_looked_up_in_the_release(run: Run, folder: Path, starter: Path) -> None:
    practise(folder, other="words of the ward")
    assert "'words of the ward' is met by these very words only" in run("policy", "check", folder, "--release", starter).stdout
    (folder / "duplicates.toml").write_text('[[allow]]\nclass = "laxantia"\norders = 4\nwhy = "bowel regimens"')
    result = run("policy", "check", folder, "--release", starter)
    assert result.exit_code == 4
    assert "names the class 'laxantia', which this release does not know" in result.stderr


@pytest.mark.parametrize("command", ["audit", "serve"])
def test_no_command_answers_with_names_that_the_release_does_not_know(
    run: Run, folder: Path, starter: Path, repository: Path, state: Path, command: str
) -> None:
    (folder / "duplicates.toml").write_text('[[allow]]\nclass = "laxantia"\norders = 4\nwhy = "bowel regimens"')
    given = [repository / "fixtures/requests/sample-order-sign.json"] if command == "audit" else ["--port", 0, "--state", state]
    result = run(command, *given, "--release", starter, "--policy", folder)
    assert result.exit_code == 4
    assert "names the class 'laxantia'" in result.stderr


def dry(run: Run, folder: Path, state: Path, starter: Path, *more: object) -> dict:
    result = run("policy", "dry-run", folder, "--state", state, "--release", starter, "--json", *more)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_a_dry_run_tells_what_would_change_and_in_which_traces(run: Run, folder: Path, state: Path, starter: Path, repository: Path) -> None:
    practise(folder)
    other = sample(repository)
    other["context"]["draftOrders"]["entry"] = other["context"]["draftOrders"]["entry"][:1]
    first, _ = answered(starter, state, sample(repository), other)
    trace = first["cards"][0]["extension"]["org.pharmgraph.trace"]
    report = dry(run, folder, state, starter)
    assert (report["traces"], report["changed_traces"], report["answered_with_another_policy"]) == (2, 1, 0)
    assert report["changes"] == [{"check": "interaction", "change": "calmer", "before": "critical", "after": "info", "count": 1, "traces": [trace]}]
    readable = run("policy", "dry-run", folder, "--state", state, "--release", starter).stdout
    assert "1 answers would change" in readable
    assert trace in readable


def test_what_a_silent_check_keeps_back_vanishes_and_comes_back(run: Run, folder: Path, state: Path, starter: Path, repository: Path) -> None:
    text = (repository / "cds_service/answer/data/policy.toml").read_text()
    (folder / "policy.toml").write_text(text.replace('interaction = "live"', 'interaction = "silent"\nwhy = "being introduced"'))
    answered(starter, state, sample(repository))
    gone = {r["before"] for r in dry(run, folder, state, starter)["changes"] if r["change"] == "vanishes" and r["check"] == "interaction"}
    assert "critical" in gone
    shipped = folder.parent / "empty"
    shipped.mkdir()
    back = dry(run, shipped, state, starter, "--policy", folder)
    assert {r["after"] for r in back["changes"] if r["change"] == "appears"} == gone
    assert back["answered_with_another_policy"] == 1


def test_a_tolerance_changes_the_audit_itself(run: Run, folder: Path, state: Path, starter: Path, repository: Path) -> None:
    (folder / "duplicates.toml").write_text('[[allow]]\ningredient = "ibuprofen"\norders = 2\nwhy = "two strengths"')
    body = sample(repository)
    entries = body["context"]["draftOrders"]["entry"]
    twice = json.loads(json.dumps(next(e for e in entries if "ibuprofen" in json.dumps(e).casefold())))
    twice["resource"]["id"] = "again"
    entries.append(twice)
    answered(starter, state, body)
    changed = dry(run, folder, state, starter)["changes"]
    assert {(r["check"], r["change"]) for r in changed} == {("duplicate", "vanishes")}


def test_a_dry_run_stores_nothing(run: Run, folder: Path, state: Path, starter: Path, repository: Path) -> None:
    practise(folder)
    answered(starter, state, sample(repository))

    def content() -> list[str]:
        with sqlite3.connect(state / DATABASE) as db:
            return list(db.iterdump())

    before = content()
    dry(run, folder, state, starter)
    assert content() == before


def test_traces_of_other_releases_keys_and_days_are_left_out_and_counted(run: Run, folder: Path, state: Path, starter: Path, repository: Path) -> None:
    answered(starter, state, sample(repository))
    assert dry(run, folder, state, starter, "--since", "2099-01-01")["traces"] == 0
    with sqlite3.connect(state / DATABASE) as db:
        db.execute("UPDATE trace SET body = substr(body, 1, 100)")
    report = dry(run, folder, state, starter)
    assert (report["traces"], report["unreadable"]) == (0, 1)


def test_a_folder_without_state_is_said(run: Run, folder: Path, tmp_path: Path, starter: Path) -> None:
    result = run("policy", "dry-run", folder, "--state", tmp_path, "--release", starter)
    assert result.exit_code == 8
    assert "holds no state.sqlite" in result.stderr
    assert not (tmp_path / "site.key").exists()
