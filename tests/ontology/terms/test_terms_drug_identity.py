import string

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ontology.model.entities import EntityType
from ontology.model.identifiers import Code
from ontology.terms.identity import DrugIdentity, UnidentifiedDrug
from ontology.terms.phrases import phrase_key
from ontology.terms.shipped import shipped_data
from ontology.terms.terminology import Terminology

TERMS = Terminology.shipped()
NAMES = sorted({text for e in shipped_data().entities if e.type == EntityType.INGREDIENT for text in (e.name, *(x.text for x in e.labels))})


def identify(text: str | None, *codes: Code) -> DrugIdentity:
    drug = TERMS.identify_drug(codes, text)
    assert isinstance(drug, DrugIdentity), drug
    return drug


def refuse(text: str | None, *codes: Code) -> UnidentifiedDrug:
    drug = TERMS.identify_drug(codes, text)
    assert isinstance(drug, UnidentifiedDrug), drug
    return drug


@pytest.mark.parametrize(
    ("text", "name", "form", "route", "strength"),
    [
        ("Warfarin Sodium 5 MG Oral Tablet", "warfarin", "tablet", "oral", "5 mg"),
        ("Pacerone 200 mg tablet", "amiodarone", "tablet", "oral", "200 mg"),
        ("Diclofenac Sodium 0.01 MG/MG Topical Gel [Voltaren]", "diclofenac", "gel", "topical", "0.01 mg/mg"),
        ("Voltaren Emulgel 1 % gel", "diclofenac", "gel", "topical", "1 %"),
        ("24 HR metoprolol succinate 100 MG Extended Release Oral Tablet [Toprol]", "metoprolol", "extended-release tablet", "oral", "100 mg"),
        ("hydrOXYzine HCl 25 mg", "hydroxyzine", None, None, "25 mg"),
        ("Enoxaparin 80 mg/0.8 mL prefilled syringe", "enoxaparin", "injection", None, "80 mg/0.8 ml"),
        ("ciprofloxacin 0.3% ophthalmic solution", "ciprofloxacin", "ophthalmic solution", "ophthalmic", "0.3 %"),
        ("albuterol 90 mcg/actuation inhaler", "albuterol", "inhaler", "inhalation", "90 mcg/actuation"),
        ("华法林钠片 2.5mg", "warfarin", "tablet", "oral", "2.5 mg"),
        ("盐酸二甲双胍片", "metformin", "tablet", "oral", None),
        ("硝苯地平缓释片 20mg", "nifedipine", "extended-release tablet", "oral", "20 mg"),
        ("Levothyroxine Sodium Tablets, USP (75mcg)", "levothyroxine", "tablet", "oral", "75 mcg"),
        ("MERCAPTOPURINE 50 MG PO TABS", "mercaptopurine", "tablet", "oral", "50 mg"),
        ("insulin glargine-yfgn 100 unit/mL pen", "insulin glargine", "injection", None, "100 unit/ml"),
        ("Amoxicillin (product)", "amoxicillin", None, None, None),
        ("Ketorolac Tromethamine 10 MG Oral Tablet", "ketorolac", "tablet", "oral", "10 mg"),
        ("fentanyl 25mcg/hour Patch, Extended Release (Apotex)", "fentanyl", "patch", "transdermal", "25 mcg/hour"),
    ],
)
def test_whole_names_are_read(text: str, name: str, form: str | None, route: str | None, strength: str | None) -> None:
    drug = identify(text)
    assert (drug.name, drug.form, drug.route, drug.strength) == (name, form, route, strength)
    assert (drug.how, drug.matched) == ("name", text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("amoxicillin 500 mg / clavulanate 125 mg", "amoxicillin / clavulanate"),
        ("Amoxicillin-Pot Clavulanate 875-125 MG Oral Tablet", "amoxicillin / clavulanate"),
        ("Zosyn", "piperacillin / tazobactam"),
        ("Tylenol with Codeine", "acetaminophen / codeine"),
        ("Myfembree", "estradiol / norethindrone / relugolix"),
        ("Lisinopril-HCTZ 10-12.5 mg", "hydrochlorothiazide / lisinopril"),
        ("Vicodin 5mg Hydrocodone, 500mg Acetaminophen tablet", "acetaminophen / hydrocodone"),
        ("Bactrim DS (sulfamethoxazole 800 mg / trimethoprim 160 mg) tablet", "sulfamethoxazole / trimethoprim"),
        ("Zyrtec-D 12 hour", "cetirizine / pseudoephedrine"),
        ("trimethoprim 100 mg", "trimethoprim"),
        (
            "{21 (ethinyl estradiol 0.03 MG / levonorgestrel 0.15 MG Oral Tablet) / 7 (inert ingredients 1 MG Oral Tablet) } Pack [Levora]",
            "ethinyl estradiol / levonorgestrel",
        ),
    ],
)
def test_combinations_have_all_their_ingredients(text: str, name: str) -> None:
    drug = identify(text)
    assert drug.name == name
    assert len(drug.ingredients) == name.count("/") + 1
    assert drug.subject == TERMS.subject_of([(i.name, None, None) for i in drug.ingredients])[0]


