from typing import Any

import pytest

from cds_service.errors import MembersMissing, WrongHook
from cds_service.intake.envelope import open_envelope, require_members

SIGN = ("order-sign", "medication-prescribe")


def body(**changes: Any) -> dict[str, Any]:
    whole = {"hook": "order-sign", "hookInstance": "x", "context": {"patientId": "p1", "draftOrders": {"entry": []}}}
    return {k: v for k, v in (whole | changes).items() if v is not ...}


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"hook": ...}, ("hook",)),
        ({"hook": 3}, ("hook",)),
        ({"hookInstance": ...}, ("hookInstance",)),
        ({"hookInstance": ["x"]}, ("hookInstance",)),
        ({"context": ...}, ("context",)),
        ({"context": "x"}, ("context",)),
        ({"context": {}}, ("context",)),
        ({"context": {"patientId": "p1"}}, ("context.draftOrders",)),
        ({"context": {"patientId": "p1", "draftOrders": None}}, ("context.draftOrders",)),
        ({"context": {"patientId": "p1", "draftOrders": "x"}}, ("context.draftOrders",)),
        ({"context": {"patientId": 7, "draftOrders": {}}}, ("context.patientId",)),
        ({"hookInstance": ..., "context": {"draftOrders": {}}}, ("hookInstance", "context.patientId")),
    ],
)
def test_every_missing_member_is_named(changes: dict[str, Any], named: tuple[str, ...]) -> None:
    with pytest.raises(MembersMissing) as refused:
        require_members(body(**changes), SIGN)
    assert refused.value.where == named
    assert all(n in str(refused.value) for n in named)


@pytest.mark.parametrize("hook", ["patient-view", "order-select", "order-dispatch"])
def test_a_hook_of_another_service_is_refused(hook: str) -> None:
    with pytest.raises(WrongHook, match=hook):
        require_members(body(hook=hook), SIGN)


@pytest.mark.parametrize(
    "context",
    [
        {"patientId": "Patient/p1", "medications": {"entry": []}},
        {"patientId": "https://ehr.example.org/fhir/Patient/p1/_history/2", "draftOrders": []},
        [{"resource": {"resourceType": "MedicationRequest"}}],
    ],
)
def test_shapes_of_all_times_are_accepted(context: Any) -> None:
    request = body(hook="medication-prescribe", context=context, patient="Patient/p1")
    require_members(request, SIGN)
    assert open_envelope(request).patient == "p1"


def test_ids_that_are_no_uuids_and_long_ids_are_accepted() -> None:
    require_members(body(hookInstance="rec08-p02-5", context={"patientId": "e" * 200, "draftOrders": {}}), SIGN)


def test_an_unreadable_reference_time_is_refused_only_where_it_counts() -> None:
    request = body(extension={"org.pharmgraph.reference-time": "yesterday"})
    require_members(request, SIGN)
    with pytest.raises(MembersMissing, match="reference-time"):
        require_members(request, SIGN, needs_time=True)


def test_prefetch_is_found_at_the_top_in_the_context_and_beside_it() -> None:
    request = body(prefetch={"a": 1}, context={"patientId": "p1", "draftOrders": {}, "prefetch": {"b": 2}, "item2": {"resource": {}}, "encounterId": "e"})
    assert [(w, k) for w, k, _ in open_envelope(request).prefetch] == [("prefetch.a", "a"), ("context.prefetch.b", "b"), ("context.item2", "item2")]
