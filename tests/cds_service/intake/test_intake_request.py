import contextlib
import copy
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cds_service.errors import PatientMissing, RequestRefused
from cds_service.intake import read_request
from cds_service.intake.body import decode_body
from cds_service.intake.prescription import KINDS, OrderRole, Prescription, Retrieval
from cds_service.intake.request import open_request, require_patient
from ontology.terms.terminology import Terminology

Read = Callable[..., Prescription]
Make = Callable[..., dict[str, Any]]
NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
TERMS = Terminology.shipped()
UNEXPECTED = "has a shape that could not be read"

CONDITION = {"resourceType": "Condition", "id": "c1", "code": {"text": "Asthma"}, "subject": {"reference": "Patient/p1"}}
NONE_KNOWN = {
    "resourceType": "AllergyIntolerance",
    "id": "a0",
    "code": {"coding": [{"system": "http://snomed.info/sct", "code": "716186003"}]},
    "patient": {"reference": "Patient/p1"},
}
PENICILLIN = {"resourceType": "AllergyIntolerance", "id": "a1", "code": {"text": "Penicillins"}, "patient": {"reference": "Patient/p1"}}


def bundle(*resources: Any) -> dict[str, Any]:
    return {"resourceType": "Bundle", "type": "searchset", "entry": [{"resource": r} for r in resources]}


def test_every_kind_has_a_state(read: Read, request_body: Make, order: Make) -> None:
    found = read(request_body(order()))
    assert set(found.retrieval) == set(KINDS)
    assert found.retrieval["patient"] is Retrieval.FOUND
    assert found.retrieval["allergies"] is Retrieval.NOT_RETRIEVED


@pytest.mark.parametrize(
    ("allergies", "state", "facts"),
    [
        (bundle(), Retrieval.NONE_FOUND, 0),
        (None, Retrieval.NONE_FOUND, 0),
        (bundle(NONE_KNOWN), Retrieval.ASSERTED_NONE, 0),
        (bundle(NONE_KNOWN, PENICILLIN), Retrieval.FOUND, 1),
        (bundle({**NONE_KNOWN, "code": {"text": "No known food allergies"}}), Retrieval.NONE_FOUND, 0),
        (bundle({**NONE_KNOWN, "code": {"text": "过敏史不详"}}), Retrieval.INCOMPLETE, 0),
        (bundle({**NONE_KNOWN, "verificationStatus": {"coding": [{"code": "refuted"}]}}), Retrieval.NONE_FOUND, 0),
        (bundle(PENICILLIN, {**PENICILLIN, "code": None}), Retrieval.INCOMPLETE, 1),
    ],
)
def test_an_empty_allergy_list_is_not_an_asserted_absence(read: Read, request_body: Make, order: Make, allergies: Any, state: Retrieval, facts: int) -> None:
    found = read(request_body(order(), prefetch={"patient": {"resourceType": "Patient", "id": "p1"}, "allergies": allergies}))
    assert (found.retrieval["allergies"], len(found.patient.allergies)) == (state, facts)


def test_one_unreadable_resource_costs_only_itself(read: Read, request_body: Make, order: Make) -> None:
    found = read(
        request_body(
            order(), prefetch={"patient": {"resourceType": "Patient", "id": "p1"}, "conditions": bundle(CONDITION, {"resourceType": "Condition", "id": "c2"})}
        )
    )
    assert [c.text for c in found.patient.conditions] == ["Asthma"]
    assert found.retrieval["conditions"] is Retrieval.INCOMPLETE
    assert [(i.where, i.kind) for i in found.issues] == [("prefetch.conditions.entry[1]", "conditions")]


