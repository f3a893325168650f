import random

import pytest

from ontology.model.entities import EntityType
from ontology.model.identifiers import Code
from ontology.terms.entries import ProductRow
from ontology.terms.identity import DrugIdentity, UnidentifiedDrug
from ontology.terms.terminology import Terminology

SHIPPED = Terminology.shipped()
UNII = {"WARFARIN SODIUM": "6153CWM0CL", "ZZYMIB": "AAAAAAAAA1", "ZZYMIB MALEATE": "AAAAAAAAA2", "QQOLUMAB": "AAAAAAAAA3"}


def row(document: str, *names: str, **more: object) -> ProductRow:
    return ProductRow(document, " AND ".join(names), substances=tuple((n, UNII.get(n), None) for n in names), **more)  # type: ignore[arg-type]


def subject(terms: Terminology, *names: str) -> str:
    return str(terms.subject_of([(n, UNII.get(n), None) for n in names])[0])


def test_a_salt_is_the_ingredient_it_is_a_salt_of() -> None:
    terms = SHIPPED.with_products([row("d1", "WARFARIN SODIUM")])
    assert subject(terms, "WARFARIN SODIUM") == "Ingredient:rxnorm:11289"
    drug = terms.identify_drug([Code("unii", "6153CWM0CL")], None)
    assert isinstance(drug, DrugIdentity)
    assert drug.name == "warfarin"


@pytest.mark.parametrize(
    ("substance", "base"),
    [
        ("METOPROLOL SUCCINATE", "metoprolol"),
        ("CIPROFLOXACIN HYDROCHLORIDE", "ciprofloxacin"),
        ("PEMETREXED DISODIUM HEPTAHYDRATE", "pemetrexed"),
        ("FLUTICASONE PROPIONATE", "fluticasone"),
        ("格列本脲", "glyburide"),
        ("葛根", "pueraria root"),
    ],
)
def test_metadata_names_find_the_base(substance: str, base: str) -> None:
    assert SHIPPED.subject_of([(substance, None, None)])[1][0].name == base


@pytest.mark.parametrize(
    ("one", "other"), [("CALCIUM CARBONATE", "CALCIUM GLUCONATE"), ("TRASTUZUMAB EMTANSINE", "TRASTUZUMAB"), ("MAGNESIUM BENZOATE", "MAGNESIUM NITRATE")]
)
def test_minerals_and_conjugates_are_not_salts(one: str, other: str) -> None:
    assert subject(SHIPPED, one) != subject(SHIPPED, other)


def test_a_new_ingredient_takes_the_unii_of_its_base_whatever_the_order() -> None:
    rows = [row("d1", "ZZYMIB MALEATE"), row("d2", "ZZYMIB"), row("d3", "QQOLUMAB", brand_names=("Qqex",))]
    expected = list(SHIPPED.with_products(rows).rows())
    for seed in range(3):
        mixed = random.Random(seed).sample(rows, len(rows))
        assert list(SHIPPED.with_products(mixed).rows()) == expected
    terms = SHIPPED.with_products(rows)
    assert subject(terms, "ZZYMIB MALEATE") == subject(terms, "ZZYMIB") == "Ingredient:unii:AAAAAAAAA1"
    assert terms.identify_drug([], "Zzymib maleate 10 mg tablet") == terms.identify_drug([], "Zzymib maleate 10 mg tablet")
    brand = terms.identify_drug([], "Qqex 5 mg")
    assert isinstance(brand, DrugIdentity)
    assert brand.name == "qqolumab"


def test_without_any_code_the_words_make_the_id() -> None:
    one, refs = SHIPPED.subject_of([("GLORBINE HYDROCHLORIDE", None, None)])
    other, _ = SHIPPED.subject_of([("Glorbine", None, None)])
    assert one == other
    assert one.system == "uncoded"
    assert refs[0].rxcui is None


def test_product_codes_lead_to_the_label_and_its_route() -> None:
    codes = (Code("rxnorm", "855332"), Code("ndc", "0056-0172"))
    terms = SHIPPED.with_products([row("set-1", "WARFARIN SODIUM", codes=codes, routes=("ORAL",))])
    for code in (Code("rxnorm", "855332"), Code("ndc", "0056-0172"), Code("ndc", "00056017270"), Code("http://hl7.org/fhir/sid/ndc", "0056-0172-70")):
        drug = terms.identify_drug([code], "Warfarin Sodium 5 MG Oral Tablet")
        assert isinstance(drug, DrugIdentity), code
        assert (drug.how, drug.documents, drug.route, drug.strength) == ("code", ("set-1",), "oral", "5 mg")
    assert isinstance(terms.identify_drug([Code("ndc", "00057017270")], None), UnidentifiedDrug)


@pytest.mark.parametrize(
    "value", ["NDC 0056-0172-70", "ndc:0056-0172", "０056-0172-70", "0056\u20130172\u201370", "0056\u20110172-70", "56-172", "00056017270"]
)
def test_an_ndc_is_read_in_every_spelling_of_its_dashes_and_digits(value: str) -> None:
    terms = SHIPPED.with_products([row("set-9", "WARFARIN SODIUM", codes=(Code("ndc", "0056-0172"),))])
    drug = terms.identify_drug([Code("ndc", value)], None)
    assert isinstance(drug, DrugIdentity)
    assert (drug.name, drug.documents) == ("warfarin", ("set-9",))


