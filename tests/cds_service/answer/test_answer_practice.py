"""Practice rules stand beside the label's sentence, hold while they are signed for, and never hide what may not be hidden."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from case_world import case_world
from site_policy import RULE, answer_under, practice_text, raised, shipped_text, site

from cds_service.answer.compose import calm_problems
from cds_service.answer.errors import InvalidPolicy
from cds_service.answer.policy import Policy
from cds_service.answer.problems import Problem, Shown
from cds_service.answer.severity import Indicator
from cds_service.audit.outcomes import Finding, SitePractice

WHO = {"born": "1950-03-01", "sex": "male", "conditions": [], "allergies": "none stated", "labs": []}
PAIR = {"patient": WHO, "current": ["simvastatin 40 mg oral tablet"], "draft": ["clarithromycin 500 mg oral tablet"]}
ALLERGIC = {"patient": {**WHO, "allergies": [{"text": "ibuprofen", "kind": "allergy"}]}, "current": [], "draft": ["ibuprofen 400 mg oral tablet"]}
SENTENCE = "Simvastatin is paused on the ward while clarithromycin is given."


def levels(policy: Policy, case: dict[str, Any] = PAIR, category: str = "interaction") -> set[str]:
    return {level for _, level in raised(answer_under(policy, case), category)}


def test_without_a_rule_the_pair_is_critical() -> None:
    assert levels(Policy.shipped()) == {"critical"}


def test_a_permitted_finding_is_information_with_the_label_s_sentence_and_the_site_s_beside_it(tmp_path: Path) -> None:
    answer = answer_under(site(tmp_path, practice=practice_text()), PAIR)
    assert raised(answer, "interaction") == [("clarithromycin", "info")]
    (card,) = (c for c in answer.cards if c["source"]["topic"]["code"] == "information")
    quote = card["extension"]["org.pharmgraph.findings"][0]["evidence"][0]["quote"]
    assert quote[:40] in card["detail"]
    assert SENTENCE in card["detail"]
    assert card["detail"].index(quote[:40]) < card["detail"].index(SENTENCE)
    assert "Signed by Chief pharmacist, 2026-09-15, valid until 2027-09-15; source: Committee minutes 2026-09, item 4." in card["detail"]


@pytest.mark.parametrize("grade", ["info", "warning", "critical"])
def test_a_rule_gives_the_level_it_names(tmp_path: Path, grade: str) -> None:
    policy = site(tmp_path, practice=practice_text(grade=grade))
    assert levels(policy) == {grade}
    assert SENTENCE in " ".join(c["detail"] for c in answer_under(policy, PAIR).cards)


def test_the_pair_is_met_whichever_drug_is_being_signed(tmp_path: Path) -> None:
    assert levels(site(tmp_path, practice=practice_text(drugs=["simvastatin"], **{"with": ["clarithromycin"]}))) == {"info"}


def test_a_class_or_another_name_of_the_drug_is_met(tmp_path: Path) -> None:
    assert levels(site(tmp_path / "a", practice=practice_text(**{"with": ["statins"]}))) == {"info"}
    assert levels(site(tmp_path / "b", practice=practice_text(drugs=["Biaxin"]))) == {"info"}


@pytest.mark.parametrize(
    "changed",
    [{"drugs": ["warfarin"]}, {"with": ["warfarin"]}, {"checks": ["dosage"]}, {"risks": ["ANTAGONISM"]}, {"claims": ["c0"]}, {"hooks": ["order-select"]}, {"units": ["ICU"]}],
    ids=str,
)  # fmt: skip
def test_a_rule_for_something_else_changes_nothing(tmp_path: Path, changed: dict[str, Any]) -> None:
    policy = site(tmp_path, practice=practice_text(**changed))
    assert levels(policy) == {"critical"}
    assert "Site practice" not in str(answer_under(policy, PAIR).cards)


def test_a_rule_can_be_for_one_claim(tmp_path: Path) -> None:
    (finding,) = (f for f in answer_under(Policy.shipped(), PAIR).result.results if getattr(f, "rules", ()) and f.check == "interaction")
    assert levels(site(tmp_path, practice=practice_text(drugs=None, claims=[finding.rules[0]]))) == {"info"}


@pytest.mark.parametrize(
    ("dates", "said"),
    [
        ({"signed_on": "2025-01-01", "expires": "2026-10-31"}, "expired on 2026-10-31 and was not applied"),
        ({"signed_on": "2026-11-02"}, "is valid from 2026-11-02 only and was not applied"),
    ],
)
def test_a_rule_out_of_its_time_is_ignored_and_the_card_says_so(tmp_path: Path, dates: dict[str, str], said: str) -> None:
    answer = answer_under(site(tmp_path, practice=practice_text(**dates)), PAIR)
    assert raised(answer, "interaction") == [("clarithromycin", "critical")]
    assert said in answer.cards[0]["detail"]
    assert SENTENCE not in answer.cards[0]["detail"]
    assert any(s.stage == "policy" and said in s.what for s in answer.result.steps)


def test_the_first_and_the_last_day_count(tmp_path: Path) -> None:
    (rule,) = site(tmp_path, practice=practice_text()).practice
    days = [date(2026, 9, 14), date(2026, 9, 15), date(2027, 9, 15), date(2027, 9, 16)]
    assert [rule.in_force(d) for d in days] == [False, True, True, False]


def test_a_rule_behind_an_expired_one_holds(tmp_path: Path) -> None:
    old = practice_text(id="old", signed_on="2025-01-01", expires="2026-01-01")
    answer = answer_under(site(tmp_path, practice=f"{old}\n{practice_text(grade='warning')}"), PAIR)
    assert raised(answer, "interaction") == [("clarithromycin", "warning")]
    assert "old expired" in answer.cards[0]["detail"]


def test_of_two_rules_in_force_the_first_alone_is_told(tmp_path: Path) -> None:
    policy = site(tmp_path, practice=f"{practice_text(grade='warning')}\n{practice_text(id='second', grade='critical')}")
    answer = answer_under(policy, PAIR)
    assert raised(answer, "interaction") == [("clarithromycin", "warning")]
    assert "second" not in answer.cards[0]["detail"]


def test_a_permitted_finding_stands_on_the_calm_card_though_a_loud_one_quotes_the_same() -> None:
    found = loud_allergy()
    loud = Problem("loud", (Shown(replace(found, practice=()), Indicator.CRITICAL),))
    permitted, plain = (Problem("calm", (Shown(f, Indicator.INFO),)) for f in (found, replace(found, practice=())))
    assert calm_problems([loud, permitted], Policy.shipped()) == [permitted]
    assert calm_problems([loud, plain], Policy.shipped()) == []


def test_a_never_suppressed_finding_stays_and_the_card_says_so(tmp_path: Path) -> None:
    text = practice_text(drugs=["ibuprofen"], checks=["allergy"], **{"with": None})
    answer = answer_under(site(tmp_path, practice=text), ALLERGIC)
    assert raised(answer, "allergy") == [("ibuprofen", "critical")]
    assert "It stays critical here: a finding of this kind is never suppressed." in answer.cards[0]["detail"]
    assert {p.level for r in answer.result.results for p in getattr(r, "practice", ())} == {None}
    assert Policy.shipped().indicator(loud_allergy()) is Indicator.CRITICAL


def loud_allergy() -> Finding:
    """A critical allergy on which a rule is said to give a calmer level."""
    found = next(r for r in answer_under(Policy.shipped(), ALLERGIC).result.results if isinstance(r, Finding) and r.check == "allergy")
    return replace(found, practice=(SitePractice("r", "said", "info"),))


def test_taken_off_the_never_suppressed_list_it_can_be_permitted(tmp_path: Path) -> None:
    text = practice_text(drugs=["ibuprofen"], checks=["allergy"], **{"with": None})
    policy = site(tmp_path, practice=text, policy=shipped_text("policy.toml").replace('"ALLERGY_CONFLICT", ', ""))
    assert levels(policy, ALLERGIC, "allergy") == {"info"}


def test_a_rule_never_raises_a_finding_above_its_cap(tmp_path: Path) -> None:
    case = {**ALLERGIC, "patient": {**WHO, "allergies": [{"text": "ibuprofen", "kind": "intolerance"}]}}
    before = answer_under(Policy.shipped(), case)
    (capped,) = (f for f in before.result.results if getattr(f, "cap", None))
    text = practice_text(drugs=["ibuprofen"], checks=["allergy"], grade="critical", **{"with": None})
    assert capped.cap in ("info", "warning")
    assert levels(site(tmp_path, practice=text), case, "allergy") == {capped.cap}


def test_the_same_question_gives_the_same_answer(tmp_path: Path) -> None:
    policy = site(tmp_path, practice=practice_text())
    assert answer_under(policy, PAIR) == answer_under(Policy.load(tmp_path), PAIR)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"statement": None}, "statement is missing; write in a few words"),
        ({"source": " "}, "source is ' '; write in a few words"),
        ({"signed_by": None}, "signed_by is missing; expected a text"),
        ({"expires": None}, "expires is missing; write the day as 2027-03-31"),
        ({"expires": "31.3.2027"}, "expires is '31.3.2027'; write the day as 2027-03-31"),
        ({"expires": "2026-09-15"}, "expires is 2026-09-15, not after signed_on, 2026-09-15"),
        ({"grade": "ignore"}, "grade is 'ignore'; expected one of permit, info, warning, critical"),
        ({"checks": ["interactions"]}, "checks names 'interactions', which is none; known are allergy"),
        ({"risks": ["INTERACTION"]}, "risks names 'INTERACTION'"),
        ({"hooks": ["order-review"]}, "hooks names 'order-review', which is none; known are order-sign, order-select"),
        ({"drugs": "clarithromycin"}, "drugs is 'clarithromycin'; write a list of names"),
        ({"drugs": []}, r"drugs is \[\]; write a list of names"),
        ({"drugs": None}, "names neither drugs nor claims"),
        ({"checks": None, "with": None}, "would speak of every finding on clarithromycin; narrow it"),
        ({"expiry": "2027-01-01"}, "unknown member 'expiry'"),
    ],
    ids=str,
)
def test_a_broken_rule_says_what_where_and_what_to_do(tmp_path: Path, changed: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidPolicy, match=rf"practice\.toml, rule 1: {said}"):
        site(tmp_path, practice=practice_text(**changed))


def test_two_rules_of_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidPolicy, match="the id 'clari-simva' stands twice"):
        site(tmp_path, practice=f"{practice_text()}\n{practice_text()}")


def test_the_rule_of_these_tests_names_what_the_world_knows() -> None:
    assert case_world().terminology.lookup(str(RULE["drugs"][0]))
