"""Gestational age at birth and postmenstrual age: exact where stated, a range where only a code or a word tells."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from audit_builders import asked, chart, measured, number, problem

from cds_service.intake.prescription import Retrieval
from ontology.model.facts import Axis, Known, Unknown
from ontology.model.guards import Interval, Truth
from ontology.model.identifiers import Code

CHILD = "2026-10-18"  # 14 days old


def below(weeks: int, detail: str = "birth", **members: Any) -> Truth:
    return asked(Interval(Axis.GESTATIONAL_AGE, None, Decimal(weeks), "wk", high_open=True, detail=detail), **{"born": CHILD, **members}).truth


@pytest.mark.parametrize(
    ("note", "weeks"),
    [
        ("Born at 34 weeks and 0 days.", "34"),
        ("Born at 31 weeks and 2 days.", "31.29"),
        ("GA at birth 34+2 weeks, stable.", "34.29"),
        ("Twin A, gestational age 36 weeks 4 days.", "36.57"),
    ],
)
def test_weeks_and_days_are_exact(note: str, weeks: str) -> None:
    assert abs(number(chart(born=CHILD, notes=(note,)).birth.gestational_age) - Decimal(weeks)) < Decimal("0.01")


@pytest.mark.parametrize(
    ("members", "limit", "truth"),
    [
        ({"conditions": (problem("Preterm newborn, gestational age 34 completed weeks", Code("icd10cm", "P07.37")),)}, 35, Truth.TRUE),
        ({"conditions": (problem("Preterm newborn, gestational age 34 completed weeks", Code("icd10cm", "P07.37")),)}, 34, Truth.FALSE),
        ({"conditions": (problem("Preterm newborn, unspecified weeks", Code("icd10cm", "P07.30")),)}, 32, Truth.UNKNOWN),
        ({"conditions": (problem("Preterm newborn, unspecified weeks", Code("icd10cm", "P07.30")),)}, 37, Truth.TRUE),
        ({"conditions": (problem("Prematurity"),)}, 37, Truth.TRUE),
        ({"conditions": (problem("Prematurity"),)}, 32, Truth.UNKNOWN),
        ({"notes": ("Term baby, born at 39 weeks.",)}, 37, Truth.FALSE),
        ({"notes": ("Healthy full-term newborn.",)}, 37, Truth.FALSE),
        ({}, 37, Truth.FALSE),
        ({"retrieval": {"conditions": Retrieval.NOT_RETRIEVED}}, 37, Truth.UNKNOWN),
        ({"notes": ("Brother was born at 30 weeks.",)}, 37, Truth.FALSE),
        ({"measurements": (measured("76516-4", "33", "wk"),)}, 34, Truth.TRUE),
    ],
)
def test_a_limit_on_weeks_at_birth(members: dict[str, Any], limit: int, truth: Truth) -> None:
    assert below(limit, **members) is truth


def test_postmenstrual_age_adds_the_weeks_of_life() -> None:
    fact = chart(born=CHILD, notes=("Born at 34 weeks and 0 days.",)).birth.postmenstrual_age
    assert number(fact) == 36
    assert below(41, "postmenstrual age", notes=("Born at 34 weeks and 0 days.",)) is Truth.TRUE


def test_an_adult_is_not_asked_for_the_weeks_at_birth() -> None:
    assert chart(born="1990-01-01").birth.young is False
    assert chart(born=None).birth.young is None
    assert isinstance(chart(born=CHILD).birth.gestational_age, Known | Unknown)
