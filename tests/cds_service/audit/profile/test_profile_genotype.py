"""Genotypes by status, alleles and words; ancestry; what nobody tested is unknown."""

from __future__ import annotations

from typing import Any

import pytest
from audit_builders import asked, chart, problem, word

from cds_service.intake.prescription import Measurement, Source
from ontology.model.facts import Axis, Known, Unknown, UnknownReason
from ontology.model.guards import Category, Truth
from ontology.model.identifiers import Code


def resulted(text: str, value: str) -> Measurement:
    return Measurement(None, text, None, value, None, Source("Observation/g", None, "observations"))


def meets(gene: str, *values: str, **members: Any) -> Truth:
    return asked(Category(Axis.GENOTYPE, values, gene), **members).truth


@pytest.mark.parametrize(
    ("gene", "members", "value"),
    [
        ("CYP2C19", {"conditions": (problem("CYP2C19 poor metabolizer"),)}, "poor metabolizer"),
        ("CYP2C19", {"measurements": (resulted("CYP2C19 gene product metabolic activity", "Poor metabolizer"),)}, "poor metabolizer"),
        ("CYP2C19", {"measurements": (resulted("CYP2C19 genotype", "*2/*2"),)}, "poor metabolizer"),
        ("CYP2C9", {"measurements": (resulted("CYP2C9 genotype", "*1/*3"),)}, "*1/*3"),
        ("CYP2C9", {"measurements": (resulted("CYP2C9 genotype", "*3/*1"),)}, "*1/*3"),
        ("VKORC1", {"measurements": (resulted("VKORC1 -1639", "G/A"),)}, "AG"),
        ("DPD", {"notes": ("DPYD genotype: complete deficiency.",)}, "complete deficiency"),
        ("DPYD", {"measurements": (resulted("DPYD", "*1/*2A"),)}, "partial deficiency"),
        ("TPMT", {"conditions": (problem("TPMT homozygous deficiency"),)}, "homozygous deficiency"),
        ("UGT1A1", {"measurements": (resulted("UGT1A1", "*28/*28"),)}, "homozygous *28"),
        ("UGT1A1", {"measurements": (resulted("UGT1A1", "*6/*28"),)}, "compound heterozygous *28 and *6"),
        ("G6PD", {"conditions": (problem("Anemia", Code("icd10cm", "D55.0")),)}, "deficiency"),
        ("G6PD", {"conditions": (problem("Glucose-6-phosphate dehydrogenase deficiency"),)}, "deficiency"),
        ("HLA-B*1502", {"notes": ("HLA-B*15:02 positive.",)}, "positive"),
        ("HLA-B*58:01", {"measurements": (resulted("HLA-B*5801", "Positive"),)}, "positive"),
    ],
)
def test_a_result_meets_the_labels_word(gene: str, members: dict[str, Any], value: str) -> None:
    assert meets(gene, value, **members) is Truth.TRUE


@pytest.mark.parametrize(
    ("gene", "note"),
    [
        ("DPYD", "DPYD genotype *1/*1, no reduced-function variant."),
        ("DPYD", "DPYD genotyping 2026-10-20: no reduced-function variant found (normal metabolizer)."),
        ("HLA-B*1502", "HLA-B*1502 and HLA-A*3101 negative."),
        ("HLA-B*1502", "Negative for HLA-B*1502."),
        ("CYP2D6", "CYP2D6 normal metaboliser."),
    ],
)
def test_a_normal_result_excludes_the_variant(gene: str, note: str) -> None:
    variants = ("positive", "poor metabolizer", "complete deficiency", "deficiency")
    assert meets(gene, *variants, notes=(note,)) is Truth.FALSE


@pytest.mark.parametrize(
    "note",
    ["No HLA typing done.", "HLA-B*1502 pending.", "If HLA-B*1502 positive, avoid carbamazepine.", "Mother is HLA-B*1502 positive.", ""],
)
def test_what_nobody_tested_is_unknown(note: str) -> None:
    fact = chart(notes=(note,)).genome.genotype("HLA-B*1502")
    assert isinstance(fact, Unknown)
    assert fact.needs == {"genotype"}


def test_a_variant_of_an_unknown_degree_decides_only_what_both_degrees_do() -> None:
    members = {"notes": ("DPYD: heterozygous variant found, report to follow.",)}
    assert meets("DPYD", "intermediate metabolizer", "poor metabolizer", **members) is Truth.TRUE
    assert meets("DPYD", "poor metabolizer", **members) is Truth.UNKNOWN


def test_a_deficiency_may_be_the_severe_one() -> None:
    members = {"conditions": (problem("G6PD deficiency"),)}
    assert meets("G6PD", "severe deficiency", **members) is Truth.UNKNOWN
    assert meets("G6PD", "deficiency", conditions=(problem("G6PD severe deficiency"),)) is Truth.TRUE


def test_two_genes_that_are_not_both_known_are_not_known() -> None:
    assert meets("CYP2C9 and VKORC1", "not known") is Truth.TRUE
    both = {"measurements": (resulted("CYP2C9", "*1/*1"), resulted("VKORC1", "G/G"))}
    assert meets("CYP2C9 and VKORC1", "not known", **both) is not Truth.TRUE


def test_a_result_from_a_note_alone_is_approximated() -> None:
    fact = chart(notes=("HLA-B*1502 positive.",)).genome.genotype("HLA-B*1502")
    assert isinstance(fact, Known)
    assert fact.approximated


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"notes": ("Born in Chiang Mai, both parents Thai.",)}, "east-/southeast-asian"),
        ({"notes": ("Ancestry: Korean, both parents from Seoul.",)}, "east-/southeast-asian"),
        ({"notes": ("English and Welsh descent.",)}, "european"),
        ({"notes": ("Caucasian.",)}, "european"),
        ({"notes": ("His wife is of Thai descent.",)}, UnknownReason.NOT_RECORDED),
        ({"notes": ("Works for a Korean company.",)}, UnknownReason.NOT_RECORDED),
        ({"ancestry": ("2034-7", "Chinese")}, "east-/southeast-asian"),
        ({"ancestry": ("2028-9", "Asian")}, UnknownReason.TOO_BROAD),
        ({"ancestry": ("2028-9", "Asian", "2034-7", "Chinese")}, "east-/southeast-asian"),
        ({}, UnknownReason.NOT_RECORDED),
    ],
)
def test_ancestry_as_recorded_or_told(members: dict[str, Any], expected: object) -> None:
    assert word(chart(**members).genome.ancestry) == expected


def test_a_chinese_patient_is_chinese_and_asian() -> None:
    for value in ("chinese", "east-/southeast-asian"):
        assert asked(Category(Axis.ANCESTRY, (value,)), ancestry=("2034-7",)).truth is Truth.TRUE
