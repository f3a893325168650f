from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cds_service.intake.fhir import dosage
from cds_service.intake.fhir.dosage import read_dosages, read_quantity, read_route
from cds_service.intake.fhir.timing import read_timing
from cds_service.intake.prescription import DoseInstruction
from ontology.model.quantities import quantity

UCUM = "http://unitsofmeasure.org"


def instruction(**members: Any) -> DoseInstruction:
    return read_dosages([members])[0].instruction


def repeat(**members: Any) -> tuple[str | None, str | None, tuple[str, ...]]:
    t = read_timing({"repeat": members})
    return (None if t.low is None else f"{t.low.normalize():f}", None if t.high is None else f"{t.high.normalize():f}", t.unread)


@pytest.mark.parametrize(
    ("members", "low", "high"),
    [
        ({"frequency": 1, "period": 1, "periodUnit": "d"}, "1", "1"),
        ({"frequency": 2, "period": 1, "periodUnit": "d"}, "2", "2"),
        ({"frequency": 1, "period": 8, "periodUnit": "h"}, "3", "3"),
        ({"frequency": 1, "period": 4, "periodMax": 6, "periodUnit": "h"}, "4", "6"),
        ({"frequency": 1, "period": 2, "periodMax": 4, "periodUnit": "h"}, "6", "12"),
        ({"frequency": 2, "frequencyMax": 3, "period": 1, "periodUnit": "d"}, "2", "3"),
        ({"period": 12, "periodUnit": "h"}, "2", "2"),
        ({"frequency": 1, "period": 2, "periodUnits": "d"}, "0.5", "0.5"),
        ({"timeOfDay": ["08:00:00", "20:00:00"]}, "2", "2"),
        ({"when": ["CM", "CD", "CV"]}, "3", "3"),
        ({"when": ["HS"], "period": 1, "periodUnit": "d"}, "1", "1"),
    ],
)
def test_frequencies(members: dict[str, Any], low: str, high: str) -> None:
    assert repeat(**members)[:2] == (low, high)


def test_weekly_schedules_are_not_daily() -> None:
    assert read_timing({"repeat": {"frequency": 1, "period": 1, "periodUnit": "wk"}}).high == Decimal(1) / 7
    assert read_timing({"repeat": {"dayOfWeek": ["mon"]}}).high == Decimal(1) / 7
    assert read_timing({"repeat": {"dayOfWeek": ["mon", "wed", "fri"], "timeOfDay": ["08:00:00"]}}).high == Decimal(3) / 7
    assert read_timing({"repeat": {"frequency": 1, "period": 3, "periodUnit": "d"}}).high == Decimal(1) / 3


@pytest.mark.parametrize(
    "members",
    [
        {"frequency": 1, "period": 3},
        {"frequency": 1, "period": 3, "periodUnit": "fortnight"},
        {"frequency": 3},
        {"frequency": 1, "period": 0, "periodUnit": "d"},
        {"frequency": -1, "period": 1, "periodUnit": "d"},
    ],
)
def test_what_is_missing_is_not_made_up(members: dict[str, Any]) -> None:
    low, high, unread = repeat(**members)
    assert (low, high) == (None, None)
    assert unread


@pytest.mark.parametrize(("code", "times"), [("QD", 1), ("BID", 2), ("tid", 3), ("Q6H", 4), ("Q8H", 3), ("q12h", 2), ("QOD", "0.5"), ("b.i.d.", 2)])
def test_coded_timing(code: str, times: Any) -> None:
    assert read_timing({"code": {"text": code}}).high == Decimal(times)
    assert read_timing({"code": {"coding": [{"code": code}]}}).high == Decimal(times)


def test_an_unknown_timing_code_is_unread() -> None:
    assert read_timing({"code": {"text": "per protocol 7"}}).unread == ("timing code per protocol 7",)


def test_a_repeat_goes_before_its_code() -> None:
    assert read_timing({"code": {"text": "QD"}, "repeat": {"frequency": 2, "period": 1, "periodUnit": "d"}}).high == 2


@pytest.mark.parametrize(
    ("timing", "once"),
    [
        ({"repeat": {"count": 1}}, True),
        ({"repeat": {"count": 1, "countMax": 3}}, False),
        ({"code": {"text": "STAT"}}, True),
        ({"repeat": {"count": 10}}, False),
    ],
)
def test_once(timing: dict[str, Any], once: bool) -> None:
    assert read_timing(timing).once is once


@pytest.mark.parametrize(
    ("bounds", "days"),
    [
        ({"boundsDuration": {"value": 10, "unit": "d", "code": "d"}}, 10),
        ({"boundsDuration": {"value": 2, "unit": "weeks"}}, 14),
        ({"boundsRange": {"low": {"value": 5, "code": "d"}, "high": {"value": 7, "code": "d"}}}, 7),
        ({"boundsPeriod": {"start": "2026-01-01", "end": "2026-01-08"}}, 7),
        ({"boundsPeriod": {"start": "2026-01-01"}}, None),
    ],
)
def test_durations(bounds: dict[str, Any], days: int | None) -> None:
    assert read_timing({"repeat": bounds}).days == days


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ({"value": 5, "unit": "milligram", "code": "mg", "system": UCUM}, "5 mg"),
        ({"value": 5, "unit": "mg", "code": "ug", "system": UCUM}, "5 ug"),
        ({"value": 50, "unit": "mcg"}, "50 ug"),
        ({"value": 50, "unit": "μg"}, "50 ug"),
        ({"value": 1, "unit": "Tablet", "code": "TAB", "system": "http://terminology.hl7.org/CodeSystem/v3-orderableDrugForm"}, "1 {tbl}"),
        ({"value": 2, "unit": "tablets", "code": "12345", "system": "http://local"}, "2 {tbl}"),
        ({"value": Decimal("1.50"), "code": "mL", "system": UCUM}, "1.50 mL"),
        ({"value": 1, "unit": "mg", "code": "tblx", "system": UCUM}, None),
        ({"value": 1}, None),
        ({"unit": "mg"}, None),
        ({"value": "x", "unit": "mg"}, None),
    ],
)
def test_the_code_decides_the_unit(said: dict[str, Any], read: str | None) -> None:
    found = read_quantity(said)
    assert (None if found is None else str(found)) == read


