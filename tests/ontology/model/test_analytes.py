"""Concentrations of one analyte in mass, amount and equivalents: by its own numbers, exactly, or not at all."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.model.analytes import Analyte, convert
from ontology.model.errors import InvalidQuantity
from ontology.model.quantities import Quantity, Unit, quantity

CREATININE = Analyte(Decimal("113.12"))
CALCIUM = Analyte(Decimal("40.078"), 2)
POTASSIUM = Analyte(Decimal("39.098"), 1)
PLAIN = Analyte()


def number(value: str, unit: str, to: str, analyte: Analyte | None) -> Decimal | None:
    found = convert(quantity(value, unit), Unit.of(to), analyte)
    return None if found is None else found.value


@pytest.mark.parametrize(
    ("value", "unit", "to", "analyte", "expected"),
    [
        ("1", "mg/dL", "umol/L", CREATININE, "88.40"),
        ("88.4", "umol/L", "mg/dL", CREATININE, "1.000"),
        ("18.016", "mg/dL", "mmol/L", Analyte(Decimal("180.156")), "1.000"),
        ("10", "mg/dL", "mmol/L", CALCIUM, "2.495"),
        ("10", "mg/dL", "meq/L", CALCIUM, "4.990"),
        ("5", "meq/L", "mg/dL", CALCIUM, "10.02"),
        ("4.5", "meq/L", "mmol/L", POTASSIUM, "4.500"),
        ("1", "ng/mL", "nmol/L", Analyte(Decimal("780.94")), "1.281"),
        ("150", "mg/L", "mg/dL", PLAIN, "15.00"),
    ],
)
def test_hand_checked_values(value: str, unit: str, to: str, analyte: Analyte, expected: str) -> None:
    found = number(value, unit, to, analyte)
    assert found is not None
    assert abs(found - Decimal(expected)) <= Decimal(expected) * Decimal("0.0005")


@pytest.mark.parametrize(
    ("unit", "to", "analyte"),
    [("mg/dL", "mmol/L", None), ("mg/dL", "mmol/L", PLAIN), ("mmol/L", "mg/dL", PLAIN), ("meq/L", "mg/dL", Analyte(None, 2)), ("meq/L", "mmol/L", CREATININE), ("mmol/L", "meq/L", CREATININE), ("mg/dL", "U/L", CALCIUM), ("U/L", "mg/dL", CALCIUM), ("mg", "mmol", CALCIUM)],
)  # fmt: skip
def test_nothing_is_converted_by_numbers_the_analyte_does_not_have(unit: str, to: str, analyte: Analyte | None) -> None:
    assert number("5", unit, to, analyte) is None


UNITS = st.sampled_from(["mg/dL", "mg/L", "ug/L", "ng/mL", "mmol/L", "umol/L", "nmol/L", "meq/L"])


@given(st.decimals(min_value="0.001", max_value=100000, places=3), UNITS, UNITS)
def test_there_and_back_is_the_same_value(value: Decimal, a: str, b: str) -> None:
    there = convert(Quantity(value, Unit.of(a)), Unit.of(b), CALCIUM)
    assert there is not None
    back = convert(there, Unit.of(a), CALCIUM)
    assert back is not None
    assert abs(back.value - value) <= value * Decimal("1e-20")


@pytest.mark.parametrize(("mass", "charge"), [("0", None), ("-1", None), ("NaN", None), (None, 0)])
def test_an_analyte_without_sense_is_refused(mass: str | None, charge: int | None) -> None:
    with pytest.raises(InvalidQuantity):
        Analyte(None if mass is None else Decimal(mass), charge)
