"""Conditions that labels write as numbers: which bound they state, and what else they ask for."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any, cast

import pytest
from audit_builders import measured, prescribed

from cds_service.audit.outcomes import Certainty
from cds_service.audit.profile.numeric_states import asks_beside, bounds_stated, match_numbers
from cds_service.audit.profile.order_facts import OrderFacts, PatientProfile
from ontology.model.guards import Truth
from ontology.model.quantities import quantity


def facts(**members: Any) -> OrderFacts:
    return OrderFacts(PatientProfile(prescribed(**members), cast(Any, None), cast(Any, None)), cast(Any, None), None)


@pytest.mark.parametrize(
    ("words", "axis", "detail", "low", "high"),
    [
        ("systolic blood pressure <100", "lab", "systolic blood pressure", None, "100"),
        ("heart rate less than 45 beats per minute", "lab", "heart rate", None, "45"),
        ("Bradycardia <50 bpm", "lab", "heart rate", None, "50"),
        ("neutrophil counts of less than 1500 cells/mm3", "lab", "neutrophil", None, "1500"),
        ("serum potassium >5.5 mEq/L at initiation", "lab", "potassium", "5.5", None),
        ("creatinine clearance less than 30 mL/min", "crcl", None, None, "30"),
    ],
)
def test_a_number_in_the_labels_words_is_a_bound(words: str, axis: str, detail: str | None, low: str | None, high: str | None) -> None:
    (found,) = bounds_stated(words)
    assert (found.axis.value, found.detail) == (axis, detail)
    assert (str(found.low) if found.low is not None else None, str(found.high) if found.high is not None else None) == (low, high)


@pytest.mark.parametrize("words", ["peptic ulcer", "children under 2 years", "type 2 diabetes", "NYHA class III heart failure", "second-degree AV block"])
def test_ages_and_names_with_figures_are_no_bounds(words: str) -> None:
    assert bounds_stated(words) == ()
    assert match_numbers(words, facts()) is None


def test_what_the_words_ask_for_beside_the_number() -> None:
    assert asks_beside("baseline neutrophil counts of less than 1,500 cells/mm3") == frozenset()
    assert asks_beside("solid tumors who have baseline neutrophil counts of <1,500 cells/mm3") == {"solid", "tumor"}


def test_a_value_meets_the_number_and_is_shown() -> None:
    found = match_numbers("systolic blood pressure <100", facts(measurements=(measured("8480-6", "92", "mm[Hg]"),)))
    assert found is not None
    assert (found.truth, found.name, found.certainty) == (Truth.TRUE, "systolic blood pressure 92 mm[Hg]", Certainty.CODED)


def test_a_value_on_the_edge_is_as_printed() -> None:
    at_limit = facts(measurements=(measured("8480-6", "100", "mm[Hg]"),))
    for words, truth in (("systolic blood pressure <100", Truth.FALSE), ("systolic blood pressure at most 100", Truth.TRUE)):
        found = match_numbers(words, at_limit)
        assert found is not None
        assert found.truth is truth


def test_a_missing_laboratory_value_is_named_and_a_missing_vital_sign_is_not() -> None:
    count = match_numbers("neutrophil counts of less than 1500 cells/mm3", facts())
    assert count is not None
    assert (count.truth, count.needs) == (Truth.UNKNOWN, {"lab:neutrophils"})
    pressure = match_numbers("systolic blood pressure <100", facts())
    assert pressure is not None
    assert pressure.truth is Truth.FALSE


@pytest.mark.parametrize(
    ("words", "detail", "unit", "low", "high"),
    [
        ("serum calcium is less than the lower limit of the normal range", "serum calcium", "{LLN}", None, "1"),
        ("LVEF below the institutional lower limit of normal", "lvef", "{LLN}", None, "1"),
        ("bilirubin greater than the upper limit of normal", "bilirubin", "{ULN}", "1", None),
    ],
)
def test_a_limit_of_normal_without_a_number_is_a_bound(words: str, detail: str, unit: str, low: str | None, high: str | None) -> None:
    (found,) = bounds_stated(words)
    assert (found.detail, found.unit) == (detail, unit)
    assert (str(found.low) if found.low is not None else None, str(found.high) if found.high is not None else None) == (low, high)
    assert asks_beside(words) == frozenset()


LOW_CALCIUM = "serum calcium is less than the lower limit of the normal range"


@pytest.mark.parametrize(
    ("value", "lower", "truth", "certainty"),
    [
        ("8.1", None, Truth.TRUE, Certainty.CODED),
        ("8.5", None, Truth.FALSE, Certainty.APPROXIMATED),
        ("8.5", "8.6", Truth.TRUE, Certainty.CODED),
        ("8.1", "8.0", Truth.FALSE, Certainty.CODED),
    ],
)
def test_a_value_is_low_by_the_results_own_range_else_where_every_laboratory_calls_it_so(
    value: str, lower: str | None, truth: Truth, certainty: Certainty
) -> None:
    row = replace(measured("17861-6", value, "mg/dL"), lower=quantity(Decimal(lower), "mg/dL") if lower else None)
    found = match_numbers(LOW_CALCIUM, facts(measurements=(row,)))
    assert found is not None
    assert (found.truth, found.certainty, found.name) == (truth, certainty, f"serum calcium {value} mg/dL")


def test_a_missing_value_at_a_limit_of_normal_is_named() -> None:
    found = match_numbers(LOW_CALCIUM, facts())
    assert found is not None
    assert (found.truth, found.needs) == (Truth.UNKNOWN, {"lab:calcium"})


@pytest.mark.parametrize("words", ["patients with normal renal function", "lower limit of the normal range", "temperature above normal"])
def test_words_about_normal_without_a_test_and_a_limit_are_no_bounds(words: str) -> None:
    assert bounds_stated(words) == ()