@pytest.mark.parametrize(
    "subject", ["Patient/other", "https://ehr.example.org/fhir/Patient/other", "urn:uuid:11111111-2222-4333-8444-555555555555", "Group/p1", "other"]
)
def test_what_belongs_to_another_patient_is_not_used_and_said(read: Read, request_body: Make, order: Make, subject: str) -> None:
    foreign = {**CONDITION, "subject": {"reference": subject}}
    found = read(
        request_body(
            order(), order("o2", subject={"reference": subject}), prefetch={"patient": {"resourceType": "Patient", "id": "p1"}, "conditions": bundle(foreign)}
        )
    )
    assert [o.reference for o in found.orders] == ["MedicationRequest/o1"]
    assert not found.patient.conditions
    assert [i.kind for i in found.issues] == ["conditions", "medications"]
    assert [i.order for i in found.issues] == [None, "MedicationRequest/o2"]
    assert not any("other" in i.what.replace("another", "") for i in found.issues)


@pytest.mark.parametrize(
    "subject",
    [
        None,
        {},
        {"display": "Ada"},
        {"reference": "Patient/p1"},
        {"reference": "p1"},
        {"reference": "http://x/fhir/Patient/p1/_history/3"},
        {"reference": "urn:uuid:77"},
    ],
)
def test_the_same_patient_in_every_notation(read: Read, request_body: Make, order: Make, subject: Any) -> None:
    body = request_body(order(subject=subject), prefetch={"patient": bundle()})
    body["prefetch"]["patient"]["entry"] = [{"fullUrl": "urn:uuid:77", "resource": {"resourceType": "Patient", "id": "p1"}}]
    found = read(body)
    assert len(found.orders) == 1
    assert not found.issues


def test_a_patient_with_another_id_is_not_used_and_the_answer_says_so(read: Read, request_body: Make, order: Make) -> None:
    body = request_body(order(), prefetch={"patient": {"resourceType": "Patient", "id": "other", "birthDate": "1990-01-01"}})
    require_patient(open_request(body))
    found = read(body)
    assert found.patient.birth_date is None
    assert found.retrieval["patient"] is Retrieval.INCOMPLETE
    assert [i.kind for i in found.issues] == ["patient"]


@pytest.mark.parametrize(
    "prefetch",
    [{}, {"patient": None}, {"patient": {"resourceType": "OperationOutcome"}}, {"patient": "<html>"}, {"medications": {"resourceType": "OperationOutcome"}}],
)
def test_without_a_patient_and_without_any_record_there_is_no_audit(request_body: Make, order: Make, prefetch: dict[str, Any]) -> None:
    with pytest.raises(PatientMissing, match=r"prefetch\.patient"):
        require_patient(open_request(request_body(order(), prefetch=prefetch)))


@pytest.mark.parametrize("prefetch", [{"conditions": bundle(CONDITION)}, {"medications": bundle()}, {"allergies": None}])
def test_without_a_patient_orders_are_audited_against_what_arrived(read: Read, request_body: Make, order: Make, prefetch: dict[str, Any]) -> None:
    body = request_body(order(), prefetch=prefetch)
    require_patient(open_request(body))
    assert read(body).retrieval["patient"] is Retrieval.NOT_RETRIEVED


def test_without_an_order_no_patient_is_needed(request_body: Make) -> None:
    require_patient(open_request(request_body(prefetch={})))


def test_order_reasons_are_conditions_of_the_order(read: Read, request_body: Make, order: Make) -> None:
    found = read(request_body(order(reasonCode=[{"text": "Asthma"}])))
    assert [(c.text, c.source.reference) for c in found.patient.conditions] == [("Asthma", "MedicationRequest/o1")]


@pytest.mark.parametrize(("use", "hour"), [(True, 3), (False, 12)])
def test_the_requests_time_counts_only_when_asked_for(read: Read, request_body: Make, order: Make, use: bool, hour: int) -> None:
    body = request_body(order()) | {"extension": {"org.pharmgraph.reference-time": "2020-01-01T03:00:00Z"}}
    assert read(body, use_request_time=use).reference_time.hour == hour


def test_drafts_as_an_array_and_medications_of_earlier_versions(read: Read, request_body: Make, order: Make) -> None:
    body = request_body(draftOrders=[order("a"), {"resource": order("b", "ibuprofen")}], medications=bundle(order("a"), order("c", "aspirin")))
    assert [o.reference for o in read(body).orders] == ["MedicationRequest/a", "MedicationRequest/b", "MedicationRequest/c"]


