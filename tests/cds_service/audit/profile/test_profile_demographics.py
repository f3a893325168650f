"""Age by the calendar, sex for clinical use."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from audit_builders import lies, measured, number, prescribed, problem, word
from hypothesis import given
from hypothesis import strategies as st

from cds_service.audit.profile.demographics import Demographics, _elapsed
from cds_service.audit.profile.measurements import Measurements
from cds_service.intake.prescription import Prescription, Retrieval
from ontology.model.facts import Axis, Known, Unknown, UnknownReason
from ontology.model.guards import Interval, Truth
from ontology.model.quantities import Unit

YEARS, MONTHS, DAYS = Unit.of("a"), Unit.of("mo"), Unit.of("d")


def who(prescription: Prescription) -> Demographics:
    return Demographics(prescription, Measurements.of(prescription))


def test_age_on_the_birthday_is_exact() -> None:
    assert number(who(prescribed(born="1966-11-01")).age(YEARS)) == 60


def test_the_day_before_the_birthday_is_below() -> None:
    assert 59 < number(who(prescribed(born="1966-11-02")).age(YEARS)) < 60


def test_a_newborn_of_two_weeks_has_fourteen_days() -> None:
    assert number(who(prescribed(born="2026-10-18")).age(DAYS)) == 14


def test_months_count_by_the_calendar() -> None:
    assert number(who(prescribed(born="2026-05-01")).age(MONTHS)) == 6


def test_the_29th_of_february_has_birthdays_on_the_last_day_of_february() -> None:
    assert _elapsed(date(2024, 2, 29), date(2025, 2, 28), YEARS) == 1


@pytest.mark.parametrize("born", [None, "", "unknown", "2031-01-01", "1960-13-01", "1960-02-30"])
def test_no_usable_date_of_birth_leaves_age_unknown(born: str | None) -> None:
    assert who(prescribed(born=born)).age(YEARS) == Unknown(UnknownReason.NOT_RECORDED, frozenset({"age"}))


@pytest.mark.parametrize(
    ("born", "youngest", "oldest"),
    [("1960", "65.8", "66.9"), ("1960-10", "66", "66.1"), ("2026", "0", "0.9")],
)
def test_a_year_or_a_month_leaves_a_range_of_ages(born: str, youngest: str, oldest: str) -> None:
    within = lies(who(prescribed(born=born)).age(YEARS))
    assert within.low is not None
    assert within.high is not None
    assert abs(within.low.value - Decimal(youngest)) < Decimal("0.1")
    assert abs(within.high.value - Decimal(oldest)) < Decimal("0.1")


@pytest.mark.parametrize(("low", "truth"), [("60", Truth.TRUE), ("70", Truth.FALSE), ("66", Truth.UNKNOWN)])
def test_a_year_of_birth_decides_where_the_whole_year_does(low: str, truth: Truth) -> None:
    class Facts:
        def value(self, axis: object, detail: object, unit: Unit | None) -> Known | Unknown:
            return who(prescribed(born="1960")).age(unit or YEARS)

    assert Interval(Axis.AGE, Decimal(low), None, "a").evaluate(Facts()).truth is truth  # type: ignore[arg-type]


def test_adulthood_is_open_in_the_year_of_the_18th_birthday() -> None:
    assert who(prescribed(born="2008")).adult is None
    assert who(prescribed(born="2007")).adult is True
    assert who(prescribed(born="2009")).adult is False


def test_a_measured_age_stands_in_for_a_date_of_birth() -> None:
    aged = who(prescribed(born=None, measurements=(measured("30525-0", "70", "a", day=date(2026, 5, 1)),)))
    assert aged.is_from(70) is True
    assert aged.is_from(72) is False
    assert aged.is_from(71) is None


@given(st.dates(date(1900, 1, 1), date(2026, 11, 1)), st.dates(date(1900, 1, 1), date(2026, 11, 1)))
def test_age_never_shrinks(one: date, other: date) -> None:
    earlier, later = sorted((one, other))
    today = date(2026, 11, 1)
    for unit in (YEARS, MONTHS, DAYS):
        assert _elapsed(earlier, today, unit) >= _elapsed(later, today, unit) >= 0


@given(st.dates(date(1900, 1, 1), date(2026, 11, 1)))
def test_whole_years_are_the_birthdays_passed(born: date) -> None:
    today = date(2026, 11, 1)
    passed = today.year - born.year - ((today.month, today.day) < (born.month, born.day))
    assert int(_elapsed(born, today, YEARS)) == passed


def test_sex_that_is_not_recorded_is_unknown() -> None:
    assert who(prescribed(sex=None)).sex() == Unknown(UnknownReason.NOT_RECORDED, frozenset({"sex"}))
    assert word(who(prescribed(sex="unknown")).sex()) is UnknownReason.NOT_RECORDED


@pytest.mark.parametrize(
    ("source", "sex", "entry", "expected"),
    [
        ("administrative gender", "male", "Transgender man, hormone therapy", UnknownReason.TOO_BROAD),
        ("administrative gender", "male", "Supervision of normal pregnancy", UnknownReason.TOO_BROAD),
        ("administrative gender", "female", "Benign prostatic hyperplasia", UnknownReason.TOO_BROAD),
        ("administrative gender", "male", "Benign prostatic hyperplasia", "male"),
        ("sex at birth", "male", "Transgender man, hormone therapy", "male"),
    ],
)
def test_gender_alone_leaves_sex_open_where_the_record_speaks_against_it(source: str, sex: str, entry: str, expected: object) -> None:
    assert word(who(prescribed(sex=sex, sex_source=source, conditions=(problem(entry),))).sex()) == expected


def test_a_problem_list_that_failed_is_not_whole() -> None:
    assert who(prescribed()).complete
    assert not who(prescribed(retrieval={"conditions": Retrieval.INCOMPLETE})).complete


def test_the_edge_of_an_age_band_is_as_printed() -> None:
    class Ages:
        def value(self, axis: object, detail: object, unit: Unit | None) -> Known | Unknown:
            assert unit is not None
            return who(prescribed(born="1966-11-01")).age(unit)

    over_sixty = Interval.__new__(Interval)
    from ontology.model.facts import Axis

    over_sixty = Interval(Axis.AGE, Decimal(60), None, "a", low_open=True)
    assert over_sixty.evaluate(Ages()).truth is Truth.FALSE  # type: ignore[arg-type]
    assert Interval(Axis.AGE, Decimal(60), None, "a").evaluate(Ages()).truth is Truth.TRUE  # type: ignore[arg-type]
