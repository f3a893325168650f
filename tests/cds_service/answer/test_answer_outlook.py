"""What two policies show of one result, compared; and a finding in words that name no patient."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from site_policy import answer_under, modes_text, practice_text, shipped_text, site

from cds_service.answer.outlook import ChangeKind, Shown, changes, outlook, safe_summary, shadow_uuid
from cds_service.answer.policy import Policy
from cds_service.answer.policy_changes import policy_changes
from cds_service.audit.outcomes import Category, Counterpart, Finding

WHO: dict[str, Any] = {"born": "1950-03-01", "sex": "male", "conditions": [], "allergies": "none stated", "labs": []}
PAIR = {"patient": WHO, "current": ["simvastatin 40 mg oral tablet"], "draft": ["clarithromycin 500 mg oral tablet"]}
TODAY = date(2026, 11, 1)


def test_changes_are_told_by_kind() -> None:
    before = {"a": Shown("dosage", "warning"), "b": Shown("dosage", "info"), "c": Shown("allergy", "critical"), "same": Shown("allergy", "info")}
    after = {"a": Shown("dosage", "info"), "b": Shown("dosage", "critical"), "d": Shown("duplicate", "gap"), "same": Shown("allergy", "info")}
    assert [(c.key, c.kind, c.before, c.after) for c in changes(before, after)] == [
        ("a", ChangeKind.CALMER, "warning", "info"),
        ("b", ChangeKind.LOUDER, "info", "critical"),
        ("c", ChangeKind.VANISHES, "critical", None),
        ("d", ChangeKind.APPEARS, None, "gap"),
    ]
    assert changes(before, before) == ()


def test_the_outlook_holds_what_the_cards_hold() -> None:
    case = {**PAIR, "patient": {k: v for k, v in WHO.items() if k != "conditions"}, "draft": ["ibuprofen 400 mg oral tablet", *PAIR["draft"]]}
    answer = answer_under(Policy.shipped(), case)
    kinds = {f["kind"] for c in answer.cards for f in c["extension"]["org.pharmgraph.findings"]}
    levels = {s.level for s in outlook(answer.result, Policy.shipped()).values()}
    assert {"finding", "gap"} <= kinds
    assert levels - {"gap", "not-evaluated"} == {
        c["indicator"] for c in answer.cards if c["source"]["topic"]["code"] not in ("information-gap", "not-evaluated")
    }
    assert ("gap" in levels, "not-evaluated" in levels) == ("gap" in kinds, "not-evaluated" in kinds)


def test_a_silent_check_and_information_on_the_page_are_no_outlook(tmp_path: Path) -> None:
    result = answer_under(Policy.shipped(), {**PAIR, "current": [*PAIR["current"], "warfarin 5 mg oral tablet"]}).result
    silent, page = site(tmp_path / "a", policy=modes_text(interaction="silent")), site(tmp_path / "b", policy=shipped_text("policy.toml", info='"page"'))
    assert {s.check for s in outlook(result, Policy.shipped()).values()} >= {"interaction"}
    assert {s.level for s in outlook(result, Policy.shipped()).values()} >= {"critical", "info"}
    assert "interaction" not in {s.check for s in outlook(result, silent).values()}
    assert "info" not in {s.level for s in outlook(result, page).values()}
    assert outlook(result, silent.unsilenced()) == outlook(result, Policy.shipped()) == outlook(result, page.unsilenced())


def test_a_would_be_card_has_an_id_of_its_own() -> None:
    card = "6d0f3b52-9c5e-5f5b-9d0a-2f4f5a1f0c11"
    assert shadow_uuid(card) == shadow_uuid(card) != card


def finding() -> Finding:
    return next(r for r in answer_under(Policy.shipped(), PAIR).result.results if isinstance(r, Finding))


def test_a_summary_for_the_sheet_has_none_of_the_record_s_own_words() -> None:
    assert safe_summary(finding()) == "clarithromycin with simvastatin: contraindicated"
    for category in (Category.CONTRAINDICATION, Category.ALLERGY, Category.SPECIAL_POPULATION, Category.INDICATION):
        told = replace(finding(), category=category, other=Counterpart("condition", "Ada Lovelace, gout", "gout"))
        assert safe_summary(told) == "clarithromycin: contraindicated, condition gout"
        assert "Ada" not in safe_summary(replace(told, other=Counterpart("condition", "Ada Lovelace, gout")))
    dose = replace(
        finding(), category=Category.DOSAGE, ordered="4 g a day", allowed="2 g a day", other=Counterpart("lab", "Ada Lovelace 28 mL/min", "CrCl below 30")
    )
    assert safe_summary(dose) == "clarithromycin: 4 g a day ordered, the label says 2 g a day (CrCl below 30)"
    twice = replace(finding(), category=Category.DUPLICATE, other=Counterpart("drug", "ibuprofen", "ibuprofen", "Ada's ibuprofen"))
    assert "Ada" not in safe_summary(twice)


def test_the_shipped_policy_changes_nothing() -> None:
    assert policy_changes(Policy.shipped(), Policy.shipped(), TODAY) == []


def test_every_kind_of_change_is_told(tmp_path: Path) -> None:
    text = modes_text('[[mode]]\nhooks = ["order-select"]\nmode = "info"\nwhy = "while writing"', dosage="silent")
    text = text.replace('"ALLERGY_CONFLICT", ', "").replace("info_lines = 12", "info_lines = 6")
    severity = shipped_text("severity.toml").replace(
        "[[row]]", '[[row]]\naction = ["monitor"]\nindicator = "warning"\nwhy = "w"\nsource = "s"\n[[row]]\naction = ["avoid"]\nrisk = ["ANTAGONISM"]\nindicator = "critical"\nwhy = "w"\nsource = "s"\n[[row]]', 1
    )  # fmt: skip
    reasons = shipped_text("override_reasons.toml").replace('"will-monitor"', '"will-watch"')
    tolerances = '[rounding]\nscaled = 0.05\nwhy = "w"\nsource = "s"\n[[drug]]\ningredient = "digoxin"\nscaled = 0\nwhy = "w"\nsource = "s"'
    duplicates = '[[allow]]\nclass = "laxatives"\norders = 4\nwhy = "bowel regimens"'
    practice = "\n".join(
        (practice_text(), practice_text(id="old", signed_on="2025-01-01", expires="2026-10-31"), practice_text(id="soon", expires="2026-12-01"))
    )
    policy = site(tmp_path, policy=text, severity=severity, override_reasons=reasons, tolerances=tolerances, duplicates=duplicates, practice=practice)
    said = policy_changes(policy, Policy.shipped(), TODAY)
    for wanted in (
        "severity of monitor: info becomes warning",
        "severity of avoid for ANTAGONISM: warning becomes critical (16 of 32 combinations of strength, certainty and approval)",
        "mode of dosage: live becomes silent",
        "mode of every check at order-select: info (while writing)",
        "never suppressed: ALLERGY_CONFLICT is TAKEN OUT; its critical findings can now be silenced",
        "tolerance of doses by weight or surface: 0.10 becomes 0.05",
        "tolerance of doses by weight or surface of digoxin: 0",
        "duplicates: up to 4 orders of the class laxatives side by side raise none (bowel regimens)",
        "practice rule clari-simva: permit for clarithromycin, with simvastatin, interaction; signed by Chief pharmacist on 2026-09-15; in force until 2027-09-15",
        "override reason will-monitor: taken out",
        "override reason will-watch: added (Will monitor as the label recommends)",
        "lines of the calm card: 12 becomes 6",
    ):
        assert wanted in said
    assert "severity of monitor for ANTAGONISM: info becomes warning" not in said
    assert any(s.endswith("EXPIRED on 2026-10-31, changes nothing") for s in said)
    assert any(s.endswith("in force until 2026-12-01, EXPIRES SOON") for s in said)
