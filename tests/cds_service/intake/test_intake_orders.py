from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from cds_service.intake.prescription import Order, OrderIntent, OrderRole, Prescription, Retrieval

Read = Callable[..., Prescription]
Make = Callable[..., dict[str, Any]]


def bundle(*resources: dict[str, Any]) -> dict[str, Any]:
    return {"resourceType": "Bundle", "type": "searchset", "entry": [{"resource": r} for r in resources]}


def patient() -> dict[str, Any]:
    return {"resourceType": "Patient", "id": "p1"}


@pytest.fixture
def signed(read: Read, request_body: Make, order: Make) -> Callable[..., Order]:
    return lambda **members: read(request_body(order(**members))).orders[0]


@pytest.fixture
def recorded(read: Read, request_body: Make) -> Callable[[dict[str, Any]], tuple[Order, ...]]:
    return lambda *resources: read(request_body(prefetch={"patient": patient(), "medications": bundle(*resources)})).orders


@pytest.mark.parametrize(
    ("members", "role", "intent"),
    [
        ({}, OrderRole.DRAFT, OrderIntent.NEW),
        ({"status": "active"}, OrderRole.DRAFT, OrderIntent.NEW),
        ({"status": None}, OrderRole.DRAFT, OrderIntent.NEW),
        ({"status": "nonsense"}, OrderRole.DRAFT, OrderIntent.NEW),
        ({"status": "stopped"}, OrderRole.RECENT, OrderIntent.STOP),
        ({"status": "completed"}, OrderRole.RECENT, OrderIntent.STOP),
        ({"status": "cancelled"}, OrderRole.IGNORED, OrderIntent.STOP),
        ({"status": "entered-in-error"}, OrderRole.IGNORED, OrderIntent.NEW),
        ({"doNotPerform": True}, OrderRole.DRAFT, OrderIntent.PROHIBITION),
        ({"intent": "option"}, OrderRole.DRAFT, OrderIntent.ALTERNATIVE),
        ({"intent": "proposal"}, OrderRole.DRAFT, OrderIntent.NEW),
        ({"priorPrescription": {"reference": "MedicationRequest/old"}}, OrderRole.DRAFT, OrderIntent.RENEWAL),
        ({"dosageInstruction": [{"timing": {"repeat": {"count": 1}}}]}, OrderRole.DRAFT, OrderIntent.ONE_TIME),
        ({"dosageInstruction": [{"timing": {"repeat": {"count": 1}}}, {"text": "then daily"}]}, OrderRole.DRAFT, OrderIntent.NEW),
        ({"dosageInstruction": [{"text": "2 tabs once now"}]}, OrderRole.DRAFT, OrderIntent.ONE_TIME),
        ({"dosageInstruction": [{"text": "2 tabs daily"}]}, OrderRole.DRAFT, OrderIntent.NEW),
        ({"dosageInstruction": [{"text": "1 supp PR q6h prn if unable to take by mouth"}]}, OrderRole.DRAFT, OrderIntent.ALTERNATIVE),
        ({"dosageInstruction": [{"text": "Pharmacy to dose"}]}, OrderRole.DRAFT, OrderIntent.PROTOCOL),
        ({"dosageInstruction": [{"text": "per sliding scale"}]}, OrderRole.DRAFT, OrderIntent.NEW),
        ({"instantiatesCanonical": ["http://example.org/protocol"]}, OrderRole.DRAFT, OrderIntent.PROTOCOL),
        ({"category": [{"text": "Pharmacy to dose"}]}, OrderRole.DRAFT, OrderIntent.PROTOCOL),
        ({"category": {"coding": [{"code": "community"}]}}, OrderRole.DRAFT, OrderIntent.NEW),
    ],
)
def test_the_order_table_for_orders_being_signed(signed: Callable[..., Order], members: dict[str, Any], role: OrderRole, intent: OrderIntent) -> None:
    found = signed(**members)
    assert (found.role, found.intent) == (role, intent)


