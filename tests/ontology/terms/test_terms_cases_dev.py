"""Every order and allergy of the development cases resolves to what the case says it is."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ontology.model.identifiers import Code, EntityId
from ontology.terms.identity import DrugIdentity
from ontology.terms.terminology import Terminology

pytestmark = pytest.mark.shared

TERMS = Terminology.shipped()


def cases(shared: Path) -> Iterator[dict[str, Any]]:
    for path in sorted((shared / "benchmark" / "cases-dev").glob("*.json")):
        yield from json.loads(path.read_text(encoding="utf-8"))


def orders(shared: Path) -> list[dict[str, Any]]:
    return [order for case in cases(shared) for order in (*case.get("current", []), *case.get("draft", []))]


def meant(order: dict[str, Any]) -> tuple[EntityId, ...]:
    """The ingredients that the case's own field names, part by part."""
    parts = [TERMS.identify_drug((), part) for part in order["drug"].split(" / ")]
    assert all(isinstance(p, DrugIdentity) for p in parts), order["drug"]
    return tuple(sorted({i.id for p in parts if isinstance(p, DrugIdentity) for i in p.ingredients}))


def misses(asked: list[tuple[dict[str, Any], list[Code], str]]) -> list[tuple[str, str, object]]:
    found = [(order, TERMS.identify_drug(codes, text)) for order, codes, text in asked]
    wrong: list[tuple[str, str, object]] = [
        (o["text"], o["drug"], d) for o, d in found if not isinstance(d, DrugIdentity) or tuple(sorted(i.id for i in d.ingredients)) != meant(o)
    ]
    print(f"{len(asked)} orders, {len(wrong)} missed", wrong)
    return wrong


def test_the_words_of_an_order_name_exactly_its_ingredients(shared: Path) -> None:
    asked = [(o, list[Code](), o["text"]) for o in orders(shared)]
    assert len(asked) >= 400
    # "Prenatal multivitamin with folic acid 0.8 mg and iron 27 mg" states two of its ingredients; its case calls it by one word.
    wrong = [m for m in misses(asked) if m[1] != "prenatal vitamin"]
    assert wrong == []
    for order, _, text in asked:
        if order["drug"] == "prenatal vitamin":
            drug = TERMS.identify_drug((), text)
            assert isinstance(drug, DrugIdentity)
            assert {i.name for i in drug.ingredients} == {"multivitamin", "folic acid", "iron"}


def test_a_code_that_nothing_explains_does_not_disturb_the_words(shared: Path) -> None:
    asked = [(o, [Code("rxnorm", o["rxcui"])], o["text"]) for o in orders(shared) if "rxcui" in o]
    assert len(asked) >= 60
    assert misses(asked) == []


def test_ingredient_codes_name_the_ingredient(shared: Path) -> None:
    for order in orders(shared):
        drug = TERMS.identify_drug((), order["text"])
        assert isinstance(drug, DrugIdentity)
        for ingredient in drug.ingredients:
            if ingredient.rxcui:
                by_code = TERMS.identify_drug([Code("rxnorm", ingredient.rxcui)], None)
                assert isinstance(by_code, DrugIdentity)
                assert [i.id for i in by_code.ingredients] == [ingredient.id]
        for stated in order.get("ingredient_rxcui", []):
            assert stated in {i.rxcui for i in drug.ingredients}, order


def test_every_allergy_is_a_substance_or_class_of_the_tables(shared: Path) -> None:
    unknown = []
    for case in cases(shared):
        for allergy in case["patient"].get("allergies") or []:
            codes = [Code(system, allergy[key]) for key, system in (("rxnorm", "rxnorm"), ("snomed", "snomed")) if key in allergy]
            if "known" in allergy["text"].casefold():
                continue
            matches = TERMS.match_allergens(codes, allergy["text"])
            if not matches or any(m.how == "text" for m in matches):
                unknown.append(allergy)
            elif codes:
                assert [m.id for m in matches] == [m.id for m in TERMS.match_allergens((), allergy["text"])], allergy
    print("allergies not in the tables:", unknown)
    assert unknown == []
