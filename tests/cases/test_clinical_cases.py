"""Runs the clinical cases: each YAML file is a list of cases a pharmacist can read; this is their one runner.

A case has `name`, `why`, `patient`, `current`, `draft`, and what the answer must say: `expect` (findings that must be raised), `forbid` (what must
not be raised), `gaps` (data that must be said to be missing), `no_gaps`, `not_checked` (words of the not-checked card), `quiet` (no warning).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from case_request import request_of
from case_world import case_world, make_world

from cds_service.answer.compose import AnswerContext, compose
from cds_service.answer.policy import Policy
from cds_service.audit.chain import run_chain
from cds_service.intake.request import read_request

FILES = sorted(Path(__file__).parent.glob("*.yaml"))
CASES = [(f.stem, case) for f in FILES for case in yaml.safe_load(f.read_text("utf-8"))]
LEVELS = ("info", "warning", "critical")
MEMBERS = {
    "name",
    "semantic",
    "why",
    "patient",
    "current",
    "draft",
    "expect",
    "forbid",
    "gaps",
    "no_gaps",
    "not_checked",
    "quiet",
    "failed",
    "no_medication_list",
}


def answer_to(case: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The cards of a case."""
    world = case_world()
    body = json.loads(json.dumps(request_of(case)), parse_float=Decimal, parse_int=Decimal)
    prescription = read_request(body, world.terminology, received=datetime(2026, 11, 1, 12, tzinfo=UTC), use_request_time=True)
    policy = Policy.shipped()
    result = run_chain(prescription, world, policy)
    return compose(result, prescription, AnswerContext("trace", world.id, policy, lambda card: f"https://cds.example/evidence/{card}", "https://cds.example"))


def findings_of(cards: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """The objects of one kind, each with its card's detail under `said`."""
    return [{**f, "said": card["detail"]} for card in cards for f in card["extension"]["org.pharmgraph.findings"] if f["kind"] == kind]


def meets(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
    """Whether a finding is the one described: category, drug, the other side, level, words on the card."""
    sides = (found["drug"]["name"], found.get("with", {}).get("name", ""))
    joint = found["category"] in ("interaction", "duplicate")
    pairs = (sides, sides[::-1]) if joint else (sides,)
    label = found.get("with", {}).get("label", "")
    right = any(_same(wanted["drug"], d) and ("with" not in wanted or _same(wanted["with"], o) or _same(wanted["with"], label)) for d, o in pairs)
    return found["category"] == wanted["category"] and right and all(w in found["said"] for w in wanted.get("says", []))


def _same(wanted: str, got: str) -> bool:
    return wanted.casefold() in got.casefold()


@pytest.mark.parametrize(("file", "case"), CASES, ids=[f"{f}: {c['name']}" for f, c in CASES])
def test_the_answer_to_a_case_says_what_a_pharmacist_expects(file: str, case: Mapping[str, Any]) -> None:
    assert set(case) <= MEMBERS, f"{file}: unknown members {set(case) - MEMBERS}"
    cards = answer_to(case)
    raised, gaps = findings_of(cards, "finding"), findings_of(cards, "gap")
    shown = [(f["category"], f["drug"]["name"], f.get("with", {}).get("name"), f["indicator"]) for f in raised]
    for wanted in case.get("expect", []):
        fitting = [f for f in raised if meets(wanted, f)]
        assert fitting, f"missing {wanted}; raised {shown}"
        loudest = max((f["indicator"] for f in fitting), key=LEVELS.index)
        assert loudest == wanted["at"], f"{wanted} was raised at {loudest}"
    for trap in case.get("forbid", []):
        floor = LEVELS.index(trap.get("at", "info"))
        sprung = [s for f, s in zip(raised, shown, strict=True) if meets(trap, f) and LEVELS.index(f["indicator"]) >= floor]
        assert not sprung, f"must not raise {trap}"
    if case.get("quiet"):
        assert [s for s in shown if s[3] != "info"] == []
    for gap in case.get("gaps", []):
        assert any(_same(gap["drug"], g["drug"]["name"]) and set(gap["needs"]) <= set(g["needs"]) for g in gaps), (
            f"no gap {gap} in {[(g['drug']['name'], g['needs']) for g in gaps]}"
        )
    needed = {n for g in gaps for n in g["needs"]}
    assert not needed & set(case.get("no_gaps", [])), f"nobody needs {needed & set(case['no_gaps'])}"
    for words in case.get("not_checked", []):
        assert any(words in n["said"] for n in findings_of(cards, "not-evaluated")), f"the not-checked card does not say {words!r}"


def test_every_finding_of_every_case_quotes_its_label_word_for_word() -> None:
    world = case_world()
    for _, case in CASES:
        for finding in findings_of(answer_to(case), "finding"):
            assert finding["evidence"], finding
            for evidence in finding["evidence"]:
                section = world.section(evidence["document"], evidence["version"], evidence["section"])
                text = section.text if section else next(f.text for f in world.terminology.files() if f.key == evidence["section"])
                assert text[evidence["start"] : evidence["end"]] == evidence["quote"]


@pytest.mark.parametrize("number", range(1, 27))
def test_every_clinical_semantic_has_a_case(number: int) -> None:
    assert any(case.get("semantic") == number for _, case in CASES)


def test_names_of_cases_are_said_once_a_file() -> None:
    named = [(file, case["name"]) for file, case in CASES]
    assert sorted(named) == sorted(set(named))


def test_two_labels_of_one_set_id_are_refused() -> None:
    labels = [{"set_id": "one", "drug": "pazopanib", "rules": []}, {"set_id": "one", "drug": "probenecid", "rules": []}]
    with pytest.raises(ValueError, match="set id: one;"):
        make_world(labels)
