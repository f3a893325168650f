"""Age by the calendar; pregnancy and lactation FALSE only when asserted or excluded."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from audit_builders import answered, measured, prescribed, problem
from hypothesis import given
from hypothesis import strategies as st

from cds_service.audit.profile.demographics import Demographics, _elapsed
from cds_service.audit.profile.measurements import Measurements
from cds_service.intake.prescription import Prescription, Retrieval
from ontology.model.facts import Known, Unknown, UnknownReason
from ontology.model.guards import Interval, Truth
from ontology.model.identifiers import Code
from ontology.model.quantities import Quantity, Unit

YEARS, MONTHS, DAYS = Unit.of("a"), Unit.of("mo"), Unit.of("d")


def who(prescription: Prescription) -> Demographics:
    return Demographics(prescription, Measurements.of(prescription))


def number(fact: Known | Unknown) -> Decimal:
    assert isinstance(fact, Known)
    assert isinstance(fact.value, Quantity)
    return fact.value.value


def word(fact: Known | Unknown) -> object:
    return fact.value if isinstance(fact, Known) else fact.reason


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


def test_a_year_alone_is_an_approximation() -> None:
    fact = who(prescribed(born="1960")).age(YEARS)
    assert isinstance(fact, Known)
    assert fact.approximated
    assert 66 <= number(fact) <= 67


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


def test_pregnancy_is_unknown_when_nobody_says() -> None:
    assert word(who(prescribed(born="1996-01-01")).pregnancy) is UnknownReason.NOT_RECORDED


@pytest.mark.parametrize(
    ("born", "sex", "condition"),
    [
        ("1996-01-01", "male", None),
        ("1950-01-01", "female", None),
        ("2020-01-01", "female", None),
        ("1990-01-01", "female", problem("Acquired absence of both cervix and uterus", Code("icd10cm", "Z90.710"))),
        ("1990-01-01", "female", problem("Total hysterectomy", status="historical")),
    ],
)
def test_pregnancy_is_excluded_by_sex_age_or_history(born: str, sex: str, condition: object) -> None:
    conditions = (condition,) if condition is not None else ()
    assert word(who(prescribed(born=born, sex=sex, conditions=conditions)).pregnancy) == "no"  # type: ignore[arg-type]


def test_a_family_entry_excludes_nothing() -> None:
    entry = problem("Hysterectomy of the mother", status="family")
    assert word(who(prescribed(born="1996-01-01", conditions=(entry,))).pregnancy) is UnknownReason.NOT_RECORDED


@pytest.mark.parametrize(("said", "expected"), [("Pregnant", "yes"), ("Not pregnant", "no"), ("Possible pregnancy", UnknownReason.NOT_RECORDED)])
def test_pregnancy_as_an_observation_states_it(said: str, expected: object) -> None:
    assert word(who(prescribed(born="1996-01-01", measurements=(answered("82810-3", said),))).pregnancy) == expected


def test_an_old_not_pregnant_is_stale() -> None:
    stated = answered("82810-3", "Not pregnant", day=date(2026, 5, 1))
    assert word(who(prescribed(born="1996-01-01", measurements=(stated,))).pregnancy) is UnknownReason.STALE


@pytest.mark.parametrize(("code", "trimester"), [("Z3A.08", "first-trimester"), ("Z3A.14", "second-trimester"), ("Z3A.28", "third-trimester")])
def test_weeks_of_gestation_give_the_trimester(code: str, trimester: str) -> None:
    entry = problem("Weeks of gestation", Code("icd10cm", code))
    assert word(who(prescribed(born="1996-01-01", conditions=(entry,))).pregnancy) == trimester


def test_weeks_measured_earlier_are_weeks_later_now() -> None:
    measurement = measured("18185-9", "10", "wk", day=date(2026, 10, 4))
    patient = who(prescribed(born="1996-01-01", measurements=(measurement,)))
    assert patient.gestation is not None
    assert patient.gestation[0] == 14


def test_an_abortion_code_is_no_pregnancy() -> None:
    entry = problem("Spontaneous abortion", Code("icd10cm", "O03.9"))
    assert word(who(prescribed(born="1996-01-01", conditions=(entry,))).pregnancy) is UnknownReason.NOT_RECORDED


def test_breastfeeding_stated_and_denied() -> None:
    assert word(who(prescribed(born="1996-01-01", measurements=(answered("63895-7", "Breastfeeding"),))).lactation) == "yes"
    assert word(who(prescribed(born="1996-01-01", measurements=(answered("63895-7", "No"),))).lactation) == "no"
    assert word(who(prescribed(born="1996-01-01")).lactation) is UnknownReason.NOT_RECORDED


def test_sex_that_is_not_recorded_is_unknown() -> None:
    assert who(prescribed(sex=None)).sex() == Unknown(UnknownReason.NOT_RECORDED, frozenset({"sex"}))
    assert word(who(prescribed(sex="unknown")).sex()) is UnknownReason.NOT_RECORDED


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
