"""Units and quantities: one closed table, Decimal only, look-alikes kept apart."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.model.errors import InvalidQuantity
from ontology.model.quantities import Quantity, Unit, plain, quantity
from ontology.model.units import ALIASES, UNITS


@pytest.mark.parametrize("text", ["mcg", "ug", "µg", "μg", "microgram", "微克"])
def test_one_microgram(text: str) -> None:
    assert Unit.of(text).code == "ug"


def test_every_alias_names_a_unit_of_the_table() -> None:
    assert set(ALIASES.values()) <= set(UNITS)


def test_creatinine_clearance_and_egfr_do_not_convert() -> None:
    with pytest.raises(InvalidQuantity, match="does not convert"):
        quantity(60, "mL/min").to(Unit.of("mL/min/1.73m2"))


@pytest.mark.parametrize(("a", "b"), [("{tbl}", "{capsule}"), ("mg", "mL"), ("[USP'U]", "mg"), ("meq", "mmol"), ("mg/dL", "mmol/L")])
def test_different_dimensions_do_not_convert(a: str, b: str) -> None:
    with pytest.raises(InvalidQuantity):
        quantity(1, a).to(Unit.of(b))


@pytest.mark.parametrize("text", ["mgs of love", "", "mL/min/kg", "x"])
def test_an_unknown_unit_is_refused(text: str) -> None:
    with pytest.raises(InvalidQuantity, match="not in the unit table"):
        Unit.of(text)
    assert Unit.find(text) is None


def test_no_float_becomes_a_quantity() -> None:
    with pytest.raises(InvalidQuantity, match="not a Decimal"):
        Quantity(0.1, Unit.of("mg"))  # type: ignore[arg-type]


@pytest.mark.parametrize("value", ["NaN", "Infinity", "sNaN"])
def test_no_number_that_is_none_becomes_a_quantity(value: str) -> None:
    with pytest.raises(InvalidQuantity):
        quantity(value, "mg")


@pytest.mark.parametrize(("value", "text"), [("19", "19"), ("1.2E+2", "120"), ("0.50", "0.50"), ("1E-7", "0.0000001")])
def test_a_decimal_is_written_as_a_person_writes_it(value: str, text: str) -> None:
    assert plain(Decimal(value)) == text


MASSES = st.sampled_from([u for u, row in UNITS.items() if row.dimension == "mass" and u != "[lb_av]"])


@given(st.decimals(min_value=0, max_value=10000, places=3), MASSES, MASSES)
def test_conversion_there_and_back_is_exact(value: Decimal, a: str, b: str) -> None:
    there = Quantity(value, Unit.of(a)).to(Unit.of(b))
    assert there.to(Unit.of(a)).value == value


def test_the_table_agrees_with_an_independent_unit_library() -> None:
    """Factors are checked against pint through ucumvert, which the service never calls."""
    ucumvert = pytest.importorskip("ucumvert", reason="the package ucumvert (extra dev) is absent")
    registry = ucumvert.PintUcumRegistry()
    references = {
        "mass": "mg",
        "length": "cm",
        "volume": "mL",
        "time": "d",
        "mass-concentration": "mg/dL",
        "substance-concentration": "mmol/L",
        "pressure": "mm[Hg]",
        "interval": "ms",
    }
    checked = 0
    for code, row in UNITS.items():
        if row.dimension in references:
            factor = registry.from_ucum(code).to(registry.from_ucum(references[row.dimension]).units).magnitude
            assert float(row.factor) == pytest.approx(float(factor), rel=1e-6), code
            checked += 1
    assert checked >= 38