@pytest.mark.parametrize(
    ("resource", "role"),
    [
        ({"resourceType": "MedicationRequest", "status": "active"}, OrderRole.CURRENT),
        ({"resourceType": "MedicationRequest", "status": "on-hold"}, OrderRole.CURRENT),
        ({"resourceType": "MedicationRequest"}, OrderRole.CURRENT),
        ({"resourceType": "MedicationRequest", "status": "draft"}, OrderRole.IGNORED),
        ({"resourceType": "MedicationRequest", "status": "active", "intent": "proposal"}, OrderRole.IGNORED),
        ({"resourceType": "MedicationRequest", "status": "stopped"}, OrderRole.RECENT),
        ({"resourceType": "MedicationRequest", "status": "active", "authoredOn": "2009-01-01"}, OrderRole.CURRENT),
        ({"resourceType": "MedicationOrder", "status": "active", "dateWritten": "2026-01-01", "patient": {"reference": "Patient/p1"}}, OrderRole.CURRENT),
        ({"resourceType": "MedicationStatement", "status": "active"}, OrderRole.CURRENT),
        ({"resourceType": "MedicationStatement", "status": "recorded"}, OrderRole.CURRENT),
        ({"resourceType": "MedicationStatement", "status": "recorded", "adherence": {"code": {"coding": [{"code": "not-taking"}]}}}, OrderRole.IGNORED),
        ({"resourceType": "MedicationStatement", "status": "active", "taken": "n"}, OrderRole.IGNORED),
        ({"resourceType": "MedicationStatement", "status": "active", "wasNotTaken": True}, OrderRole.IGNORED),
        ({"resourceType": "MedicationStatement", "status": "active", "effectivePeriod": {"end": "2020-01-01"}}, OrderRole.RECENT),
        ({"resourceType": "MedicationStatement", "status": "not-taken"}, OrderRole.IGNORED),
        ({"resourceType": "MedicationAdministration", "status": "completed"}, OrderRole.CURRENT),
        ({"resourceType": "MedicationAdministration", "status": "completed", "effectiveDateTime": "2026-10-31T08:00:00Z"}, OrderRole.CURRENT),
        ({"resourceType": "MedicationAdministration", "status": "completed", "effectiveDateTime": "2026-09-01T08:00:00Z"}, OrderRole.RECENT),
        ({"resourceType": "MedicationAdministration", "status": "not-done"}, OrderRole.IGNORED),
        (
            {"resourceType": "MedicationDispense", "status": "completed", "whenHandedOver": "2026-10-01", "daysSupply": {"value": 90, "code": "d"}},
            OrderRole.CURRENT,
        ),
        (
            {"resourceType": "MedicationDispense", "status": "completed", "whenHandedOver": "2026-09-01", "daysSupply": {"value": 30, "code": "d"}},
            OrderRole.RECENT,
        ),
        ({"resourceType": "MedicationDispense", "status": "declined"}, OrderRole.IGNORED),
    ],
)
def test_the_order_table_for_the_record(recorded: Callable[..., tuple[Order, ...]], resource: dict[str, Any], role: OrderRole) -> None:
    (found,) = recorded({"id": "r1", "medicationCodeableConcept": {"text": "warfarin"}, **resource})
    assert found.role is role


def test_the_same_order_in_both_lists_counts_once_and_is_the_signed_one(read: Read, request_body: Make, order: Make) -> None:
    found = read(request_body(order(), prefetch={"patient": patient(), "medications": bundle(order(status="active"))}))
    assert [(o.reference, o.role) for o in found.orders] == [("MedicationRequest/o1", OrderRole.DRAFT)]
    assert found.retrieval["medications"] is Retrieval.FOUND


def test_orders_without_ids_and_with_one_id_stay_apart(read: Read, request_body: Make, order: Make) -> None:
    found = read(request_body(order(None), order(None, "ibuprofen"), order("x"), order("x", "ibuprofen"), order("x")))
    assert len({o.reference for o in found.orders}) == 4
    assert len(found.orders) == 4


def test_a_dispense_of_a_listed_order_is_not_a_second_order(recorded: Callable[..., tuple[Order, ...]]) -> None:
    drug = {"medicationCodeableConcept": {"text": "warfarin"}}
    listed = {"resourceType": "MedicationRequest", "id": "r1", "status": "active", **drug}
    dispense = {
        "resourceType": "MedicationDispense",
        "id": "d1",
        "status": "completed",
        "authorizingPrescription": [{"reference": "MedicationRequest/r1"}],
        **drug,
    }
    alone = {**dispense, "id": "d2", "authorizingPrescription": [{"reference": "MedicationRequest/elsewhere"}]}
    assert [o.reference for o in recorded(listed, dispense, alone)] == ["MedicationRequest/r1", "MedicationDispense/d2"]