def test_the_subject_of_a_combination_is_a_drug_of_its_sorted_codes() -> None:
    one = identify("lisinopril / hydrochlorothiazide")
    other = identify("hydrochlorothiazide and lisinopril")
    assert one.subject == other.subject
    assert str(one.subject) == "Drug:pharmgraph:29046+5487"
    assert str(identify("lisinopril").subject) == "Ingredient:rxnorm:29046"


def test_a_chinese_medicine_with_a_western_ingredient_shows_it() -> None:
    drug = identify("消渴丸")
    kinds = {i.name: str(i.id.type) for i in drug.ingredients}
    assert kinds["glyburide"] == "Ingredient"
    assert sorted(kinds.values()).count("Herb") == 7
    assert identify("消渴丸 0.25g 每次").subject == drug.subject


@pytest.mark.parametrize(
    "text",
    [
        "warfarn 5 mg",
        "Tylenol Cold",
        "Robitussin D",
        "Caltrate Plus",
        "Little Pink Pill for water retention",
        "warfarin (Zzyzx) 5 mg",
        "simvastatin and",
        "sodium",
        "tablet",
        "aspirin with unobtainium 81 mg",
        "Pain Reliever Extra Strength",
    ],
)
def test_unknown_and_partly_known_texts_name_no_drug(text: str) -> None:
    assert refuse(text).reason == "unknown"


def test_no_text_is_no_name() -> None:
    assert refuse(None).reason == "no-name"
    assert refuse("  ").reason == "no-name"
    assert refuse(None, Code("rxnorm", "999999999")).reason == "unknown"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("vancomycin 1 g in sodium chloride 0.9% 250 mL IVPB", "vancomycin"),
        ("calcium gluconate in dextrose 10% continuous IV infusion", "calcium gluconate"),
        ("lidocaine 1% injection (without epinephrine)", "lidocaine"),
        ("sodium chloride 0.9% 1,000 mL, hydration with cyclophosphamide", "sodium chloride"),
        ("dextrose 5% 250 mL, diluent for cyclophosphamide", "dextrose"),
        ("vancomycin 125 mg oral solution (from vancomycin for injection)", "vancomycin"),
        ("cyclophosphamide injection, 600 mg in 5% dextrose 250 mL", "cyclophosphamide"),
    ],
)
def test_diluents_and_remarks_are_not_ingredients(text: str, name: str) -> None:
    assert identify(text).name == name


def test_codes_come_first_and_url_or_short_system_are_one() -> None:
    for system in ("rxnorm", "http://www.nlm.nih.gov/research/umls/rxnorm"):
        drug = identify("Warfarin 5 mg tablet", Code(system, "11289"))
        assert (drug.how, drug.name, drug.ingredients[0].rxcui, drug.form) == ("code", "warfarin", "11289", "tablet")


def test_an_unreadable_text_does_not_spoil_a_code() -> None:
    assert identify("blood thinner", Code("rxnorm", "11289")).name == "warfarin"


def test_code_and_text_that_differ_are_a_conflict() -> None:
    drug = refuse("Lisinopril 10 mg tablet", Code("rxnorm", "11289"))
    assert drug.reason == "conflict"
    assert drug.candidates == ("lisinopril", "warfarin")
    assert refuse("Lisinopril zzz", Code("rxnorm", "11289")).reason == "conflict"
    assert refuse("Zocor (lisinopril)").reason == "conflict"


def test_codes_that_differ_are_a_conflict_whatever_the_text_says() -> None:
    codes = (Code("rxnorm", "11289"), Code("rxnorm", "29046"))
    assert refuse("Warfarin 5 mg tablet", *codes).reason == "conflict"
    assert refuse(None, *codes).reason == "ambiguous"
    assert refuse("Zocor (lisinopril)", Code("rxnorm", "36567")).reason == "conflict"


def test_two_brands_beside_each_other_are_ambiguous() -> None:
    drug = refuse("Zocor Zestril 10 mg")
    assert (drug.reason, drug.candidates) == ("ambiguous", ("lisinopril", "simvastatin"))
    assert identify("Zocor simvastatin 20 mg").name == "simvastatin"


def test_ingredient_codes_together_name_the_combination() -> None:
    codes = (Code("rxnorm", "723"), Code("rxnorm", "48203"))
    assert identify("Augmentin", *codes).name == "amoxicillin / clavulanate"
    assert refuse(None, *codes).reason == "ambiguous"


