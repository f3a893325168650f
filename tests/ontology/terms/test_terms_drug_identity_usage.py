"""Names as prescribers and record systems of several countries write them."""

import pytest

from ontology.model.identifiers import Code
from ontology.terms.entries import ProductRow
from ontology.terms.identity import DrugIdentity, UnidentifiedDrug
from ontology.terms.shipped import shipped_data
from ontology.terms.terminology import Terminology

TERMS = Terminology.shipped()


def read(text: str, *codes: Code) -> str:
    drug = TERMS.identify_drug(codes, text)
    return " / ".join(sorted(i.name for i in drug.ingredients)) if isinstance(drug, DrugIdentity) else drug.reason


def refused(text: str, *codes: Code) -> UnidentifiedDrug:
    drug = TERMS.identify_drug(codes, text)
    assert isinstance(drug, UnidentifiedDrug), drug
    return drug


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Tazocin 4.5 g", "piperacillin / tazobactam"),
        ("Co-amoxiclav 500mg/125mg tablets", "amoxicillin / clavulanate"),
        ("Septrin 480mg tablets", "sulfamethoxazole / trimethoprim"),
        ("co-codamol 30/500", "acetaminophen / codeine"),
        ("Panadol Extra", "acetaminophen / caffeine"),
        ("Salbutamol 100micrograms/dose inhaler CFC free", "albuterol"),
        ("Adrenaline 500micrograms/0.5ml (1 in 1,000) solution for injection ampoules", "epinephrine"),
        ("frusemide 40 mg", "furosemide"),
        ("bendroflumethiazide 2.5mg tablets", "bendroflumethiazide"),
        ("Lansoprazole 30mg gastro-resistant capsules", "lansoprazole"),
        ("Fluticasone 250micrograms/dose / Salmeterol 25micrograms/dose inhaler CFC free", "fluticasone / salmeterol"),
        ("NovoRapid FlexPen", "insulin aspart"),
        ("Mixtard 30", "insulin isophane / insulin regular"),
        ("insulin aspart protamine-insulin aspart 70-30", "insulin aspart"),
    ],
)
def test_names_used_outside_the_united_states(text: str, name: str) -> None:
    assert read(text) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ACETAMINOPHEN 325MG TAB", "acetaminophen"),
        ("Phenytoin extended-release 100 mg capsule", "phenytoin"),
        ("phenytoin sodium extended 100 mg capsule", "phenytoin"),
        ("Leuprolide acetate 22.5 mg (3-month) injection", "leuprolide"),
        ("Octreotide LAR 20 mg", "octreotide"),
        ("POTASSIUM CHLORIDE 10MEQ SA TAB", "potassium chloride"),
        ("CHOLECALCIFEROL 25MCG (D3-1,000UNIT) TAB", "cholecalciferol"),
        ("ALBUTEROL 90MCG (CFC-F) 200D ORAL INHL", "albuterol"),
        ("HYDROCODONE 5MG/ACETAMINOPHEN 325MG TAB", "acetaminophen / hydrocodone"),
        ("piperacillin-tazobactam (ZOSYN) 4.5 g in NS 100 mL IVPB", "piperacillin / tazobactam"),
        ("metronidazole in NaCl (iso-osm) 500 mg/100 mL IVPB", "metronidazole"),
        ("IV 0.9% NaCl + KCl 20 mEq/L", "potassium chloride / sodium chloride"),
        ("heparin, porcine (PF) 100 unit/mL IV syringe", "heparin"),
        ("insulin lispro (HumaLOG) injection", "insulin lispro"),
        ("ibuprofen (ADVIL,MOTRIN) 200 mg tablet", "ibuprofen"),
        ("sulfamethoxazole-trimethoprim (BACTRIM DS,SEPTRA DS) 800-160 mg per tablet", "sulfamethoxazole / trimethoprim"),
        ("lidocaine-epinephrine 1 %-1:100,000 injection", "epinephrine / lidocaine"),
        ("ferrous sulfate 325 mg (65 mg iron) tablet", "ferrous sulfate"),
        ("nitrofurantoin, macrocrystal-monohydrate, (MACROBID) 100 mg capsule", "nitrofurantoin"),
        ("fosphenytoin 50 mg PE/mL injection", "fosphenytoin"),
        ("HYDROmorphone 1 mg/mL PCA", "hydromorphone"),
        ("semaglutide 0.25 mg or 0.5 mg (2 mg/3 mL) pen injector", "semaglutide"),
        ("trastuzumab-hyaluronidase-oysk", "hyaluronidase / trastuzumab"),
        ("neomycin-polymyxin-dexamethasone eye drops", "dexamethasone / neomycin / polymyxin B"),
        ("dorzolamide timolol eye drops", "dorzolamide / timolol"),
        ("Advil Cold & Sinus", "ibuprofen / pseudoephedrine"),
        ("Rho(D) immune globulin", "Rho(D) immune globulin"),
    ],
)
def test_names_as_record_systems_build_them(text: str, name: str) -> None:
    assert read(text) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("阿莫西林胶囊(阿莫仙) 0.25g*24粒", "amoxicillin"),
        ("酒石酸美托洛尔片", "metoprolol"),
        ("缬沙坦氨氯地平片(Ⅰ)", "amlodipine / valsartan"),
        ("注射用头孢哌酮钠舒巴坦钠", "cefoperazone / sulbactam"),
        ("左氧氟沙星氯化钠注射液", "levofloxacin"),
        ("替硝唑葡萄糖注射液", "tinidazole"),
        ("葡萄糖氯化钠注射液", "dextrose / sodium chloride"),
        ("5%葡萄糖0.9%氯化钠注射液", "dextrose / sodium chloride"),
        ("氯化钾氯化钠注射液", "potassium chloride / sodium chloride"),
        ("精蛋白生物合成人胰岛素注射液(预混30R)", "insulin isophane / insulin regular"),
        ("單硝酸異山梨酯緩釋片", "isosorbide mononitrate"),
        ("阿莫西林膠囊", "amoxicillin"),
        ("硫酸氢氯吡格雷片", "clopidogrel"),
        ("酒石酸氢可酮片", "hydrocodone"),
        ("硫酸氢氧化镁片", "magnesium hydroxide"),
        ("氨酚黄那敏颗粒", "acetaminophen / bezoar / chlorpheniramine"),
    ],
)
def test_chinese_names_with_salts_forms_brands_and_fluids(text: str, name: str) -> None:
    assert read(text) == name


