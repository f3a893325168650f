"""The command line: what each command prints, and the exit codes scripts rely on."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from kb_builder import errors
from kb_builder.cli import build as build_module
from kb_builder.cli import main
from ontology.terms.terminology import Terminology

Make = Callable[..., dict[str, Any]]

LABEL_NOTE = "\nMonitor the INR when aspirin is added. Renal function matters.\n"


def kb(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


@pytest.fixture(scope="module", autouse=True)
def plan_with_few_terms(few_terms: Terminology) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build_module, "BuildPlan", partial(build_module.BuildPlan, terms=lambda: few_terms))
        yield


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory, monograph: str) -> Path:
    folder = tmp_path_factory.mktemp("cli")
    (folder / "warfarin.md").write_text(monograph + LABEL_NOTE)
    result = kb("build", "--source", folder / "warfarin.md", "--out", folder / "release", "--ledger", folder / "ledger")
    assert result.exit_code == 0, result.output
    return folder / "release"


def test_the_exit_codes_are_those_of_the_error_tree() -> None:
    tree = {name: cls.exit_code for name, cls in vars(errors).items() if isinstance(cls, type) and issubclass(cls, errors.BuilderError)}
    assert tree == {
        "BuilderError": 1,
        "ReleaseFaulty": 1,
        "NothingFound": 1,
        "PolicyError": 2,
        "SourceError": 1,
        "NothingReadable": 3,
        "SourcesRefused": 4,
        "SourceChanged": 8,
        "OutputError": 5,
        "ReleaseUnusable": 6,
        "LedgerError": 7,
        "GoldError": 9,
    }
    assert [errors.Interrupted(name).exit_code for name in ("SIGINT", "SIGTERM")] == [130, 143]


def test_build_prints_a_summary_and_a_line_a_stage(monograph: str, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.md").write_text(monograph.replace("test-warfarin", name))
    result = kb("build", "--source", tmp_path / "a.md", tmp_path / "b.md", "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert f"at {tmp_path / 'out'}" in result.stdout
    assert "not yet read by a person" in result.stdout
    assert [line.split()[0] for line in result.stderr.splitlines()] == ["ingest", "terms", "propose", "assemble", "publish"]
    assert "2 labels" in result.stderr


def test_build_json_holds_counts_refusals_and_the_release(monograph: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(monograph)
    (tmp_path / "b.md").write_text("no label")
    result = kb("build", "--source", tmp_path, "--out", tmp_path / "out", "--json")
    said = json.loads(result.stdout)
    assert said["stages"]["ingest"]["labels"] == 1
    assert [Path(r["source"]).name for r in said["refused"]] == ["b.md"]
    assert said["release"].startswith("kb-")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--source", "{tmp}/absent", "--out", "{tmp}/o"], 2, "does not exist"),
        (["--out", "{tmp}/o"], 2, "Missing option '--source'"),
        (["--source", "{tmp}/bad.md", "--out", "{tmp}/o"], 3, "not one label could be read"),
        (["--source", "{tmp}", "--out", "{tmp}/o", "--strict"], 4, "under --strict nothing may be refused"),
        (["--source", "{tmp}/good.md", "--out", "{tmp}/bad.md"], 5, "exists and is not a release"),
        (["--source", "{tmp}/good.md", "--out", "{tmp}/o", "--policy", "loose"], 2, "neither a shipped policy"),
        (["--source", "{tmp}/good.md", "--out", "{tmp}/o", "--jobs", "0"], 2, "not in the range"),
    ],
)
def test_build_ends_with_a_message_and_its_code(monograph: str, tmp_path: Path, arguments: list[str], code: int, message: str) -> None:
    (tmp_path / "good.md").write_text(monograph)
    (tmp_path / "bad.md").write_text("no label")
    result = kb("build", *(a.replace("{tmp}", str(tmp_path)) for a in arguments))
    assert (result.exit_code, "Traceback" in result.output) == (code, False)
    assert message in result.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.md", "good.md"]


def test_check_proves_a_release_and_lists_what_is_wrong(release: Path, tmp_path: Path) -> None:
    assert kb("check", "--release", release).output == f"{release}: whole\n"
    shutil.copytree(release, tmp_path / "broken")
    with sqlite3.connect(tmp_path / "broken" / "release.sqlite") as db:
        db.execute("UPDATE section SET text = replace(text, 'ibuprofen', 'ibuproven')")
    result = kb("check", "--release", tmp_path / "broken")
    assert result.exit_code == 1
    assert "faults" in result.stderr
    faults = json.loads(kb("check", "--release", tmp_path / "broken", "--json").stdout)
    assert faults
    assert set(faults[0]) == {"kind", "where", "what"}


@pytest.mark.parametrize("command", [["export", "--format", "facts"], ["why", "a", "interacts_with", "b"]])
def test_a_release_that_is_missing_or_truncated_says_what_to_do(release: Path, tmp_path: Path, command: list[str]) -> None:
    for path in (tmp_path / "absent", tmp_path / "cut"):
        if path.name == "cut":
            shutil.copytree(release, path)
            with (path / "release.sqlite").open("r+b") as file:
                file.truncate(1000)
        result = kb(command[0], "--release", path, *command[1:])
        assert result.exit_code == 6
        assert "kb-builder: " in result.stderr
        assert "Traceback" not in result.output


def test_why_shows_the_sentence_in_its_context_and_who_approved_it(release: Path) -> None:
    result = kb("why", "--release", release, "warfarin", "belongs-to", "vitamin k antagonist")
    assert result.exit_code == 0
    assert "»Vitamin K Antagonist [EPC]«" in result.stdout
    assert "approved policy:default@1, by rule, not yet read by a person" in result.stdout
    assert "test-warfarin, version 2, 2026-01-31: Warfarin tablets" in result.stdout


def test_why_takes_ids_gives_json_and_the_history(release: Path) -> None:
    subject = "Ingredient:rxnorm:11289"
    said = json.loads(kb("why", "--release", release, subject, "belongs_to", "Vitamin K Antagonist", "--json", "--ledger", release.parent / "ledger").stdout)
    (claim,) = said["claims"]
    assert (claim["subject"], claim["document"], claim["status"]) == (subject, "test-warfarin", "approved")
    assert claim["evidence"][0]["quote"] == "Vitamin K Antagonist [EPC]"
    assert [entry["recorded_to"] for entry in said["history"]] == [None]


def test_why_shows_the_nearest_text_when_there_is_no_claim(release: Path) -> None:
    result = kb("why", "--release", release, "warfarin", "requires_monitoring", "renal function")
    assert result.exit_code == 1
    assert "»Renal function«" in result.stdout
    assert "knows no 'renal function'; above is where its labels use the words" in result.stderr or "no claim says" in result.stderr


def test_why_says_what_it_does_not_know(release: Path) -> None:
    result = kb("why", "--release", release, "nosuchdrug", "interacts_with", "nosuchthing")
    assert result.exit_code == 1
    assert "the release knows no 'nosuchdrug' and 'nosuchthing'" in result.stderr
    assert kb("why", "--release", release, "warfarin", "likes", "aspirin").exit_code == 2


def test_export_writes_a_fact_a_line(release: Path) -> None:
    result = kb("export", "--release", release, "--format", "facts")
    assert result.exit_code == 0
    facts = [json.loads(line) for line in result.stdout.splitlines()]
    assert all({"doc", "section", "drug", "kind", "quote", "start", "end"} <= set(fact) for fact in facts)
    assert kb("export", "--release", release, "--format", "csv").exit_code == 2


def test_help_and_version() -> None:
    assert "build" in kb("--help").stdout
    assert kb("build", "--help").exit_code == 0