# --- any JSON at all --------------------------------------------------------------------------------------------------------

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 10**20)
    | st.decimals()
    | st.sampled_from(["", "x", "Patient/p1", "#m", "2026-13-45", "1e9", "active", "Bundle", "MedicationRequest", "Observation", "\x00", "无"])
)
ANY = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["resource", "entry", "resourceType", "coding", "text", "reference", "value", "code", "repeat", "low"]), inner, max_size=3
        )
    ),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def seeds(repository: Path) -> list[dict[str, Any]]:
    """Whole requests of the repository's fixtures, and a body that touches every reader."""
    found = [json.loads(p.read_bytes()) for p in sorted((repository / "fixtures" / "requests").glob("*.json"))]
    return [*found, everything()]


def everything() -> dict[str, Any]:
    quantity = {"value": 5, "unit": "mg", "system": "http://unitsofmeasure.org", "code": "mg"}
    dosage = {
        "text": "5 mg daily",
        "timing": {
            "repeat": {
                "frequency": 1,
                "period": 1,
                "periodUnit": "d",
                "boundsDuration": {"value": 5, "code": "d"},
                "timeOfDay": ["08:00:00"],
                "dayOfWeek": ["mon"],
            },
            "code": {"text": "QD"},
        },
        "route": {"text": "oral"},
        "doseAndRate": [{"type": {"coding": [{"code": "ordered"}]}, "doseQuantity": quantity, "doseRange": {"low": quantity, "high": quantity}}],
        "maxDosePerPeriod": {"numerator": quantity, "denominator": {"value": 1, "code": "d"}},
        "asNeededCodeableConcept": {"text": "pain"},
    }
    subject = {"reference": "Patient/p1"}
    medication = {
        "resourceType": "Medication",
        "id": "m",
        "code": {"text": "warfarin"},
        "ingredient": [{"itemCodeableConcept": {"text": "warfarin"}}],
        "form": {"text": "tablet"},
    }
    order = {
        "resourceType": "MedicationRequest", "id": "o1", "status": "draft", "intent": "order", "contained": [medication], "medicationReference": {"reference": "#m"}, "subject": subject,
        "dosageInstruction": [dosage], "reasonCode": [{"text": "Asthma"}], "reasonReference": [{"reference": "Condition/c1"}], "priorPrescription": {"reference": "MedicationRequest/r"},
        "groupIdentifier": {"value": "g"}, "category": [{"text": "x"}], "modifierExtension": [{"url": "http://x"}],
    }  # fmt: skip
    drug = {"medicationCodeableConcept": {"text": "ibuprofen"}, "subject": subject}
    record = [
        {"resourceType": "MedicationRequest", "id": "r", "status": "active", **drug},
        {"resourceType": "MedicationStatement", "id": "s", "status": "active", "effectivePeriod": {"start": "2026-01-01"}, "dosage": [dosage], **drug},
        {
            "resourceType": "MedicationAdministration",
            "id": "ma",
            "status": "completed",
            "effectiveDateTime": "2026-10-31",
            "dosage": {"dose": quantity},
            **drug,
        },
        {
            "resourceType": "MedicationDispense",
            "id": "d",
            "status": "completed",
            "whenHandedOver": "2026-10-01",
            "daysSupply": {"value": 30, "code": "d"},
            "authorizingPrescription": [{"reference": "MedicationRequest/r"}],
            **drug,
        },
    ]
    return {
        "hook": "order-sign", "hookInstance": "x", "extension": {"org.pharmgraph.reference-time": "2026-11-01T12:00:00Z"},
        "context": {"patientId": "p1", "selections": ["MedicationRequest/o1"], "draftOrders": bundle(order)},
        "prefetch": {
            "patient": {"resourceType": "Patient", "id": "p1", "birthDate": "1950-01-01", "extension": [{"url": "http://x/us-core-birthsex", "valueCode": "F"}]},
            "medications": bundle(*record), "conditions": bundle({**CONDITION, "clinicalStatus": {"coding": [{"code": "active"}]}, "onsetDateTime": "2020-01-01"}),
            "allergies": bundle({**PENICILLIN, "reaction": [{"manifestation": [{"text": "Rash"}], "severity": "mild", "substance": {"text": "amoxicillin"}}]}),
            "observations": bundle({"resourceType": "Observation", "id": "v", "code": {"text": "Weight"}, "valueQuantity": quantity, "component": [{"code": {"text": "x"}, "valueString": "y"}]}),
            "notes": bundle({"resourceType": "DocumentReference", "id": "n", "content": [{"attachment": {"contentType": "text/html", "data": "PGI+aGk8L2I+"}}]}),
        },
    }  # fmt: skip


