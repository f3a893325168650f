"""Pregnancy and lactation: FALSE only when asserted or excluded; stages by weeks; breastfeeding open after a birth."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from audit_builders import answered, chart, measured, problem, word

from cds_service.audit.profile.maternity import Maternity
from cds_service.intake.prescription import Retrieval
from ontology.model.facts import UnknownReason
from ontology.model.identifiers import Code


def test_pregnancy_is_unknown_when_nobody_says() -> None:
    assert word(chart(born="1996-01-01").maternity.pregnancy) is UnknownReason.NOT_RECORDED


@pytest.mark.parametrize(
    ("born", "sex", "condition"),
    [
        ("1996-01-01", "male", None),
        ("1950-01-01", "female", None),
        ("2020-01-01", "female", None),
        ("1990-01-01", "female", problem("Acquired absence of both cervix and uterus", Code("icd10cm", "Z90.710"))),
        ("1990-01-01", "female", problem("Total hysterectomy", status="historical")),
    ],
)
def test_pregnancy_is_excluded_by_sex_age_or_history(born: str, sex: str, condition: object) -> None:
    conditions = (condition,) if condition is not None else ()
    assert word(chart(born=born, sex=sex, conditions=conditions).maternity.pregnancy) == "no"  # type: ignore[arg-type]


def test_a_family_entry_excludes_nothing() -> None:
    entry = problem("Hysterectomy of the mother", status="family")
    assert word(chart(born="1996-01-01", conditions=(entry,)).maternity.pregnancy) is UnknownReason.NOT_RECORDED


@pytest.mark.parametrize(("said", "expected"), [("Pregnant", "yes"), ("Not pregnant", "no"), ("Possible pregnancy", UnknownReason.NOT_RECORDED)])
def test_pregnancy_as_an_observation_states_it(said: str, expected: object) -> None:
    assert word(chart(born="1996-01-01", measurements=(answered("82810-3", said),)).maternity.pregnancy) == expected


def test_an_old_not_pregnant_is_stale() -> None:
    stated = answered("82810-3", "Not pregnant", day=date(2026, 5, 1))
    assert word(chart(born="1996-01-01", measurements=(stated,)).maternity.pregnancy) is UnknownReason.STALE


@pytest.mark.parametrize(("code", "trimester"), [("Z3A.08", "first-trimester"), ("Z3A.14", "second-trimester"), ("Z3A.28", "third-trimester")])
def test_weeks_of_gestation_give_the_trimester(code: str, trimester: str) -> None:
    entry = problem("Weeks of gestation", Code("icd10cm", code))
    assert word(chart(born="1996-01-01", conditions=(entry,)).maternity.pregnancy) == trimester


def test_weeks_measured_earlier_are_weeks_later_now() -> None:
    measurement = measured("18185-9", "10", "wk", day=date(2026, 10, 4))
    patient = chart(born="1996-01-01", measurements=(measurement,)).maternity
    assert patient.gestation is not None
    assert patient.gestation[0] == 14


def test_an_abortion_code_is_no_pregnancy() -> None:
    entry = problem("Spontaneous abortion", Code("icd10cm", "O03.9"))
    assert word(chart(born="1996-01-01", conditions=(entry,)).maternity.pregnancy) is UnknownReason.NOT_RECORDED


def test_breastfeeding_stated_and_denied() -> None:
    assert word(chart(born="1996-01-01", measurements=(answered("63895-7", "Breastfeeding"),)).maternity.lactation) == "yes"
    assert word(chart(born="1996-01-01", measurements=(answered("63895-7", "No"),)).maternity.lactation) == "no"


POSTPARTUM = problem("Postpartum follow-up", Code("icd10cm", "Z39.2"))


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"born": "1996-01-01", "conditions": (POSTPARTUM,)}, UnknownReason.NOT_RECORDED),
        ({"born": "1996-01-01", "notes": ("Eight weeks postpartum, doing well.",)}, UnknownReason.NOT_RECORDED),
        ({"born": "1996-01-01", "conditions": (replace(POSTPARTUM, onset=date(2025, 3, 1)),)}, "no"),
        ({"born": "1996-01-01"}, "no"),
        ({"born": "1996-01-01", "retrieval": {"conditions": Retrieval.NOT_RETRIEVED}}, UnknownReason.NOT_RETRIEVED),
        ({"born": "1996-01-01", "sex": "male", "conditions": (POSTPARTUM,)}, "no"),
        ({"born": "2019-01-01", "retrieval": {"conditions": Retrieval.NOT_RETRIEVED}}, "no"),
        ({"born": "1996-01-01", "conditions": (POSTPARTUM,), "notes": ("Exclusively breastfeeding.",)}, "yes"),
        ({"born": "1996-01-01", "conditions": (POSTPARTUM,), "notes": ("She is not breastfeeding.",)}, "no"),
        ({"born": "1996-01-01", "conditions": (POSTPARTUM,), "notes": ("Sister is breastfeeding.",)}, UnknownReason.NOT_RECORDED),
        ({"born": "1996-01-01", "conditions": (POSTPARTUM,), "notes": ("Plans to breastfeed.",)}, UnknownReason.NOT_RECORDED),
        ({"born": "1996-01-01", "conditions": (POSTPARTUM,), "notes": ("Breastfeeding her daughter every three hours.",)}, "yes"),
        ({"born": "1996-01-01", "conditions": (POSTPARTUM,), "notes": ("Baby is formula-fed.",)}, "no"),
    ],
)
def test_breastfeeding_is_open_only_within_a_year_of_a_birth(members: dict[str, Any], expected: object) -> None:
    assert word(chart(**members).maternity.lactation) == expected


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("Pregnant, 29 weeks + 2 days, singleton.", "third-trimester"),
        ("Pregnancy test negative today.", "no"),
        ("Not pregnant.", "no"),
        ("Wife is 12 weeks pregnant.", UnknownReason.NOT_RECORDED),
        ("Uses the pill to avoid pregnancy.", UnknownReason.NOT_RECORDED),
        ("Two previous pregnancies.", UnknownReason.NOT_RECORDED),
        ("If pregnant, stop.", UnknownReason.NOT_RECORDED),
        ("Postmenopausal.", "no"),
        ("Hysterectomy in 2014.", "no"),
        ("Perimenopausal complaints.", UnknownReason.NOT_RECORDED),
        ("Pregnancy test not done yet.", UnknownReason.NOT_RECORDED),
        ("Urine pregnancy test positive.", "yes"),
        ("The drug is contraindicated in pregnancy.", UnknownReason.NOT_RECORDED),
        ("Wants to become pregnant next year.", UnknownReason.NOT_RECORDED),
        ("Gravida 2, para 2.", UnknownReason.NOT_RECORDED),
        ("Pregnant in 2021, healthy boy.", UnknownReason.NOT_RECORDED),
    ],
)
def test_notes_tell_of_a_pregnancy_now(note: str, expected: object) -> None:
    assert word(chart(born="1986-01-01", notes=(note,)).maternity.pregnancy) == expected


def pregnant(weeks: str) -> Maternity:
    return chart(born="1996-01-01", conditions=(problem(f"Pregnancy, {weeks}", Code("icd10cm", "Z33.1")),)).maternity


@pytest.mark.parametrize(
    ("weeks", "stage", "inside"),
    [
        ("31 weeks", "at about 30 weeks gestation and later", True),
        ("25 weeks", "at about 30 weeks gestation and later", False),
        ("25 weeks", "between about 20 to 30 weeks gestation", True),
        ("19 weeks", "at 20 weeks or later in pregnancy", False),
        ("20 weeks", "at about 20 weeks gestation or later in pregnancy", True),
        ("38 weeks", "at term", True),
        ("36 weeks", "at term (38-42 weeks gestation)", False),
        ("10 weeks", "first trimester", True),
        ("14 weeks", "first trimester", False),
        ("29w2d", "third trimester", True),
    ],
)
def test_a_stage_is_met_by_the_weeks_it_means(weeks: str, stage: str, inside: bool) -> None:
    assert (word(pregnant(weeks).pregnant_in(stage)) != "no") is inside


def test_a_stage_without_weeks_is_decided_by_the_trimester_where_it_can() -> None:
    second = chart(born="1996-01-01", conditions=(problem("Supervision of normal pregnancy", Code("icd10cm", "Z34.82")),)).maternity
    assert word(second.pregnant_in("first trimester")) == "no"
    assert word(second.pregnant_in("second and third trimester")) == "second-trimester"
    assert word(second.pregnant_in("at 20 weeks or later")) is UnknownReason.TOO_BROAD
    assert word(chart(born="1996-01-01", conditions=(problem("Pregnant"),)).maternity.pregnant_in("third trimester")) is UnknownReason.TOO_BROAD


def test_a_pregnancy_on_the_list_for_more_than_a_year_is_over() -> None:
    old = problem("Pregnancy", Code("icd10cm", "Z33.1"), day=date(2025, 6, 1))
    assert word(chart(born="1996-01-01", conditions=(old,)).maternity.pregnancy) is UnknownReason.NOT_RECORDED
