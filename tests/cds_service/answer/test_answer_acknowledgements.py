"""Acknowledgements: the same problem on the same facts is quiet for the one who gave a reason; anything else is shown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from case_request import request_of
from case_world import case_world

from cds_service.answer.acknowledgements import Signer, Told, facts_of, hashed, may_be_quieted, offers_of, signer_of
from cds_service.answer.compose import AnswerContext, acknowledgeable, compose, outline_of
from cds_service.answer.policy import Policy
from cds_service.answer.problems import Shown, problems_of
from cds_service.answer.severity import Indicator
from cds_service.audit.chain import run_chain
from cds_service.audit.outcomes import AuditResult, Finding, RiskType
from cds_service.intake.prescription import Prescription
from cds_service.intake.request import open_request, read_request
from cds_service.state.protocol import Acknowledgement

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
POLICY = Policy.shipped()
SIGNER = Signer("p1", "e1", "prescribing", "doctor")
LABS = [
    {"text": "Creatinine", "loinc": "2160-0", "value": 2.0, "unit": "mg/dL"},
    {"text": "Weight", "loinc": "29463-7", "value": 72, "unit": "kg"},
    {"text": "Height", "loinc": "8302-2", "value": 178, "unit": "cm"},
]
CASE: dict[str, Any] = {
    "patient": {
        "born": "1966-05-01",
        "sex": "male",
        "allergies": "none stated",
        "labs": LABS,
        "conditions": [{"text": "Atrial fibrillation", "icd10": "I48.91"}],
    },
    "current": [],
    "draft": [{"text": "rivaroxaban 20 mg oral tablet", "route": "oral", "dose": "20 mg", "times_a_day": 1, "reason": "Atrial fibrillation"}],
}
"""His clearance is 40 mL/min: the label says 15 mg, and that is a warning."""


def audited(case: Mapping[str, Any]) -> tuple[Prescription, AuditResult]:
    body = json.loads(json.dumps(request_of(case)), parse_float=Decimal)
    prescription = read_request(body, case_world().terminology, received=NOW, use_request_time=True)
    return prescription, run_chain(prescription, case_world(), POLICY)


def context(given: tuple[Acknowledgement, ...] = ()) -> AnswerContext:
    return AnswerContext("t", "r", POLICY, lambda c: f"https://x/{c}", "https://x", acknowledgements=given)


def given_for(case: Mapping[str, Any]) -> tuple[Acknowledgement, ...]:
    """What overriding every card of the case would leave."""
    prescription, result = audited(case)
    offers = offers_of(acknowledgeable(outline_of(result, prescription, context()), context()), SIGNER, "s", prescription, POLICY)
    return tuple(Acknowledgement(o.problem, o.facts, NOW, NOW + timedelta(days=o.days), "Will monitor <b>") for o in offers)


def loud(case: Mapping[str, Any], given: tuple[Acknowledgement, ...]) -> list[str]:
    prescription, result = audited(case)
    return [c["summary"] for c in compose(result, prescription, context(given)) if c["indicator"] != "info"]


def changed(**patient: Any) -> dict[str, Any]:
    return {**CASE, "patient": {**CASE["patient"], **patient}}


def test_what_was_overridden_is_a_line_on_the_calm_card_with_when_and_why() -> None:
    assert loud(CASE, ()) != []
    prescription, result = audited(CASE)
    cards = compose(result, prescription, context(given_for(CASE)))
    assert {c["indicator"] for c in cards} == {"info"}
    calm = next(c for c in cards if c["source"]["topic"]["code"] == "information")
    assert "rivaroxaban" in calm["summary"].casefold()
    assert "Acknowledged 2026-11-01 (Will monitor &lt;b>), until 2026-11-08." in calm["detail"]
    assert {f["indicator"] for f in calm["extension"]["org.pharmgraph.findings"]} == {"info"}


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(changed(labs=[{**LABS[0], "value": 2.1}, *LABS[1:]]), id="a value"),
        pytest.param(changed(born="1966-04-01"), id="the age"),
        pytest.param({**CASE, "draft": [{**CASE["draft"][0], "dose": "40 mg"}]}, id="the dose ordered"),
        pytest.param({**CASE, "draft": [{**CASE["draft"][0], "text": "rivaroxaban 10 mg oral tablet"}]}, id="the product"),
        pytest.param({**CASE, "draft": [{**CASE["draft"][0], "id": "another"}]}, id="another order"),
    ],
)
def test_changed_facts_bring_the_card_back(case: dict[str, Any]) -> None:
    assert loud(case, ()) != []
    assert loud(case, given_for(CASE)) == loud(case, ())


def test_facts_that_do_not_bear_on_it_leave_it_quiet() -> None:
    beside = changed(labs=[*LABS, {"text": "Sodium", "loinc": "2951-2", "value": 140, "unit": "mmol/L"}])
    assert loud(beside, given_for(CASE)) == []


ALLERGIC = {
    "patient": {"born": "1950-03-01", "sex": "male", "conditions": [], "allergies": [{"text": "ibuprofen", "kind": "allergy"}], "labs": []},
    "current": [],
    "draft": ["ibuprofen 400 mg oral tablet"],
}


def test_what_is_critical_or_may_never_be_suppressed_is_neither_offered_nor_hidden() -> None:
    assert given_for(ALLERGIC) == ()
    prescription, result = audited(ALLERGIC)
    (problem,) = [p for p in problems_of([r for r in result.results if isinstance(r, Finding)], POLICY) if p.lead.check == "allergy"]
    forged = (Acknowledgement(hashed(problem.key), facts_of(problem, Told(prescription)), NOW, NOW, "no"),)
    assert loud(ALLERGIC, forged) == loud(ALLERGIC, ())
    calmer = replace(problem, shown=tuple(Shown(replace(s.finding, cap="warning"), Indicator.WARNING) for s in problem.shown))
    assert not may_be_quieted(calmer, POLICY)
    other = replace(calmer, shown=tuple(Shown(replace(s.finding, risk=RiskType.DOSAGE_OVER), s.indicator) for s in calmer.shown))
    assert may_be_quieted(other, POLICY)
    louder = replace(other, shown=tuple(Shown(s.finding, Indicator.CRITICAL) for s in other.shown))
    assert not may_be_quieted(louder, POLICY)


def test_a_site_may_keep_none() -> None:
    prescription, result = audited(CASE)
    cards = acknowledgeable(outline_of(result, prescription, context()), context())
    none = replace(POLICY, acknowledged_days=0)
    assert offers_of(cards, SIGNER, "s", prescription, none) == ()
    assert offers_of(cards, None, "s", prescription, POLICY) == ()


def test_without_an_encounter_it_holds_for_a_shorter_time() -> None:
    prescription, result = audited(CASE)
    offers = offers_of(acknowledgeable(outline_of(result, prescription, context()), context()), replace(SIGNER, encounter=""), "s", prescription, POLICY)
    assert {o.days for o in offers} == {POLICY.acknowledged_days_without_encounter}
    assert POLICY.acknowledged_days_without_encounter < POLICY.acknowledged_days


def signer(hook: str = "order-sign", extension: Mapping[str, Any] | None = None, prefetch: Mapping[str, Any] | None = None, **members: str) -> Signer | None:
    body = {"hook": hook, "context": {"patientId": "Patient/p1", **members}, "extension": extension or {}, "prefetch": prefetch or {}}
    opened = open_request(body)
    return signer_of(opened.envelope, opened.index)


def test_acknowledgements_are_of_a_patient_an_encounter_a_side_and_a_role() -> None:
    mine = signer(userId="Practitioner/a", encounterId="Encounter/e")
    assert mine == signer(userId="Practitioner/a", encounterId="e")
    assert mine == signer("order-select", userId="Practitioner/a", encounterId="e")
    others = [
        signer(userId="Practitioner/b", encounterId="e"),
        signer(userId="Practitioner/a", encounterId="f"),
        signer(userId="Practitioner/a"),
        signer("medication-verify", userId="Practitioner/a", encounterId="e"),
        signer(userId="Practitioner/a", encounterId="e", extension={"org.pharmgraph.user-role": "pharmacist"}),
    ]
    assert mine is not None
    assert mine.whose not in {o.whose for o in others if o is not None}
    assert len({o.whose for o in others if o is not None}) == len(others)
    assert signer() is None


def test_two_users_of_one_role_share_what_was_acknowledged() -> None:
    def role(identifier: str, code: str) -> dict[str, Any]:
        return {"resourceType": "PractitionerRole", "id": identifier, "code": [{"coding": [{"code": code}]}]}

    doctors = [signer(userId=f"PractitionerRole/{i}", prefetch={"role": role(i, "doctor")}) for i in ("a", "b")]
    assert doctors[0] is not None
    assert doctors[0] == doctors[1]
    assert doctors[0] != signer(userId="PractitionerRole/c", prefetch={"role": role("c", "pharmacist")})