@pytest.mark.parametrize(
    ("text", "western"),
    [
        ("维C银翘片", {"acetaminophen", "ascorbic acid", "chlorpheniramine", "peppermint oil"}),
        ("感冒灵颗粒", {"acetaminophen", "caffeine", "chlorpheniramine", "peppermint oil"}),
        ("珍菊降压片", {"clonidine", "hydrochlorothiazide", "rutoside"}),
        ("脉君安片", {"hydrochlorothiazide"}),
        ("新癀片", {"indomethacin"}),
        ("鼻炎康片", {"chlorpheniramine", "peppermint oil"}),
        ("消糖灵胶囊", {"glyburide"}),
        ("安神补脑液", {"thiamine"}),
        ("藿香正气水", {"alcohol"}),
        ("藿香正气口服液", set()),
        ("六味地黄丸(浓缩丸)", set()),
        ("Liuwei Dihuang Wan", set()),
        ("Suxiao Jiuxin Wan", set()),
    ],
)
def test_proprietary_chinese_medicines_show_herbs_and_western_drugs(text: str, western: set[str]) -> None:
    drug = TERMS.identify_drug((), text)
    assert isinstance(drug, DrugIdentity), drug
    assert {i.name for i in drug.ingredients if i.id.type == "Ingredient"} == western
    assert any(i.id.type == "Herb" for i in drug.ingredients)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("板蓝根颗粒", "isatis root"),
        ("银杏叶片", "ginkgo"),
        ("制附子 10g", "prepared aconite root"),
        ("法半夏配方颗粒", "lime-processed pinellia rhizome"),
        ("天麻片", "unknown"),
        ("橘红片", "unknown"),
        ("芦荟珍珠胶囊", "unknown"),
    ],
)
def test_a_dose_form_named_after_a_herb_holds_it_alone_only_where_that_is_known(text: str, name: str) -> None:
    assert read(text) == name


def test_tables_hold_at_least_120_proprietary_chinese_medicines() -> None:
    compositions = {b.ingredients for b in shipped_data().brands if any(i.type == "Herb" for i in b.ingredients) and not b.name.isascii()}
    assert len(compositions) >= 120


@pytest.mark.parametrize(
    "text",
    [
        "vitamin C zinc",
        "vitamin D magnesium",
        "biotin zinc",
        "melatonin magnesium",
        "zinc vitamin C",
        "warfarin zinc",
        "维生素C锌",
        "vitamin C (zinc)",
        "vitamin C lysine",
    ],
)
def test_a_mineral_beside_a_name_that_has_no_such_salt_is_not_a_salt(text: str) -> None:
    assert read(text) == "unknown"


