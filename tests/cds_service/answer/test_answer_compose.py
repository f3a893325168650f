"""Cards as the specification and the benchmark want them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from case_request import request_of
from case_world import case_world

from cds_service.answer.compose import AnswerContext, compose
from cds_service.answer.policy import Policy
from cds_service.audit.chain import run_chain
from cds_service.audit.outcomes import AuditResult, Category, Certainty, Counterpart, DrugRef, EvidenceRef, Finding, Gap, RiskType
from cds_service.intake.prescription import Prescription
from cds_service.intake.request import read_request
from ontology.model.advice import Action
from ontology.model.facts import UnknownReason
from ontology.model.spans import Span

WHO = {"born": "1950-03-01", "sex": "male", "conditions": [], "allergies": "none stated", "labs": []}


def context(policy: Policy | None = None, trace: str = "trace") -> AnswerContext:
    return AnswerContext(trace, "release", policy or Policy.shipped(), lambda card: f"https://cds.example/evidence/{card}", "https://cds.example")


def answered(case: dict[str, Any], policy: Policy | None = None) -> list[dict[str, Any]]:
    body = request_of(case)
    prescription = read_request(body, case_world().terminology, received=datetime(2026, 11, 1, 12, tzinfo=UTC), use_request_time=True)
    chosen = policy or Policy.shipped()
    return compose(run_chain(prescription, case_world(), chosen), prescription, context(chosen))


def empties(value: Any, path: str = "$") -> Iterator[str]:
    if value is None or value in ("", [], {}):
        yield path
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from empties(inner, f"{path}.{key}")


LOUD = {
    "patient": WHO,
    "current": ["warfarin 5 mg oral tablet", "simvastatin 40 mg oral tablet"],
    "draft": ["ibuprofen 400 mg oral tablet", "clarithromycin 500 mg oral tablet"],
}


def test_cards_keep_the_rules_of_the_specification() -> None:
    cards = answered(LOUD)
    assert [c["indicator"] for c in cards] == sorted((c["indicator"] for c in cards), key=("critical", "warning", "info").index)
    assert {c["indicator"] for c in cards} >= {"critical", "warning"}
    for card in cards:
        assert list(empties(card)) == []
        assert len(card["summary"]) < 140
        assert "\n" not in card["summary"]
        UUID(card["uuid"])
        assert set(card["source"]) == {"label", "topic"}
        assert {"system", "code", "display"} == set(card["source"]["topic"])
        assert card["links"] == [{"label": "Evidence and reasoning", "url": f"https://cds.example/evidence/{card['uuid']}", "type": "absolute"}]
        assert ("suggestions" in card) == ("selectionBehavior" in card)
        for suggestion in card.get("suggestions", []):
            assert suggestion["label"]
            assert all(a["type"] == "delete" and a["resourceId"].startswith("MedicationRequest/draft") and a["description"] for a in suggestion["actions"])
        for reason in card.get("overrideReasons", []):
            assert set(reason) == {"system", "code", "display"}
    assert len({c["uuid"] for c in cards}) == len(cards)
    json.dumps(cards)


def test_the_summary_names_the_drug() -> None:
    for card in answered(LOUD):
        names = {f["drug"]["name"] for f in card["extension"]["org.pharmgraph.findings"]}
        assert any(n.casefold() in card["summary"].casefold() for n in names)


def test_findings_have_the_members_of_the_benchmark() -> None:
    for card in answered(LOUD):
        assert card["extension"]["org.pharmgraph.trace"] == "trace"
        assert card["extension"]["org.pharmgraph.release"] == "release"
        for f in card["extension"]["org.pharmgraph.findings"]:
            assert f["kind"] in ("finding", "gap", "not-evaluated")
            assert f["category"] in tuple(Category)
            assert f["drug"]["orders"]
            if f["kind"] == "finding":
                assert f["risk_type"] in tuple(RiskType)
                assert set(f["with"]) <= {"type", "name", "label"}
                for e in f["evidence"]:
                    assert {"claim", "document", "version", "section", "start", "end", "quote"} <= set(e)
            if f["kind"] == "not-evaluated":
                assert f["reason"]


def test_a_replay_gives_the_same_cards_and_another_trace_other_ids() -> None:
    assert answered(LOUD) == answered(LOUD)
    prescription = read_request(request_of(LOUD), case_world().terminology, received=datetime(2026, 11, 1, 12, tzinfo=UTC), use_request_time=True)
    result = run_chain(prescription, case_world(), Policy.shipped())
    one, other = (compose(result, prescription, context(trace=t)) for t in ("a", "b"))
    assert {c["uuid"] for c in one}.isdisjoint({c["uuid"] for c in other})


def test_nothing_found_and_nothing_missing_is_no_card() -> None:
    assert answered({"patient": WHO, "current": [], "draft": ["acetaminophen 500 mg oral tablet"]}) == []


def test_an_empty_allergy_list_is_mentioned_quietly_and_never_as_no_known_allergies() -> None:
    quiet = {"patient": {**WHO, "allergies": []}, "current": [], "draft": ["acetaminophen 500 mg oral tablet"]}
    assert answered(quiet) == []
    cards = answered({**LOUD, "patient": {**WHO, "allergies": []}})
    said = " ".join(c["detail"] + c["summary"] for c in cards)
    assert "No allergy entries were found" in cards[-1]["detail"]
    assert "no known allerg" not in said.casefold()


def test_a_site_may_make_an_empty_allergy_list_a_gap(tmp_path: Path) -> None:
    shipped = Path(__file__).parents[3] / "cds_service" / "answer" / "data" / "policy.toml"
    (tmp_path / "policy.toml").write_text(shipped.read_text().replace('empty_list = "mention"', 'empty_list = "gap"'))
    cards = answered({"patient": {**WHO, "allergies": []}, "current": [], "draft": ["acetaminophen 500 mg oral tablet"]}, Policy.load(tmp_path))
    assert [f["needs"] for c in cards for f in c["extension"]["org.pharmgraph.findings"]] == [["allergies"]]


def with_modes(tmp_path: Path, mode: str) -> Policy:
    text = (Path(__file__).parents[3] / "cds_service" / "answer" / "data" / "policy.toml").read_text()
    (tmp_path / "policy.toml").write_text(
        re.sub(
            r'^(allergy|interaction) = "live"', rf'\1 = "{mode}"', text.replace("[modes]", '[modes]\nwhy = "the check is being introduced"'), flags=re.MULTILINE
        )
    )
    return Policy.load(tmp_path)


ALLERGIC = {**LOUD, "patient": {**WHO, "allergies": [{"text": "ibuprofen", "kind": "allergy"}]}}


@pytest.mark.parametrize("mode", ["silent", "info"])
def test_a_mode_quiets_a_check_but_never_a_certain_allergy(tmp_path: Path, mode: str) -> None:
    cards = answered(ALLERGIC, with_modes(tmp_path, mode))
    found = [f for c in cards for f in c["extension"]["org.pharmgraph.findings"] if f["kind"] == "finding"]
    interactions = [f for f in found if f["category"] == "interaction"]
    assert [f["indicator"] for f in found if f["category"] == "allergy"] == ["critical"]
    assert interactions == [] if mode == "silent" else {f["indicator"] for f in interactions} == {"info"}


HOSTILE = "<script>alert(1)</script> [x](javascript:alert(1)) **bold** https://evil.example www.evil.example ![i](x) `c`\n# h\n- item | cell"


def hostile_finding(**changes: Any) -> Finding:
    span = Span("doc", "1", "sec", 0, len(HOSTILE), HOSTILE)
    return replace(
        Finding(
            check="interaction",
            category=Category.INTERACTION,
            risk=RiskType.INTERACTION_DRUG_DRUG,
            drug=DrugRef(HOSTILE, None, ("MedicationRequest/1",)),
            other=Counterpart("drug", HOSTILE, f"{HOSTILE}!"),
            action=Action.AVOID,
            hazard="interaction",
            certainty=Certainty.CODED,
            evidence=(EvidenceRef("c1", span, None, HOSTILE, date(2026, 1, 1)),),
            rules=("c1",),
            qualifiers=(HOSTILE,),
            effect=HOSTILE,
            parameter=HOSTILE,
        ),
        **changes,
    )


def empty_prescription() -> Prescription:
    return read_request(
        request_of({"patient": WHO, "draft": []}), case_world().terminology, received=datetime(2026, 11, 1, 12, tzinfo=UTC), use_request_time=True
    )


@pytest.mark.parametrize("action", [Action.AVOID, Action.MONITOR])
def test_hostile_text_stays_text_in_every_place(action: Action) -> None:
    cards = compose(AuditResult((hostile_finding(action=action),)), empty_prescription(), context())
    assert len(cards) == 1
    assert list(empties(cards[0])) == []
    detail = cards[0]["detail"]
    assert "<script" not in detail
    assert not re.search(r"(?<!\\)\]\(", detail)
    assert "https://evil" not in detail
    assert "\n# h" not in detail
    assert len(cards[0]["summary"]) < 140


def test_one_hazard_is_one_card_at_the_loudest_level() -> None:
    quiet = hostile_finding(action=Action.MONITOR, rules=("c2",))
    cards = compose(AuditResult((quiet, hostile_finding())), empty_prescription(), context())
    assert [c["indicator"] for c in cards] == ["warning"]
    assert [f["indicator"] for f in cards[0]["extension"]["org.pharmgraph.findings"]] == ["warning", "info"]


def test_the_calm_card_stays_short_and_its_findings_whole() -> None:
    many = tuple(hostile_finding(action=Action.MONITOR, drug=DrugRef(f"drug {i}", None, (f"MedicationRequest/{i}",))) for i in range(20))
    cards = compose(AuditResult(many), empty_prescription(), context())
    assert len(cards) == 1
    assert cards[0]["detail"].count("\n- ") == Policy.shipped().info_lines
    assert "- and 8 more on the evidence page\n\n*Not yet read by a person.*" in cards[0]["detail"]
    assert len(cards[0]["extension"]["org.pharmgraph.findings"]) == 20


def test_a_gap_names_few_states_once_and_why_the_data_are_missing() -> None:
    question = "Clarithromycin is restricted by its label in: a, b, c and 5 more"
    gap = Gap(
        "contraindication", Category.CONTRAINDICATION, DrugRef("clarithromycin", None, ("o",)), ("conditions",), question, reasons=(UnknownReason.INCOMPLETE,)
    )
    (card,) = compose(AuditResult((gap, replace(gap, drug=DrugRef("warfarin", None, ("p",))))), empty_prescription(), context())
    assert card["detail"] == f"- **problem list** (sent incomplete): {question}."
