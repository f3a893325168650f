"""Builds in which a model proposes: what it says waits for a person, what is false never gets in, and a replay gives the same release."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from kb_builder import workers
from kb_builder.cli import build as build_module
from kb_builder.cli import main
from ontology.model.claims import ClaimStatus
from ontology.store.check import check_release
from ontology.store.release import Release
from ontology.terms.terminology import Terminology

SENTENCE = "Avoid zanzibarol with warfarin."
MORE = "\nAvoid zanzibarol with warfarin. Zanzibarol is contraindicated with ketchup.\n"


def kb(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


@pytest.fixture(autouse=True)
def plan_with_few_terms(few_terms: Terminology) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build_module, "BuildPlan", partial(build_module.BuildPlan, terms=lambda: few_terms))
        yield


@pytest.fixture
def labels(tmp_path: Path, monograph: str) -> Path:
    folder = tmp_path / "labels"
    folder.mkdir()
    (folder / "warfarin.md").write_text(monograph + MORE)
    return folder


def relation(**more: Any) -> dict[str, Any]:
    base = {
        "predicate": "interacts_with",
        "object": 1,
        "action": "avoid",
        "whose": "either",
        "polarity": "positive",
        "strength": "must",
        "effect": "",
        "conditions": [],
        "quote": SENTENCE,
    }
    return base | more  # fmt: skip


MENTIONS = {"mentions": [{"text": "zanzibarol", "type": "Ingredient", "sentence": SENTENCE}]}
RELATIONS = {
    "relations": [
        relation(),
        relation(action="monitor"),
        relation(polarity="negative"),
        relation(quote="Zanzibarol is contraindicated with ketchup.", action="no-adjustment"),
        relation(effect="increases"),
    ]
}


@pytest.fixture
def model(serve):
    """Options that ask a server which says one true thing and four false ones in every section on interactions."""
    empty: dict[str, list[Any]] = {"mentions": []}
    server = serve(mentions=[{"content": empty}, {"content": MENTIONS}], relations=[{"content": RELATIONS}])
    return ["--model-url", server.url, "--model", "tiny", "--model-at-once", 1]


def said(release: Path) -> dict[str, tuple[ClaimStatus, str | None]]:
    with Release.open(release) as opened:
        found = [c for c in opened.claims(document="test-warfarin") if c.provenance.model is not None]
        return {f"{c.words} {c.payload.strictest.value} {c.polarity.value}": (c.status, c.reason) for c in found}


def test_nothing_that_a_model_says_of_high_risk_is_released(labels, tmp_path, model):
    result = kb("build", "--source", labels, "--out", tmp_path / "out", *model)
    assert result.exit_code == 0, result.output
    assert check_release(tmp_path / "out") == []
    claims = said(tmp_path / "out")
    assert claims["zanzibarol avoid positive"] == (ClaimStatus.HELD, "policy:default@1 asks a person for every high-risk claim of a model")
    assert {what: status for what, (status, _) in claims.items() if what != "zanzibarol avoid positive"} == {
        "zanzibarol monitor positive": ClaimStatus.REJECTED,
        "zanzibarol avoid negative": ClaimStatus.REJECTED,
        "Zanzibarol no-adjustment positive": ClaimStatus.REJECTED,
    }
    assert claims["zanzibarol monitor positive"][1] == "agreement gate: the sentence asks for avoid, the claim for monitor"
    exported = kb("export", "--release", tmp_path / "out", "--format", "facts").output
    assert not any(
        "zanzibarol" in json.loads(line)["target"]["name"].lower() for line in exported.splitlines() if '"interaction"' in line and "by model" in line
    )


def test_the_report_says_what_it_cost_and_why_things_were_dropped(labels, tmp_path, model):
    (tmp_path / "prices.toml").write_text('[tiny]\nprompt = 1000\nreply = "2000"\ncurrency = "EUR"\n')
    result = kb("build", "--source", labels, "--out", tmp_path / "out", "--json", "--model-prices", tmp_path / "prices.toml", *model)
    report = json.loads(result.output[result.output.index("{\n") :])
    asked = report["stages"]["ask"]
    assert asked["requests"] == asked["answered"] == asked["prompt tokens"] // 100
    assert report["stages"]["propose"]["by model"] == 4
    assert report["stages"]["propose"]["rejected by agreement gate"] == 3
    assert report["stages"]["propose"]["dropped by model, relation: the effect does not stand in its sentence"] == 1
    cost = asked["requests"] * (100 * 1000 + 10 * 2000) / 1_000_000
    assert re.search(
        rf"model tiny: {asked['requests']} calls, 0 of them retries, 0 of {asked['requests']} replies recorded before; .*; {cost:.4f} EUR$", report["model"]
    )


def test_a_replay_gives_the_same_release_and_asks_nobody(labels, tmp_path, model):
    first = kb("build", "--source", labels, "--out", tmp_path / "one", "--model-cache", tmp_path / "kept", *model)
    again = kb("build", "--source", labels, "--out", tmp_path / "two", "--model-replay", tmp_path / "kept", "--model", "tiny")
    assert (first.exit_code, again.exit_code) == (0, 0), again.output
    with Release.open(tmp_path / "one") as one, Release.open(tmp_path / "two") as two:
        assert one.id == two.id
        assert one.manifest["model"] == {"name": "tiny", "method": "two-pass"}
        assert "127.0.0.1" not in json.dumps(one.manifest)


def test_worker_processes_replay_what_one_process_asked(labels, tmp_path, model, monograph, monkeypatch):
    monkeypatch.setattr(workers, "DOCUMENTS_A_WORKER", 1)
    (labels / "second.md").write_text(monograph.replace("test-warfarin", "test-second") + MORE)
    kb("build", "--source", labels, "--out", tmp_path / "one", "--jobs", 1, "--model-cache", tmp_path / "kept", *model)
    again = kb("build", "--source", labels, "--out", tmp_path / "two", "--jobs", 2, "--model-replay", tmp_path / "kept", "--model", "tiny")
    assert again.exit_code == 0, again.output
    with Release.open(tmp_path / "one") as one, Release.open(tmp_path / "two") as two:
        assert one.id == two.id
    assert said(tmp_path / "two")["zanzibarol avoid positive"][0] is ClaimStatus.HELD


@pytest.mark.parametrize("damage", ["remove", "empty", "other model"])
def test_a_replay_that_lacks_a_reply_makes_no_release(labels, tmp_path, model, damage):
    kb("build", "--source", labels, "--out", tmp_path / "one", "--model-cache", tmp_path / "kept", *model)
    victim = sorted((tmp_path / "kept").rglob("*.json"))[0]
    if damage == "remove":
        victim.unlink()
    elif damage == "empty":
        victim.write_text("")
    result = kb(
        "build", "--source", labels, "--out", tmp_path / "two", "--model-replay", tmp_path / "kept", "--model", "other" if damage == "other model" else "tiny"
    )
    assert result.exit_code == 10
    assert "holds no readable reply for test-warfarin" in result.output
    assert not (tmp_path / "two").exists()


def test_a_server_that_is_away_makes_no_release(labels, tmp_path):
    result = kb("build", "--source", labels, "--out", tmp_path / "out", "--model-url", "http://127.0.0.1:9", "--model", "tiny", "--model-retries", 0)
    assert result.exit_code == 10
    assert "does not answer" in result.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--model", "tiny"], 2, "need --model-url"),
        (["--model-url", "http://127.0.0.1:9"], 2, "say which model"),
        (["--model-url", "http://127.0.0.1:9", "--model", " "], 2, "say which model"),
        (["--model-url", "http://127.0.0.1:9", "--model-replay", "x", "--model", "tiny"], 2, "give one of them"),
        (["--model-replay", "x", "--model-cache", "y", "--model", "tiny"], 2, "only reads"),
        (["--model-replay", "nowhere", "--model", "tiny"], 10, "no such folder"),
        (["--model-url", "ftp://h", "--model", "tiny"], 10, "expected an address"),
        (["--model-url", "http://127.0.0.1:9", "--model", "tiny", "--model-method", "guess"], 2, "guess"),
    ],
)
def test_options_that_do_not_go_together_are_told(labels, tmp_path, options, code, words):
    result = kb("build", "--source", labels, "--out", tmp_path / "out", *options)
    assert (result.exit_code, words in result.output) == (code, True), result.output


@pytest.mark.parametrize("text", ["[tiny]\nprompt = 1\n", '[tiny]\nprompt = "much"\nreply = 1\n', "tiny = 3\n", "[tiny\n"])
def test_prices_that_cannot_be_read_are_told(labels, tmp_path, text):
    (tmp_path / "prices.toml").write_text(text)
    result = kb(
        "build",
        "--source",
        labels,
        "--out",
        tmp_path / "out",
        "--model-url",
        "http://127.0.0.1:9",
        "--model",
        "tiny",
        "--model-prices",
        tmp_path / "prices.toml",
    )
    assert result.exit_code == 10
    assert "prices" in result.output


def test_without_a_model_nothing_is_asked(labels, tmp_path):
    result = kb("build", "--source", labels, "--out", tmp_path / "out", "--json")
    report = json.loads(result.output[result.output.index("{\n") :])
    assert "ask" not in report["stages"]
    assert report["model"] is None
