"""The path of the selection, as the trace tells it."""

from __future__ import annotations

from typing import Any

import pytest
from case_orders import WEIGHT_80, dosing, man

from cds_service.audit.pest.path import selection_steps

RIVAROXABAN: dict[str, Any] = {"text": "rivaroxaban 20 mg oral tablet", "route": "oral", "dose": "20 mg", "times_a_day": 1, "reason": "Atrial fibrillation"}
CREATININE = {"text": "Creatinine", "loinc": "2160-0", "value": 2.5, "unit": "mg/dL"}


def path(draft: dict[str, Any], **more: Any) -> list[str]:
    asked = dosing(draft, **more)
    return [s.what for s in selection_steps(asked.medication, asked)]


def test_the_path_begins_with_the_order_and_ends_with_the_verdict() -> None:
    first, *_, last = path(RIVAROXABAN, who=man(labs=[WEIGHT_80, CREATININE]))
    assert "ordered 20 mg a day" in first
    assert "by the order's reason" in first
    assert last == "rivaroxaban: above for its renal function (drug being started)"


@pytest.mark.parametrize(("creatinine", "allows"), [(2.5, "15 mg a day"), (0.9, "20 mg a day")])
def test_the_rule_that_binds_leads_the_list(creatinine: float, allows: str) -> None:
    who = man(labs=[WEIGHT_80, {**CREATININE, "value": creatinine}, {"text": "Height", "loinc": "8302-2", "value": 185, "unit": "cm"}])
    draft = {**RIVAROXABAN, "dose": "40 mg"}
    steps = path(draft, who=who, current=({"text": "rivaroxaban 20 mg oral tablet", "route": "oral"},))
    assert allows in steps[1]
    assert "holds, above" in steps[1]


DRAFTS = {
    "150 mg a day": {"text": "dabigatran 150 mg oral capsule", "route": "oral", "dose": "150 mg", "times_a_day": 2, "reason": "Atrial fibrillation"},
    "200 mg to 400 mg a day": {"text": "celecoxib 200 mg oral capsule", "route": "oral", "dose": "400 mg", "times_a_day": 2},
    "25 mg a day": {"text": "lamotrigine 25 mg oral tablet", "route": "oral", "dose": "300 mg", "times_a_day": 2, "reason": "Epilepsy"},
}


@pytest.mark.parametrize("allows", DRAFTS)
def test_of_several_rules_the_binding_one_stands_first(allows: str) -> None:
    height = {"text": "Height", "loinc": "8302-2", "value": 185, "unit": "cm"}
    steps = path(DRAFTS[allows], who=man(labs=[WEIGHT_80, CREATININE, height]), current=("dronedarone 400 mg oral tablet",))
    rows = [s for s in steps if " allows " in s]
    assert len(rows) > 1
    assert f"allows {allows}" in rows[0]


def test_an_open_rule_says_what_would_decide_it() -> None:
    assert any("unknown: renal-function" in s for s in path(RIVAROXABAN, who=man(labs=[WEIGHT_80])))


def test_a_broken_limit_stands_in_the_path() -> None:
    steps = path({"text": "acetaminophen 500 mg oral tablet", "route": "oral", "dose": "1000 mg", "times_a_day": 5})
    assert any(s.startswith("above a limit by a factor of 1.25") for s in steps)
