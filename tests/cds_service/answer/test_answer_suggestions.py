"""Suggestions: the whole corrected order where the label leaves one dose, the removal where it forbids the order, nothing where a person must choose."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from case_request import request_of
from case_world import case_world
from fhir.resources.medicationrequest import MedicationRequest as R5MedicationRequest
from fhir.resources.R4B.medicationrequest import MedicationRequest as R4MedicationRequest

from cds_service.answer.compose import AnswerContext, compose
from cds_service.answer.policy import Policy
from cds_service.audit.chain import run_chain
from cds_service.audit.pest import correct
from cds_service.audit.pest.applicability import Applied
from cds_service.intake.request import read_request

LABS = [
    {"text": "Creatinine", "loinc": "2160-0", "value": 2.0, "unit": "mg/dL"},
    {"text": "Weight", "loinc": "29463-7", "value": 72, "unit": "kg"},
    {"text": "Height", "loinc": "8302-2", "value": 178, "unit": "cm"},
]
KIDNEYS: dict[str, Any] = {
    "born": "1966-05-01",
    "sex": "male",
    "allergies": "none stated",
    "labs": LABS,
    "conditions": [{"text": "Pneumonia", "icd10": "J18.9"}],
}
"""His clearance is 40 mL/min: the label gives levofloxacin 750 mg every 48 hours."""

LEVOFLOXACIN: dict[str, Any] = {
    "patient": KIDNEYS,
    "current": [],
    "draft": [{"text": "levofloxacin 750 mg oral tablet", "route": "oral", "dose": "750 mg", "times_a_day": 1, "reason": "Pneumonia"}],
}
ARTHRITIS: dict[str, Any] = {
    "born": "1966-05-01",
    "sex": "male",
    "allergies": "none stated",
    "labs": [],
    "conditions": [{"text": "Rheumatoid arthritis", "icd10": "M06.9"}],
}
METHOTREXATE: dict[str, Any] = {
    "patient": ARTHRITIS,
    "current": [],
    "draft": [{"text": "methotrexate 2.5 mg oral tablet", "route": "oral", "dose": "7.5 mg", "times_a_day": 1, "reason": "Rheumatoid arthritis"}],
}


def cards_of(case: Mapping[str, Any], change: Callable[[dict[str, Any]], None] = lambda _: None) -> list[dict[str, Any]]:
    body = json.loads(json.dumps(request_of(case)), parse_float=Decimal)
    change(body["context"]["draftOrders"]["entry"][0]["resource"])
    prescription = read_request(body, case_world().terminology, received=datetime(2026, 11, 1, 12, tzinfo=UTC), use_request_time=True)
    result = run_chain(prescription, case_world(), Policy.shipped())
    return compose(result, prescription, AnswerContext("t", "r", Policy.shipped(), lambda c: f"https://x/{c}", "https://x"))


def suggested(case: Mapping[str, Any], change: Callable[[dict[str, Any]], None] = lambda _: None) -> list[dict[str, Any]]:
    return [a for c in cards_of(case, change) for s in c.get("suggestions", []) for a in s["actions"]]


def plain_json(resource: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(json.dumps(resource, default=float))
    return made


def sent(case: Mapping[str, Any]) -> dict[str, Any]:
    resource: dict[str, Any] = request_of(case)["context"]["draftOrders"]["entry"][0]["resource"]
    return resource


def as_r5(resource: dict[str, Any]) -> None:
    resource["medication"] = {"concept": resource.pop("medicationCodeableConcept")}
    resource["reason"] = [{"concept": c} for c in resource.pop("reasonCode", [])]
    resource["renderedDosageInstruction"] = "750 mg by mouth once a day"


def test_a_longer_interval_is_the_whole_order_with_that_interval_and_nothing_else_changed() -> None:
    (action,) = suggested(LEVOFLOXACIN)
    assert action["type"] == "update"
    made, came = plain_json(action["resource"]), sent(LEVOFLOXACIN)
    (dosage,) = made.pop("dosageInstruction")
    came.pop("dosageInstruction")
    assert made == came
    assert dosage["timing"]["repeat"] == {"frequency": 1, "period": 2, "periodUnit": "d"}
    assert dosage["doseAndRate"][0]["doseQuantity"]["value"] == 750
    assert dosage["text"] == "750 mg by mouth every 2 days"
    R4MedicationRequest.model_validate(plain_json(action["resource"]))


def test_a_weekly_drug_ordered_daily_keeps_its_dose_and_is_given_once_a_week() -> None:
    (action,) = suggested(METHOTREXATE)
    (dosage,) = plain_json(action["resource"])["dosageInstruction"]
    assert dosage["timing"]["repeat"] == {"frequency": 1, "period": 1, "periodUnit": "wk"}
    assert dosage["doseAndRate"][0]["doseQuantity"]["value"] == 7.5
    assert "once a week" in dosage["text"]
    R4MedicationRequest.model_validate(plain_json(action["resource"]))


def test_an_r5_order_comes_back_as_r5_with_its_rendered_words() -> None:
    (action,) = suggested(LEVOFLOXACIN, as_r5)
    made = plain_json(action["resource"])
    assert made["renderedDosageInstruction"] == made["dosageInstruction"][0]["text"] == "750 mg by mouth every 2 days"
    assert "medicationCodeableConcept" not in made
    R5MedicationRequest.model_validate(made)


def test_nothing_in_the_corrected_order_says_the_old_dose() -> None:
    def told(resource: dict[str, Any]) -> None:
        resource["text"] = {"status": "generated", "div": '<div xmlns="http://www.w3.org/1999/xhtml">750 mg once a day</div>'}
        resource["dosageInstruction"][0]["text"] = "750 mg once a day"
        resource["dosageInstruction"][0]["patientInstruction"] = "Take one 750 mg tablet every day"
        resource["dispenseRequest"] = {"quantity": {"value": Decimal(10), "unit": "tablet"}, "numberOfRepeatsAllowed": 1}

    (action,) = suggested(LEVOFLOXACIN, told)
    made = plain_json(action["resource"])
    assert "every 2 days" in made["text"]["div"]
    assert "day</div>" not in made["text"]["div"]
    assert made["dosageInstruction"][0]["patientInstruction"] == made["dosageInstruction"][0]["text"] == "750 mg by mouth every 2 days"
    assert made["dispenseRequest"] == {"quantity": {"value": 5, "unit": "tablet"}, "numberOfRepeatsAllowed": 1}
    R4MedicationRequest.model_validate(made)


def test_an_order_in_words_comes_back_in_words() -> None:
    def in_words(resource: dict[str, Any]) -> None:
        resource["dosageInstruction"] = [{"text": "750 mg by mouth once daily"}]

    (action,) = suggested(LEVOFLOXACIN, in_words)
    assert plain_json(action["resource"])["dosageInstruction"] == [{"text": "750 mg by mouth every 2 days"}]
    R4MedicationRequest.model_validate(plain_json(action["resource"]))


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Take 750 mg by mouth once daily with food", "with food"),
        ("750 mg po qd pc", "after meals"),
        ("750 mg by mouth once daily on an empty stomach, swallow whole", "on an empty stomach, swallow whole"),
    ],
)
def test_directions_on_food_and_handling_stay(said: str, kept: str) -> None:
    (action,) = suggested(LEVOFLOXACIN, lambda resource: resource.update(dosageInstruction=[{"text": said}]))
    assert plain_json(action["resource"])["dosageInstruction"] == [{"text": f"750 mg by mouth every 2 days, {kept}"}]


def test_directions_that_would_change_how_the_dose_is_read_are_left_to_the_prescriber() -> None:
    (action,) = suggested(LEVOFLOXACIN, lambda resource: resource.update(dosageInstruction=[{"text": "750 mg by mouth once daily at bedtime"}]))
    said = plain_json(action["resource"])["dosageInstruction"][0]["text"]
    assert said.startswith("750 mg by mouth every 2 days")
    assert "check the directions before signing" in action["description"]


def dosed(change: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
    return lambda resource: change(resource["dosageInstruction"][0])


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda r: r.update(context={"reference": "Encounter/1"}), id="STU3"),
        pytest.param(dosed(lambda d: d.update(doseQuantity=d.pop("doseAndRate")[0]["doseQuantity"])), id="STU3 dosage"),
        pytest.param(lambda r: r.update(modifierExtension=[{"url": "http://x/not", "valueBoolean": True}]), id="modifier"),
        pytest.param(dosed(lambda d: d.update(asNeededBoolean=True)), id="as needed"),
        pytest.param(
            dosed(
                lambda d: d.update(doseAndRate=[{"doseRange": {"low": {"value": Decimal(500), "unit": "mg"}, "high": {"value": Decimal(1000), "unit": "mg"}}}])
            ),
            id="range",
        ),
        pytest.param(lambda r: r.update(dosageInstruction=[*r["dosageInstruction"], copy.deepcopy(r["dosageInstruction"][0])]), id="two instructions"),
        pytest.param(
            lambda r: r.update(dosageInstruction=[{"text": "750 mg daily for 3 days, then 500 mg daily for 3 days, then 250 mg daily for 3 days"}]), id="taper"
        ),
        pytest.param(lambda r: r.update(dispenseRequest={"quantity": {"value": Decimal(7), "unit": "tablet"}}), id="no whole amount to dispense"),
        pytest.param(lambda r: r.pop("id"), id="no id to find it by"),
    ],
)
def test_no_corrected_order_where_a_person_must_choose(change: Callable[[dict[str, Any]], None]) -> None:
    assert [a["type"] for a in suggested(LEVOFLOXACIN, change)] == []


def test_no_corrected_order_where_the_product_does_not_give_the_dose_whole() -> None:
    """15 mg is the dose; it is three quarters of this tablet, and one and a half of the next."""
    rivaroxaban = {
        "patient": {**KIDNEYS, "conditions": [{"text": "Atrial fibrillation", "icd10": "I48.91"}]},
        "current": [],
        "draft": [{"text": "rivaroxaban 20 mg oral tablet", "route": "oral", "dose": "20 mg", "times_a_day": 1, "reason": "Atrial fibrillation"}],
    }
    assert any(c["source"]["topic"]["code"] == "dosage" for c in cards_of(rivaroxaban))
    assert suggested(rivaroxaban) == []


def test_no_corrected_order_for_a_ceiling_since_any_lower_dose_is_an_answer() -> None:
    citalopram = {
        "patient": {"born": "1956-01-01", "sex": "female", "conditions": [], "allergies": "none stated", "labs": []},
        "current": [],
        "draft": [{"text": "citalopram 10 mg oral tablet", "route": "oral", "dose": "30 mg", "times_a_day": 1}],
    }
    assert any(c["source"]["topic"]["code"] == "dosage" for c in cards_of(citalopram))
    assert suggested(citalopram) == []


FORBIDDEN = {
    "patient": {"born": "1950-03-01", "sex": "male", "conditions": [], "allergies": [{"text": "ibuprofen", "kind": "allergy"}], "labs": []},
    "current": [],
    "draft": ["ibuprofen 400 mg oral tablet"],
}


def test_a_forbidden_order_is_removed_by_its_reference() -> None:
    (action,) = suggested(FORBIDDEN)
    assert action["type"] == "delete"
    assert action["resourceId"] == "MedicationRequest/draft-1"


def test_a_duplicate_of_what_is_taken_is_removed() -> None:
    duplicate = {"patient": ARTHRITIS, "current": [{"text": "ibuprofen 200 mg oral tablet", "id": "old"}], "draft": ["ibuprofen 400 mg oral tablet"]}
    assert [a["type"] for a in suggested(duplicate)] == ["delete"]


def test_of_two_drafts_that_exclude_each_other_none_is_removed() -> None:
    pair = {"patient": ARTHRITIS, "current": [], "draft": ["clarithromycin 500 mg oral tablet", "simvastatin 40 mg oral tablet"]}
    assert "critical" in {c["indicator"] for c in cards_of(pair)}
    assert suggested(pair) == []


def test_a_forbidden_order_is_not_offered_at_another_dose() -> None:
    allergic = {**LEVOFLOXACIN, "patient": {**KIDNEYS, "allergies": [{"text": "levofloxacin", "kind": "allergy"}]}}
    assert [a["type"] for a in suggested(allergic)] == ["delete"]


def test_no_corrected_order_while_a_missing_datum_decides_between_doses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule of the label that waits for a laboratory value stands beside the one that holds."""
    held = Applied.needs
    assert suggested(LEVOFLOXACIN) != []
    waits = property(lambda a: frozenset({"lab:potassium"}) if a.rule.payload.phases[0].frequency.period_days == 1 else held.fget(a))  # type: ignore[attr-defined]
    monkeypatch.setattr(correct, "_agreed", lambda *_: pytest.fail("asked for a dose although a datum is missing"))
    monkeypatch.setattr(Applied, "needs", waits)
    assert suggested(LEVOFLOXACIN) == []
