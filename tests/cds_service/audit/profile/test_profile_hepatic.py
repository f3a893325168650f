"""Hepatic function: Child-Pugh stated or from its five parts, grades in words, and what is missing for them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from audit_builders import asked, chart, measured, problem, word

from cds_service.intake.prescription import ConditionFact, Measurement, Retrieval
from ontology.model.facts import Axis, Unknown, UnknownReason
from ontology.model.guards import Category, Interval, Truth
from ontology.model.identifiers import Code

CIRRHOSIS = problem("Cirrhosis of liver", Code("icd10cm", "K74.60"))


def labs(bilirubin: str | None, albumin: str | None, inr: str | None) -> tuple[Measurement, ...]:
    rows = (("1975-2", bilirubin, "mg/dL"), ("1751-7", albumin, "g/dL"), ("6301-6", inr, "{INR}"))
    return tuple(measured(loinc, value, unit) for loinc, value, unit in rows if value)


def child_pugh(*conditions: ConditionFact, notes: tuple[str, ...] = (), values: tuple[Measurement, ...] = (), **more: Any) -> object:
    return word(chart(conditions=conditions, notes=notes, measurements=values, **more).liver.child_pugh)


@pytest.mark.parametrize(
    ("values", "signs", "expected"),
    # Pugh 1973: bilirubin 2-3 mg/dL, albumin 2.8-3.5 g/dL, INR 1.7-2.3, mild ascites and grade 1-2 encephalopathy are two points each.
    [
        (("1.0", "4.0", "1.0"), "No ascites, no encephalopathy.", "A"),
        (("2.5", "3.0", "1.8"), "Mild ascites, no encephalopathy.", "B"),
        (("3.4", "2.5", "1.9"), "Large ascites, encephalopathy grade 3.", "C"),
        (("2.0", "3.5", "1.7"), "No ascites. Encephalopathy grade 1.", "B"),
    ],
)
def test_the_five_parts_give_the_class(values: tuple[str, str, str], signs: str, expected: str) -> None:
    assert child_pugh(CIRRHOSIS, notes=(signs,), values=labs(*values)) == expected


def test_the_points_are_a_number_where_a_label_asks_for_points() -> None:
    members = {"conditions": (CIRRHOSIS,), "notes": ("No ascites, no encephalopathy.",), "measurements": labs("1.0", "4.0", "1.0")}
    assert asked(Interval(Axis.CHILD_PUGH, None, Decimal(6), "1"), **members).truth is Truth.TRUE  # type: ignore[arg-type]
    assert asked(Interval(Axis.CHILD_PUGH, Decimal(7), None, "1"), **members).truth is Truth.FALSE  # type: ignore[arg-type]


def test_values_on_the_edge_of_a_band_are_in_the_middle_one() -> None:
    members = {"conditions": (CIRRHOSIS,), "notes": ("No ascites, no encephalopathy.",), "measurements": labs("2.0", "3.5", "1.7")}
    assert asked(Interval(Axis.CHILD_PUGH, Decimal(8), Decimal(8), "1"), **members).truth is Truth.TRUE  # type: ignore[arg-type]


def test_a_missing_part_is_named_and_decides_nothing_it_cannot() -> None:
    fact = chart(conditions=(CIRRHOSIS,)).liver.child_pugh
    assert isinstance(fact, Unknown)
    assert fact.needs == {"hepatic-function", "lab:bilirubin", "lab:albumin", "lab:inr"}
    one = chart(conditions=(CIRRHOSIS,), measurements=labs("1.0", "4.0", None)).liver.child_pugh
    assert isinstance(one, Unknown)
    assert "lab:inr" in one.needs
    assert "lab:bilirubin" not in one.needs
    assert one.among == {"A", "B"}


def test_parts_that_are_known_may_decide_without_the_missing_one() -> None:
    found = child_pugh(CIRRHOSIS, notes=("Tense ascites. Encephalopathy grade 4.",), values=labs("8.0", "2.0", None))
    assert found == "C"


@pytest.mark.parametrize(
    ("entry", "notes", "expected"),
    [
        (problem("Cirrhosis of liver, Child-Pugh class C"), (), "C"),
        (problem("Alcoholic cirrhosis, Child-Turcotte-Pugh B"), (), "B"),
        (CIRRHOSIS, ("Hepatology: Child-Pugh class A (6 points).",), "A"),
        (CIRRHOSIS, ("Child-Pugh score 11.",), "C"),
        (CIRRHOSIS, ("Father: cirrhosis Child-Pugh C.",), UnknownReason.NOT_RECORDED),
    ],
)
def test_a_class_that_is_stated_counts(entry: ConditionFact, notes: tuple[str, ...], expected: object) -> None:
    assert child_pugh(entry, notes=notes) == expected


@pytest.mark.parametrize(
    ("entries", "grades"),
    [
        ((), {"none"}),
        ((problem("Fatty liver"),), {"none"}),
        ((problem("Severe hepatic impairment"),), {"severe"}),
        ((CIRRHOSIS,), {"mild", "moderate", "severe"}),
        ((problem("Decompensated cirrhosis of liver"),), {"moderate", "severe"}),
        ((problem("Chronic hepatitis B", Code("icd10cm", "B18.1")),), {"none", "mild", "moderate", "severe"}),
    ],
)
def test_the_grade_or_the_grades_that_are_possible(entries: tuple[ConditionFact, ...], grades: set[str]) -> None:
    fact = chart(conditions=entries).liver.grade
    assert (set(fact.among) if isinstance(fact, Unknown) else {fact.value}) == grades


def test_without_liver_disease_there_are_no_points_and_with_an_unscored_one_they_are_open() -> None:
    above_six = Interval(Axis.CHILD_PUGH, Decimal(6), None, "1", low_open=True)
    assert asked(above_six).truth is Truth.FALSE
    assert asked(above_six, conditions=(problem("Chronic hepatitis B", Code("icd10cm", "B18.1")),)).truth is Truth.UNKNOWN


def test_cirrhosis_is_impairment_and_perhaps_severe() -> None:
    any_ = asked(Category(Axis.HEPATIC, ("mild", "moderate", "severe")), conditions=(CIRRHOSIS,))
    severe = asked(Category(Axis.HEPATIC, ("severe",)), conditions=(CIRRHOSIS,))
    assert any_.truth is Truth.TRUE
    assert severe.truth is Truth.UNKNOWN
    assert "hepatic-function" in severe.needs


def test_high_bilirubin_without_a_disease_leaves_it_open() -> None:
    assert word(chart(measurements=labs("7.1", None, None)).liver.grade) is UnknownReason.NOT_RECORDED
    assert word(chart(measurements=labs("1.6", None, None)).liver.grade) == "none"


def test_a_list_that_did_not_come_says_nothing() -> None:
    assert word(chart(retrieval={"conditions": Retrieval.NOT_RETRIEVED}).liver.grade) is UnknownReason.NOT_RETRIEVED


@pytest.mark.parametrize(
    ("entries", "bilirubin", "expected"),
    # The upper limit of normal is 1.2 mg/dL: multiples of 1, 1.25, 1.5, 2 and 3.1.
    [
        ((), "1.2", "none"),
        ((), "1.5", "mild"),
        ((), "1.8", "mild"),
        ((), "2.4", "moderate"),
        ((), "3.7", "severe"),
        ((problem("Gilbert syndrome", Code("icd10cm", "E80.4")),), "2.4", "none"),
        ((problem("Severe hepatic impairment"),), "2.4", "severe"),
        ((problem("Mild hepatic impairment"),), "2.4", "moderate"),
        ((), None, "none"),
    ],
)
def test_bilirubin_grades_where_labels_measure_by_it(entries: tuple[ConditionFact, ...], bilirubin: str | None, expected: str) -> None:
    assert word(chart(conditions=entries, measurements=labs(bilirubin, None, None)).liver.grade_by_bilirubin) == expected


def test_normal_bilirubin_does_not_grade_a_liver_disease() -> None:
    assert word(chart(conditions=(CIRRHOSIS,), measurements=labs("1.0", None, None)).liver.grade_by_bilirubin) is UnknownReason.NOT_RECORDED
