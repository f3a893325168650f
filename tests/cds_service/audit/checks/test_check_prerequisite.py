"""Tests before a first dose."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from case_orders import labels_of, man, told
from case_world import World

from cds_service.audit.checks.prerequisite import PrerequisiteCheck
from cds_service.audit.outcomes import Gap

CHECK = PrerequisiteCheck()
WOMAN = man(sex="female", born="1996-01-01")


TESTS = ("HLA-B*5801 allele", "TPMT activity", "pregnancy test", "complete blood count", "liver function tests")
LABELS: dict[str, tuple[dict[str, Any], ...]] = {
    **{test: ({"says": f"Before the first dose: {test}.", "requires": test},) for test in TESTS},
    "ancestry": ({"says": "Test patients of Asian ancestry.", "requires": "HLA-B*1502", "when": {"judge": "patients of Asian ancestry"}},),
    "everybody": ({"says": "Test everybody.", "requires": "HLA-B*1502"},),
    "older": ({"says": "Test women above 50 years.", "requires": "pregnancy test", "when": {"axis": "age", "at_least": 50, "unit": "a"}},),
}


@cache
def labels() -> tuple[World, dict[str, str]]:
    return labels_of(LABELS)


def asked_by(name: str, **more: Any) -> list[tuple[str, ...]]:
    """What the label of this name asks for."""
    world, drugs = labels()
    return asked(f"{drugs[name]} 40 mg oral tablet", world=world, **more)


def asked(draft: Any, **more: Any) -> list[tuple[str, ...]]:
    return [r.needs for r in told(CHECK, draft, **more) if isinstance(r, Gap)]


@pytest.mark.parametrize(
    ("requires", "who", "needs"),
    [
        ("HLA-B*5801 allele", man(), [("genotype",)]),
        ("TPMT activity", man(), [("genotype",)]),
        ("pregnancy test", WOMAN, [("pregnancy-status",)]),
        ("pregnancy test", man(), []),
        ("pregnancy test", man(sex="female", born="1950-01-01"), []),
        ("complete blood count", man(), []),
        ("liver function tests", man(), []),
    ],
)
def test_a_test_whose_result_would_forbid_the_drug_is_asked_for(requires: str, who: dict[str, Any], needs: list[tuple[str, ...]]) -> None:
    assert asked_by(requires, who=who) == needs


def test_a_result_on_record_answers() -> None:
    tested = man(labs=[{"text": "HLA-B*57:01", "loinc": "50956-2", "word": "Negative"}])
    assert asked("abacavir 300 mg oral tablet", who=tested) == []
    assert asked("abacavir 300 mg oral tablet", who=man()) == [("genotype",)]


def test_a_test_for_an_ancestry_is_asked_only_of_that_ancestry() -> None:
    assert asked_by("ancestry") == []
    assert asked_by("everybody") == [("genotype",)]


def test_a_rule_for_other_patients_asks_for_nothing() -> None:
    assert asked_by("older", who=WOMAN) == []


def test_a_drug_that_is_taken_already_is_not_begun() -> None:
    assert asked("abacavir 300 mg oral tablet", current=("abacavir 300 mg oral tablet",)) == []
