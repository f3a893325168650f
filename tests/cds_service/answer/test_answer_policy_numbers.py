"""Tolerances and allowed duplicates of a site reach the checks; severities by risk; what a policy names is known to the release."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from case_world import case_world
from site_policy import answer_under, practice_text, raised, shipped_text, site

from cds_service.answer.errors import InvalidPolicy
from cds_service.answer.policy import Policy
from cds_service.answer.policy_names import require_known, words_only
from cds_service.answer.severity import Indicator
from cds_service.audit.site import Shared, shipped_numbers

WHO: dict[str, Any] = {"born": "1950-03-01", "sex": "male", "conditions": [], "allergies": "none stated", "labs": []}
CHILD = {**WHO, "born": "2022-06-01", "labs": [{"text": "Weight", "loinc": "29463-7", "value": 16, "unit": "kg"}]}
GENERAL = '[rounding]\nscaled = {scaled}\nwhy = "what the pharmacy can draw up"\nsource = "Committee 2026-03"\n'
OWN = '[[drug]]\ningredient = "{ingredient}"\nscaled = {scaled}\nwhy = "narrow index"\nsource = "Committee 2026-03"\n'
ALLOW = '[[allow]]\n{of} = "{name}"\norders = {orders}\nwhy = "two strengths of one course"\n'
TWICE = {"patient": WHO, "current": ["ibuprofen 400 mg oral tablet"], "draft": ["ibuprofen 200 mg oral tablet"]}


def child_dose(mg: float) -> dict[str, Any]:
    return {"patient": CHILD, "current": [], "draft": [{"text": "cephalexin 250 mg oral capsule", "route": "oral", "dose": f"{mg} mg", "times_a_day": 4}]}


def doses(policy: Policy, mg: float) -> int:
    return len(raised(answer_under(policy, child_dose(mg)), "dosage"))


def test_a_site_tolerance_takes_the_place_of_the_shipped_one(tmp_path: Path) -> None:
    """200 mg is the label's dose for 16 kg: 215 mg is 7.5 % above it, 225 mg 12.5 %."""
    assert [doses(Policy.shipped(), mg) for mg in (215, 225)] == [0, 1]
    assert [doses(site(tmp_path / "strict", tolerances=GENERAL.format(scaled="0.05")), mg) for mg in (205, 215)] == [0, 1]
    assert [doses(site(tmp_path / "wide", tolerances=GENERAL.format(scaled="0.15")), mg) for mg in (225, 240)] == [0, 1]


def test_a_drug_may_have_a_tolerance_of_its_own(tmp_path: Path) -> None:
    text = GENERAL.format(scaled="0.15")
    assert doses(site(tmp_path / "own", tolerances=text + OWN.format(ingredient="cefalexin", scaled="0")), 205) == 1
    assert doses(site(tmp_path / "other", tolerances=text + OWN.format(ingredient="warfarin", scaled="0")), 205) == 0


def test_no_tolerance_still_forgives_digits_that_no_label_prints(tmp_path: Path) -> None:
    policy = site(tmp_path, tolerances=GENERAL.format(scaled="0"))
    assert [doses(policy, mg) for mg in (200, 200.5, 205)] == [0, 0, 1]


def duplicates(policy: Policy, case: dict[str, Any] = TWICE) -> int:
    return len(raised(answer_under(policy, case), "duplicate"))


def test_allowed_duplicates_raise_none_up_to_the_number_allowed(tmp_path: Path) -> None:
    policy = site(tmp_path, duplicates=ALLOW.format(of="ingredient", name="ibuprofen", orders=2))
    assert duplicates(Policy.shipped()) == 1
    assert duplicates(policy) == 0
    assert duplicates(policy, {**TWICE, "current": [*TWICE["current"], "ibuprofen 600 mg oral tablet"]}) > 0


def test_the_trace_tells_what_was_allowed(tmp_path: Path) -> None:
    answer = answer_under(site(tmp_path, duplicates=ALLOW.format(of="ingredient", name="ibuprofen", orders=2)), TWICE)
    assert "2 orders of ibuprofen: the site allows 2 (two strengths of one course)" in [s.what for s in answer.result.steps]


def test_an_allowance_for_another_drug_or_for_a_class_leaves_the_same_ingredient_twice(tmp_path: Path) -> None:
    assert duplicates(site(tmp_path / "other", duplicates=ALLOW.format(of="ingredient", name="naproxen", orders=4))) == 1
    assert duplicates(site(tmp_path / "class", duplicates=ALLOW.format(of="class", name="NSAIDs", orders=4))) == 1
    assert duplicates(site(tmp_path / "misnamed", duplicates=ALLOW.format(of="class", name="ibuprofen", orders=4))) == 1


