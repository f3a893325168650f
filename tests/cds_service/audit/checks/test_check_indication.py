"""Labelled uses, uses that a label denies, off-label orders."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from case_orders import labels_of, man, told
from case_world import World

from cds_service.audit.checks.indication import IndicationCheck
from cds_service.audit.outcomes import Finding
from ontology.model.advice import Action

CHECK = IndicationCheck()
T1, T2 = {"text": "Type 1 diabetes mellitus", "icd10": "E10.9"}, {"text": "Type 2 diabetes mellitus", "icd10": "E11.9"}
LINAGLIPTIN = "linagliptin 5 mg oral tablet"


def found(reason: Any = None, *problems: Any, draft: str = LINAGLIPTIN, **more: Any) -> list[tuple[Action, str | None]]:
    order = draft if reason is None else {"text": draft, "reason": reason}
    return [(r.action, r.cap) for r in told(CHECK, order, who=man(conditions=list(problems)), **more) if isinstance(r, Finding)]


@pytest.mark.parametrize("reason", [T2, "Type 2 diabetes mellitus", {"text": "Type 2 diabetes with neuropathy", "icd10": "E11.40"}, None])
def test_a_labelled_use_is_silent(reason: Any) -> None:
    assert found(reason) == []


def test_a_broader_reason_is_not_off_label() -> None:
    assert found({"text": "Diabetes mellitus", "snomed": "73211009"}) == []


def test_a_use_that_the_label_denies() -> None:
    assert found(T1) == [(Action.NOT_RECOMMENDED, None)]


def test_a_denied_use_on_the_problem_list_alone_is_information() -> None:
    assert found(None, T1) == [(Action.NOT_RECOMMENDED, "info")]


def test_a_denied_use_on_the_problem_list_is_silent_beside_a_labelled_one() -> None:
    assert found(None, T1, T2) == []


def test_a_stated_reason_goes_before_the_problem_list() -> None:
    assert found(T2, T1) == []


def test_off_label_alone_is_no_recommendation() -> None:
    assert found({"text": "Essential tremor", "icd10": "G25.0"}, draft="propranolol 40 mg oral tablet") == [(Action.NO_RECOMMENDATION, None)]


def test_a_problem_is_not_what_the_order_is_for_where_nobody_says_so() -> None:
    assert found(None, {"text": "Essential tremor", "icd10": "G25.0"}, draft="propranolol 40 mg oral tablet") == []


def test_a_stated_reason_that_is_labelled_in_other_words_on_the_list_is_silent() -> None:
    reason = {"text": "Raised sugar", "icd10": "E11.9"}
    assert found(reason, T2) == []


@cache
def labels() -> tuple[World, dict[str, str]]:
    for_children = {"axis": "age", "below": 18, "unit": "a"}
    return labels_of(
        {
            "silent": ({"says": "Take 10 mg.", "doses": "all", "dose": "10 mg", "times": 1},),
            "children": (
                {"says": "For hypertension.", "indicated_for": "hypertension"},
                {"says": "Not for gout in children.", "indicated_for": "gout", "action": "not-recommended", "denies": True, "when": for_children},
            ),
        }
    )


@pytest.mark.parametrize(("name", "reason", "said"), [("silent", "Essential tremor", []), ("children", "Gout", [(Action.NO_RECOMMENDATION, None)])])
def test_what_a_label_does_not_say_of_this_patient_is_not_held_against_the_order(name: str, reason: str, said: list[Any]) -> None:
    world, drugs = labels()
    assert found(reason, draft=f"{drugs[name]} 40 mg oral tablet", world=world) == said
