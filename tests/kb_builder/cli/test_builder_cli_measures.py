"""`evaluate` and `residue`: what they print, and the exit codes scripts rely on."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kb_builder.cli import build as build_module
from kb_builder.cli import evaluate as evaluate_module
from kb_builder.cli import main
from ontology.terms.terminology import Terminology

GOLD = {
    "doc": "test-warfarin",
    "drug": "warfarin",
    "kind": "interaction",
    "section": "drug_interactions",
    "target": {"name": "ibuprofen"},
    "action": "avoid",
    "quote": "Avoid ibuprofen.",
}


def kb(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory, monograph: str, few_terms: Terminology) -> Path:
    folder = tmp_path_factory.mktemp("measures")
    (folder / "warfarin.md").write_text(monograph + "\nWatch for bleeding when aspirin is added to the 5 mg dose, and monitor it.\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build_module, "BuildPlan", partial(build_module.BuildPlan, terms=lambda: few_terms))
        result = kb("build", "--source", folder / "warfarin.md", "--out", folder / "release")
    assert result.exit_code == 0, result.output
    return folder / "release"


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.jsonl"
    path.write_text("\n".join(json.dumps({**GOLD, **more}) for more in ({}, {"target": {"name": "heparin"}}, {"doc": "elsewhere"})))
    return path


def test_evaluate_prints_figures_errors_and_the_rate_of_hallucination(release: Path, gold: Path) -> None:
    result = kb("evaluate", gold, "--release", release, "--misses", "--confusions")
    assert result.exit_code == 0, result.output
    assert "not in the release, so all their facts are missed: elsewhere" in result.stdout
    assert "missed  missing\n  label     test-warfarin" in result.stdout
    assert "gold      interaction 'heparin' avoid" in result.stdout
    assert "interacts_with" in result.stdout
    assert "hallucination: 0 of" in result.stdout


def test_evaluate_json_holds_the_same(release: Path, gold: Path) -> None:
    result = kb("evaluate", gold, "--release", release, "--format", "json", "--label", "test-warfarin", "--kind", "interaction")
    said = json.loads(result.stdout)
    assert said["gold"]["all"]["required"] == 2
    assert said["gold"]["all"]["found"] == 1
    assert said["gold"]["absent"] == []
    assert "each" not in said["gold"]
    assert said["hallucination"]["unfounded"] == 0


def test_evaluate_without_gold_looks_at_the_claims_alone(release: Path) -> None:
    result = kb("evaluate", "--release", release)
    assert result.exit_code == 0
    assert result.stdout.startswith("hallucination:")


def test_evaluate_without_anything_to_measure_is_wrong_usage(gold: Path) -> None:
    assert kb("evaluate").exit_code == 2
    assert kb("evaluate", gold, "--adversarial").exit_code == 2
    assert kb("evaluate", gold, "--release", "x", "--kind", "gossip").exit_code == 2


def test_evaluate_names_the_line_of_gold_that_it_cannot_read(release: Path, gold: Path) -> None:
    gold.write_text(gold.read_text() + "\n{broken")
    result = kb("evaluate", gold, "--release", release)
    assert result.exit_code == 9
    assert f"kb-builder: {gold}, line 4: " in result.stderr


def test_a_release_that_cannot_be_opened_is_told(gold: Path, tmp_path: Path) -> None:
    assert kb("evaluate", gold, "--release", tmp_path / "none").exit_code == 6
    assert kb("residue", "--release", tmp_path / "none").exit_code == 6


def test_adversarial_sentences_need_no_release(monkeypatch: pytest.MonkeyPatch) -> None:
    few = evaluate_module.shipped_traps()[:3]
    monkeypatch.setattr(evaluate_module, "shipped_traps", lambda: few)
    text = kb("evaluate", "--adversarial")
    assert text.exit_code == 0, text.output
    assert "adversarial sentences: 3 of 3 passed" in text.stdout
    said = json.loads(kb("evaluate", "--adversarial", "--format", "json").stdout)
    assert said["adversarial"]["sentences"] == 3


def test_residue_prints_shares_reasons_and_wordings(release: Path) -> None:
    result = kb("residue", "--release", release, "--sample", 2, "--top", 5)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("1 labels, ")
    assert "wordings left, by labels:" in result.stdout
    assert "used by a claim of its kind" in result.stdout


def test_residue_json_holds_the_same(release: Path) -> None:
    said = json.loads(kb("residue", "--release", release, "--format", "json", "--kind", "instruction").stdout)
    assert said["informative"] == said["used"] + sum(said["dismissed"].values()) + said["left"]
    assert kb("residue", "--release", release, "--kind", "gossip").exit_code == 2
