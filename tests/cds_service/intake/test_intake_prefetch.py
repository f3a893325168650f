from typing import Any

import pytest

from cds_service.intake.prefetch import Retrieved, retrieve
from cds_service.intake.prescription import Retrieval

CONDITION = {"resourceType": "Condition", "id": "c1", "code": {"text": "Asthma"}}
OUTCOME = {"resourceType": "OperationOutcome", "issue": [{"severity": "error", "code": "timeout"}]}


def bundle(*entries: Any, **members: Any) -> dict[str, Any]:
    return {"resourceType": "Bundle", "type": "searchset", "entry": list(entries), **members}


def fetch(drafts: frozenset[str] = frozenset(), **members: Any) -> Retrieved:
    return retrieve([(f"prefetch.{k}", k, v) for k, v in members.items()], drafts)


@pytest.mark.parametrize(
    ("value", "state", "count"),
    [
        (None, Retrieval.NONE_FOUND, 0),
        (bundle(), Retrieval.NONE_FOUND, 0),
        ([], Retrieval.NONE_FOUND, 0),
        ({"resourceType": "Bundle"}, Retrieval.NONE_FOUND, 0),
        (bundle({"resource": CONDITION}), Retrieval.FOUND, 1),
        (bundle(CONDITION), Retrieval.FOUND, 1),
        ({"entry": [{"resource": CONDITION}]}, Retrieval.FOUND, 1),
        (CONDITION, Retrieval.FOUND, 1),
        ([CONDITION], Retrieval.FOUND, 1),
        ({"response": {"status": "200 OK"}, "resource": bundle({"resource": CONDITION})}, Retrieval.FOUND, 1),
        (bundle({"resource": bundle({"resource": CONDITION})}), Retrieval.FOUND, 1),
        (bundle({"resource": CONDITION}, total=1), Retrieval.FOUND, 1),
        (OUTCOME, Retrieval.INCOMPLETE, 0),
        (bundle({"resource": CONDITION}, {"resource": OUTCOME, "search": {"mode": "outcome"}}), Retrieval.INCOMPLETE, 1),
        (bundle({"resource": CONDITION}, link=[{"relation": "next", "url": "x"}]), Retrieval.INCOMPLETE, 1),
        (bundle({"resource": CONDITION}, total=5), Retrieval.INCOMPLETE, 1),
        (bundle({"resource": CONDITION}, {"fullUrl": "x"}), Retrieval.INCOMPLETE, 1),
        (bundle({"resource": CONDITION}, None), Retrieval.INCOMPLETE, 1),
        (bundle({"resource": CONDITION}, {"resource": None}), Retrieval.INCOMPLETE, 1),
        (bundle({"resource": CONDITION}, "x"), Retrieval.INCOMPLETE, 1),
        ({"response": {"status": "500"}, "resource": None}, Retrieval.INCOMPLETE, 0),
        ({"resource": "<html><title>Tomcat</title></html>"}, Retrieval.INCOMPLETE, 0),
        ("<html>", Retrieval.INCOMPLETE, 0),
        ({}, Retrieval.INCOMPLETE, 0),
        (7, Retrieval.INCOMPLETE, 0),
        (True, Retrieval.INCOMPLETE, 0),
        (bundle({"resource": {"resourceType": "Observation", "id": "o"}}), Retrieval.INCOMPLETE, 0),
    ],
)
def test_states_of_an_advertised_key(value: Any, state: Retrieval, count: int) -> None:
    found = fetch(conditions=value)
    assert found.states["conditions"] is state
    assert len(found.by_kind["conditions"]) == count
    assert bool(found.issues) is (state is Retrieval.INCOMPLETE)


def test_a_missing_key_is_not_retrieved_and_no_issue() -> None:
    found = fetch()
    assert set(found.states.values()) == {Retrieval.NOT_RETRIEVED}
    assert not found.issues


def test_keys_of_the_clients_own_count_by_what_is_inside() -> None:
    found = fetch(item6=bundle({"resource": CONDITION}), meds=bundle({"resource": {"resourceType": "MedicationRequest", "id": "m"}}))
    assert found.states["conditions"] is Retrieval.FOUND
    assert found.states["medications"] is Retrieval.FOUND


@pytest.mark.parametrize("value", [None, bundle()])
def test_emptiness_under_a_key_of_the_clients_own_says_nothing(value: Any) -> None:
    assert fetch(meds=value).states["medications"] is Retrieval.NOT_RETRIEVED


def test_failure_under_a_key_of_the_clients_own_is_reported_by_its_name() -> None:
    found = fetch(medicationOrders={"resource": "<html>"}, user=OUTCOME)
    assert found.states["medications"] is Retrieval.INCOMPLETE
    assert [i.kind for i in found.issues] == ["medications"]


def test_a_copy_of_an_order_being_signed_proves_no_medication_list() -> None:
    copy = {"resourceType": "MedicationRequest", "id": "d1"}
    drafts = frozenset({"MedicationRequest/d1"})
    assert fetch(drafts, own=bundle({"resource": copy})).states["medications"] is Retrieval.NOT_RETRIEVED
    assert fetch(drafts, medications=bundle({"resource": copy})).states["medications"] is Retrieval.FOUND


def test_an_included_resource_is_used_and_proves_no_list() -> None:
    found = fetch(medications=bundle({"resource": {"resourceType": "MedicationRequest", "id": "m"}}, {"resource": CONDITION, "search": {"mode": "include"}}))
    assert len(found.by_kind["conditions"]) == 1
    assert found.states["conditions"] is Retrieval.NOT_RETRIEVED


def test_of_two_lists_the_less_complete_one_decides() -> None:
    found = fetch(conditions=bundle({"resource": CONDITION}), item2=bundle({"resource": {**CONDITION, "id": "c2"}}, link=[{"relation": "next"}]))
    assert found.states["conditions"] is Retrieval.INCOMPLETE
    assert len(found.by_kind["conditions"]) == 2
