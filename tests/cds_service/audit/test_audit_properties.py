"""Properties of the whole audit, asked over the clinical cases: what must not change a verdict, what must not silence one, and that nothing breaks it."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from case_changes import DATA, Body, faults, in_other_units, renamed, shuffled, silenced, verdicts, with_current, without
from case_request import request_of
from case_world import case_world
from hypothesis import given, settings
from hypothesis import strategies as st

from cds_service.answer.policy import Policy
from cds_service.answer.severity import Indicator
from cds_service.audit.chain import run_chain
from cds_service.audit.outcomes import AuditResult, Finding
from cds_service.intake.request import read_request

FOLDER = Path(__file__).parents[2] / "cases"
CASES: list[Mapping[str, Any]] = [case for file in sorted(FOLDER.glob("*.yaml")) for case in yaml.safe_load(file.read_text("utf-8"))]
POLICY = Policy.shipped()
ANY_CASE = st.sampled_from(CASES)
UNRELATED = "loratadine 10 mg oral tablet"


def audit(body: Body) -> AuditResult:
    world = case_world()
    read = json.loads(json.dumps(body, default=float), parse_float=Decimal, parse_int=Decimal)
    prescription = read_request(read, world.terminology, received=datetime(2026, 11, 1, 12, tzinfo=UTC), use_request_time=True)
    return run_chain(prescription, world, POLICY)


def loud(finding: Finding) -> bool:
    return POLICY.indicator(finding) not in (None, Indicator.INFO)


@given(ANY_CASE, st.integers(0, 9))
@settings(max_examples=120, deadline=None)
def test_the_order_in_which_things_are_sent_changes_nothing(case: Mapping[str, Any], seed: int) -> None:
    body = request_of(case)
    assert verdicts(audit(shuffled(body, seed))) == verdicts(audit(body))


@given(ANY_CASE, st.booleans())
@settings(max_examples=120, deadline=None)
def test_the_unit_in_which_an_amount_is_written_changes_nothing(case: Mapping[str, Any], larger: bool) -> None:
    body = request_of(case)
    assert verdicts(audit(in_other_units(body, larger=larger))) == verdicts(audit(body))


@given(ANY_CASE)
@settings(max_examples=80, deadline=None)
def test_ids_mean_nothing(case: Mapping[str, Any]) -> None:
    body = request_of(case)
    assert verdicts(audit(renamed(body))) == verdicts(audit(body))


@given(ANY_CASE)
@settings(max_examples=80, deadline=None)
def test_a_drug_that_has_nothing_to_do_with_the_others_changes_nothing_of_them(case: Mapping[str, Any]) -> None:
    body = request_of(case)
    if body["prefetch"].get("medications", {}).get("resourceType") == "Bundle" and "loratadine" not in json.dumps(body):
        after = verdicts(audit(with_current(body, UNRELATED)))
        assert {v for v in after if "loratadine" not in v} == verdicts(audit(body))


@pytest.mark.parametrize("datum", list(DATA))
@given(case=ANY_CASE)
@settings(max_examples=80, deadline=None)
def test_a_datum_taken_away_turns_no_finding_into_silence(datum: str, case: Mapping[str, Any]) -> None:
    body = request_of(case)
    after = audit(without(body, datum))
    assert not faults(after)
    assert not silenced(audit(body), after, datum, loud)


def test_a_datum_taken_away_can_turn_a_finding_into_a_gap() -> None:
    case = next(c for c in CASES if c["name"] == "a dose above the one for this clearance")
    before, after = audit(request_of(case)), audit(without(request_of(case), "creatinine"))
    assert any(r.check == "dosage" for r in before.results if isinstance(r, Finding))
    assert not any(r.check == "dosage" for r in after.results if isinstance(r, Finding))
    assert silenced(before, AuditResult(()), "creatinine", loud)


ODD = st.one_of(
    st.text(max_size=40),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.none(),
    st.sampled_from(
        ["0 mg", "-5", "1e999999", "%", "every 0 hours", "0.0000001 mg q0h prn", "NaN", "mg/kg", "weekly x 0", "1/0 tab", "2026-13-45", "[iU]", "每次0片"]
    ),
    st.lists(st.text(max_size=5), max_size=2),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=2),
)


@given(ANY_CASE, st.data())
@settings(max_examples=250, deadline=None)
def test_nothing_written_anywhere_in_a_request_breaks_a_check(case: Mapping[str, Any], data: st.DataObject) -> None:
    body = copy.deepcopy(request_of(case))
    places = list(_places(body))
    for _ in range(data.draw(st.integers(1, 3))):
        holder, key = data.draw(st.sampled_from(places))
        holder[key] = data.draw(ODD)
    assert faults(audit(body)) == []


def _places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of the clinical data where a value stands."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key not in ("hook", "hookInstance", "extension", "resourceType"):
                yield from _places(value)
                if not isinstance(value, dict | list):
                    yield node, key
    elif isinstance(node, list):
        for i, value in enumerate(node):
            yield from _places(value)
            if not isinstance(value, dict | list):
                yield node, i
