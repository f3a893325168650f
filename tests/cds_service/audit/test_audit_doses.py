"""Amounts of an order, and the limits that a label's words put on a combination."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cds_service.audit.dose_caps import read_cap
from cds_service.audit.doses import daily_dose, single_dose, strength_of
from cds_service.intake.prescription import DoseInstruction, Order, OrderIntent, OrderRole, Source
from ontology.model.identifiers import EntityId
from ontology.model.quantities import Quantity, quantity
from ontology.terms.identity import DrugIdentity, IngredientRef

DRUG = EntityId("Ingredient", "rxnorm", "1")


def order(text: str, *instructions: DoseInstruction, ingredients: int = 1, strength: str | None = None) -> Order:
    refs = tuple(IngredientRef(DRUG, "drug") for _ in range(ingredients))
    drug = DrugIdentity(DRUG, "drug", refs, "code", "x", strength=strength)
    return Order(
        "MedicationRequest/1",
        OrderRole.DRAFT,
        OrderIntent.NEW,
        drug,
        text,
        "oral",
        "tablet",
        instructions,
        "draft",
        Source("MedicationRequest/1", None, "medications"),
    )


def give(dose: str, unit: str, times: str | None = "1", **more: Quantity) -> DoseInstruction:
    n = Decimal(times) if times else None
    return DoseInstruction(dose_low=quantity(dose, unit), dose_high=quantity(dose, unit), times_low=n, times_high=n, max_per_day=more.get("max_per_day"))


def test_tablets_count_by_their_strength() -> None:
    assert daily_dose(order("simvastatin 20 MG Oral Tablet", give("2", "{tbl}", "3"))) == quantity("120", "mg")


def test_eighty_one_milligrams_are_not_tablets() -> None:
    assert single_dose(order("aspirin 81 mg tablet", give("81", "mg"))) == quantity("81", "mg")


def test_a_concentration_is_no_strength() -> None:
    assert strength_of(order("digoxin 50 mcg/mL oral solution")) is None


def test_two_strengths_in_one_name_are_none() -> None:
    assert strength_of(order("capecitabine 500 mg + 150 mg tablets")) is None
    assert strength_of(order("acetaminophen 325 mg / hydrocodone 5 mg", ingredients=2)) is None


def test_no_frequency_no_daily_dose() -> None:
    assert daily_dose(order("simvastatin 20 mg tablet", give("20", "mg", None))) is None


def test_a_stated_maximum_bounds_the_day() -> None:
    assert daily_dose(order("acetaminophen 500 mg", give("500", "mg", "6", max_per_day=quantity("2", "g")))) == quantity("2", "g")


@pytest.mark.parametrize(
    ("words", "milligrams"),
    [
        ("do not exceed 20 mg once daily", 20),
        ("should not exceed 10 mg daily", 10),
        ("reduce the dose to 100 mg twice daily", 200),
        ("the maximum recommended dose is 20 mg/day", 20),
        ("limit the dose to 1 g per day", 1000),
        ("not more than 5 mg a day", 5),
    ],
)
def test_a_limit_in_words_is_a_daily_amount(words: str, milligrams: int) -> None:
    cap = read_cap(words)
    assert cap is not None
    assert cap.value * cap.unit.factor == milligrams


@pytest.mark.parametrize("words", ["reduce the dose by half", "do not exceed 20 mg", "to 10 mg daily, or to 20 mg daily in some", "monitor closely", ""])
def test_words_without_one_daily_limit_are_no_limit(words: str) -> None:
    assert read_cap(words) is None


@given(st.text(max_size=120))
def test_no_words_raise(words: str) -> None:
    read_cap(words)