def places(node: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) of a JSON value."""
    rows = list(node.items()) if isinstance(node, dict) else list(enumerate(node)) if isinstance(node, list) else []
    return [(node, k) for k, _ in rows] + [p for _, v in rows for p in places(v)]


@given(data=st.data())
@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
def test_no_json_makes_the_intake_raise_or_meet_a_shape_nobody_thought_of(seeds: list[dict[str, Any]], data: st.DataObject) -> None:
    body = copy.deepcopy(data.draw(st.sampled_from(seeds)))
    for _ in range(data.draw(st.integers(1, 5))):
        spots = places(body)
        if not spots:
            break
        container, key = spots[data.draw(st.integers(0, len(spots) - 1))]
        match data.draw(st.sampled_from(["replace", "delete", "wrap", "add"])):
            case "delete":
                del container[key]
            case "wrap":
                container[key] = [container[key]]
            case "add" if isinstance(container, dict):
                container[data.draw(st.sampled_from(["reference", "resourceType", "extension", "modifierExtension", "value", "status"]))] = data.draw(ANY)
            case _:
                container[key] = data.draw(ANY)
    found = read_request(body, TERMS, received=NOW, use_request_time=True)
    assert not [i for i in found.issues if UNEXPECTED in i.what]
    assert set(found.retrieval) == set(KINDS)
    with contextlib.suppress(PatientMissing):
        require_patient(open_request(body))


@given(st.dictionaries(st.sampled_from(["hook", "context", "prefetch", "extension", "patient"]), ANY))
@settings(max_examples=200, deadline=None)
def test_any_object_is_read(body: dict[str, Any]) -> None:
    read_request(body, TERMS, received=NOW, use_request_time=True)


@pytest.mark.shared
def test_recorded_requests_are_read_without_a_shape_nobody_thought_of(shared: Path) -> None:
    count = 0
    for path in sorted((shared / "data" / "cds-hooks").rglob("*.json")):
        try:
            body = decode_body(path.read_bytes())
        except RequestRefused:
            continue
        found = read_request(body, TERMS, received=NOW, use_request_time=False)
        assert not [i for i in found.issues if UNEXPECTED in i.what], path.name
        count += len(found.orders)
    assert count > 20


@pytest.mark.shared
@pytest.mark.parametrize("folder", ["r4-examples", "synthea"])
def test_official_and_synthetic_resources_are_read(shared: Path, folder: str) -> None:
    total = 0
    for path in sorted((shared / "data" / "fhir" / folder).glob("*.json")):
        resource = decode_body(path.read_bytes(), max_depth=200)
        body = {"hook": "order-sign", "context": {"patientId": None, "draftOrders": []}, "prefetch": {"all": resource}}
        found = read_request(body, TERMS, received=NOW, use_request_time=False)
        assert not [i for i in found.issues if UNEXPECTED in i.what], path.name
        total += len(found.orders) + len(found.patient.conditions) + len(found.patient.allergies) + len(found.patient.measurements)
    assert total > 100


@pytest.mark.shared
def test_the_sandboxs_request_is_read_whole(shared: Path) -> None:
    body = decode_body((shared / "data/cds-hooks/sandbox/order-sign-ibuprofen-1.json").read_bytes())
    found = read_request(body, TERMS, received=NOW, use_request_time=False)
    assert [(o.role, o.drug.name) for o in found.orders] == [(OrderRole.DRAFT, "ibuprofen"), (OrderRole.CURRENT, "warfarin")]  # type: ignore[union-attr]
    assert found.patient.birth_date == "1950-01-01"
    assert not found.issues
