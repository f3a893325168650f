"""The chain isolates its checks, keeps its deadline, and says what was not evaluated."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from case_request import request_of
from case_world import World, case_world

from cds_service.audit.chain import run_chain
from cds_service.audit.checks.interaction import InteractionCheck
from cds_service.audit.checks.protocol import Case
from cds_service.audit.checks.registry import CHECKS
from cds_service.audit.outcomes import AuditResult, Category, Clear, Finding, Gap, NotEvaluated, NotEvaluatedReason, Result
from cds_service.audit.roster import Medication
from cds_service.audit.site import shipped_numbers
from cds_service.intake.prescription import Prescription
from cds_service.intake.request import read_request
from ontology.model.identifiers import EntityId
from ontology.model.predicates import Stratum
from ontology.store.records import Dossier


class Budget:
    """A policy with a time budget."""

    def __init__(self, seconds: float = 5.0) -> None:
        self.budget_seconds = seconds
        self.numbers = shipped_numbers()


class Broken:
    """A check that raises with patient data in its message."""

    name = "broken"
    category = Category.CONTRAINDICATION
    stratum = Stratum.RELATIONAL
    kinds = ()

    def judge(self, case: Case, medication: Medication) -> Iterator[Result]:
        raise ValueError(f"secret {case.prescription.patient.birth_date}")
        yield


WHO = {"born": "1950-03-01", "sex": "male", "conditions": [], "allergies": "none stated", "labs": []}
ORDERS = {"current": ["warfarin sodium 5 mg oral tablet"], "draft": ["ibuprofen 400 mg oral tablet"]}


def prescription_of(case: dict[str, Any], world: World | None = None) -> Prescription:
    return read_request(request_of(case), (world or case_world()).terminology, received=datetime(2026, 11, 1, 12, tzinfo=UTC), use_request_time=True)


def audit(case: dict[str, Any], **given: Any) -> AuditResult:
    return run_chain(prescription_of(case), case_world(), Budget(), **given)


def test_a_broken_check_is_a_visible_gap_and_the_others_run(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        result = audit({"patient": WHO, **ORDERS}, checks=(Broken(), InteractionCheck()))
    broken = [r for r in result.results if isinstance(r, NotEvaluated)]
    assert [(n.check, n.reason, n.drug.name) for n in broken] == [("broken", NotEvaluatedReason.UNAVAILABLE, "ibuprofen")]
    assert any(isinstance(r, Finding) and r.check == "interaction" for r in result.results)
    assert "1950" not in " ".join(f"{r.getMessage()} {vars(r)} {r.exc_text or ''}" for r in caplog.records)
    assert any(getattr(r, "fault", "") == "ValueError" for r in caplog.records)


def test_what_is_late_is_not_evaluated() -> None:
    instants = iter([0.0, 1.0, *[100.0] * 20])
    result = audit({"patient": WHO, **ORDERS}, clock=lambda: next(instants))
    late = [r for r in result.results if isinstance(r, NotEvaluated) and r.reason is NotEvaluatedReason.TIMEOUT]
    assert {n.check for n in late} == {c.name for c in CHECKS[1:]}


def test_a_release_that_cannot_be_read_gives_an_answer_all_the_same() -> None:
    class Damaged(World):
        def dossier(self, subject: EntityId, /) -> Dossier | None:
            raise OSError("disk")

    world = case_world()
    damaged = Damaged("damaged", world.terminology, {}, {}, {})
    result = run_chain(prescription_of({"patient": WHO, **ORDERS}), damaged, Budget())
    assert [type(r) for r in result.results] == [NotEvaluated]
    assert result.results[0].reason is NotEvaluatedReason.UNAVAILABLE  # type: ignore[union-attr]


def test_every_draft_and_check_has_a_result_or_is_said() -> None:
    result = audit({"patient": WHO, **ORDERS, "draft": ["ibuprofen 400 mg oral tablet", "clarithromycin 500 mg oral tablet"]})
    answered = {(r.check, r.drug.name) for r in result.results if isinstance(r, Finding | Clear | Gap | NotEvaluated)}
    answered |= {(r.check, r.other.name) for r in result.results if isinstance(r, Finding) and r.other}
    for check in CHECKS:
        assert (check.name, "clarithromycin") in answered
    assert {(c, "ibuprofen") for c in ("allergy", "contraindication", "interaction", "duplicate")} <= answered


def test_the_steps_name_label_and_reason() -> None:
    steps = audit({"patient": WHO, **ORDERS}).steps
    selected = [s for s in steps if s.stage == "select"]
    assert any("ibuprofen label, 2026-10-01; same ingredients, route and form (tablet)" in s.what and "ibuprofen-tablets" in s.refs for s in selected)
    assert {s.stage for s in steps} == {"plan", "query", "select", "judge", "synthesise"}


def test_equal_prescriptions_give_equal_results() -> None:
    case = {"patient": WHO, **ORDERS, "draft": ["ibuprofen 400 mg oral tablet", "clarithromycin 500 mg oral tablet", "simvastatin 40 mg oral tablet"]}
    assert audit(case) == audit(case)


def test_a_pair_is_judged_once_whatever_the_order_of_the_drafts() -> None:
    drafts = ["simvastatin 40 mg oral tablet", "clarithromycin 500 mg oral tablet"]
    for given in (drafts, drafts[::-1]):
        found = [r for r in audit({"patient": WHO, "current": [], "draft": given}).results if isinstance(r, Finding)]
        assert len(found) == 1
        assert found[0].orders == ("MedicationRequest/draft-1", "MedicationRequest/draft-2")


def test_two_orders_of_one_drug_are_one_finding_with_both_orders() -> None:
    case = {"patient": WHO, "current": ["warfarin 5 mg oral tablet", "warfarin 2 mg oral tablet"], "draft": ["ibuprofen 400 mg oral tablet"]}
    found = [r for r in audit(case).results if isinstance(r, Finding) and r.category is Category.INTERACTION]
    assert len(found) == 1
    assert len(found[0].orders) == 3


def test_a_combination_without_a_label_borrows_and_says_so() -> None:
    case = {"patient": WHO, "current": ["warfarin 5 mg oral tablet"], "draft": ["ibuprofen 200 mg / acetaminophen 500 mg oral tablet"]}
    result = audit(case)
    found = [r for r in result.results if isinstance(r, Finding) and r.category is Category.INTERACTION]
    assert found
    assert any(isinstance(r, NotEvaluated) and r.check == "contraindication" and "combination" in r.message for r in result.results)


@pytest.mark.parametrize("kind", ["medications", "conditions", "allergies", "observations"])
@pytest.mark.parametrize("draft", ["ibuprofen 400 mg oral tablet", "metoprolol 50 mg oral tablet", "Xyzzolin 5 mg tablet"])
@pytest.mark.parametrize("failed", [True, False])
def test_a_kind_of_data_that_did_not_come_is_always_named(kind: str, draft: str, failed: bool) -> None:
    body = request_of({"patient": WHO, "current": [], "draft": [draft], "failed": [kind] if failed else []})
    if not failed:
        del body["prefetch"][kind]
    prescription = read_request(body, case_world().terminology, received=datetime(2026, 11, 1, 12, tzinfo=UTC), use_request_time=True)
    result = run_chain(prescription, case_world(), Budget())
    assert any(kind in r.needs for r in result.results if isinstance(r, Gap | NotEvaluated))


def test_nothing_is_missing_when_everything_came() -> None:
    result = audit({"patient": WHO, "current": [], "draft": ["ibuprofen 400 mg oral tablet"]})
    assert not any(isinstance(r, Gap) for r in result.results)


def test_an_order_with_an_unknown_modifier_is_not_evaluated() -> None:
    body = request_of({"patient": WHO, **ORDERS})
    body["context"]["draftOrders"]["entry"][0]["resource"]["modifierExtension"] = [{"url": "http://example.org/x", "valueBoolean": True}]
    prescription = read_request(body, case_world().terminology, received=datetime(2026, 11, 1, 12, tzinfo=UTC), use_request_time=True)
    result = run_chain(prescription, case_world(), Budget())
    assert [type(r) for r in result.results] == [NotEvaluated]


def test_order_select_speaks_of_the_selections_only() -> None:
    body = request_of({"patient": WHO, "current": ["warfarin 5 mg oral tablet"], "draft": ["ibuprofen 400 mg oral tablet", "simvastatin 20 mg oral tablet"]})
    body |= {"hook": "order-select"}
    body["context"]["selections"] = ["MedicationRequest/draft-2"]
    prescription = read_request(body, case_world().terminology, received=datetime(2026, 11, 1, 12, tzinfo=UTC), use_request_time=True)
    result = run_chain(prescription, case_world(), Budget())
    assert not any(isinstance(r, Finding) for r in result.results)
