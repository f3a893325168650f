"""Bounds on a patient are read as printed, on the axis that the unit, the name before the number or the column's header says."""

import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.model.facts import Axis
from ontology.model.quantities import Unit
from ontology.text.bounds import find_bounds
from ontology.text.offsets import fold

INDEXED = "mL/min/{1.73_m2}"


def read(text, hint=None):
    """Every bound as (axis, printed interval, unit)."""
    out = []
    for bound in find_bounds(fold(text).text, hint):
        i = bound.interval
        low = "" if i.low is None else f"{'(' if i.low_open else '['}{i.low}"
        high = "" if i.high is None else f"{i.high}{')' if i.high_open else ']'}"
        out.append((i.axis, f"{low},{high}", i.unit))
    return out


@pytest.mark.parametrize(
    ("text", "axis", "interval", "unit"),
    [
        ("Children under 2 years of age.", Axis.AGE, ",2)", "a"),
        ("neonates under one month of age", Axis.AGE, ",1)", "mo"),
        ("patients 12 years of age and older", Axis.AGE, "[12,", "a"),
        ("pediatric patients 2 to 17 years of age", Axis.AGE, "[2,17]", "a"),
        ("in neonates (≤ 28 days)", Axis.AGE, ",28]", "d"),
        ("over the age of 65 years", Axis.AGE, "(65,", "a"),
        ("people younger than 18 years", Axis.AGE, ",18)", "a"),
        ("children from 6 years", Axis.AGE, "[6,", "a"),
        ("patients from the age of 12 years", Axis.AGE, "[12,", "a"),
        ("2 years of age to less than 12 years", Axis.AGE, "[2,12)", "a"),
        ("ages 6-12 years", Axis.AGE, "[6,12]", "a"),
        ("from birth to 2 years of age", Axis.AGE, "[0,2]", "a"),
        ("aged between 2 and 11 years", Axis.AGE, "[2,11]", "a"),
        ("birth to less than 16 years of age", Axis.AGE, "[0,16)", "a"),
        ("Birth to <9 months of age", Axis.AGE, "[0,9)", "mo"),
        ("born at a gestational age of less than 32 weeks", Axis.GESTATIONAL_AGE, ",32)", "wk"),
        ("a postnatal age of at least 7 days", Axis.POSTNATAL_AGE, "[7,", "d"),
        ("creatinine clearance [CrCl] <30 mL/min", Axis.CRCL, ",30)", "mL/min"),
        ("CLcr ≥30-89 mL/min", Axis.CRCL, "[30,89]", "mL/min"),
        ("CrCl ≥ 30 and < 60 mL/min", Axis.CRCL, "[30,60)", "mL/min"),
        ("creatinine clearance between 30 and 59 mL/min", Axis.CRCL, "[30,59]", "mL/min"),
        ("CrCl 30 to <90 mL/min", Axis.CRCL, "[30,90)", "mL/min"),
        ("60 ≤ CrCl < 90 mL/min", Axis.CRCL, "[60,90)", "mL/min"),
        ("mild (60 mL/min/1.73 m 2 ≤ estimated glomerular filtration rate (eGFR) < 90 mL/min/1.73 m 2)", Axis.EGFR, "[60,90)", INDEXED),
        ("2 < CrCl ≤ 15 mL/min", Axis.CRCL, "(2,15]", "mL/min"),
        ("creatinine clearance of 30 mL per minute or less", Axis.CRCL, ",30]", "mL/min"),
        ("creatinine clearance under 60 mL/min/1.73 m 2", Axis.CRCL_INDEXED, ",60)", INDEXED),
        ("eGFR below 30 mL/min/1.73 m2", Axis.EGFR, ",30)", INDEXED),
        ("eGFR less than 45", Axis.EGFR, ",45)", INDEXED),
        ("serum creatinine ≥ 2.0 mg/dL", Axis.SCR, "[2.0,", "mg/dL"),
        ("Body weight <50 kg", Axis.WEIGHT, ",50)", "kg"),
        ("Greater than 4 kg to 5 kg", Axis.WEIGHT, "(4,5]", "kg"),
        ("weighing 30 kg or more", Axis.WEIGHT, "[30,", "kg"),
        ("ideal body weight above 70 kg", Axis.WEIGHT_IDEAL, "(70,", "kg"),
        ("BSA less than 1.5 m2", Axis.BSA, ",1.5)", "m2"),
        ("body mass index of 30 kg/m2 or greater", Axis.BMI, "[30,", "kg/m2"),
        ("Child-Pugh score of 10 or greater", Axis.CHILD_PUGH, "[10,", "1"),
        ("Child-Pugh score 7-9", Axis.CHILD_PUGH, "[7,9]", "1"),
        ("serum triglyceride levels >500 mg/dL", Axis.LAB, "(500,", "mg/dL"),
        ("baseline neutrophil counts of <1500 cells/mm3", Axis.LAB, ",1500)", "/uL"),
        ("platelets < 50 x 10 9 /L", Axis.LAB, ",50)", "10*9/L"),
        ("ANC below 1,000/mcL", Axis.LAB, ",1000)", "/uL"),
        ("ALT > 3 times the upper limit of normal", Axis.LAB, "(3,", "{ULN}"),
        ("INR > 4", Axis.LAB, "(4,", "{INR}"),
        ("Platelet Count (× 10 9 /L): Less than 40", Axis.LAB, ",40)", "10*9/L"),
        ("Platelet count (x10^9/L) 40 to less than 50", Axis.LAB, "[40,50)", "10*9/L"),
        ("Serum potassium (mEq/L): greater than 5.5", Axis.LAB, "(5.5,", "meq/L"),
        ("Serum creatinine (mg/dL): > 2", Axis.SCR, "(2,", "mg/dL"),
    ],
)
def test_bounds_as_printed(text, axis, interval, unit):
    assert read(text) == [(axis, interval, unit)]


