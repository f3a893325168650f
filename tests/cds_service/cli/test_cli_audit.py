import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

Run = Callable[..., Result]


@pytest.fixture
def sample(repository: Path) -> Path:
    return repository / "fixtures" / "requests" / "sample-order-sign.json"


def summaries(result: Result) -> list[str]:
    return [c["summary"] for c in json.loads(result.stdout)["cards"]]


def test_the_cards_of_a_request_are_printed(run: Run, sample: Path, starter: Path) -> None:
    result = run("audit", sample, "--release", starter)
    assert result.exit_code == 0
    assert "[CRITICAL] Clarithromycin with simvastatin: contraindicated" in result.stdout
    assert "http" not in result.stdout


def test_live_queries_give_the_same_answer(run: Run, sample: Path, starter: Path) -> None:
    stored, live = (run("audit", sample, "--release", starter, "--json", *flag) for flag in ((), ("--live",)))
    assert summaries(stored) == summaries(live)
    assert stored.stdout.count('"quote"') == live.stdout.count('"quote"') > 5


def test_standard_input_and_links_that_nobody_serves(run: Run, sample: Path, starter: Path) -> None:
    result = run("audit", "-", "--release", starter, "--json", input=sample.read_bytes())
    assert summaries(result)
    assert "evidence/" not in result.stdout


def test_validation_warns_and_refuses_nothing(run: Run, sample: Path, starter: Path, tmp_path: Path) -> None:
    body = json.loads(sample.read_text())
    body["context"]["draftOrders"]["entry"][0]["resource"]["category"] = {"text": "Ada"}
    request = tmp_path / "r.json"
    request.write_text(json.dumps(body))
    result = run("audit", request, "--release", starter, "--validate")
    assert result.exit_code == 0
    assert "not valid FHIR R4B: context.draftOrders.entry[0]: MedicationRequest category" in result.stderr
    assert "Ada" not in result.stderr
    assert "[CRITICAL]" in result.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [("nonsense", "not JSON"), ("{}", "hook, hookInstance, context"), ('{"hook": "patient-view"}', "patient-view"), ("[" * 10_000, "64 levels")],
)
def test_a_request_that_is_not_answered_is_one_sentence(run: Run, starter: Path, tmp_path: Path, text: str, said: str) -> None:
    request = tmp_path / "r.json"
    request.write_text(text)
    result = run("audit", request, "--release", starter)
    assert result.exit_code == 6
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_request_file_that_is_not_there(run: Run, starter: Path) -> None:
    result = run("audit", "/nowhere/r.json", "--release", starter)
    assert (result.exit_code, "/nowhere/r.json" in result.stderr) == (6, True)


def truncate(release: Path) -> None:
    database = next(p for p in release.iterdir() if p.suffix == ".sqlite")
    database.write_bytes(database.read_bytes()[:5000])


def remove_manifest(release: Path) -> None:
    (release / "manifest.json").unlink()


@pytest.mark.parametrize("damage", [truncate, remove_manifest, shutil.rmtree])
def test_a_release_that_is_damaged_or_missing_is_one_sentence(run: Run, sample: Path, starter: Path, tmp_path: Path, damage: Callable[[Path], Any]) -> None:
    release = tmp_path / "release"
    shutil.copytree(starter, release)
    damage(release)
    result = run("audit", sample, "--release", release)
    assert result.exit_code == 3
    assert str(release) in result.stderr
    assert "Traceback" not in result.output


def test_a_policy_folder_that_is_not_there(run: Run, sample: Path, starter: Path) -> None:
    result = run("audit", sample, "--release", starter, "--policy", "/nowhere")
    assert (result.exit_code, "/nowhere" in result.stderr) == (4, True)
