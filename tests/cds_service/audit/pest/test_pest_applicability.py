"""Whom a rule is for, and how sure that is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from pest_builders import Patient, age, crcl, flat, holding, regimen, rule, statement

from cds_service.audit.pest.applicability import ADULT, Applied, applied, effective, unread
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, Guard, Opaque, Truth

USAGE = regimen(flat("20"))


def spoken(guard: Guard | None, who: Patient, *, use: Truth = Truth.TRUE, everybody: bool = False) -> list[Applied]:
    uses = SimpleNamespace(truth=lambda _: use)
    profile = SimpleNamespace(prescription=SimpleNamespace(patient=SimpleNamespace(notes=(), conditions=(), measurements=())))
    return applied([statement(rule("r", USAGE, guard))], cast(Any, who), cast(Any, profile), cast(Any, uses), everybody=everybody)


@pytest.mark.parametrize(
    ("guard", "years", "speaks"),
    [(None, "18", True), (None, "17", False), (crcl(high="50"), "10", False), (age("6"), "10", True), (age("6", "12", high_open=True), "12", False)],
)
def test_a_rule_that_names_no_age_is_for_adults(guard: Guard | None, years: str, speaks: bool) -> None:
    assert bool(spoken(guard, Patient({Axis.AGE: (years, "a"), Axis.CRCL: ("40", "mL/min")}))) is speaks


def test_a_ceiling_that_names_no_age_is_for_everybody() -> None:
    assert effective(None, everybody=True) is None
    assert spoken(None, Patient({Axis.AGE: ("4", "a")}), everybody=True)


def test_the_adult_population_is_added_to_what_the_rule_asks() -> None:
    assert effective(crcl(high="50")) == AllOf((ADULT, crcl(high="50")))
    assert effective(age("12")) == age("12")


def test_a_rule_for_another_use_does_not_speak() -> None:
    assert spoken(None, Patient({Axis.AGE: ("40", "a")}), use=Truth.FALSE) == []


def test_an_unknown_age_is_asked_for() -> None:
    (found,) = spoken(None, Patient())
    assert (found.outcome.truth, found.needs, found.judged, found.sure) == (Truth.UNKNOWN, {"age"}, False, False)


@pytest.mark.parametrize(
    ("guard", "use", "whole"),
    [
        (Truth.TRUE, Truth.TRUE, Truth.TRUE),
        (Truth.TRUE, Truth.UNKNOWN, Truth.UNKNOWN),
        (Truth.UNKNOWN, Truth.TRUE, Truth.UNKNOWN),
        (Truth.FALSE, Truth.UNKNOWN, Truth.FALSE),
    ],
)
def test_guard_and_use_hold_together(guard: Truth, use: Truth, whole: Truth) -> None:
    assert holding(rule("r", USAGE), guard, use=use, needs=("age",)).truth is whole


def test_words_for_a_person_leave_a_rule_judged_and_not_sure() -> None:
    made = holding(rule("r", USAGE, Opaque("in severe cases")), Truth.UNKNOWN, judge=True)
    assert (made.judged, made.sure, made.needs, unread(made)) == (True, False, frozenset(), True)


def test_a_missing_datum_beside_words_is_asked_for() -> None:
    (found,) = spoken(AllOf((age("18"), crcl(high="50"), Opaque("in severe cases"))), Patient({Axis.AGE: ("40", "a")}))
    assert (found.needs, found.judged, unread(found)) == ({"renal-function"}, False, True)
