"""Structure and words of one dosage: the structure decides, the words add, a contradiction is kept."""

from __future__ import annotations

from typing import Any

import pytest
from sig_sentences import sentence

from cds_service.intake.fhir.dosage import read_dosages
from cds_service.intake.prescription import DoseInstruction

UCUM = "http://unitsofmeasure.org"


def quantity(value: float, unit: str) -> dict[str, Any]:
    return {"value": value, "unit": unit, "system": UCUM, "code": {"tablet": "{tbl}"}.get(unit, unit)}


def read(text: str | None, dose: tuple[int, str] | None = None, often: dict[str, Any] | None = None, **more: Any) -> list[DoseInstruction]:
    body: dict[str, Any] = {"text": text, **more}
    if dose is not None:
        body["doseAndRate"] = [{"doseQuantity": quantity(*dose)}]
    if often is not None:
        body["timing"] = {"repeat": often}
    return [d.instruction for d in read_dosages([body])]


DAILY = {"frequency": 1, "period": 1, "periodUnit": "d"}
TWICE = {"frequency": 2, "period": 1, "periodUnit": "d"}


def test_words_add_what_the_structure_does_not_say() -> None:
    (both,) = read("500 mg po bid prn pain, max 2 g/day, x 5 days", (500, "mg"), TWICE)
    assert sentence(both) == "500 mg; 2 a day; as needed for pain; at most 2 g a day; for 5 days; oral"
    assert both.read_from == "both"
    assert both.unread == ()


def test_the_structure_decides_and_the_contradiction_is_kept() -> None:
    (kept,) = read("Take 3 tablets by mouth every day", (3, "tablet"), {"frequency": 1, "period": 1, "periodUnit": "wk"})
    assert sentence(kept) == "3 tbl; 1 in 7 days; oral"
    assert kept.is_contradicted
    assert not read("Take 3 tablets once a week", (3, "tablet"), {"frequency": 1, "period": 1, "periodUnit": "wk"})[0].is_contradicted


def test_another_dose_in_the_words_is_a_contradiction() -> None:
    (kept,) = read("40 mg daily", (20, "mg"), DAILY)
    assert sentence(kept) == "20 mg; 1 a day"
    assert kept.unread


@pytest.mark.parametrize("text", ["0.5 g daily", "500 mg daily", "500 mg once a day"])
def test_the_same_amount_in_another_unit_is_no_contradiction(text: str) -> None:
    assert read(text, (500, "mg"), DAILY)[0].unread == ()


def test_tablets_in_the_structure_and_milligrams_in_the_words_are_one_dose() -> None:
    (both,) = read("Take 4 tablets (2 g) by mouth once as a single dose", (4, "tablet"), DAILY)
    assert sentence(both) == "2 g (= 4 tbl); 1 a day; once; oral"


def test_parts_of_the_day_that_add_up_are_no_contradiction() -> None:
    (both,) = read("3 tablets with breakfast and 3 with supper", (3, "tablet"), TWICE)
    assert sentence(both) == "3 tbl; 2 a day"
    assert both.unread == ()


def test_phases_of_the_words_stay_beside_the_one_that_agrees() -> None:
    first, second = read("60 mg daily x 3 days, then 40 mg daily x 3 days", (60, "mg"), DAILY)
    assert sentence(first) == "phase 1; 60 mg; 1 a day; for 3 days"
    assert sentence(second) == "phase 2; 40 mg; 1 a day; for 3 days"


def test_words_alone_take_what_the_structure_says_around_them() -> None:
    (one,) = read("1 tab bid", route={"text": "oral"}, asNeededBoolean=True, timing={"repeat": {"boundsDuration": quantity(7, "d")}})
    assert sentence(one) == "1 tbl; 2 a day; as needed; for 7 days"
    assert one.read_from == "both"


def test_words_that_say_nothing_leave_the_structure_alone() -> None:
    (one,) = read("Replaced by 600 mg twice daily", (500, "mg"), TWICE)
    assert sentence(one) == "500 mg; 2 a day"
    assert one.read_from == "structure"
    assert one.unread == ("Replaced by 600 mg twice daily",)


def test_warnings_among_additional_instructions_are_not_unread_words() -> None:
    (one,) = read("500 mg daily", (500, "mg"), DAILY, additionalInstruction=[{"text": "May cause drowsiness"}, {"text": "for 5 days"}])
    assert sentence(one) == "500 mg; 1 a day; for 5 days"
    assert one.unread == ()
