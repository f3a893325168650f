"""Body size: published formulas with worked examples, and what is missing for them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from audit_builders import chart, measured, number

from cds_service.audit.profile.body import adjusted_weight, ideal_weight, lean_weight
from cds_service.intake.prescription import Measurement
from ontology.model.facts import Axis, Known, Unknown, UnknownReason

WEIGHT = "29463-7"
HEIGHT = "8302-2"


def sized(kg: str | None, cm: str | None) -> tuple[Measurement, ...]:
    rows = [measured(WEIGHT, kg, "kg")] if kg else []
    return (*rows, measured(HEIGHT, cm, "cm")) if cm else tuple(rows)


@pytest.mark.parametrize(
    ("inches", "female", "kg"),
    # Devine 1974: 50 kg (men) or 45.5 kg (women) at five feet and 2.3 kg for every inch more.
    [(60, False, "50"), (70, False, "73"), (60, True, "45.5"), (64, True, "54.7")],
)
def test_ideal_weight_after_devine(inches: int, female: bool, kg: str) -> None:
    assert ideal_weight(Decimal(inches) * Decimal("2.54"), female=female, adult=True) == Decimal(kg)


@pytest.mark.parametrize(
    ("cm", "female", "kg"),
    # Traub and Johnson 1980: height in cm squared x 1.65 / 1000 below five feet; 39 or 42.2 kg at five feet and 2.27 kg for every inch more.
    [("120", False, "23.76"), ("162.56", False, "48.08"), ("162.56", True, "51.28")],
)
def test_ideal_weight_of_children_after_traub_and_johnson(cm: str, female: bool, kg: str) -> None:
    assert ideal_weight(Decimal(cm), female=female, adult=False) == Decimal(kg)


def test_adjusted_weight_adds_two_fifths_of_the_excess_and_never_lifts_a_light_weight() -> None:
    assert adjusted_weight(Decimal(120), Decimal(70)) == 90
    assert adjusted_weight(Decimal(60), Decimal(70)) == 60


def test_lean_weight_after_janmahasatian() -> None:
    # 9270 x 80 / (6680 + 216 x 25) and 9270 x 80 / (8780 + 244 x 25).
    assert lean_weight(Decimal(80), Decimal(25), female=False).quantize(Decimal("0.1")) == Decimal("61.4")
    assert lean_weight(Decimal(80), Decimal(25), female=True).quantize(Decimal("0.1")) == Decimal("49.8")


def test_surface_after_mosteller_and_mass_index() -> None:
    # Mosteller 1987: the root of 180 cm x 72 kg / 3600.
    body = chart(measurements=sized("72", "180")).body
    assert number(body.value(Axis.BSA)) == Decimal("1.897")
    assert number(body.value(Axis.BMI)) == Decimal("22.222")


def test_every_weight_of_an_obese_woman() -> None:
    body = chart(sex="female", measurements=sized("108", "160")).body
    found = [number(body.value(a)).quantize(Decimal("0.1")) for a in (Axis.WEIGHT, Axis.WEIGHT_IDEAL, Axis.WEIGHT_ADJUSTED, Axis.WEIGHT_LEAN)]
    assert found == [Decimal("108.0"), Decimal("52.4"), Decimal("74.6"), Decimal("52.5")]


@pytest.mark.parametrize(
    ("axis", "kg", "cm", "sex", "needs"),
    [
        (Axis.BSA, "70", None, "male", {"height"}),
        (Axis.BSA, None, None, "male", {"weight", "height"}),
        (Axis.WEIGHT_IDEAL, "70", "170", None, {"sex"}),
        (Axis.WEIGHT_LEAN, None, "170", "male", {"weight"}),
    ],
)
def test_what_is_missing_is_named(axis: Axis, kg: str | None, cm: str | None, sex: str | None, needs: set[str]) -> None:
    fact = chart(sex=sex, measurements=sized(kg, cm)).body.value(axis)
    assert isinstance(fact, Unknown)
    assert fact.needs == needs


@pytest.mark.parametrize(
    ("born", "day", "current"),
    [
        ("2026-10-15", date(2026, 10, 20), False),
        ("2026-10-15", date(2026, 10, 30), True),
        ("2026-02-01", date(2026, 9, 15), False),
        ("2026-02-01", date(2026, 10, 20), True),
    ],
)
def test_a_young_childs_weight_is_current_for_days(born: str, day: date, current: bool) -> None:
    fact = chart(born=born, measurements=(measured(WEIGHT, "4", "kg", day=day),)).body.weight
    assert isinstance(fact, Known) is current
    assert current or (isinstance(fact, Unknown) and fact.reason is UnknownReason.STALE)


@pytest.mark.parametrize(
    ("note", "kg"),
    [
        ("Weight 12.4 kg today.", "12.4"),
        ("Weighs 62 kg.", "62"),
        ("Birth weight 3.4 kg.", None),
        ("Ideal body weight 70 kg.", None),
        ("Mother weighs 80 kg.", None),
        ("Weight-based dose of 5 mg/kg.", None),
    ],
)
def test_a_weight_that_a_note_states_stands_in(note: str, kg: str | None) -> None:
    fact = chart(born="2020-01-01", notes=(note,)).body.weight
    assert (str(number(fact)) if isinstance(fact, Known) else None) == kg
    assert not isinstance(fact, Known) or fact.approximated