@pytest.mark.parametrize(
    "text",
    [
        "metformin, lisinopril",
        "warfarin 5 mg and amiodarone 200 mg",
        "Aspirin; metoprolol",
        "lisinopril metformin",
        "sertraline 50 mg tablet, trazodone 100 mg tablet",
        "warfarin -> apixaban",
        "warfarin → apixaban",
        "Warfarin 2 mg/day amiodarone 200 mg",
        "缬沙坦、华法林",
        "metoprolol without chlorthalidone, warfarin",
    ],
)
def test_several_drugs_in_one_text_are_no_combination(text: str) -> None:
    drug = refuse(text)
    assert drug.reason == "ambiguous"
    assert len(drug.candidates) == 2


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("warfarin / amiodarone", "amiodarone / warfarin"),
        ("warfarin 5 mg-amiodarone 200 mg", "amiodarone / warfarin"),
        ("sertraline and trazodone tablets", "sertraline / trazodone"),
        ("amlodipine, valsartan", "amlodipine / valsartan"),
        ("normal saline with potassium chloride 20 mEq", "potassium chloride / sodium chloride"),
        ("folic acid, cyanocobalamin, zinc sulfate", "cyanocobalamin / folic acid / zinc sulfate"),
        ("warfarin 2.5 mg -> 5 mg", "warfarin"),
    ],
)
def test_one_product_is_written_with_a_stroke_or_one_form_or_is_known_to_be_sold(text: str, name: str) -> None:
    assert identify(text).name == name


@pytest.mark.parametrize(
    "text", ["aspirin [on hold]", "aspirin (Teva, discontinued)", "warfarin after surgery hold", "阿司匹林[停用]", "华法林 in saline, stopped"]
)
def test_a_drug_that_the_text_stops_is_not_named(text: str) -> None:
    assert refuse(text).reason == "unknown"


@pytest.mark.parametrize("text", ["🚫 aspirin", "~~aspirin~~", "∅ aspirin", "❌阿司匹林", "甲\ufffd氢化可的松", "\u202easpirin"])
def test_signs_that_deny_or_stand_for_lost_characters_leave_a_name_uncertain(text: str) -> None:
    assert refuse(text).reason == "unknown"


@pytest.mark.parametrize(
    "text",
    [
        "Lipitor® 20 mg",
        "Lipitor™ 20 mg",
        "Lipitor(R) 20 mg",
        "Lipitor&nbsp;20&#32;mg",
        "Lipi\u200btor 20 mg",
        "Lipi\u00adtor",
        "\ufeffLipitor",
        "Lipitor 20 mg qhs #30 refills 3",
        "LIPITOR 20 MG TAB NDC 0071-0156-23",
        "★Lipitor",
    ],
)
def test_what_systems_leave_in_a_name_does_not_hide_it(text: str) -> None:
    assert identify(text).name == "atorvastatin"


def test_a_brand_that_changed_its_drug_is_ambiguous() -> None:
    assert refuse("Zantac 20 mg tablet").reason == "ambiguous"
    assert identify("Zantac", Code("rxnorm", "9143")).name == "ranitidine"
    assert identify("Zantac 360").name == "famotidine"


EDITS = st.tuples(st.sampled_from(["delete", "insert", "double"]), st.integers(0, 60), st.sampled_from(string.ascii_lowercase + " -"))


@given(name=st.sampled_from(NAMES), edits=st.lists(EDITS, min_size=1, max_size=3))
def test_no_name_resolves_to_an_ingredient_it_does_not_contain(name: str, edits: list[tuple[str, int, str]]) -> None:
    text = name
    for kind, place, letter in edits:
        at = place % (len(text) + 1)
        text = (
            text[:at] + letter + text[at:]
            if kind == "insert"
            else text[:at] + text[at : at + 1] * 2 + text[at + 1 :]
            if kind == "double"
            else text[:at] + text[at + 1 :]
        )
    assume(text.strip())
    drug = TERMS.identify_drug((), text)
    if isinstance(drug, DrugIdentity):
        written = phrase_key(text)
        for ingredient in drug.ingredients:
            entity = TERMS.entity(ingredient.id)
            assert entity is not None
            brands = [b.name for b in shipped_data().brands if ingredient.id in b.ingredients]
            names = {phrase_key(n) for n in (entity.name, *(x.text for x in entity.labels), *brands)}
            assert any(written[i : i + len(n)] == n for n in names if n for i in range(len(written))), (text, ingredient.name)


@given(st.text(max_size=60))
def test_any_text_gets_an_answer(text: str) -> None:
    assert isinstance(TERMS.identify_drug((), text), DrugIdentity | UnidentifiedDrug)