def test_an_allowance_of_a_class_is_found_by_the_class(tmp_path: Path) -> None:
    terms = case_world().terminology
    (laxatives,) = terms.lookup("laxatives", Shared.CLASS.types)
    numbers = site(tmp_path, duplicates=ALLOW.format(of="class", name="Laxatives", orders=4)).numbers
    assert [numbers.allowance(Shared.CLASS, laxatives, n, terms) is not None for n in (4, 5)] == [True, False]
    assert shipped_numbers().allowance(Shared.CLASS, laxatives, 2, terms) is None


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"tolerances": OWN.format(ingredient="digoxin", scaled="0")}, r"tolerances\.toml: table \[rounding\] is missing"),
        ({"tolerances": GENERAL.format(scaled="0.5")}, r"tolerances\.toml, \[rounding\]: scaled is 0.5; expected a number from 0 to 0.25"),
        ({"tolerances": GENERAL.format(scaled='"0.1"')}, "scaled is '0.1'; expected a number"),
        ({"tolerances": GENERAL.format(scaled="0.1").replace("why", "reason")}, "unknown member 'reason'"),
        ({"tolerances": GENERAL.format(scaled="0.1") + '[[drug]]\ningredient = "digoxin"\nscaled = 0\nsource = "x"'}, "drug 1: why is missing"),
        ({"tolerances": GENERAL.format(scaled="0.1") + "[drug]\n"}, r"drug is no list of tables; write each as \[\[drug\]\]"),
        ({"duplicates": ALLOW.format(of="group", name="laxatives", orders=4)}, r"duplicates\.toml, allow 1: unknown member 'group'"),
        ({"duplicates": '[[allow]]\norders = 4\nwhy = "x"'}, "allow 1: names neither ingredient nor class"),
        ({"duplicates": ALLOW.format(of="class", name="x", orders=1)}, "orders is 1; expected a number from 2 to 20"),
        ({"duplicates": ALLOW.format(of="class", name="x", orders="2.5")}, "orders is 2.5; expected a whole number"),
        ({"duplicates": ALLOW.format(of="class", name="x", orders=2) + ALLOW.format(of="class", name="X", orders=3)}, "the class 'X' stands twice"),
        ({"policy": shipped_text("policy.toml").replace("why =", "note =", 1)}, r"unknown member 'note'|why is missing"),
        ({"policy": shipped_text("policy.toml") + "\n[extra]\n"}, "unknown member 'extra'"),
    ],
)
def test_broken_files_say_what_where_and_what_to_do(tmp_path: Path, files: dict[str, str], said: str) -> None:
    with pytest.raises(InvalidPolicy, match=said):
        site(tmp_path, **files)


def test_a_severity_row_may_be_for_one_risk(tmp_path: Path) -> None:
    row = '[[row]]\naction = ["avoid"]\nrisk = ["DUPLICATE_INGREDIENT"]\nindicator = "critical"\nwhy = "w"\nsource = "s"\n'
    policy = site(tmp_path, severity=shipped_text("severity.toml").replace("[[row]]", f"{row}[[row]]", 1))
    assert raised(answer_under(policy, TWICE), "duplicate") == [("ibuprofen", "critical")]
    assert policy.severity.cells == Policy.shipped().severity.cells
    assert policy.severity.cells["avoid", "must", "coded", "rule"] is Indicator.WARNING


def test_a_row_for_an_unknown_risk_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidPolicy, match="row 1: risk names 'DUPLICATES', which is none"):
        site(tmp_path, severity='[[row]]\nrisk = ["DUPLICATES"]\nindicator = "info"\nwhy = "w"\nsource = "s"')


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"tolerances": GENERAL.format(scaled="0.1") + OWN.format(ingredient="digoxine forte", scaled="0")}, r"tolerances\.toml names the ingredient 'digoxine forte'"),
        ({"duplicates": ALLOW.format(of="class", name="laxantia", orders=4)}, r"duplicates\.toml names the class 'laxantia'"),
        ({"duplicates": ALLOW.format(of="class", name="ibuprofen", orders=4)}, "names the class 'ibuprofen'"),
        ({"practice": practice_text(drugs=["clarithromicyn"])}, r"practice\.toml, rule clari-simva names the drug 'clarithromicyn'.*does not know; write the name as"),
    ],
)  # fmt: skip
def test_names_that_the_release_does_not_know_are_refused(tmp_path: Path, files: dict[str, str], said: str) -> None:
    with pytest.raises(InvalidPolicy, match=said):
        require_known(site(tmp_path, **files), case_world().terminology)


def test_names_that_the_release_knows_pass_and_words_of_the_other_side_are_told(tmp_path: Path) -> None:
    files = {"duplicates": ALLOW.format(of="class", name="laxatives", orders=4), "practice": practice_text(**{"with": ["simvastatin", "a word of the ward"]})}
    policy = site(tmp_path, **files)
    require_known(policy, case_world().terminology)
    require_known(Policy.shipped(), case_world().terminology)
    assert words_only(policy, case_world().terminology) == ("practice rule clari-simva: 'a word of the ward' is met by these very words only",)


def test_the_id_tells_policies_apart_by_each_file(tmp_path: Path) -> None:
    files = {
        "tolerances": GENERAL.format(scaled="0.05"),
        "duplicates": ALLOW.format(of="ingredient", name="ibuprofen", orders=2),
        "practice": practice_text(),
    }
    policies = [Policy.shipped(), *(site(tmp_path / name, **{name: text}) for name, text in files.items())]
    assert len({p.id for p in policies}) == 4
    assert policies[1].numbers.scaled == Decimal("0.05")
