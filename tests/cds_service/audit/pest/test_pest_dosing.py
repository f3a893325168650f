"""The dose question of an order: what is summed, what is missing, what would change the verdict."""

from __future__ import annotations

from typing import Any

import pytest
from case_orders import WEIGHT_80, case_with, dosing, draft_of, man
from pest_builders import D

from cds_service.audit.pest.compare import Fit
from cds_service.audit.pest.dosing import is_started

TABLETS = "acetaminophen 500 mg oral tablet"


def acetaminophen(dose: str, a_day: int, **more: Any) -> dict[str, Any]:
    return {"text": TABLETS, "route": "oral", "dose": dose, "times_a_day": a_day, **more}


def test_a_day_counts_all_orders_of_the_ingredient() -> None:
    asked = dosing(acetaminophen("500 mg", 4), current=(acetaminophen("650 mg", 4),))
    assert (asked.ordered.given["mass"].daily_high, asked.totals["mass"].daily_high) == (2000, 4600)


def test_an_order_given_instead_is_not_counted() -> None:
    instead = {"text": "acetaminophen 650 mg rectal suppository", "route": "rectal", "sig": "650 mg rectally every 4 hours if unable to take by mouth"}
    assert dosing([acetaminophen("500 mg", 4), instead]).totals["mass"].daily_high == 2000


def test_a_combination_counts_by_its_part() -> None:
    combined = {"text": "hydrocodone bitartrate 5 mg / acetaminophen 325 mg oral tablet", "route": "oral", "dose": "2 tablet", "times_a_day": 4}
    assert dosing(acetaminophen("500 mg", 4), current=(combined,)).totals["mass"].daily_high == 4600


@pytest.mark.parametrize(
    ("draft", "lacks"),
    [
        ({"text": TABLETS, "route": "oral", "dose": "500 mg"}, {"frequency"}),
        ({"text": TABLETS, "route": "oral", "dose": "500 mg", "as_needed": True}, set()),
        ({"text": TABLETS, "route": "oral", "dose": "500 mg", "once": True}, set()),
        ({"text": "acetaminophen", "route": "oral", "times_a_day": 4}, {"dose"}),
        ({"text": "acetaminophen oral tablet", "route": "oral", "sig": "2 tabs po qid"}, {"drug-identity"}),
        ({"text": "selegiline 5 mg oral capsule", "route": "oral"}, set()),
    ],
)
def test_what_the_order_lacks_and_the_verdict_hangs_on(draft: dict[str, Any], lacks: set[str]) -> None:
    assert dosing(draft).lacking() == lacks


RIVAROXABAN = {"text": "rivaroxaban 20 mg oral tablet", "route": "oral", "dose": "20 mg", "times_a_day": 1, "reason": "Atrial fibrillation"}


def test_a_rule_that_would_change_the_verdict_decides() -> None:
    asked = dosing(RIVAROXABAN, who=man(labs=[WEIGHT_80]))
    assert {n for a in asked.deciding(asked.verdict()) for n in a.needs} >= {"renal-function"}


def test_a_rule_that_would_not_change_it_does_not() -> None:
    asked = dosing({**RIVAROXABAN, "reason": "Deep vein thrombosis"}, who=man(labs=[WEIGHT_80]))
    assert (asked.verdict().fit, asked.deciding(asked.verdict())) == (Fit.FITS, [])


def test_what_every_open_rule_forbids_is_forbidden() -> None:
    asked = dosing({**RIVAROXABAN, "dose": "60 mg"}, who=man(labs=[WEIGHT_80]))
    assert asked.verdict().fit is Fit.NONE
    assert (asked.unanimous(asked.verdict()).fit, asked.unanimous(asked.verdict()).comparison.ratio) == (Fit.OVER, 3)


def test_the_use_decides_where_the_dose_is_right_for_one_and_wrong_for_another() -> None:
    celecoxib = {"text": "celecoxib 200 mg oral capsule", "route": "oral", "dose": "200 mg", "times_a_day": 2}
    assert dosing(celecoxib).use_decides()
    assert not dosing({**celecoxib, "times_a_day": 1}).use_decides()
    assert not dosing({**celecoxib, "reason": "Osteoarthritis"}).use_decides()


def test_a_ceiling_that_is_kept_excuses_a_dose_above_the_usual() -> None:
    vancomycin = {"text": "vancomycin injection", "route": "intravenous", "times_a_day": 2}
    usual = dosing({**vancomycin, "dose": "1500 mg"})
    assert (usual.verdict().fit, usual.is_wrong(usual.verdict())) == (Fit.OVER, False)
    assert [e.ratio for e in dosing({**vancomycin, "dose": "2500 mg"}).excesses()] == [D("1.25")]


@pytest.mark.parametrize(
    ("draft", "who", "outside"),
    [
        (acetaminophen("500 mg", 4), man(), None),
        (acetaminophen("500 mg", 4), man(born="2022-06-01"), "patients of this age"),
        ({"text": "selegiline 5 mg oral capsule", "route": "oral"}, man(), None),
        ({"text": "methotrexate 2.5 mg oral tablet", "route": "oral", "dose": "15 mg", "times_a_week": 1}, man(born="2015-01-01"), "patients of this age"),
    ],
)
def test_whom_the_label_gives_no_dose_for(draft: dict[str, Any], who: dict[str, Any], outside: str | None) -> None:
    assert dosing(draft, who=who).outside() == outside


@pytest.mark.parametrize(
    ("draft", "more", "started"),
    [
        (acetaminophen("500 mg", 4), {}, True),
        (acetaminophen("500 mg", 4), {"current": (acetaminophen("325 mg", 1),)}, False),
        (acetaminophen("500 mg", 4), {"current": (acetaminophen("325 mg", 1, status="stopped", days_ago=10),)}, False),
        (acetaminophen("500 mg", 4, replaces="9"), {"current": (acetaminophen("500 mg", 4, id="9"),)}, False),
        (acetaminophen("500 mg", 4), {"current": ("aspirin 81 mg oral tablet",)}, True),
        (acetaminophen("500 mg", 4), {"failed": ["medications"]}, False),
    ],
)
def test_an_order_starts_its_drug_where_nothing_on_record_holds_it(draft: dict[str, Any], more: dict[str, Any], started: bool) -> None:
    case = case_with(draft, **more)
    assert is_started(case, draft_of(case)) is started