def test_salts_that_are_drugs_belong_to_names_that_have_them() -> None:
    assert read("losartan potassium") == "losartan"
    assert read("bacitracin zinc") == "bacitracin"
    assert read("ibuprofen lysine") == "ibuprofen"
    assert read("potassium phosphate sodium phosphate") == "potassium phosphate / sodium phosphate"
    assert read("multivitamin fluoride") == "fluoride / multivitamin"


@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("MTX 2.5 mg", ("methotrexate", "mitoxantrone")),
        ("AZT", ("azathioprine", "aztreonam", "zidovudine")),
        ("MSO4 2 mg IV", ("magnesium sulfate", "morphine")),
        ("losartan HCT", ("hydrochlorothiazide", "hydrocortisone")),
        ("Urex", ("furosemide", "methenamine")),
        ("Sominex", ("diphenhydramine", "promethazine")),
    ],
)
def test_names_of_several_drugs_are_ambiguous(text: str, candidates: tuple[str, ...]) -> None:
    drug = refused(text)
    assert (drug.reason, drug.candidates) == ("ambiguous", candidates)


def test_what_stands_beside_a_name_of_several_drugs_decides_only_for_one_of_them() -> None:
    assert read("Gaviscon (aluminum hydroxide / magnesium trisilicate) tablet") == "aluminum hydroxide / magnesium trisilicate"
    assert read("Urex (furosemide) 40 mg") == "furosemide"
    assert read("MTX", Code("rxnorm", "6851")) == "methotrexate"
    assert read("MTX", Code("rxnorm", "11289")) == "conflict"
    assert read("Urex (lisinopril)") == "ambiguous"


@pytest.mark.parametrize(
    "text",
    ["aspirin for warfarin", "change warfarin to apixaban", "warfarin or apixaban", "warfarin 5 mg or 5 mg apixaban", "with aspirin", "Tylenol Cold & Flu", "Robitussin CF", "simvastatin statin",
     "morphine NSAID", "Caltrate Plus", "vancomycin per pharmacy", "denosumab-plus"],
)  # fmt: skip
def test_texts_that_relate_two_drugs_or_hold_an_unknown_word_name_none(text: str) -> None:
    assert read(text) in ("unknown", "ambiguous")


LOSARTAN, HCTZ = ("LOSARTAN POTASSIUM", None, "52175"), ("HYDROCHLOROTHIAZIDE", None, "5487")
POTASSIUM_IN_SALINE = (("POTASSIUM CHLORIDE", None, "8591"), ("SODIUM CHLORIDE", None, "9863"))


def test_a_product_code_and_a_name_of_one_part_are_a_conflict() -> None:
    terms = TERMS.with_products([ProductRow("a", "losartan potassium and hydrochlorothiazide", (), (LOSARTAN, HCTZ), (Code("rxnorm", "979468"),))])
    both, part, other = (terms.identify_drug([Code("rxnorm", "979468")], t) for t in ("Losartan-HCTZ 100-25", "losartan 100 mg", "losartan zzz lisinopril"))
    assert isinstance(both, DrugIdentity)
    assert isinstance(part, UnidentifiedDrug)
    assert isinstance(other, UnidentifiedDrug)
    assert (part.reason, other.reason) == ("conflict", "conflict")


def test_the_fluid_of_a_ready_made_infusion_is_no_conflict_with_its_code() -> None:
    terms = TERMS.with_products([ProductRow("b", "potassium chloride in sodium chloride", (), POTASSIUM_IN_SALINE, (Code("rxnorm", "1"),))])
    drug = terms.identify_drug([Code("rxnorm", "1")], "potassium chloride 20 mEq in sodium chloride 0.9% 1,000 mL")
    assert isinstance(drug, DrugIdentity)
    assert drug.name == "potassium chloride / sodium chloride"


def test_a_label_that_sells_another_composition_under_a_known_brand_makes_it_ambiguous() -> None:
    terms = TERMS.with_products([ProductRow("c", "lisinopril", ("Zocor",), (("LISINOPRIL", None, "29046"),))])
    drug = terms.identify_drug((), "Zocor 20 mg")
    assert isinstance(drug, UnidentifiedDrug)
    assert (drug.reason, drug.candidates) == ("ambiguous", ("lisinopril", "simvastatin"))
