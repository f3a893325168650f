import pytest

from ontology.model.entities import EntityType
from ontology.model.identifiers import Code
from ontology.terms.terminology import Terminology

TERMS = Terminology.shipped()
SNOMED, RXNORM = "http://snomed.info/sct", "http://www.nlm.nih.gov/research/umls/rxnorm"


def names(text: str | None, *codes: Code) -> dict[str, str]:
    return {m.name: m.how for m in TERMS.match_allergens(codes, text)}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Penicillin", "penicillins"),
        ("Penicillins", "penicillins"),
        ("PCN", "penicillins"),
        ("青霉素", "penicillins"),
        ("Amoxicillin", "amoxicillin"),
        ("Sulfa (Sulfonamide Antibiotics)", "sulfonamides"),
        ("磺胺", "sulfonamides"),
        ("Allergy to aspirin", "aspirin"),
        ("NSAIDs", "nonsteroidal anti-inflammatory drugs"),
        ("Sodium metabisulfite", "sulfites"),
        ("Shellfish", "shellfish"),
        ("Keflex", "cephalexin"),
        ("Iodine", "iodine"),
        ("PEG", "polyethylene glycol excipient"),
        ("alpha-gal syndrome", "alpha-gal"),
        ("sesame seed", "sesame"),
        ("青霉素皮试阳性", "penicillins"),
    ],
)
def test_what_records_call_an_allergen(text: str, name: str) -> None:
    assert names(text) == {name: "name"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("PCN - rash", "penicillins"),
        ("statins - myalgia", "HMG-CoA reductase inhibitors"),
        ("lisinopril: angioedema", "lisinopril"),
        ("Drug allergy: codeine", "codeine"),
        ("青霉素过敏史", "penicillins"),
        ("对青霉素过敏", "penicillins"),
        ("磺胺类药物过敏史", "sulfonamides"),
        ("头孢过敏", "cephalosporins"),
        ("头孢", "cephalosporins"),
    ],
)
def test_words_around_an_allergen_and_the_reaction_do_not_hide_it(text: str, name: str) -> None:
    assert names(text) == {name: "name"}


@pytest.mark.parametrize(
    "text",
    [
        "no penicillin, sulfa, latex allergy",
        "Denies latex, eggs",
        "codeine (negative)",
        "latex - no",
        "青霉素（-）",
        "青霉素皮试阴性",
        "否认青霉素、磺胺过敏",
        "无青霉素过敏",
        "penicillin: tolerated",
    ],
)
def test_a_denied_allergy_names_no_allergen(text: str) -> None:
    assert names(text) == {text: "text"}


def test_codes_of_substances_disorders_and_products() -> None:
    assert names(None, Code(SNOMED, "764146007")) == {"penicillins": "code"}
    assert names("anything", Code(SNOMED, "91936005")) == {"penicillins": "code"}
    assert names("Nortriptyline", Code(RXNORM, "7531")) == {"nortriptyline": "code"}


def test_lists_and_combinations_give_all() -> None:
    assert names("Penicillins, Sulfa") == {"penicillins": "name", "sulfonamides": "name"}
    assert names("Augmentin") == {"amoxicillin": "name", "clavulanate": "name"}


def test_unknown_words_stay_words() -> None:
    assert names("Glorb extract") == {"Glorb extract": "text"}
    assert names(None) == {}


def test_a_sulfa_allergy_reaches_antibacterials_and_no_diuretic() -> None:
    (sulfa,) = TERMS.match_allergens([], "sulfa drugs")
    (smx,), (furosemide,) = (TERMS.lookup(n, (EntityType.INGREDIENT,)) for n in ("sulfamethoxazole", "furosemide"))
    (trimethoprim,) = TERMS.lookup("trimethoprim", (EntityType.INGREDIENT,))
    assert sulfa.id in TERMS.ancestors(smx)
    assert sulfa.id not in TERMS.ancestors(furosemide) | TERMS.ancestors(trimethoprim)


def test_side_chains_cross_both_ways() -> None:
    pairs = {(TERMS.name(e.subject), TERMS.name(e.object)) for e in TERMS.edge_rows() if e.predicate == "cross_reacts_with"}
    assert all((b, a) in pairs for a, b in pairs)
    assert {("amoxicillin", "cephalexin"), ("ceftazidime", "aztreonam"), ("ceftriaxone", "cefepime"), ("aspirin", "ibuprofen")} <= pairs
    assert {
        ("polyethylene glycol excipient", "polyethylene glycol 3350"),
        ("fish", "protamine"),
        ("alpha-gal", "cetuximab"),
        ("egg", "yellow fever vaccine"),
    } <= pairs
    assert ("amoxicillin", "ceftriaxone") not in pairs
    assert ("egg", "influenza vaccine") not in pairs
    assert ("cefazolin", "cephalexin") not in pairs