@pytest.mark.parametrize("shape", ["R4", "R4 object", "STU3", "administration"])
def test_a_dose_in_every_version(shape: str) -> None:
    amount = {"value": 500, "unit": "mg", "system": UCUM, "code": "mg"}
    members: dict[str, Any] = {
        "R4": {"doseAndRate": [{"doseQuantity": amount}]},
        "R4 object": {"doseAndRate": {"doseQuantity": amount}},
        "STU3": {"doseQuantity": amount},
        "administration": {"dose": amount},
    }[shape]
    read = instruction(**members)
    assert (str(read.dose_low), str(read.dose_high)) == ("500 mg", "500 mg")


def test_a_dose_range_keeps_both_ends_and_of_several_entries_the_ordered_one_counts() -> None:
    low, high = ({"value": v, "code": "mg", "system": UCUM} for v in (325, 650))
    entries = [
        {"type": {"coding": [{"code": "calculated"}]}, "doseQuantity": {"value": 1, "code": "mg"}},
        {"type": {"coding": [{"code": "ordered"}]}, "doseRange": {"low": low, "high": high}},
    ]
    read = instruction(doseAndRate=entries)
    assert (str(read.dose_low), str(read.dose_high)) == ("325 mg", "650 mg")


def test_a_dose_with_an_unknown_unit_is_unread_and_said() -> None:
    read = instruction(doseAndRate=[{"doseQuantity": {"value": 3, "unit": "smidgens"}}])
    assert read.dose_low is None
    assert read.unread == ("dose 3 smidgens: unit not known",)


@pytest.mark.parametrize(
    "members", [{"asNeededBoolean": True}, {"asNeededCodeableConcept": {"text": "pain"}}, {"asNeeded": True}, {"asNeededFor": [{"text": "pain"}]}]
)
def test_as_needed_in_every_version(members: dict[str, Any]) -> None:
    assert instruction(**members).as_needed


@pytest.mark.parametrize("as_list", [True, False])
def test_the_ceiling_a_day(as_list: bool) -> None:
    ratio = {"numerator": {"value": 4, "code": "g"}, "denominator": {"value": 24, "code": "h"}}
    assert str(instruction(maxDosePerPeriod=[ratio] if as_list else ratio).max_per_day) == "4 g"


def test_a_ceiling_a_week_is_no_ceiling_a_day() -> None:
    read = instruction(maxDosePerPeriod={"numerator": {"value": 10, "code": "mg"}, "denominator": {"value": 1, "code": "wk"}})
    assert read.max_per_day is None
    assert read.unread


def test_free_text_alone_is_an_instruction() -> None:
    one = quantity("1", "tablet")
    assert read_dosages(["1 tablet daily"])[0].instruction == DoseInstruction(
        text="1 tablet daily", dose_low=one, dose_high=one, times_low=Decimal(1), times_high=Decimal(1), read_from="words"
    )


@pytest.mark.parametrize(
    ("concept", "route"), [({"text": "oral"}, "oral"), ({"coding": [{"code": "26643006"}]}, "oral"), ({"coding": [{"code": "IV"}]}, "intravenous"), ({}, None)]
)
def test_routes(concept: dict[str, Any], route: str | None) -> None:
    assert read_route(concept) == route


@given(st.integers(1, 12), st.integers(1, 12), st.sampled_from(["h", "d", "wk"]))
def test_times_per_day_are_frequency_over_period(frequency: int, period: int, unit: str) -> None:
    days = {"h": Decimal(1) / 24, "d": Decimal(1), "wk": Decimal(7)}[unit] * period
    found = read_timing({"repeat": {"frequency": frequency, "period": period, "periodUnit": unit}})
    assert found.low == found.high
    assert found.high is not None
    assert abs(found.high * days - frequency) < Decimal("1e-20")


@pytest.mark.parametrize("filler", ["", " " * 3000], ids=["kept", "too long to keep"])
def test_an_element_that_comes_again_is_read_the_same(filler: str) -> None:
    element = [{"text": f"Take 1 tablet twice daily{filler}", "sequence": 1}]
    first = read_dosages(element)
    assert read_dosages([dict(element[0])]) == first
    assert first[0].instruction.times_high == 2


@pytest.mark.parametrize(
    "words",
    [
        "Please call the ward at once when the swelling that began in May comes back",
        "Please call the nurse's desk at once, she knows of Ann's swelling in 'May', and come in",
    ],
)
def test_words_that_may_be_more_than_directions_are_not_kept_in_memory(words: str) -> None:
    before = len(dosage._READ)
    read_dosages([{"text": "Take 1 tablet twice daily", "patientInstruction": words}])
    assert len(dosage._READ) == before
    read_dosages([{"text": f"Take 1 tablet twice daily in week {len(words)}"}])
    assert len(dosage._READ) == before + 1


def test_a_number_is_not_taken_for_the_text_that_looks_like_it() -> None:
    assert read_dosages([{"text": Decimal(5)}])[0].instruction.text is None
    assert read_dosages([{"text": "5"}])[0].instruction.text == "5"
    assert read_dosages([{"text": Decimal(5)}])[0].instruction.text is None
