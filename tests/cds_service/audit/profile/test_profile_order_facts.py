"""What depends on the order: earlier use of the drug, what the order is for, its route and dose."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from audit_builders import number
from case_request import request_of
from case_world import case_world

from cds_service.audit.profile import OrderFacts, PatientProfile
from cds_service.audit.roster import call_roster
from cds_service.intake.request import read_request
from ontology.model.facts import Axis, Known, Unknown, UnknownReason
from ontology.model.quantities import Unit

MG = Unit.of("mg")
DRAFT = {"text": "ibuprofen 400 mg oral tablet", "dose": "400 mg", "times_a_day": 3}
WHO: dict[str, Any] = {"born": "1970-01-01", "sex": "male", "conditions": ["Osteoarthritis of knee", "Gout"], "allergies": "none stated", "labs": []}


def facts(*, current: tuple[dict[str, Any], ...] = (), draft: dict[str, Any] = DRAFT, **more: Any) -> OrderFacts:
    body = json.loads(json.dumps(request_of({"patient": WHO, "current": list(current), "draft": [draft], **more})), parse_float=Decimal, parse_int=Decimal)
    prescription = read_request(body, case_world().terminology, received=datetime(2026, 11, 1, 12, tzinfo=UTC), use_request_time=True)
    roster = call_roster(prescription, case_world())
    return PatientProfile(prescription, case_world(), roster).at(roster.drafts[0])


OLD = {"text": "ibuprofen 200 mg oral tablet", "dose": "200 mg", "times_a_day": 3, "status": "stopped", "days_ago": 60}
NEWER = {"text": "ibuprofen 400 mg oral tablet", "dose": "400 mg", "times_a_day": 2, "days_ago": 20}
OTHER = {"text": "warfarin 5 mg oral tablet", "dose": "5 mg", "times_a_day": 1}


def test_the_newest_earlier_order_gives_the_prior_dose() -> None:
    fact = facts(current=(OLD, NEWER, OTHER)).value(Axis.PRIOR_DOSE, None, MG)
    assert isinstance(fact, Known)
    assert number(fact) == 800
    assert fact.reference == "MedicationRequest/current-2"


@pytest.mark.parametrize(
    ("current", "more", "expected"),
    [
        ((OLD,), {}, "yes"),
        ((OTHER,), {}, "no"),
        ((), {"failed": ["medications"]}, UnknownReason.INCOMPLETE),
    ],
)
def test_earlier_use_is_read_from_a_list_that_came_whole(current: tuple[dict[str, Any], ...], more: dict[str, Any], expected: object) -> None:
    fact = facts(current=current, **more).value(Axis.PRIOR_DOSE, None, None)
    assert (fact.value if isinstance(fact, Known) else fact.reason) == expected


def test_without_an_earlier_order_there_is_no_prior_dose() -> None:
    fact = facts(current=(OTHER,)).value(Axis.DOSE_LEVEL, None, MG)
    assert isinstance(fact, Unknown)
    assert fact.needs == {"medications"}


def test_the_orders_reason_is_the_indication() -> None:
    fact = facts(draft={**DRAFT, "reason": "Acute gout"}).value(Axis.INDICATION, None, None)
    assert isinstance(fact, Known)
    assert fact.value == "Acute gout"


def test_without_a_reason_any_listed_problem_may_be_it() -> None:
    fact = facts().value(Axis.INDICATION, None, None)
    assert isinstance(fact, Unknown)
    assert fact.among == {"Osteoarthritis of knee", "Gout"}
    assert fact.needs == {"indication"}


def test_what_the_order_says_of_itself() -> None:
    order = facts()
    daily, route = order.value(Axis.DAILY_DOSE, None, MG), order.value(Axis.ROUTE, None, None)

    assert number(daily) == 1200
    assert isinstance(route, Known)
    assert route.value == "oral"
    bare = facts(draft={"text": "ibuprofen"}).value(Axis.DAILY_DOSE, None, MG)
    assert isinstance(bare, Unknown)
    assert bare.needs == {"dose", "frequency"}
