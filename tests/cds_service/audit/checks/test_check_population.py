"""Special populations: who belongs to one, what is said of it, what the dose check says instead."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from case_orders import labels_of, man, told
from case_world import World

from cds_service.audit.checks.population import PopulationCheck
from cds_service.audit.outcomes import Clear, Finding, Gap, RiskType

CHECK = PopulationCheck()


def label(population: str, action: str, **more: Any) -> dict[str, Any]:
    return {"says": f"Of {population}: {action}{more.get('section', '')}.", "advises": population, "action": action, **more}


DOSED = {"says": "Above 65 years take 10 mg.", "doses": "all", "dose": "10 mg", "times": 1, "when": {"axis": "age", "at_least": 65, "unit": "a"}}
LABELS: dict[str, tuple[dict[str, Any], ...]] = {
    **{f"{population} avoid": (label(population, "avoid"),) for population in ("pediatric", "neonate", "geriatric", "pregnancy", "renal", "hepatic")},
    **{
        f"geriatric {action}": (label("geriatric", action),)
        for action in ("no-adjustment", "no-recommendation", "monitor", "caution", "not-studied", "adjust-dose")
    },
    "pediatric not-studied": (label("pediatric", "not-studied"),),
    "pregnancy monitor": (label("pregnancy", "monitor"),),
    "bounded": (label("pediatric", "avoid", when={"axis": "age", "below": 6, "unit": "a"}),),
    "wider": (label("pediatric", "avoid", when={"axis": "age", "below": 21, "unit": "a"}),),
    "two": (label("geriatric", "monitor"), label("geriatric", "avoid")),
    "dosed": (label("geriatric", "adjust-dose"), DOSED),
    "judged": (label("geriatric", "avoid", when={"judge": "with frailty"}),),
}


@cache
def labels() -> tuple[World, dict[str, str]]:
    return labels_of(LABELS)


def said(name: str, **who: Any) -> list[Any]:
    """What the check says of the drug with the label of this name, for a man of 45 but for what is given."""
    world, drugs = labels()
    return told(CHECK, f"{drugs[name]} 40 mg oral tablet", world=world, who={k: v for k, v in man(**who).items() if v is not None})


@pytest.mark.parametrize(
    ("population", "who", "belongs"),
    [
        ("pediatric", {"born": "2010-01-01"}, True),
        ("pediatric", {"born": "2008-11-01"}, False),
        ("neonate", {"born": "2026-10-10"}, True),
        ("neonate", {"born": "2026-09-01"}, False),
        ("geriatric", {"born": "1961-11-01"}, True),
        ("geriatric", {"born": "1961-11-02"}, False),
        ("pregnancy", {"sex": "female", "conditions": [{"text": "Pregnancy", "icd10": "Z33.1"}]}, True),
        ("pregnancy", {"sex": "male"}, False),
        ("renal", {"conditions": [{"text": "Chronic kidney disease, stage 4", "icd10": "N18.4"}]}, True),
        ("hepatic", {"conditions": ["Child-Pugh class B cirrhosis"]}, True),
    ],
)
def test_who_belongs_to_a_population(population: str, who: dict[str, Any], belongs: bool) -> None:
    assert isinstance(said(f"{population} avoid", **who)[0], Finding) is belongs


def test_the_rules_own_bound_decides_alone() -> None:
    assert isinstance(said("bounded", born="2021-01-01")[0], Finding)
    assert isinstance(said("bounded", born="2016-01-01")[0], Clear)
    assert isinstance(said("wider", born="2006-01-01")[0], Finding)


@pytest.mark.parametrize(("action", "spoken"), [("no-adjustment", False), ("no-recommendation", False), ("monitor", True), ("caution", True), ("avoid", True)])
def test_what_asks_for_nothing_is_not_said(action: str, spoken: bool) -> None:
    assert isinstance(said(f"geriatric {action}", born="1950-01-01")[0], Finding) is spoken


@pytest.mark.parametrize(("population", "born", "spoken"), [("pediatric", "2015-01-01", True), ("geriatric", "1950-01-01", False)])
def test_not_studied_is_said_of_children_only(population: str, born: str, spoken: bool) -> None:
    assert isinstance(said(f"{population} not-studied", born=born)[0], Finding) is spoken


def test_the_strictest_statement_of_a_population_leads() -> None:
    found = said("two", born="1950-01-01")
    assert [f.action.value for f in found] == ["avoid"]


def test_a_change_of_dose_that_has_numbers_is_the_dose_checks() -> None:
    assert isinstance(said("dosed", born="1950-01-01")[0], Clear)


def test_a_change_of_dose_without_numbers_is_information() -> None:
    (found,) = said("geriatric adjust-dose", born="1950-01-01")
    assert (found.risk, found.cap) == (RiskType.DOSE_ADJUSTMENT_MISSED, "info")


@pytest.mark.parametrize(
    ("population", "action", "who", "needs"),
    [
        ("pregnancy", "avoid", {"sex": "female", "born": "1996-01-01"}, ("pregnancy-status",)),
        ("pregnancy", "monitor", {"sex": "female", "born": "1996-01-01"}, None),
        ("pediatric", "avoid", {"born": None}, ("age",)),
    ],
)
def test_a_missing_datum_is_asked_for_where_the_label_forbids(population: str, action: str, who: dict[str, Any], needs: tuple[str, ...] | None) -> None:
    (result,) = said(f"{population} {action}", **who)
    assert (result.needs if isinstance(result, Gap) else None) == needs


def test_words_for_a_person_to_judge_are_information() -> None:
    (found,) = said("judged", born="1950-01-01")
    assert found.cap == "info"
