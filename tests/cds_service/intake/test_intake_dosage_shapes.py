"""Every shape of timing, dose, rate and ceiling that FHIR dosages come in."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cds_service.intake.fhir.dosage import read_dosages
from cds_service.intake.fhir.timing import read_timing
from cds_service.intake.prescription import DoseInstruction

UCUM = "http://unitsofmeasure.org"


def ucum(value: object, code: str) -> dict[str, Any]:
    return {"value": value, "unit": code, "system": UCUM, "code": code}


def instruction(**members: Any) -> DoseInstruction:
    return read_dosages([members])[0].instruction


def dose(value: dict[str, Any], **members: Any) -> DoseInstruction:
    return instruction(doseAndRate=[{"doseQuantity": value}], **members)


@pytest.mark.parametrize(
    ("members", "low", "high", "days"),
    [
        ({"frequency": 1, "period": 1, "periodUnit": "wk"}, "1", "1", "7"),
        ({"frequency": 3, "period": 1, "periodUnit": "wk"}, "3", "3", "7"),
        ({"frequency": 1, "period": 2, "periodUnit": "wk", "dayOfWeek": ["mon"]}, "1", "1", "14"),
        ({"frequency": 1, "period": 1, "periodUnit": "d", "dayOfWeek": ["mon", "wed", "fri"]}, "3", "3", "7"),
        ({"frequency": 2, "period": 1, "periodUnit": "d", "dayOfWeek": ["mon", "wed", "fri"]}, "6", "6", "7"),
        ({"dayOfWeek": ["mon", "thu"], "timeOfDay": ["08:00:00", "20:00:00"]}, "4", "4", "7"),
        ({"frequency": 1, "period": 1, "periodUnit": "mo"}, "1", "1", "30"),
        ({"frequency": 1, "period": 48, "periodUnit": "h"}, "1", "1", "2"),
        ({"frequency": 1, "period": 36, "periodUnit": "h"}, "1", "1", "1.5"),
        ({"frequency": 1, "period": 15, "periodUnit": "min"}, "96", "96", "1"),
        ({"frequency": 2, "period": 12, "periodUnit": "h"}, "4", "4", "1"),
        ({"frequency": 1, "frequencyMax": 2, "period": 4, "periodMax": 6, "periodUnit": "h"}, "4", "12", "1"),
        ({"frequency": 1, "period": 3, "periodMax": 4, "periodUnit": "d"}, "3", "4", "12"),
        ({"when": ["AC"]}, "3", "3", "1"),
        ({"when": ["AC", "HS"]}, "4", "4", "1"),
        ({"when": ["AC"], "frequency": 3, "period": 1, "periodUnit": "d"}, "3", "3", "1"),
        ({"when": ["MORN", "NIGHT"], "frequency": 1, "period": 1, "periodUnit": "d"}, "2", "2", "1"),
        ({"when": ["ACM"], "offset": 30, "frequency": 1, "period": 1, "periodUnit": "d"}, "1", "1", "1"),
    ],
)
def test_how_often(members: dict[str, Any], low: str, high: str, days: str) -> None:
    t = read_timing({"repeat": members})
    assert (t.times_low, t.times_high, t.period_days) == (Decimal(low), Decimal(high), Decimal(days))
    assert t.unread == ()


def test_hours_between_doses_are_kept() -> None:
    t = read_timing({"repeat": {"frequency": 1, "period": 4, "periodMax": 6, "periodUnit": "h"}})
    assert (t.every_hours_low, t.every_hours_high) == (4, 6)


@pytest.mark.parametrize(
    ("timing", "count"),
    [
        ({"repeat": {"count": 3, "frequency": 1, "period": 1, "periodUnit": "d"}}, 3),
        ({"repeat": {"count": 1, "countMax": 3}}, 3),
        ({"event": ["2026-11-01T08:00:00Z"]}, 1),
        ({"event": ["2026-11-01", "2026-11-08", "2026-11-15"]}, 3),
        ({"code": {"text": "ONCE"}}, 1),
        ({"repeat": {"frequency": 1, "period": 1, "periodUnit": "d"}}, None),
    ],
)
def test_administrations_in_all(timing: dict[str, Any], count: int | None) -> None:
    assert read_timing(timing).count == count


@pytest.mark.parametrize(
    ("words", "low", "high", "days"),
    [("every 8 hours", 3, 3, 1), ("Every other day", 1, 1, 2), ("q4-6h", 4, 6, 1), ("3 times daily", 3, 3, 1), ("每日两次", 2, 2, 1)],
)
def test_a_timing_in_words_is_read(words: str, low: int, high: int, days: int) -> None:
    t = read_timing({"code": {"text": words}})
    assert (t.times_low, t.times_high, t.period_days, t.unread) == (low, high, days, ())


@pytest.mark.parametrize(
    ("code", "times", "hours", "as_needed"),
    [("Q6H", 4, 6, False), ("BIDWM", 2, None, False), ("Q4HPRN", 6, 4, True), ("PRN", None, None, True), ("3XW", 3, None, False)],
)
def test_codes_of_order_entry(code: str, times: int | None, hours: int | None, as_needed: bool) -> None:
    t = read_timing({"code": {"coding": [{"code": code}]}})
    assert (t.times_high, t.every_hours_high, t.as_needed, t.unread) == (times, hours, as_needed, ())


def test_one_administration_runs_so_long() -> None:
    assert read_timing({"repeat": {"duration": 90, "durationUnit": "min"}}).over_hours == Decimal("1.5")
    assert read_timing({"repeat": {"duration": 90}}).unread == ("duration of one administration without a known unit",)


@pytest.mark.parametrize(
    ("unit", "per", "day"),
    [("mg/kg", "kg", False), ("mg/m2", "m2", False), ("mg/kg/dose", "kg", False), ("mg/kg/d", "kg", True), ("mg/d", None, True), ("mg/{dose}", None, False)],
)
def test_a_dose_per_kg_or_m2_or_day(unit: str, per: str | None, day: bool) -> None:
    read = dose(ucum(30, unit), timing={"repeat": {"frequency": 3, "period": 1, "periodUnit": "d"}})
    assert read.dose_per == per
    assert str(read.day_high) == ("30 mg" if day else "None")
    assert str(read.dose_high) == ("10 mg" if day else "30 mg")


def test_a_daily_amount_without_a_frequency_is_no_single_dose() -> None:
    read = dose(ucum(30, "mg/d"))
    assert (read.dose_high, str(read.day_high)) == (None, "30 mg")


@pytest.mark.parametrize(
    ("member", "value", "amount", "per"),
    [
        ("rateQuantity", ucum(5, "mL/h"), "5 mL", None),
        ("rateQuantity", ucum(4, "ug/kg/min"), "240 ug", "kg"),
        ("rateRatio", {"numerator": ucum(100, "mL"), "denominator": ucum(1, "h")}, "100 mL", None),
        ("rateRatio", {"numerator": ucum(1, "g"), "denominator": ucum(30, "min")}, "2 g", None),
        ("rateRange", {"low": ucum(1, "mg/min"), "high": ucum(2, "mg/min")}, "120 mg", None),
    ],
)
def test_a_rate_is_an_amount_an_hour(member: str, value: dict[str, Any], amount: str, per: str | None) -> None:
    for read in (instruction(doseAndRate=[{member: value}]), instruction(**{member: value})):
        assert (str(read.rate), read.rate_per, read.unread) == (amount, per, ())


def test_a_rate_without_time_is_unread() -> None:
    assert instruction(doseAndRate=[{"rateQuantity": ucum(20, "min")}]).unread == ("rateQuantity not read",)


def test_ceilings() -> None:
    read = instruction(
        maxDosePerPeriod=[
            {"numerator": ucum(4, "g"), "denominator": ucum(1, "d")},
            {"numerator": {"value": 6, "unit": "doses"}, "denominator": ucum(24, "h")},
        ],
        maxDosePerAdministration=ucum(1, "g"),
        maxDosePerLifetime=ucum(400, "mg"),
    )
    assert (str(read.max_per_day), read.max_doses_per_day, str(read.max_single), str(read.max_lifetime)) == ("4 g", 6, "1 g", "400 mg")
    assert read.unread == ()


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ({"value": 1, "code": "OPDROP", "system": "http://terminology.hl7.org/CodeSystem/v3-orderableDrugForm"}, "1 [drp]"),
        ({"value": 2, "unit": "ea"}, "2 {dose}"),
        ({"value": 1}, "1 {dose}"),
        ({"value": Decimal("0.5")}, "0.5 {dose}"),
        ({"value": 500}, "None"),
        ({"value": Decimal("0.3")}, "None"),
        ({"value": 1, "unit": "smidgen"}, "None"),
    ],
)
def test_a_count_of_the_product(value: dict[str, Any], read: str) -> None:
    assert str(dose(value).dose_high) == read


def test_the_reason_of_a_dose_as_needed() -> None:
    assert instruction(asNeededCodeableConcept={"text": "pain"}).as_needed_for == "pain"
    assert instruction(asNeededFor=[{"coding": [{"display": "Fever"}]}]).as_needed_for == "Fever"
    assert instruction(asNeededBoolean=True).as_needed_for is None


def test_numbers_of_a_sequence_are_phases() -> None:
    first, second = read_dosages([{"sequence": 1, "text": "60 mg daily"}, {"sequence": 2, "text": "40 mg daily"}])
    assert (first.instruction.sequence, second.instruction.sequence) == (1, 2)
    assert read_dosages([{"sequence": 1, "text": "60 mg daily"}])[0].instruction.sequence is None


def test_parts_of_the_day_are_side_by_side_whatever_their_numbers() -> None:
    told = read_dosages([{"sequence": 1, "text": "10 units before breakfast"}, {"sequence": 2, "text": "12 units before dinner"}])
    coded = read_dosages([{"sequence": n, "timing": {"repeat": {"when": [w]}}} for n, w in ((1, "ACM"), (2, "HS"))])
    assert [d.instruction.sequence for d in (*told, *coded)] == [None] * 4


def test_periods_that_follow_one_another_are_phases() -> None:
    def during(start: str, end: str) -> dict[str, Any]:
        return {"timing": {"repeat": {"boundsPeriod": {"start": start, "end": end}, "frequency": 1, "period": 1, "periodUnit": "d"}}}

    later, first = during("2026-11-08", "2026-11-14"), during("2026-11-01", "2026-11-07")
    assert [d.instruction.sequence for d in read_dosages([later, first])] == [2, 1]
    assert [d.instruction.sequence for d in read_dosages([first, during("2026-11-03", "2026-11-14")])] == [None, None]


def test_dose_and_rate_in_two_entries_are_one() -> None:
    read = instruction(doseAndRate=[{"doseQuantity": ucum(1, "g")}, {"rateQuantity": ucum(500, "mL/h")}])
    assert (str(read.dose_high), str(read.rate)) == ("1 g", "500 mL")


def test_additional_instructions_bound_the_dose() -> None:
    read = dose(ucum(500, "mg"), additionalInstruction=[{"text": "max 2 g/day"}, {"text": "Shake well"}])
    assert str(read.max_per_day) == "2 g"
    assert read.unread == ()


anything = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-5, 10**6), st.text(max_size=8), st.sampled_from(["d", "h", "mg/kg", "1 tab bid", "q{n}h"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                [
                    "value",
                    "unit",
                    "code",
                    "text",
                    "repeat",
                    "timing",
                    "period",
                    "periodUnit",
                    "frequency",
                    "doseAndRate",
                    "doseQuantity",
                    "dayOfWeek",
                    "when",
                    "count",
                ]
            ),
            inner,
            max_size=5,
        ),
    ),
    max_leaves=12,
)


@given(anything)
def test_no_dosage_raises(value: object) -> None:
    read_dosages(value)
    read_timing(value)