def test_a_code_of_two_compositions_needs_the_text() -> None:
    code = Code("rxnorm", "555")
    terms = SHIPPED.with_products([row("a", "LISINOPRIL", codes=(code,)), row("b", "LISINOPRIL", "HYDROCHLOROTHIAZIDE", codes=(code,))])
    alone = terms.identify_drug([code], None)
    assert isinstance(alone, UnidentifiedDrug)
    assert alone.reason == "ambiguous"
    worded = terms.identify_drug([code], "Lisinopril 10 mg tablet")
    assert isinstance(worded, DrugIdentity)
    assert worded.documents == ("a",)


def test_a_product_with_too_many_substances_is_refused() -> None:
    names = [f"GLORB{letter}INE" for letter in "ABCDEFGHIJKLM"]
    terms = SHIPPED.with_products([row("kit", *names, codes=(Code("rxnorm", "777"),))])
    assert isinstance(terms.identify_drug([Code("rxnorm", "777")], None), UnidentifiedDrug)
    assert terms.lookup("glorbaine") == ()


def test_a_code_that_two_substances_claim_stays_with_its_owner() -> None:
    known = {c.value: e.id for e in SHIPPED.entities() for c in e.codes if c.system == "unii"}
    lisinopril, simvastatin = (next(v for v, i in known.items() if SHIPPED.name(i) == n) for n in ("lisinopril", "simvastatin"))
    crossed = ProductRow("x", "A", substances=(("LISINOPRIL", simvastatin, None), ("SIMVASTATIN", lisinopril, None)))
    terms = SHIPPED.with_products([crossed])
    owners = {c.value: terms.name(e.id) for e in terms.entities() for c in e.codes if c.system == "unii"}
    assert (owners[lisinopril], owners[simvastatin]) == ("lisinopril", "simvastatin")
    uncoded = ProductRow("y", "B", substances=(("SIMETHICONE", lisinopril, None), ("LISINOPRIL", simvastatin, None)))
    terms = SHIPPED.with_products([uncoded])
    assert [terms.name(e.id) for e in terms.entities() for c in e.codes if c == Code("unii", lisinopril)] == ["lisinopril"]


def test_classes_join_by_name_or_become_new() -> None:
    classes = (("Nonsteroidal Anti-inflammatory Drug [EPC]", "EPC", "N0000175722"), ("Frobnication Inhibitors [MoA]", "MoA", None))
    terms = SHIPPED.with_products([row("d", "ZZYMIB", classes=classes)])
    nsaid = terms.class_of("Nonsteroidal Anti-inflammatory Drug [EPC]")
    assert nsaid is not None
    entity = terms.entity(nsaid)
    assert entity is not None
    assert Code("epc", "N0000175722") in entity.codes
    assert str(nsaid) == "DrugClass:pharmgraph:nsaid"
    assert terms.class_of("Frobnication Inhibitors") != nsaid


def test_an_nui_that_two_classes_claim_denotes_neither() -> None:
    classes = (("Frobnication Inhibitor [EPC]", "EPC", "N1"), ("Other Thing [EPC]", "EPC", "N1"))
    terms = SHIPPED.with_products([row("d", "ZZYMIB", classes=classes)])
    assert not [e for e in terms.entities() if Code("epc", "N1") in e.codes]


def test_a_combination_becomes_a_drug_entity() -> None:
    terms = SHIPPED.with_products([row("d", "ZZYMIB", "LISINOPRIL")])
    made, _ = terms.subject_of([("ZZYMIB", None, None), ("LISINOPRIL", None, None)])
    entity = terms.entity(made)
    assert entity is not None
    assert (entity.type, entity.name) == (EntityType.DRUG, "lisinopril / zzymib")


def test_the_generic_name_of_a_product_names_one_product_however_its_parts_are_joined() -> None:
    terms = SHIPPED.with_products([ProductRow("x", "Warfarin, Amiodarone", codes=(Code("ndc", "0001-0001"),))])
    drug = terms.identify_drug([Code("ndc", "0001-0001")], None)
    assert isinstance(drug, DrugIdentity)
    assert drug.name == "amiodarone / warfarin"


def test_names_of_plain_words_identify_nothing() -> None:
    terms = SHIPPED.with_products([row("d", "LORATADINE", brand_names=("Allergy Relief",))])
    assert isinstance(terms.identify_drug([], "Allergy Relief"), UnidentifiedDrug)


def test_a_product_code_brings_its_strength_and_the_text_goes_before_it() -> None:
    rows = [
        row("d1", "ZZYMIB", codes=(Code("setid", "d1"), Code("ndc", f"1234-{n}")), strength=strength) for n, strength in (("001", "25 mg"), ("002", "50 MG/mL"))
    ]
    terms = Terminology.from_rows(SHIPPED.with_products(rows).rows())

    def strength(code: Code, text: str | None = None) -> str | None:
        drug = terms.identify_drug([code], text)
        assert isinstance(drug, DrugIdentity)
        return drug.strength

    assert strength(Code("ndc", "1234-001")) == "25 mg"
    assert strength(Code("ndc", "1234-002")) == "50 mg/ml"
    assert strength(Code("ndc", "1234-002"), "zzymib 10 mg/mL") == "10 mg/ml"
    assert strength(Code("setid", "d1")) is None
