"""Whole inserts in the shape that Chinese inserts have, read from end to end and compared with what they state.

The inserts and their gold facts are the project's own words. Three were written before the reading of such inserts was looked at, two after.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kb_builder.cli import main

INSERTS = Path(__file__).parent / "chinese_inserts"


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict:
    out = tmp_path_factory.mktemp("inserts") / "release"
    built = CliRunner().invoke(main, ["build", "--source", str(INSERTS), "--out", str(out), "--jobs", "1"])
    assert built.exit_code == 0, built.output
    told = CliRunner().invoke(main, ["evaluate", str(INSERTS / "gold.jsonl"), "--release", str(out), "--format", "json"])
    assert told.exit_code == 0, told.output
    return json.loads(told.output)


@pytest.mark.parametrize("kind", ["indication", "dosage", "contraindication", "population", "interaction"])
def test_what_the_inserts_state_is_said_and_hardly_anything_else(measured, kind):
    assert measured["gold"]["kinds"][kind]["recall"] >= 0.95
    assert measured["gold"]["kinds"][kind]["precision"] >= 0.95


def test_no_claim_lacks_a_condition_of_its_insert(measured):
    assert measured["gold"]["harmful"] == {}