def test_a_prior_prescription_of_another_drug_is_a_replacement(read: Read, request_body: Make, order: Make) -> None:
    prior = order("old", "Ibuprofen 400 MG Oral Tablet", status="active")
    found = read(request_body(order(priorPrescription={"reference": "MedicationRequest/old"}), prefetch={"patient": patient(), "medications": bundle(prior)}))
    assert (found.orders[0].intent, found.orders[0].prior) == (OrderIntent.REPLACEMENT, "MedicationRequest/old")


@pytest.mark.parametrize(
    ("selections", "selected"),
    [
        (["MedicationRequest/b"], [False, True]),
        (["b"], [False, True]),
        ([], [True, True]),
        (["MedicationRequest/absent"], [True, True]),
        (["MedicationRequest/a", "MedicationRequest/b"], [True, True]),
    ],
)
def test_order_select_focuses_on_its_selections(read: Read, request_body: Make, order: Make, selections: list[str], selected: list[bool]) -> None:
    found = read(request_body(order("a"), order("b", "ibuprofen"), hook="order-select", selections=selections))
    assert [o.selected for o in found.orders] == selected


def test_unknown_modifier_extensions_are_named(signed: Callable[..., Order]) -> None:
    found = signed(modifierExtension=[{"url": "http://x/a"}], dosageInstruction=[{"modifierExtension": [{"url": "http://x/b"}]}])
    assert found.unknown_modifiers == ("http://x/a", "http://x/b")


@pytest.mark.parametrize(
    ("dosages", "route"),
    [
        ([{"route": {"text": "Oral"}}], "oral"),
        ([{"route": {"coding": [{"code": "26643006"}]}}, {}], "oral"),
        ([{"route": {"text": "oral"}}, {"route": {"text": "rectal"}}], "oral"),
    ],
)
def test_the_route_all_dosages_agree_on_else_the_products(signed: Callable[..., Order], dosages: list[dict[str, Any]], route: str) -> None:
    assert signed(dosageInstruction=dosages).route == route


def test_other_orders_are_passed_over(read: Read, request_body: Make, order: Make) -> None:
    found = read(request_body({"resourceType": "NutritionOrder", "id": "n", "patient": {"reference": "Patient/p1"}}, order()))
    assert [o.reference for o in found.orders] == ["MedicationRequest/o1"]
    assert not found.issues


def test_more_orders_than_the_limit_are_said(read: Read, request_body: Make, order: Make) -> None:
    found = read(request_body(*(order(f"o{i}") for i in range(305))))
    assert len(found.orders) == 300
    assert found.retrieval["medications"] is Retrieval.INCOMPLETE


@pytest.mark.parametrize(
    ("resource", "ended"),
    [
        ({"resourceType": "MedicationStatement", "status": "stopped", "effectivePeriod": {"start": "2020", "end": "2026-10-26"}}, date(2026, 10, 26)),
        ({"resourceType": "MedicationStatement", "status": "stopped", "effectivePeriod": {"end": "2026-10"}}, None),
        ({"resourceType": "MedicationRequest", "status": "stopped", "statusChanged": "2026-10-20T08:00:00Z"}, date(2026, 10, 20)),
        ({"resourceType": "MedicationOrder", "status": "stopped", "dateEnded": "2026-10-21"}, date(2026, 10, 21)),
        (
            {
                "resourceType": "MedicationRequest",
                "status": "completed",
                "dosageInstruction": [{"timing": {"repeat": {"boundsPeriod": {"end": f"2026-10-{d}"}}}} for d in (22, 24)],
            },
            date(2026, 10, 24),
        ),
        ({"resourceType": "MedicationRequest", "status": "stopped", "dispenseRequest": {"validityPeriod": {"end": "2026-09-01"}}}, date(2026, 9, 1)),
        ({"resourceType": "MedicationRequest", "status": "stopped", "dispenseRequest": {"validityPeriod": {"end": "2027-09-01"}}}, None),
        ({"resourceType": "MedicationRequest", "status": "stopped", "dispenseRequest": ["2026"], "dosageInstruction": [{"timing": 3}]}, None),
        ({"resourceType": "MedicationRequest", "status": "active", "dispenseRequest": {"validityPeriod": {"end": "2026-09-01"}}}, None),
    ],
)
def test_the_day_a_stopped_drug_ended(recorded: Callable[..., tuple[Order, ...]], resource: dict[str, Any], ended: date | None) -> None:
    (order,) = recorded({"id": "old", "medicationCodeableConcept": {"text": "Warfarin"}, **resource})
    assert order.ended == ended
