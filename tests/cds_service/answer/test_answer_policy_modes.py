"""Modes by check, hook and unit; what a silent check keeps back and what it never does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from site_policy import answer_under, modes_text, practice_text, raised, site

from cds_service.answer.errors import InvalidPolicy
from cds_service.answer.policy import Policy
from cds_service.answer.policy_modes import HOOKS, Mode
from cds_service.wire.hooks.registry import SERVICES

WHO = {"born": "1950-03-01", "sex": "male", "conditions": [], "allergies": "none stated", "labs": []}
PAIR = {"patient": WHO, "current": ["simvastatin 40 mg oral tablet"], "draft": ["clarithromycin 500 mg oral tablet"]}
ROW = '[[mode]]\n{reach}\nmode = "{mode}"\nwhy = "interactions interrupt at the signature only"'


def encounter(*units: str) -> dict[str, Any]:
    stays = [{"location": {"display": u}} for u in units]
    return {"context": {"encounterId": "e1"}, "prefetch": {"encounter": {"resourceType": "Encounter", "id": "e1", "location": stays}}}


def levels(policy: Policy, **envelope: Any) -> list[str]:
    return [level for _, level in raised(answer_under(policy, PAIR, **envelope), "interaction")]


def test_a_mode_for_a_hook_holds_at_that_hook_alone(tmp_path: Path) -> None:
    policy = site(tmp_path, policy=modes_text(ROW.format(reach='checks = ["interaction"]\nhooks = ["order-select"]', mode="info")))
    assert levels(policy, hook="order-select") == ["info"]
    assert levels(policy, hook="order-sign") == ["critical"]


def test_the_old_name_of_the_signature_is_the_signature(tmp_path: Path) -> None:
    policy = site(tmp_path, policy=modes_text(ROW.format(reach='hooks = ["order-sign"]', mode="silent")))
    assert levels(policy, hook="medication-prescribe") == []


def test_a_mode_for_a_unit_holds_where_the_encounter_says_so(tmp_path: Path) -> None:
    policy = site(tmp_path, policy=modes_text(ROW.format(reach='units = ["intensive  care"]', mode="silent")))
    assert levels(policy, **encounter("Intensive Care")) == []
    assert levels(policy, **encounter("Ward 3")) == ["critical"]


def test_a_request_that_does_not_say_its_unit_has_the_mode_of_the_site(tmp_path: Path) -> None:
    policy = site(tmp_path, policy=modes_text(ROW.format(reach='units = ["Ward 3"]', mode="live"), interaction="info"))
    assert levels(policy) == ["info"]
    assert levels(policy, **encounter("Ward 3")) == ["critical"]


def test_the_first_exception_that_fits_holds(tmp_path: Path) -> None:
    rows = [ROW.format(reach='units = ["Ward 3"]\nhooks = ["order-sign"]', mode="silent"), ROW.format(reach='units = ["Ward 3"]', mode="info")]
    policy = site(tmp_path, policy=modes_text(*rows))
    assert [policy.at(hook, ["Ward 3"]).mode("dosage") for hook in HOOKS] == [Mode.SILENT, Mode.INFO]
    assert policy.at("order-sign", ["Ward 4"]).mode("dosage") is Mode.LIVE


def test_an_exception_for_a_check_leaves_the_others(tmp_path: Path) -> None:
    policy = site(tmp_path, policy=modes_text(ROW.format(reach='checks = ["dosage"]\nhooks = ["order-sign"]', mode="silent"))).at("order-sign")
    assert (policy.mode("dosage"), policy.mode("interaction")) == (Mode.SILENT, Mode.LIVE)


def test_a_practice_rule_holds_in_its_unit_alone(tmp_path: Path) -> None:
    policy = site(tmp_path, practice=practice_text(units=["Ward 3"]))
    assert levels(policy, **encounter("Ward 3", "Bed 12")) == ["info"]
    assert levels(policy, **encounter("Ward 4")) == ["critical"]


def without_problems(case: dict[str, Any]) -> dict[str, Any]:
    return {**case, "patient": {k: v for k, v in WHO.items() if k not in ("conditions", "allergies")}}


def needs(policy: Policy) -> set[str]:
    cards = answer_under(policy, without_problems({**PAIR, "draft": ["ibuprofen 400 mg oral tablet"]})).cards
    objects = [f for c in cards for f in c["extension"]["org.pharmgraph.findings"]]
    return {need for f in objects if f["kind"] == "gap" for need in f["needs"]}


def test_a_silent_check_asks_for_nothing_unless_it_guards_what_is_never_suppressed(tmp_path: Path) -> None:
    assert {"conditions", "allergies"} <= needs(Policy.shipped())
    silent = modes_text(contraindication="silent", allergy="silent", special_population="silent", dosage="silent", prerequisite="silent")
    assert {"conditions", "allergies"} <= needs(site(tmp_path / "kept", policy=silent))
    bare = silent.replace('risk_types = ["ALLERGY_CONFLICT", "CONTRAINDICATION_CONDITION"]', "risk_types = []")
    assert needs(site(tmp_path / "bare", policy=bare)) & {"conditions", "allergies"} == set()


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (ROW.format(reach='checks = ["dosage"]', mode="info"), "mode 1: names neither hooks nor units"),
        (ROW.format(reach='hooks = ["order-signing"]', mode="info"), "mode 1: hooks names 'order-signing', which is none; known are order-sign, order-select"),
        (ROW.format(reach='checks = ["doses"]\nhooks = ["order-sign"]', mode="info"), "mode 1: checks names 'doses'"),
        (ROW.format(reach='units = "ICU"', mode="info"), "mode 1: units is 'ICU'; write a list of names"),
        (ROW.format(reach='units = ["ICU"]', mode="off"), "mode 1: mode is 'off'; expected one of silent, info, live"),
        ('[[mode]]\nunits = ["ICU"]\nmode = "info"', "mode 1: why is missing"),
        (ROW.format(reach='ward = ["ICU"]', mode="info"), "mode 1: unknown member 'ward'"),
    ],
)
def test_a_broken_exception_says_what_and_where(tmp_path: Path, row: str, said: str) -> None:
    with pytest.raises(InvalidPolicy, match=rf"policy\.toml, {said}"):
        site(tmp_path, policy=modes_text(row))


def test_a_mode_that_is_not_live_needs_a_note(tmp_path: Path) -> None:
    text = modes_text(dosage="info")
    with pytest.raises(InvalidPolicy, match=r"\[modes\]: why is missing; write in a few words why"):
        site(tmp_path, policy=text.replace('why = "the checks are being introduced"\n', "", 1))


def test_every_hook_that_is_served_can_be_named() -> None:
    assert set(HOOKS) == {s.hook for s in SERVICES}
