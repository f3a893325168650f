"""Replies that a small real model gave to a label, two passes and both baselines, replayed without it.

After a change of prompts, schema or passages record again: serve the model (benchmarks/small_model_server.py), empty `recorded/replies`, and build
`recorded/label.md` with every --model-method, --model smollm2-135m, --model-reply-tokens 120 and --model-cache recorded/replies.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kb_builder.cli import build as build_module
from kb_builder.cli import main
from ontology.store.release import Release
from ontology.terms.terminology import Terminology

RECORDED = Path(__file__).parent / "recorded"


def kb(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


@pytest.fixture(autouse=True)
def plan_with_few_terms(few_terms: Terminology, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_module, "BuildPlan", partial(build_module.BuildPlan, terms=lambda: few_terms))


@pytest.mark.parametrize(("method", "requests"), [("two-pass", 3), ("schema-free", 3), ("one-shot", 1)])
def test_a_recorded_model_is_replayed_and_none_of_its_words_is_released(tmp_path: Path, method: str, requests: int) -> None:
    replay = ["--model-replay", RECORDED / "replies", "--model", "smollm2-135m", "--model-method", method, "--model-reply-tokens", 120]
    result = kb("build", "--source", RECORDED / "label.md", "--out", tmp_path / "out", "--json", *replay)
    assert result.exit_code == 0, result.output
    report = json.loads(result.output[result.output.index("{\n") :])
    assert (report["stages"]["ask"]["requests"], report["stages"]["ask"]["answered"]) == (requests, requests)
    assert any(name.startswith("dropped by model") for name in report["stages"]["propose"])
    with Release.open(tmp_path / "out") as release:
        assert release.manifest["model"] == {"name": "smollm2-135m", "method": method}
        assert [c for c in release.claims() if c.provenance.model is not None and c.approval is not None] == []
    table = kb("evaluate", RECORDED / "gold.jsonl", "--release", tmp_path / "out", "--proposers").output
    (row,) = [line.split() for line in table.splitlines() if line.startswith("interactions ")]
    assert row[1:6] == [row[1], row[1], "0", row[1], f"1/{row[1]}"]
