"""Amounts, bands and values in words."""

from __future__ import annotations

import pytest
from pest_builders import PARTNER, D, age, band, condition, crcl, flat, genotype, ordering, regimen, rule

from cds_service.audit.pest.bands import Band
from cds_service.audit.pest.spoken import allowed_words, amount, condition_words, fact_words, ordered_words, stretch_words
from ontology.model.facts import Axis, Known
from ontology.model.guards import AllOf, Category, Exposure, Guard, HasCondition, Interval, Opaque
from ontology.model.quantities import quantity


@pytest.mark.parametrize(
    ("value", "dimension", "words"),
    [
        ("20", "mass", "20 mg"),
        ("0.125", "mass", "125 mcg"),
        ("4000", "mass", "4000 mg"),
        ("12000", "mass", "12 g"),
        ("2.5", "mass", "2.5 mg"),
        ("1", "tablet", "1 tablet"),
        ("2", "tablet", "2 tablets"),
        ("10", "activity", "10 units"),
        ("33.333333", "mass", "33.33 mg"),
        ("0", "mass", "0 mcg"),
    ],
)
def test_an_amount_as_a_person_writes_it(value: str, dimension: str, words: str) -> None:
    assert amount(D(value), dimension) == words


@pytest.mark.parametrize(
    ("allowed", "per", "words"),
    [
        (band("20"), "day", "20 mg a day"),
        (band("250-500"), "day", "250 mg to 500 mg a day"),
        (band("0-40"), "day", "40 mg a day"),
        (band("40", single="20"), "dose", "20 mg a dose"),
        (band("10", single="70", period="7"), "week", "70 mg every 7 days"),
    ],
)
def test_what_a_band_allows(allowed: Band, per: str, words: str) -> None:
    assert allowed_words(allowed, per) == words


def test_what_an_order_gives_is_said_over_the_stretch_that_is_known() -> None:
    assert ordered_words(ordering("500", "2000"), "mass", "day") == "2000 mg a day"
    assert ordered_words(ordering("500", "2000"), "mass", "dose") == "500 mg a dose"
    assert ordered_words(ordering("500", None), "mass", "day") == "500 mg a dose"


@pytest.mark.parametrize(("days", "words"), [("0.25", "6 hours"), ("1", "24 hours"), ("14.00000000000000000000000001", "14 days"), ("2", "2 days")])
def test_a_stretch_of_time(days: str, words: str) -> None:
    assert stretch_words(D(days)) == words


@pytest.mark.parametrize(
    ("guard", "words"),
    [
        (None, ""),
        (crcl("30", "50"), "creatinine clearance 30 to 50 mL/min"),
        (crcl(high="30", high_open=True), "creatinine clearance below 30 mL/min"),
        (crcl("50", low_open=True), "creatinine clearance above 50 mL/min"),
        (crcl("20", "20"), "creatinine clearance 20 mL/min"),
        (age("60"), "age from 60 years"),
        (AllOf((age("0"), crcl(high="50"))), "creatinine clearance up to 50 mL/min"),
        (Interval(Axis.LAB, None, D(3), "g/dL", detail="albumin"), "albumin up to 3 g/dL"),
        (Category(Axis.HEPATIC, ("mild", "moderate")), "mild or moderate hepatic impairment"),
        (genotype("poor metabolizer"), "CYP2C19 poor metabolizer"),
        (HasCondition(condition("gout"), "active gout"), "active gout"),
        (Opaque("in severe cases"), "“in severe cases”"),
        (AllOf((crcl(high="50"), Exposure(PARTNER))), "creatinine clearance up to 50 mL/min"),
    ],
)
def test_what_a_guard_asks_of_the_patient(guard: Guard | None, words: str) -> None:
    assert condition_words(rule("r", regimen(flat("1")), guard)) == words


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (Known(quantity(D("72.9"), "a")), "age 72 years"),
        (Known(quantity(D("41.26"), "mL/min")), "41.26 mL/min"),
        (Known("end-stage"), "end stage"),
        (Known(True), ""),
    ],
)
def test_a_fact_of_the_patient(fact: Known, words: str) -> None:
    assert fact_words(fact) == words