@pytest.mark.parametrize(
    ("text", "hint", "axis", "interval"),
    [
        ("10 to 20 mL/min", Axis.CRCL, Axis.CRCL, "[10,20]"),
        ("Less than 10", Axis.CRCL, Axis.CRCL, ",10)"),
        (">100", Axis.CRCL_INDEXED, Axis.CRCL_INDEXED, "(100,"),
        ("1.1 - 1.3", Axis.SCR, Axis.SCR, "[1.1,1.3]"),
        ("40", Axis.WEIGHT, Axis.WEIGHT, "[40,40]"),
        ("6-12 months", Axis.AGE, Axis.AGE, "[6,12]"),
    ],
)
def test_a_header_says_what_the_numbers_of_its_cells_are(text, hint, axis, interval):
    assert read(text) != [(axis, interval, find_bounds(text, hint)[0].interval.unit)]
    assert [found[:2] for found in read(text, hint)] == [(axis, interval)]


@pytest.mark.parametrize(
    "text", ["Dose (mg): less than 40", "Platelet count (see Table 2): less than 40", "Time (weeks): 4 to 8", "Platelet count (10) less than 4"]
)
def test_a_bracket_that_is_no_unit_of_a_test_says_nothing(text):
    assert find_bounds(text) == []


def test_the_word_between_is_part_of_the_range_it_opens():
    for text in ("children between 3 and 9 years old", "adults between the ages of 20 and 50 years"):
        (bound,) = find_bounds(text)
        assert text[bound.start :].startswith("between")


def test_a_range_over_two_units_is_two_bounds():
    assert read("6 months to <2 years of age") == [(Axis.AGE, "[6,", "mo"), (Axis.AGE, ",2)", "a")]


def test_two_analytes_that_share_a_value_are_not_one_of_them():
    (bound,) = find_bounds("AST or ALT > 3 x ULN")
    assert bound.interval.detail == "ast or alt"


@pytest.mark.parametrize(
    "text",
    [
        "doses above 3 years of data",
        "for 2 years in patients",
        "at least 5 days of treatment",
        "AUC increased more than 2 times",
        "infuse at less than 10 mL/min",
        "doses of 5 mg/kg or greater",
        "corrected to 1.73 m2",
        "LVEF decreased by 10% or more",
        "a decrease in LVEF of 10% or greater",
        "postmenstrual age less than 36 weeks",
    ],
)
def test_numbers_that_are_no_bound_of_a_patient(text):
    assert read(text) == []


@given(
    st.text(alphabet=st.sampled_from("<≥ 0123456789.,-yearsmonthdkgCrLmin/aged ofundertoand"), max_size=60),
    st.sampled_from([None, Axis.AGE, Axis.WEIGHT, Axis.CRCL]),
)
def test_bounds_have_units_of_the_table_and_stand_apart(text, hint):
    last = 0
    for bound in find_bounds(text, hint):
        assert last <= bound.start < bound.end <= len(text)
        assert Unit.find(bound.interval.unit) is not None
        last = bound.end


@pytest.mark.parametrize("piece", ["less than ", "1 to ", "≥1 to <", "birth to ", "(a ", "30 to 50 mL/min, "])
def test_long_repeated_text_is_read_in_time_that_grows_with_its_length(piece):
    begin = time.perf_counter()
    find_bounds(piece * (40_000 // len(piece)))
    assert time.perf_counter() - begin < 5


def test_a_number_in_an_open_bracket_is_of_the_name_before_it() -> None:
    (found,) = find_bounds("a low hemoglobin level (i.e., less than 9 g/dL)")
    assert (found.interval.detail, found.interval.high) == ("hemoglobin", Decimal(9))


def test_a_pressure_may_be_named_behind_its_unit_and_a_change_of_it_is_no_bound() -> None:
    (found,) = find_bounds("hypotension (less than 90 mm Hg systolic)")
    assert (found.interval.detail, found.interval.high, found.interval.unit) == ("systolic blood pressure", Decimal(90), "mm[Hg]")
    assert find_bounds("a fall by more than 20 mm Hg systolic") == []
