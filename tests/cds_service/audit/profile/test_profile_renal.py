"""Renal function: published examples of each formula, ranges where several numbers are possible, and what no formula may answer."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from audit_builders import asked, chart, lies, measured, number, problem, word

from cds_service.audit.profile.renal import Renal
from cds_service.audit.profile.renal_formulas import ckd_epi_2021, cockcroft_gault, pottel, schwartz
from cds_service.intake.prescription import ConditionFact, Retrieval
from ontology.model.facts import Axis, Known, Unknown, UnknownReason
from ontology.model.guards import Category, Interval, Truth
from ontology.model.identifiers import Code


def renal(**members: Any) -> Renal:
    return chart(**members).renal


def test_clearance_by_cockcroft_and_gault() -> None:
    rows = (measured("2160-0", "1.1", "mg/dL"), measured("29463-7", "58", "kg"), measured("8302-2", "160", "cm"))
    fact = renal(born="1952-02-11", sex="female", measurements=rows).value(Axis.CRCL)
    assert number(fact) == Decimal("41.1")


def test_weights_that_disagree_leave_the_clearance_open() -> None:
    rows = (measured("2160-0", "1.1", "mg/dL"), measured("29463-7", "140", "kg"), measured("8302-2", "160", "cm"))
    kidneys = renal(born="1952-02-11", sex="female", measurements=rows)
    assert word(kidneys.value(Axis.CRCL)) is UnknownReason.TOO_BROAD
    assert set(kidneys.clearances) == {"actual", "ideal", "adjusted"}


def test_a_rising_creatinine_makes_renal_function_unknown() -> None:
    rows = (measured("2160-0", "1.6", "mg/dL"), measured("2160-0", "1.1", "mg/dL", day=date(2026, 10, 31)), measured("29463-7", "58", "kg"))
    kidneys = renal(born="1952-02-11", sex="female", measurements=rows)
    assert word(kidneys.value(Axis.CRCL)) is UnknownReason.UNSTABLE
    assert word(kidneys.value(Axis.EGFR)) is UnknownReason.UNSTABLE


def test_filtration_by_ckd_epi_2021() -> None:
    rows = (measured("2160-0", "1.0", "mg/dL"),)
    assert abs(number(renal(born="1976-11-01", sex="male", measurements=rows).value(Axis.EGFR)) - Decimal("91.7")) <= Decimal("0.1")
    assert abs(number(renal(born="1976-11-01", sex="female", measurements=rows).value(Axis.EGFR)) - Decimal("68.6")) <= Decimal("0.1")


def test_what_is_missing_for_renal_function_is_named() -> None:
    fact = renal(born=None, sex=None, measurements=(measured("2160-0", "1.0", "mg/dL"),)).value(Axis.CRCL)
    assert isinstance(fact, Unknown)
    assert fact.needs == {"age", "sex", "weight", "renal-function"}


def test_dialysis_by_code_and_its_absence_on_a_whole_list() -> None:
    on = renal(conditions=(problem("Dependence on renal dialysis", Code("icd10cm", "Z99.2")),))
    assert on.value(Axis.DIALYSIS).value == "yes"  # type: ignore[union-attr]
    assert on.value(Axis.RENAL).value == "esrd"  # type: ignore[union-attr]
    assert renal().value(Axis.DIALYSIS).value == "no"  # type: ignore[union-attr]
    assert word(renal(retrieval={"conditions": Retrieval.NOT_RETRIEVED}).value(Axis.DIALYSIS)) is UnknownReason.NOT_RETRIEVED


def test_a_coded_stage_stands_in_where_nothing_is_measured() -> None:
    staged = renal(conditions=(problem("CKD stage 4", Code("icd10cm", "N18.4")),))
    assert staged.value(Axis.RENAL).value == "severe"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("years", "kg", "creatinine", "female", "expected"),
    [
        # Bauer, Applied Clinical Pharmacokinetics, chapter 2: a man of 55 years, 80 kg, 1.9 mg/dL has about 50 mL/min.
        (55, "80", "1.9", False, "49.7"),
        # Cockcroft and Gault 1976: women have 15 % less.
        (55, "80", "1.9", True, "42.3"),
    ],
)
def test_cockcroft_gault_gives_the_published_example(years: int, kg: str, creatinine: str, female: bool, expected: str) -> None:
    found = cockcroft_gault(years=years, kg=Decimal(kg), creatinine_mg_dl=Decimal(creatinine), female=female)
    assert abs(found - Decimal(expected)) < Decimal("0.06")


@pytest.mark.parametrize(
    ("years", "creatinine", "female", "expected"),
    # Values of the National Kidney Foundation's calculator for CKD-EPI 2021.
    [(50, "1.0", False, 92), (50, "1.0", True, 69), (70, "2.5", False, 27), (30, "0.6", True, 124)],
)
def test_ckd_epi_2021_gives_the_published_values(years: int, creatinine: str, female: bool, expected: int) -> None:
    assert abs(ckd_epi_2021(years=years, creatinine_mg_dl=Decimal(creatinine), female=female) - expected) < 1


def test_bedside_schwartz_gives_the_published_example() -> None:
    # 0.413 x 120 cm / 0.8 mg/dL = 62 mL/min/1.73 m2 (Schwartz 2009).
    assert schwartz(years=Decimal(8), height_cm=Decimal(120), creatinine_mg_dl=Decimal("0.8")) == (Decimal("61.95"), True)
    assert schwartz(years=Decimal("0.5"), height_cm=Decimal(66), creatinine_mg_dl=Decimal("0.3")) == (Decimal("99.0"), False)
    assert schwartz(years=Decimal(18), height_cm=Decimal(170), creatinine_mg_dl=Decimal(1)) is None


CREATININE, WEIGHT = measured("2160-0", "1.3", "mg/dL"), measured("29463-7", "108", "kg")
OBESE = (CREATININE, WEIGHT, measured("8302-2", "160", "cm"))


def test_a_label_that_names_the_weight_gets_its_number() -> None:
    kidneys = renal(born="1952-02-11", measurements=OBESE)
    assert number(kidneys.value(Axis.CRCL, "ideal body weight")) < number(kidneys.value(Axis.CRCL, "adjusted body weight"))
    assert number(kidneys.value(Axis.CRCL, "actual body weight")) == Decimal("64.7")


def test_in_obesity_the_clearance_is_the_range_over_three_weights_and_shows_them() -> None:
    within = lies(renal(born="1952-02-11", measurements=OBESE).value(Axis.CRCL))
    assert (str(within.low), str(within.high)) == ("31.4 mL/min", "64.7 mL/min")
    assert within.shown == "64.7 with actual weight, 31.4 with ideal weight, 44.7 with adjusted weight (mL/min)"


@pytest.mark.parametrize(("high", "truth"), [("30", Truth.FALSE), ("80", Truth.TRUE), ("50", Truth.UNKNOWN)])
def test_a_band_that_holds_all_three_is_decided(high: str, truth: Truth) -> None:
    outcome = asked(Interval(Axis.CRCL, None, Decimal(high), "mL/min"), born="1952-02-11", measurements=OBESE)
    assert outcome.truth is truth
    assert ("renal-function" in outcome.needs) is (truth is Truth.UNKNOWN)


def test_a_sex_that_is_not_recorded_leaves_both_clearances() -> None:
    rows = (measured("2160-0", "0.8", "mg/dL"), measured("29463-7", "62", "kg"), measured("8302-2", "166", "cm"))
    fact = renal(born="1947-05-10", sex=None, measurements=rows).value(Axis.CRCL)
    assert isinstance(fact, Unknown)
    assert {"sex", "renal-function"} <= fact.needs
    assert str(lies(fact).low) == "55.8 mL/min"
    assert str(lies(fact).high) == "65.7 mL/min"


def test_dialysis_decides_every_band_of_clearance() -> None:
    on = {"conditions": (problem("Hemodialysis three times a week"),), "measurements": (measured("2160-0", "4.0", "mg/dL"), WEIGHT)}
    assert asked(Interval(Axis.CRCL, None, Decimal(30), "mL/min", high_open=True), **on).truth is Truth.TRUE
    assert asked(Interval(Axis.CRCL, Decimal(30), None, "mL/min"), **on).truth is Truth.FALSE
    assert word(renal(**on).value(Axis.DIALYSIS)) == "hemodialysis"


@pytest.mark.parametrize(
    ("egfr", "truth"),
    [("9", Truth.TRUE), ("28", Truth.UNKNOWN), ("60", Truth.FALSE)],
)
def test_a_filtration_so_low_that_every_conversion_agrees_decides_the_clearance(egfr: str, truth: Truth) -> None:
    rows = (measured("98979-8", egfr, "mL/min/{1.73_m2}"),)
    outcome = asked(Interval(Axis.CRCL, None, Decimal(30), "mL/min", high_open=True), measurements=rows)
    assert outcome.truth is truth
    assert all(k.approximated for k in outcome.used)


def test_a_filtration_above_the_laboratorys_limit_decides_what_lies_below() -> None:
    rows = (measured("98979-8", "90", "mL/min/{1.73_m2}", comparator=">"),)
    assert asked(Interval(Axis.EGFR, None, Decimal(30), "mL/min/{1.73_m2}"), measurements=rows).truth is Truth.FALSE


def test_an_acute_injury_on_the_list_leaves_renal_function_open() -> None:
    injured = renal(conditions=(problem("Acute kidney injury", Code("icd10cm", "N17.9")),), measurements=OBESE)
    assert word(injured.value(Axis.CRCL)) is UnknownReason.UNSTABLE
    assert (
        asked(Category(Axis.RENAL, ("mild", "moderate", "severe", "esrd")), conditions=(problem("Acute kidney injury"),), measurements=OBESE).truth
        is Truth.TRUE
    )


def test_a_rise_to_one_and_a_half_within_a_week_is_unstable() -> None:
    rows = (measured("2160-0", "0.9", "mg/dL"), measured("2160-0", "0.6", "mg/dL", day=date(2026, 10, 27)), WEIGHT)
    assert word(renal(measurements=rows).value(Axis.CRCL)) is UnknownReason.UNSTABLE
    steady = (measured("2160-0", "0.9", "mg/dL"), measured("2160-0", "0.6", "mg/dL", day=date(2026, 9, 1)), WEIGHT)
    assert isinstance(renal(measurements=steady).value(Axis.CRCL), Known)


def test_a_childs_clearance_comes_from_schwartz_and_names_a_missing_height() -> None:
    rows = (measured("2160-0", "0.8", "mg/dL"), measured("29463-7", "25", "kg"))
    tall = (*rows, measured("8302-2", "120", "cm"))
    assert number(renal(born="2018-11-01", measurements=tall).value(Axis.EGFR)) == Decimal("62.0")
    fact = renal(born="2018-11-01", measurements=rows).value(Axis.EGFR)
    assert isinstance(fact, Unknown)
    assert "height" in fact.needs


def test_without_a_height_a_range_after_pottel_decides_what_it_can() -> None:
    # 107.3 x (0.2329 + 0.027 x 8) / 0.5 mg/dL = 96; nine of ten true values lie within 30 %.
    assert pottel(years=Decimal(8), creatinine_mg_dl=Decimal("0.5")) == Decimal("96.33394")
    rows = (measured("2160-0", "0.5", "mg/dL"),)
    assert asked(Interval(Axis.EGFR, Decimal(60), None, "mL/min/{1.73_m2}"), born="2018-11-01", measurements=rows).truth is Truth.TRUE
    assert asked(Interval(Axis.EGFR, Decimal(90), None, "mL/min/{1.73_m2}"), born="2018-11-01", measurements=rows).needs == {"height", "renal-function"}


def test_a_newborn_without_kidney_disease_has_no_impairment() -> None:
    assert word(renal(born="2026-10-28").value(Axis.RENAL)) == "none"
    assert word(renal(born="2026-09-01").value(Axis.RENAL)) is UnknownReason.NOT_RECORDED


@pytest.mark.parametrize(
    ("entry", "grades"),
    [
        (problem("Chronic kidney disease, stage 3b"), {"moderate"}),
        (problem("End-stage renal disease"), {"esrd"}),
        (problem("Severe renal impairment"), {"severe"}),
        (problem("CKD, unspecified", Code("icd10cm", "N18.9")), {"mild", "moderate", "severe", "esrd"}),
    ],
)
def test_words_and_codes_of_kidney_disease_grade_it(entry: ConditionFact, grades: set[str]) -> None:
    fact = renal(conditions=(entry,)).value(Axis.RENAL)
    assert (set(fact.among) if isinstance(fact, Unknown) else {fact.value}) == grades


def test_a_rate_of_sixty_to_ninety_is_impairment_only_with_kidney_disease() -> None:
    rows = (measured("98979-8", "75", "mL/min/{1.73_m2}"),)
    assert word(renal(measurements=rows).value(Axis.RENAL)) == "none"
    assert word(renal(measurements=rows, conditions=(problem("Chronic kidney disease stage 2"),)).value(Axis.RENAL)) == "mild"


@pytest.mark.parametrize(("creatinine", "grades"), [("0.9", {"none"}), ("1.05", {"moderate"}), ("1.75", {"moderate", "severe"})])
def test_where_clearance_and_filtration_disagree_both_grades_are_possible(creatinine: str, grades: set[str]) -> None:
    rows = (measured("2160-0", creatinine, "mg/dL"), measured("29463-7", "62", "kg"), measured("8302-2", "163", "cm"))
    fact = renal(born="1956-11-01", sex="female", measurements=rows).value(Axis.RENAL)
    assert (set(fact.among) if isinstance(fact, Unknown) else {fact.value}) == grades


def test_clearance_per_surface_uses_the_patients_surface() -> None:
    # 80 mL/min at 1.897 m2 (Mosteller) is 80 x 1.73 / 1.897.
    rows = (measured("2160-0", "1.0", "mg/dL"), measured("29463-7", "72", "kg"), measured("8302-2", "180", "cm"))
    kidneys = renal(born="1966-11-01", sex="male", measurements=rows)
    assert number(kidneys.value(Axis.CRCL)) == Decimal("80.0")
    assert number(kidneys.value(Axis.CRCL_INDEXED)) == Decimal("73.0")


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("On hemodialysis Monday, Wednesday, Friday.", "yes"),
        ("Fistula placed for future hemodialysis.", "no"),
        ("Not on dialysis.", "no"),
        ("Declines dialysis.", "no"),
        ("Father was on dialysis.", "no"),
        ("Kidney transplant in 2019, off dialysis since.", "no"),
    ],
)
def test_notes_tell_of_dialysis_now(note: str, expected: str) -> None:
    assert word(renal(notes=(note,)).value(Axis.DIALYSIS)) == expected
