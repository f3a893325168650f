"""Guards seen axis by axis: kinds of patient, implication, guards without some axes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pest_builders import PARTNER, D, age, condition, crcl, genotype

from cds_service.audit.pest.guards import (
    CHILDHOOD,
    COMEDICATION,
    GENOTYPE,
    HEPATIC_FUNCTION,
    LAB,
    OLD_AGE,
    PREGNANCY,
    RENAL_FUNCTION,
    SEX,
    STATE,
    WEIGHT,
    Family,
    families,
    implies,
    names_age,
    without,
)
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Category, Exposure, Guard, HasCondition, Interval, Not, Opaque


@pytest.mark.parametrize(
    ("guard", "kinds"),
    [
        (None, set()),
        (crcl(high="50"), {RENAL_FUNCTION}),
        (crcl("15", "30"), {RENAL_FUNCTION}),
        (crcl("30"), set()),
        (crcl("90"), set()),
        (crcl("130"), {RENAL_FUNCTION}),
        (Interval(Axis.WEIGHT, D(50), None, "kg"), set()),
        (Interval(Axis.WEIGHT, None, D(60), "kg"), {WEIGHT}),
        (age("18"), set()),
        (age("60", low_open=True), {OLD_AGE}),
        (age("720", unit="mo"), {OLD_AGE}),
        (age("2", "12"), {CHILDHOOD}),
        (age("12"), set()),
        (Category(Axis.HEPATIC, ("none",)), set()),
        (Category(Axis.CHILD_PUGH, ("C",)), {HEPATIC_FUNCTION}),
        (Category(Axis.DIALYSIS, ("no",)), set()),
        (Category(Axis.DIALYSIS, ("yes",)), {RENAL_FUNCTION}),
        (Category(Axis.PREGNANCY, ("no",)), set()),
        (Category(Axis.PREGNANCY, ("yes",)), {PREGNANCY}),
        (Category(Axis.SEX, ("female",)), {SEX}),
        (Category(Axis.ROUTE, ("oral",)), set()),
        (genotype("poor metabolizer"), {GENOTYPE}),
        (Interval(Axis.LAB, None, D(3), "g/dL", detail="albumin"), {LAB}),
        (Exposure(PARTNER), {COMEDICATION}),
        (HasCondition(condition("gout"), "gout"), {STATE}),
        (Opaque("in severe cases"), set()),
        (AllOf((crcl(high="50"), Exposure(PARTNER))), {RENAL_FUNCTION, COMEDICATION}),
        (Not(Exposure(PARTNER)), set()),
        (AnyOf((crcl(high="50"), age(high="12"))), {RENAL_FUNCTION, CHILDHOOD}),
        (AnyOf((crcl(high="50"), crcl("30"))), set()),
    ],
)
def test_kinds_of_patient_that_a_guard_adjusts_for(guard: Guard | None, kinds: set[Family]) -> None:
    assert families(guard) == kinds


@pytest.mark.parametrize(
    ("guard", "named"),
    [(None, False), (age("18"), True), (Interval(Axis.WEIGHT, D(40), None, "kg"), True), (crcl("30"), False), (AllOf((crcl("30"), age(high="18"))), True)],
)
def test_ages_and_body_sizes_say_whom_a_rule_is_for(guard: Guard | None, named: bool) -> None:
    assert names_age(guard) is named


@pytest.mark.parametrize(
    ("g", "h", "holds"),
    [
        (crcl("30", "50"), crcl("15", "60"), True),
        (crcl("15", "60"), crcl("30", "50"), False),
        (crcl("30", "50"), crcl("30", "50", low_open=True), False),
        (crcl("30", "50", low_open=True), crcl("30", "50"), True),
        (crcl("30", "50"), None, True),
        (None, crcl("30", "50"), False),
        (age("24", "36", unit="mo"), age("2", "3"), True),
        (crcl(high="50"), Interval(Axis.EGFR, None, D(50), "mL/min/1.73m2"), False),
        (AllOf((crcl("30", "50"), Exposure(PARTNER))), crcl("30", "50"), True),
        (crcl("30", "50"), AllOf((crcl("30", "50"), Exposure(PARTNER))), False),
        (AnyOf((crcl("30", "40"), crcl("41", "50"))), crcl("30", "50"), True),
        (AnyOf((crcl("30", "40"), crcl("60", "70"))), crcl("30", "50"), False),
        (crcl("30", "40"), AnyOf((crcl("20", "50"), Exposure(PARTNER))), True),
        (Category(Axis.CHILD_PUGH, ("C",)), Category(Axis.CHILD_PUGH, ("B", "C")), True),
        (Category(Axis.CHILD_PUGH, ("B", "C")), Category(Axis.CHILD_PUGH, ("C",)), False),
    ],
)
def test_a_guard_implies_what_it_asks_as_strictly(g: Guard | None, h: Guard | None, holds: bool) -> None:
    assert implies(g, h) is holds


NUMBERS = st.decimals(0, 100, places=0)


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_what_lies_in_the_implying_band_lies_in_the_implied_one(a: D, b: D, c: D, d: D, x: D) -> None:
    g, h = (crcl(str(min(p)), str(max(p))) for p in ((a, b), (c, d)))
    if implies(g, h) and min(a, b) <= x <= max(a, b):
        assert min(c, d) <= x <= max(c, d)


def test_a_dropped_part_of_a_conjunction_is_met() -> None:
    assert without(AllOf((crcl(high="50"), age("18"))), lambda leaf: getattr(leaf, "axis", None) is Axis.CRCL) == age("18")


def test_a_dropped_part_of_a_disjunction_meets_it() -> None:
    assert without(AnyOf((crcl(high="50"), Exposure(PARTNER))), lambda leaf: isinstance(leaf, Exposure)) is None


def test_a_negation_of_something_dropped_is_met() -> None:
    guard = AllOf((Not(Exposure(PARTNER)), age("18")))
    assert without(guard, lambda leaf: isinstance(leaf, Exposure)) == age("18")
    assert without(Not(crcl(high="50")), lambda leaf: isinstance(leaf, Exposure)) == Not(crcl(high="50"))
