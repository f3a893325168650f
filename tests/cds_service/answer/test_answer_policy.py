"""The policy a site gives is checked before it is used; the shipped one is whole."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from cds_service.answer.errors import InvalidPolicy
from cds_service.answer.policy import Mode, Policy
from cds_service.answer.severity import Indicator, SeverityTable
from cds_service.audit.outcomes import Category, Certainty
from ontology.model.advice import Action
from ontology.model.claims import Strength

SEVERITY = """
[[row]]
action = ["{action}"]
indicator = "{indicator}"
why = "w"
source = "s"
[[row]]
indicator = "info"
why = "w"
source = "s"
"""


def test_the_shipped_table_covers_every_combination() -> None:
    cells = Policy.shipped().severity.cells
    assert len(cells) == len(Action) * len(Strength) * len(Certainty) * 2
    assert cells["contraindicated", "must", "coded", "rule"] is Indicator.CRITICAL
    assert cells["contraindicated", "must", "text", "person"] is Indicator.WARNING
    assert cells["avoid", "must", "coded", "rule"] is Indicator.WARNING
    assert cells["monitor", "must", "coded", "person"] is Indicator.INFO


def test_nothing_but_a_clear_contraindication_is_critical() -> None:
    cells = Policy.shipped().severity.cells
    loud = {cell for cell, indicator in cells.items() if indicator is Indicator.CRITICAL}
    assert loud == set(product(["contraindicated"], ["must", "should"], ["coded", "stated"], ["rule", "person"]))


def test_a_site_file_replaces_the_shipped_one(tmp_path: Path) -> None:
    (tmp_path / "severity.toml").write_text(SEVERITY.format(action="avoid", indicator="critical"))
    policy = Policy.load(tmp_path)
    assert policy.severity.cells["avoid", "must", "coded", "rule"] is Indicator.CRITICAL
    assert policy.severity.cells["contraindicated", "must", "coded", "rule"] is Indicator.INFO
    assert policy.modes == Policy.shipped().modes


def test_the_id_changes_with_what_the_policy_says(tmp_path: Path) -> None:
    assert Policy.load(tmp_path).id == Policy.shipped().id
    (tmp_path / "severity.toml").write_text(SEVERITY.format(action="avoid", indicator="critical"))
    assert Policy.load(tmp_path).id != Policy.shipped().id


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidPolicy, match="nowhere does not exist"):
        Policy.load(tmp_path / "nowhere")


def test_a_misspelt_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "severty.toml").write_text("")
    with pytest.raises(InvalidPolicy, match=r"severty\.toml is no policy file"):
        Policy.load(tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("not toml [", "is not TOML"),
        ("", r"no \[\[row\]\]"),
        (SEVERITY.format(action="avoids", indicator="info"), r"row 1: action names 'avoids', which is none; known are"),
        (SEVERITY.format(action="avoid", indicator="hard-stop"), r"row 1: indicator is 'hard-stop'; expected one of info, warning, critical"),
        ('[[row]]\nindicator = "info"\n', r"row 1: why is missing; write in a few words"),
        ('[[row]]\naktion = ["avoid"]\nindicator = "info"\nwhy = "w"\nsource = "s"\n', "unknown member 'aktion'"),
        ('[[row]]\naction = ["avoid"]\nindicator = "info"\nwhy = "w"\nsource = "s"\n', "no row covers contraindicated"),
    ],
)
def test_a_broken_severity_table_says_what_and_where(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "severity.toml").write_text(text)
    with pytest.raises(InvalidPolicy, match=said):
        Policy.load(tmp_path)


def shipped_text(name: str) -> str:
    return (Path(__file__).parents[3] / "cds_service" / "answer" / "data" / name).read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('interaction = "live"', 'interaction = "loud"', "mode of interaction is 'loud'; expected one of silent, info, live"),
        ('interaction = "live"', 'interactions = "live"', "names 'interactions', which is no check"),
        ("budget_seconds = 3.0", "budget_seconds = 0", "budget_seconds is 0; expected a number from 0.05 to 60"),
        ('"ALLERGY_CONFLICT"', '"ALLERGY"', r"\[never_suppress\]: risk_types names 'ALLERGY', which is none"),
        ('empty_list = "mention"', 'empty_list = "hide"', "empty_list is 'hide'; expected one of mention, gap"),
        ("[limits]", "[limit]", r"table \[limits\] is missing"),
    ],
)
def test_a_broken_policy_says_what_and_where(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = shipped_text("policy.toml")
    assert old in text
    (tmp_path / "policy.toml").write_text(text.replace(old, new))
    with pytest.raises(InvalidPolicy, match=said):
        Policy.load(tmp_path)


def test_override_codes_stand_once(tmp_path: Path) -> None:
    text = shipped_text("override_reasons.toml")
    (tmp_path / "override_reasons.toml").write_text(text.replace('"will-monitor"', '"tolerated-before"'))
    with pytest.raises(InvalidPolicy, match="a code stands twice"):
        Policy.load(tmp_path)


def test_every_category_of_the_checks_has_reasons() -> None:
    policy = Policy.shipped()
    for category in (Category.INTERACTION, Category.ALLERGY, Category.CONTRAINDICATION, Category.DUPLICATE):
        assert policy.reasons_for(category)


def test_a_check_that_no_policy_names_is_live() -> None:
    assert Policy.shipped().mode("indication") is Mode.LIVE


def test_the_table_refuses_what_is_no_table() -> None:
    with pytest.raises(InvalidPolicy, match="expected a table"):
        SeverityTable.read({"row": ["x"]}, "here")
