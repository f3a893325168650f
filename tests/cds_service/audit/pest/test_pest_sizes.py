"""Body sizes: recorded, by the weight that the label names, or the span of what is plausible."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pest_builders import D, Patient

from cds_service.audit.pest.bands import Size
from cds_service.audit.pest.sizes import BodySizes, multiplier
from ontology.model.dosing import AmountBasis
from ontology.model.facts import Axis

KG, M2 = AmountBasis.PER_KG, AmountBasis.PER_M2


def test_a_recorded_weight_is_exact() -> None:
    assert BodySizes(Patient({Axis.WEIGHT: ("70", "kg")}))(KG, None) == Size(D(70), D(70))


@pytest.mark.parametrize(("weight", "kilograms"), [("ideal", 60), ("adjusted", 64), (None, 70), ("actual", 70), ("lean", 70)])
def test_the_weight_is_the_one_that_the_label_names(weight: str | None, kilograms: int) -> None:
    patient = Patient({Axis.WEIGHT: ("70", "kg"), Axis.WEIGHT_IDEAL: ("60", "kg"), Axis.WEIGHT_ADJUSTED: ("64", "kg")})
    assert BodySizes(patient)(KG, weight) == Size(D(kilograms), D(kilograms))


@pytest.mark.parametrize(
    ("age", "low", "high"),
    [
        (("10", "d"), "0.4", "6"),
        (("6", "mo"), "2", "14"),
        (("4", "a"), "5", "35"),
        (("5", "a"), "10", "90"),
        (("17", "a"), "20", "160"),
        (("18", "a"), "30", "250"),
    ],
)
def test_an_unknown_weight_spans_what_is_plausible_at_the_age(age: tuple[str, str], low: str, high: str) -> None:
    assert BodySizes(Patient({Axis.AGE: age}))(KG, None) == Size(D(low), D(high), frozenset({"weight"}))


def test_an_unknown_weight_at_an_unknown_age_spans_all_ages() -> None:
    assert BodySizes(Patient())(KG, None) == Size(D("0.4"), D(250), frozenset({"weight"}))


def test_an_age_beyond_every_row_spans_all_ages() -> None:
    assert BodySizes(Patient({Axis.AGE: ("140", "a")}))(KG, None) == Size(D("0.4"), D(250), frozenset({"weight"}))


def test_a_recorded_surface_is_exact() -> None:
    assert BodySizes(Patient({Axis.BSA: ("1.8", "m2")}))(M2, None) == Size(D("1.8"), D("1.8"))


def test_a_surface_without_a_height_spans_the_plausible_heights() -> None:
    found = BodySizes(Patient({Axis.WEIGHT: ("70", "kg"), Axis.AGE: ("40", "a")}))(M2, None)
    assert found is not None
    assert D("1.4") < found.low < D("1.8") < found.high < D("2.1")
    assert found.needs == {"weight", "height"}


@given(st.integers(2, 200))
def test_the_span_of_a_surface_is_never_empty(kilograms: int) -> None:
    found = BodySizes(Patient({Axis.WEIGHT: (str(kilograms), "kg")}))(M2, None)
    assert found is not None
    assert D(0) < found.low <= found.high


def test_only_weight_and_surface_are_sizes() -> None:
    assert BodySizes(Patient({Axis.WEIGHT: ("70", "kg")}))(AmountBasis.FLAT, None) is None


def test_an_order_by_size_is_multiplied_only_with_a_known_size() -> None:
    known = BodySizes(Patient({Axis.WEIGHT: ("70", "kg"), Axis.BSA: ("1.8", "m2")}))
    assert (multiplier(known, "kg"), multiplier(known, "m2"), multiplier(BodySizes(Patient()), "kg")) == (70, D("1.8"), None)
