"""What one tablet, millilitre, puff or patch of a product holds of each of its ingredients."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cds_service.audit.strengths import content_of
from cds_service.intake.prescription import Order, OrderIntent, OrderRole, Source
from ontology.model.identifiers import EntityId
from ontology.model.quantities import Quantity, quantity
from ontology.terms.identity import DrugIdentity, IngredientRef, UnidentifiedDrug


def entity(name: str) -> EntityId:
    return EntityId("Ingredient", "test", name.replace(" ", "-"))


def order(text: str, *ingredients: str, strength: str | None = None) -> Order:
    refs = tuple(IngredientRef(entity(i), i) for i in ingredients)
    drug = DrugIdentity(refs[0].id, " / ".join(sorted(ingredients)), refs, "name", text, strength=strength)
    return Order(
        "MedicationRequest/1", OrderRole.DRAFT, OrderIntent.NEW, drug, text, "oral", None, (), "draft", Source("MedicationRequest/1", None, "medications")
    )


def holds(text: str, dose: Quantity, *ingredients: str, strength: str | None = None) -> list[str]:
    said = [content_of(order(text, *ingredients, strength=strength), entity(i)).amount(dose) for i in ingredients]
    return [f"{format(q.value.normalize(), 'f')} {q.unit.code}" if q is not None else "?" for q in said]


TABLET, ML, PUFF = quantity(1, "tablet"), quantity(1, "mL"), quantity(1, "puff")


@pytest.mark.parametrize(
    ("text", "dose", "amount"),
    [
        ("simvastatin 20 MG Oral Tablet", quantity(2, "tablet"), "40 mg"),
        ("levothyroxine 75 mcg tablet", TABLET, "75 ug"),
        ("cholecalciferol 1,000 unit tablet", TABLET, "1000 [USP'U]"),
        ("clarithromycin 125 mg/5 mL oral suspension", ML, "25 mg"),
        ("digoxin 50 mcg/mL oral solution", quantity(2, "mL"), "100 ug"),
        ("amoxicillin 80 MG/ML Oral Suspension", quantity(1, "L"), "80000 mg"),
        ("nitrofurantoin 50 mg/10 mL oral suspension (25 mg/5 mL)", ML, "5 mg"),
        ("enoxaparin 80 mg/0.8 mL prefilled syringe", ML, "100 mg"),
        ("insulin lispro 100 units/mL", quantity("0.1", "mL"), "10 [USP'U]"),
        ("lidocaine 1% injection", ML, "10 mg"),
        ("ciprofloxacin 0.3% ophthalmic solution", quantity(2, "drop"), "0.3 mg"),
        ("albuterol 90 mcg/actuation inhaler", quantity(2, "puff"), "180 ug"),
        ("fluticasone 110 mcg inhaler", PUFF, "110 ug"),
        ("acetaminophen 650 mg rectal suppository", quantity(1, "suppository"), "650 mg"),
        ("vancomycin 1 g in sodium chloride 0.9% 250 mL", quantity(125, "mL"), "0.5 g"),
        ("vancomycin 1 g in sodium chloride 0.9% 250 mL", quantity(1, "{bag}"), "1 g"),
        ("阿司匹林肠溶片 100毫克", TABLET, "100 mg"),
        ("simvastatin oral tablet", TABLET, "?"),
        ("capecitabine 500 mg + 150 mg tablets", TABLET, "?"),
        ("vancomycin 40 mg/mL", quantity(1, "vial"), "?"),
        ("amoxicillin 250 mg capsule", ML, "?"),
        ("terbinafine 10 mg/g cream", quantity(1, "application"), "?"),
        ("simvastatin oral tablet", quantity(20, "mg"), "20 mg"),
    ],
)
def test_a_product_of_one_ingredient(text: str, dose: Quantity, amount: str) -> None:
    assert holds(text, dose, "drug") == [amount]


@pytest.mark.parametrize(
    ("text", "dose", "ingredients", "amounts"),
    [
        ("sulfamethoxazole 800 MG / trimethoprim 160 MG Oral Tablet", TABLET, ("sulfamethoxazole", "trimethoprim"), ["800 mg", "160 mg"]),
        ("trimethoprim 160 mg / sulfamethoxazole 800 mg tablet", TABLET, ("sulfamethoxazole", "trimethoprim"), ["800 mg", "160 mg"]),
        ("Bactrim DS 800-160 mg tablet", TABLET, ("trimethoprim", "sulfamethoxazole"), ["160 mg", "800 mg"]),
        ("Hydrocodone/acetaminophen 5 mg/325 mg tablet", quantity(2, "tablet"), ("acetaminophen", "hydrocodone"), ["650 mg", "10 mg"]),
        ("losartan-hydrochlorothiazide 50-12.5 mg", TABLET, ("hydrochlorothiazide", "losartan"), ["12.5 mg", "50 mg"]),
        ("Ultracet 37.5 mg/325 mg tablet", TABLET, ("acetaminophen", "tramadol"), ["325 mg", "37.5 mg"]),
        ("amoxicillin-clavulanate 400-57 mg/5 mL suspension", quantity(10, "mL"), ("clavulanate", "amoxicillin"), ["114 mg", "800 mg"]),
        ("amoxicillin 400 MG / clavulanate 57 MG per 5 mL", quantity(5, "mL"), ("clavulanate", "amoxicillin"), ["57 mg", "400 mg"]),
        ("Vytorin 10 mg-10 mg tablet", TABLET, ("ezetimibe", "simvastatin"), ["10 mg", "10 mg"]),
        ("Newbrand 10 mg/20 mg tablet", TABLET, ("novel one", "novel two"), ["?", "?"]),
        ("Bactrim DS tablet", TABLET, ("sulfamethoxazole", "trimethoprim"), ["?", "?"]),
        ("piperacillin-tazobactam 3.375 g", quantity(1, "vial"), ("piperacillin", "tazobactam"), ["?", "?"]),
    ],
)
def test_a_combination_by_ingredient(text: str, dose: Quantity, ingredients: tuple[str, ...], amounts: list[str]) -> None:
    assert holds(text, dose, *ingredients) == amounts


@pytest.mark.parametrize(
    ("dose", "amounts"),
    [
        (quantity(160, "mg"), ["800 mg", "160 mg"]),
        (quantity(320, "mg"), ["1600 mg", "320 mg"]),
        (quantity(960, "mg"), ["800 mg", "160 mg"]),
        (quantity("0.8", "g"), ["800 mg", "160 mg"]),
        (quantity(100, "mg"), ["?", "?"]),
    ],
)
def test_a_dose_of_a_combination_in_milligrams_is_of_one_of_them_or_of_the_sum(dose: Quantity, amounts: list[str]) -> None:
    assert holds("sulfamethoxazole 800 mg / trimethoprim 160 mg tablet", dose, "sulfamethoxazole", "trimethoprim") == amounts


def test_the_identity_says_the_strength_that_the_text_does_not() -> None:
    assert holds("Lanoxin tablet", TABLET, "digoxin", strength="125 mcg") == ["125 ug"]


def test_a_patch_gives_its_drug_by_the_hour() -> None:
    for text, hourly in (("fentanyl 25 mcg/hr patch", "25 ug"), ("nicotine 21 mg/24 hr patch", "0.875 mg")):
        assert str(content_of(order(text, "drug"), entity("drug")).hourly) == hourly


def test_an_unidentified_drug_is_what_the_order_says_of_it() -> None:
    unknown = Order("x", OrderRole.DRAFT, OrderIntent.NEW, UnidentifiedDrug("x", "unknown"), "x 5 mg", None, None, (), None, Source("x", None, "medications"))
    assert content_of(unknown, entity("drug")).amount(TABLET) is None


@given(st.text(max_size=80), st.sampled_from(["tablet", "mL", "mg", "drop", "patch", "application"]))
def test_no_text_raises(text: str, unit: str) -> None:
    content_of(order(text or "x", "drug"), entity("drug")).amount(quantity(1, unit))
    content_of(order(text or "x", "one", "two", strength=text), entity("one")).amount(quantity(1, unit))
