"""Exposure as guards ask for it: who, when, how much, by which route."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from case_request import request_of
from case_world import case_world

from cds_service.audit.profile import OrderFacts, PatientProfile
from cds_service.audit.roster import call_roster
from cds_service.intake.request import read_request
from ontology.model.entities import EntityType
from ontology.model.facts import DoseBounds, ExposureState, Known, Unknown, Whose
from ontology.model.identifiers import EntityId

WHO = {"born": "1950-03-01", "sex": "male", "conditions": [], "allergies": "none stated", "labs": []}


def facts_of(case: dict[str, Any], partner: str | None = None) -> OrderFacts:
    """The facts from the place of the first draft, and of a partner in a pair."""
    world = case_world()
    body = json.loads(json.dumps(request_of({"patient": WHO, **case})), parse_float=Decimal, parse_int=Decimal)
    prescription = read_request(body, world.terminology, received=datetime(2026, 11, 1, 12, tzinfo=UTC), use_request_time=True)
    roster = call_roster(prescription, world)
    other = roster.by_reference[partner] if partner else None
    return PatientProfile(prescription, world, roster).at(roster.drafts[0], other)


def thing(name: str) -> EntityId:
    return case_world().terminology.lookup(name, (EntityType.INGREDIENT, EntityType.DRUG_CLASS, EntityType.ENZYME_ROLE))[0]


def ask(
    facts: OrderFacts,
    target: str,
    *,
    minus: tuple[str, ...] = (),
    whose: Whose = Whose.PARTNER,
    state: ExposureState = ExposureState.CURRENT,
    days: int | None = None,
    dose: DoseBounds | None = None,
    route: str | None = None,
) -> Known | Unknown:
    return facts.exposure(thing(target), tuple(thing(m) for m in minus), whose, state, None if days is None else Decimal(days), dose, route)


def truth(fact: Known | Unknown) -> object:
    return fact.value if isinstance(fact, Known) else fact.needs


DRAFT = {"draft": ["warfarin 5 mg oral tablet"]}


def test_a_class_is_met_by_its_member_and_not_by_what_is_taken_out() -> None:
    facts = facts_of({**DRAFT, "current": ["ibuprofen 400 mg oral tablet"]})
    assert truth(ask(facts, "NSAIDs")) is True
    assert truth(ask(facts, "NSAIDs", minus=("ibuprofen",))) is False
    assert truth(ask(facts, "penicillins")) is False


def test_the_own_order_is_no_partner() -> None:
    facts = facts_of({**DRAFT, "current": []})
    assert truth(ask(facts, "warfarin")) is False
    assert truth(ask(facts, "warfarin", whose=Whose.SUBJECT)) is True


def test_a_stopped_order_is_no_current_exposure() -> None:
    facts = facts_of({**DRAFT, "current": [{"text": "ibuprofen 400 mg oral tablet", "status": "stopped", "days_ago": 5}]})
    assert truth(ask(facts, "NSAIDs")) is False
    assert truth(ask(facts, "NSAIDs", state=ExposureState.EVER)) is True


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ({"days_ago": 5}, True),
        ({"days_ago": 200}, frozenset({"medications"})),
        ({"days_ago": 200, "sig": "Discontinued, last dose 2026-10-25"}, True),
        ({"days_ago": 200, "sig": "Discontinued, last dose 2026-09-04"}, False),
        ({"days_ago": 200, "sig": "last dose 2026-99-99"}, frozenset({"medications"})),
    ],
)
def test_a_wash_out_counts_from_the_last_dose_that_the_record_gives(order: dict[str, Any], expected: object) -> None:
    facts = facts_of({**DRAFT, "current": [{"text": "ibuprofen 400 mg oral tablet", "status": "stopped", **order}]})
    assert truth(ask(facts, "NSAIDs", state=ExposureState.STOPPED_WITHIN, days=14)) == expected


@pytest.mark.parametrize(("ended", "expected"), [(0, True), (14, True), (15, False), (-3, frozenset({"medications"}))])
def test_a_wash_out_counts_from_the_end_that_the_record_gives(ended: int, expected: object) -> None:
    stopped = {"text": "ibuprofen 400 mg oral tablet", "status": "stopped", "days_ago": 200, "ended_days_ago": ended}
    facts = facts_of({**DRAFT, "current": [stopped]})
    assert truth(ask(facts, "NSAIDs", state=ExposureState.STOPPED_WITHIN, days=14)) == expected


def test_what_is_taken_today_is_inside_every_wash_out() -> None:
    facts = facts_of({**DRAFT, "current": ["ibuprofen 400 mg oral tablet"]})
    assert truth(ask(facts, "NSAIDs", state=ExposureState.STOPPED_WITHIN, days=14)) is True


@pytest.mark.parametrize(("days_ago", "expected"), [(3, True), (60, False)])
def test_started_within_counts_from_the_order(days_ago: int, expected: bool) -> None:
    facts = facts_of({**DRAFT, "current": [{"text": "ibuprofen 400 mg oral tablet", "days_ago": days_ago}]})
    assert truth(ask(facts, "NSAIDs", state=ExposureState.STARTED_WITHIN, days=14)) is expected


def test_a_gel_is_exposure_only_where_the_route_is_asked_for() -> None:
    facts = facts_of({**DRAFT, "current": [{"text": "diclofenac 1 % topical gel", "route": "topical"}]})
    assert truth(ask(facts, "NSAIDs")) is False
    assert truth(ask(facts, "NSAIDs", route="topical")) is True
    assert truth(ask(facts, "NSAIDs", route="intravenous")) is False


ABOVE_2_G = DoseBounds(Decimal(2), None, "g", low_open=True)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ({"dose": "500 mg", "times_a_day": 4}, False),
        ({"dose": "1000 mg", "times_a_day": 3}, True),
        ({"dose": "1000 mg"}, frozenset({"frequency"})),
        ({}, frozenset({"dose"})),
    ],
)
def test_a_dose_bound_is_judged_by_the_daily_amount_or_names_what_is_missing(order: dict[str, Any], expected: object) -> None:
    facts = facts_of({**DRAFT, "current": [{"text": "acetaminophen 500 mg oral tablet", **order}]})
    assert truth(ask(facts, "acetaminophen", dose=ABOVE_2_G)) == expected


def test_medications_that_did_not_come_leave_exposure_open_outside_a_pair() -> None:
    facts = facts_of({**DRAFT, "failed": ["medications"]})
    assert truth(ask(facts, "NSAIDs")) == frozenset({"medications"})


def test_inside_a_pair_the_partner_answers() -> None:
    case = {"draft": ["warfarin 5 mg oral tablet", "ibuprofen 400 mg oral tablet"], "current": ["aspirin 81 mg oral tablet"]}
    facts = facts_of(case, "MedicationRequest/draft-2")
    assert ask(facts, "NSAIDs").reference == "MedicationRequest/draft-2"  # type: ignore[union-attr]


def test_the_dose_of_a_combination_is_that_of_the_ingredient_asked_about() -> None:
    order = {"text": "hydrocodone bitartrate 5 mg / acetaminophen 325 mg oral tablet", "dose": "2 tablet", "times_a_day": 4}
    facts = facts_of({**DRAFT, "current": [order]})
    assert truth(ask(facts, "acetaminophen", dose=ABOVE_2_G)) is True
    assert truth(ask(facts, "acetaminophen", dose=DoseBounds(Decimal(4), None, "g", low_open=True))) is False
