from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.model.facts import Axis
from ontology.model.quantities import Unit
from ontology.text.amounts import find_bounds, find_doses, find_windows, separation_hours


@pytest.mark.parametrize(
    ("text", "axis", "low", "high", "unit", "opened"),
    [
        ("Children under 2 years of age.", Axis.AGE, None, "2", "a", True),
        ("neonates under one month of age", Axis.AGE, None, "1", "mo", True),
        ("patients 12 years of age and older", Axis.AGE, "12", None, "a", False),
        ("pediatric patients 2 to 17 years of age", Axis.AGE, "2", "17", "a", False),
        ("in neonates (≤ 28 days)", Axis.AGE, None, "28", "d", False),
        ("18岁以下儿童禁用", Axis.AGE, None, "18", "a", True),
        ("creatinine clearance [CrCl] <30 mL/min", Axis.CRCL, None, "30", "mL/min", True),
        ("eGFR below 30 mL/min/1.73 m2", Axis.EGFR, None, "30", "mL/min/{1.73_m2}", True),
        ("Body weight <50 kg", Axis.WEIGHT, None, "50", "kg", True),
        ("serum triglyceride levels >500 mg/dL", Axis.LAB, "500", None, "mg/dL", True),
        ("baseline neutrophil counts of <1500 cells/mm3", Axis.LAB, None, "1500", "/uL", True),
    ],
)
def test_bounds_as_printed(text, axis, low, high, unit, opened):
    (bound,) = find_bounds(text)
    interval = bound.interval
    assert (interval.axis, interval.unit) == (axis, unit)
    assert interval.low == (Decimal(low) if low else None)
    assert interval.high == (Decimal(high) if high else None)
    assert (interval.low_open or interval.high_open) is opened


@pytest.mark.parametrize("text", ["doses above 3 years of data", "for 2 years", "at least 5 days of treatment", "AUC increased more than 2 times"])
def test_numbers_that_are_no_bound_of_a_patient(text):
    assert find_bounds(text) == []


def test_windows_of_time():
    assert [w.days for w in find_windows("within 14 days of stopping, or in the last 2 weeks")] == [Decimal(14), Decimal(14)]
    assert find_windows("Do not give within 36 hours of sacubitril")[0].days == Decimal("1.5")


def test_hours_between_doses_are_the_longest():
    assert separation_hours("at least 2 hours before or 4 to 6 hours after") == Decimal(6)
    assert separation_hours("separated by at least two hours") == Decimal(2)
    assert separation_hours("separate the doses") is None


def test_dose_bounds():
    (dose,) = find_doses("more than 2 g a day")
    assert (dose.low, dose.low_open, dose.unit, dose.per) == (Decimal(2), True, "g", "day")
    assert find_doses("Take 80 mg") == []


@given(st.text(alphabet=st.sampled_from("<≥ 0123456789.,yearsmonthdkgCrLmin/aged ofunder"), max_size=60))
def test_bounds_have_units_of_the_table_and_lie_inside(text):
    for bound in find_bounds(text):
        assert 0 <= bound.start < bound.end <= len(text)
        assert Unit.find(bound.interval.unit) is not None
