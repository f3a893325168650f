"""The ward or service of a request, in the shapes that Encounters come in."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from cds_service.intake.request import read_request
from ontology.terms.terminology import Terminology


def units(prefetch: dict[str, Any], **context: Any) -> tuple[str, ...]:
    body = {
        "hook": "order-sign",
        "hookInstance": "h",
        "context": {"patientId": "p1", "draftOrders": {"resourceType": "Bundle"}, **context},
        "prefetch": prefetch,
    }
    return read_request(body, Terminology.shipped(), received=datetime(2026, 11, 1, tzinfo=UTC), use_request_time=False).units


def encounter(identifier: str | None = "e1", **members: Any) -> dict[str, Any]:
    return {"resourceType": "Encounter", **({"id": identifier} if identifier else {}), **members}


def stay(**members: Any) -> list[dict[str, Any]]:
    return [{"location": {"display": "Ward 3"}, **members}]


@pytest.mark.parametrize(
    ("members", "named"),
    [
        ({"location": stay()}, {"Ward 3"}),
        ({"location": stay(status="active")}, {"Ward 3"}),
        ({"location": stay(status="completed")}, set()),
        ({"location": [{"location": {"reference": "Location/icu-1"}}]}, {"Location/icu-1", "icu-1"}),
        ({"location": [{"location": {"identifier": {"value": "W3"}}}]}, {"W3"}),
        ({"serviceType": {"coding": [{"code": "171", "display": "General surgery"}], "text": "Surgery"}}, {"171", "General surgery", "Surgery"}),
        ({"serviceType": [{"concept": {"text": "Surgery"}}]}, {"Surgery"}),
        ({"class": {"code": "EMER", "display": "emergency"}}, {"EMER", "emergency"}),
        ({"class": [{"coding": [{"code": "IMP"}]}]}, {"IMP"}),
        ({"serviceProvider": {"display": "North hospital"}}, {"North hospital"}),
        ({"location": "x", "serviceType": 1, "class": None}, set()),
    ],
    ids=lambda value: str(sorted(value)),
)
def test_the_unit_is_read_from_every_place_that_names_it(members: dict[str, Any], named: set[str]) -> None:
    assert set(units({"encounter": encounter(**members)}, encounterId="e1")) == named


def test_the_ward_of_a_bed_counts_too() -> None:
    places = [
        {"resourceType": "Location", "id": "bed", "name": "Bed 12", "partOf": {"reference": "Location/ward"}},
        {"resourceType": "Location", "id": "ward", "name": "Intensive care", "alias": ["ICU"], "identifier": [{"value": "W9"}]},
    ]
    entries = [{"resource": r} for r in (encounter(location=[{"location": {"reference": "Location/bed"}}]), *places)]
    found = units({"visit": {"resourceType": "Bundle", "entry": entries}}, encounterId="Encounter/e1")
    assert {"Bed 12", "Intensive care", "ICU", "W9", "Location/ward"} <= set(found)


def test_a_place_that_is_part_of_itself_ends() -> None:
    place = {"resourceType": "Location", "id": "w", "name": "Ward", "partOf": {"reference": "Location/w"}}
    entries = [{"resource": r} for r in (encounter(location=[{"location": {"reference": "Location/w"}}]), place)]
    assert "Ward" in units({"visit": {"resourceType": "Bundle", "entry": entries}}, encounterId="e1")


def test_the_encounter_of_the_context_is_the_one() -> None:
    two = {"a": encounter("e1", location=stay()), "b": encounter("e2", location=[{"location": {"display": "Ward 9"}}])}
    assert units(two, encounterId="e2") == ("Ward 9",)
    assert units(two, encounterId="e3") == ()
    assert units(two) == ()
    assert units({"a": two["a"]}, encounterId="e9") == ()


def test_without_an_id_in_the_context_the_only_encounter_counts() -> None:
    assert units({"a": encounter(location=stay())}) == ("Ward 3",)
    assert units({"a": encounter(None, location=stay())}, encounterId="e1") == ("Ward 3",)


def test_another_patient_s_encounter_is_not_used() -> None:
    assert units({"a": encounter(location=stay(), subject={"reference": "Patient/p2"})}, encounterId="e1") == ()
    assert units({"a": encounter(location=stay(), subject={"reference": "Patient/p1"})}, encounterId="e1") == ("Ward 3",)


def test_no_encounter_names_no_unit() -> None:
    assert units({}, encounterId="e1") == ()
