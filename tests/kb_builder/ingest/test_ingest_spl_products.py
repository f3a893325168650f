"""Products, substances and excipients of SPL documents, and the metadata that claims stand on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kb_builder.assemble.composition import substance_span
from kb_builder.ingest.spl import read_spl
from ontology.model.identifiers import Code
from ontology.text.document import Document, SubstanceInfo

Make = Callable[..., str]
MakeSpl = Callable[..., bytes]
NDC = 'codeSystem="2.16.840.1.113883.6.69"'


def ingredient(name: str, kind: str = "ACTIB", strength: str = "", unii: str = "") -> str:
    code = f'<code code="{unii}" codeSystem="2.16.840.1.113883.4.9"/>' if unii else ""
    quantity = f"<quantity>{strength}</quantity>" if strength else ""
    return f'<ingredient classCode="{kind}">{quantity}<ingredientSubstance>{code}<name>{name}</name></ingredientSubstance></ingredient>'


def inner_product(name: str, ingredients: str, *, tag: str = "manufacturedProduct", ndc: str = "", generic: str = "", form: str = "TABLET") -> str:
    code = f'<code code="{ndc}" {NDC}/>' if ndc else "<code/>"
    said = f"<asEntityWithGeneric><genericMedicine><name>{generic}</name></genericMedicine></asEntityWithGeneric>" if generic else ""
    return f'<{tag}>{code}<name>{name}</name><formCode displayName="{form}"/>{said}{ingredients}</{tag}>'


def route(name: str) -> str:
    return f'<consumedIn><substanceAdministration><routeCode displayName="{name}"/></substanceAdministration></consumedIn>'


def listing(*inner: str) -> str:
    subjects = "".join(f"<subject><manufacturedProduct>{product}</manufacturedProduct></subject>" for product in inner)
    return f'<section><code code="48780-1" codeSystem="2.16.840.1.113883.6.1"/>{subjects}</section>'


@pytest.fixture
def read(spl: MakeSpl, section: Make) -> Callable[[str], tuple[Document, list[tuple[str | None, str, bool]]]]:
    def reading(product: str) -> tuple[Document, list[tuple[str | None, str, bool]]]:
        document, notes = read_spl(spl(section("34070-3", "4 CONTRAINDICATIONS", "<paragraph>Glaucoma.</paragraph>"), product=product))
        return document, list(notes)

    return reading


def lines(document: Document, key: str) -> list[str]:
    section = document.section(key)
    return section.text.split("\n") if section is not None else []


def test_a_product_has_names_codes_form_route_and_active_ingredients_only(spl: MakeSpl, section: Make) -> None:
    document, notes = read_spl(spl(section("34070-3", "Contraindications", "<paragraph>Glaucoma.</paragraph>")))
    (product,) = document.products
    assert product.generic_name == "calmazine hydrochloride"
    assert product.substances == (SubstanceInfo("CALMAZINE HYDROCHLORIDE", "AAAAAAAAAA", None, "25 mg"),)
    assert (product.brand_names, product.form, product.routes) == (("Calmex",), "TABLET", ("ORAL",))
    assert product.codes == (Code("setid", "aaaa-1"), Code("ndc", "0000-0001"))
    assert document.title == "Calmex (calmazine hydrochloride)"
    assert notes == ()


def test_metadata_are_sections_that_claims_can_stand_on(spl: MakeSpl, section: Make) -> None:
    document, _ = read_spl(spl(section("34070-3", "Contraindications", "<paragraph>Glaucoma.</paragraph>")))
    assert lines(document, "openfda.substance_name") == ["CALMAZINE HYDROCHLORIDE"]
    assert lines(document, "openfda.unii") == ["AAAAAAAAAA"]
    assert lines(document, "openfda.generic_name") == ["calmazine hydrochloride"]
    assert lines(document, "openfda.brand_name") == ["Calmex"]
    assert lines(document, "openfda.route") == ["ORAL"]
    assert lines(document, "spl.inactive_ingredient") == ["LACTOSE MONOHYDRATE"]
    assert lines(document, "spl.inactive_ingredient_unii") == ["BBBBBBBBBB"]
    assert lines(document, "spl_product_data_elements") == ["Calmex", "calmazine hydrochloride", "CALMAZINE HYDROCHLORIDE", "LACTOSE MONOHYDRATE"]
    span = substance_span(document, "CALMAZINE HYDROCHLORIDE")
    assert span is not None
    assert (span.section, span.quote) == ("openfda.substance_name", "CALMAZINE HYDROCHLORIDE")


@pytest.mark.parametrize(
    ("quantity", "strength"),
    [
        ('<numerator value="6.25" unit="mg"/><denominator value="5" unit="mL"/>', "6.25 mg/5 mL"),
        ('<numerator value="5" unit="mg"/><denominator value="1" unit="mL"/>', "5 mg/mL"),
        ('<numerator value="1000" unit="[iU]"/><denominator value="1"/>', "1000 [iU]"),
        ('<numerator value="3" unit="1"/><denominator value="2" unit="1"/>', "3/2"),
        ("", None),
        ('<numerator unit="mg"/>', None),
    ],
)
def test_a_strength_reads_as_printed(read: Callable[[str], tuple[Document, object]], quantity: str, strength: str | None) -> None:
    document, _ = read(listing(inner_product("X", ingredient("A", strength=quantity))))
    assert document.products[0].substances[0].strength == strength


@pytest.mark.parametrize(("kind", "active"), [("ACTIB", True), ("ACTIM", True), ("ACTIR", True), ("IACT", False), ("CNTM", False), ("COLR", False)])
def test_only_three_classes_of_ingredient_are_active(read: Callable[[str], tuple[Document, object]], kind: str, active: bool) -> None:
    document, _ = read(listing(inner_product("X", ingredient("A") + ingredient("B", kind))))
    assert [s.name for s in document.products[0].substances] == (["A", "B"] if active else ["A"])
    assert lines(document, "spl.inactive_ingredient") == ([] if active else ["B"])


def test_old_elements_name_ingredients_too(read: Callable[[str], tuple[Document, object]]) -> None:
    old = (
        "<activeIngredient><activeIngredientSubstance><name>A</name></activeIngredientSubstance></activeIngredient>"
        "<inactiveIngredient><inactiveIngredientSubstance><name>B</name></inactiveIngredientSubstance></inactiveIngredient>"
    )
    document, _ = read(listing(inner_product("X", old, tag="manufacturedMedicine")))
    assert [s.name for s in document.products[0].substances] == ["A"]
    assert lines(document, "spl.inactive_ingredient") == ["B"]


def test_several_products_stay_apart_and_their_names_come_once(read: Callable[[str], tuple[Document, object]]) -> None:
    one = inner_product("X", ingredient("A", unii="A1"), ndc="1-1", generic="a") + route("ORAL")
    two = inner_product("Y<suffix>Forte</suffix>", ingredient("A", unii="A1") + ingredient("B"), ndc="1-2", generic="a and b")
    document, _ = read(listing(one, two))
    assert [[s.name for s in p.substances] for p in document.products] == [["A"], ["A", "B"]]
    assert [p.routes for p in document.products] == [("ORAL",), ()]
    assert [p.brand_names for p in document.products] == [("X",), ("Y Forte",)]
    assert lines(document, "openfda.substance_name") == ["A", "B"]
    assert lines(document, "openfda.unii") == []


def kit(*parts: str) -> str:
    inside = "".join(f"<part>{part}</part>" for part in parts)
    return inner_product("Kitmex", inside, ndc="2-1", generic="kitmab", form="KIT")


def test_a_kit_holds_what_its_parts_hold_but_not_its_swabs(read: Callable[[str], tuple[Document, list[tuple[str | None, str, bool]]]]) -> None:
    drug = inner_product("Kitmex", ingredient("KITMAB"), tag="partProduct", ndc="2-2") + route("SUBCUTANEOUS")
    swab = inner_product("Swab", ingredient("Isopropyl Alcohol"), tag="partProduct", generic="isopropyl alcohol") + route("TOPICAL")
    document, notes = read(listing(kit(drug, swab)))
    (product,) = document.products
    assert [s.name for s in product.substances] == ["KITMAB"]
    assert (product.routes, product.form) == (("SUBCUTANEOUS",), "KIT")
    assert set(product.codes) == {Code("setid", "aaaa-1"), Code("ndc", "2-1"), Code("ndc", "2-2")}
    assert [(field, lost) for field, _, lost in notes] == [("products", False)]
    assert "Isopropyl Alcohol only accompanies" in notes[0][1]


def test_a_kit_of_two_drugs_is_a_combination_and_a_swab_alone_is_its_own_drug(read: Callable[[str], tuple[Document, object]]) -> None:
    parts = [inner_product(name, ingredient(name), tag="partProduct") for name in ("A", "B", "A")]
    document, _ = read(listing(kit(*parts)))
    assert [s.name for s in document.products[0].substances] == ["A", "B"]
    document, _ = read(listing(kit(inner_product("Swab", ingredient("ISOPROPYL ALCOHOL"), tag="partProduct"))))
    assert [s.name for s in document.products[0].substances] == ["ISOPROPYL ALCOHOL"]


def test_a_product_without_an_active_ingredient_stands_for_no_drug(read: Callable[[str], tuple[Document, list[tuple[str | None, str, bool]]]]) -> None:
    document, notes = read(listing(inner_product("Placebo", ingredient("LACTOSE", "IACT"), generic="inert tablet")))
    assert document.products == ()
    assert [reason for _, reason, _ in notes] == [
        "Placebo: no active ingredient is listed, so it stands for no drug",
        "no product is listed: which drug the label covers is unknown",
    ]


def test_a_product_that_lists_nothing_is_known_by_its_generic_name(read: Callable[[str], tuple[Document, list[tuple[str | None, str, bool]]]]) -> None:
    document, notes = read(listing(inner_product("X", "", generic="aspirin and caffeine")))
    assert [s.name for s in document.products[0].substances] == ["aspirin", "caffeine"]
    assert "read from its generic name" in notes[0][1]


def test_more_substances_than_any_drug_has_are_refused(read: Callable[[str], tuple[Document, list[tuple[str | None, str, bool]]]], spl: MakeSpl) -> None:
    many = "".join(ingredient(f"S{n}") for n in range(41))
    document, notes = read(listing(inner_product("X", many)))
    assert document.products == ()
    assert notes[0] == ("openfda.substance_name", "X: 41 substances in one product, more than 40: composition left out", True)
