"""Loaded terms behind the hand-kept ones: what they add, what they may not change, and what stays ambiguous."""

from __future__ import annotations

import sqlite3
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from site_files import CAUSE, FULL_NAME, IS_A, concept, description, edge, ndc_row, write_ndc, write_rxnorm, write_snomed

from ontology.model.entities import EntityType
from ontology.model.errors import TerminologyError
from ontology.model.identifiers import Code, EntityId
from ontology.terms.additions import AdditionsReport
from ontology.terms.entries import ProductRow
from ontology.terms.identity import DrugIdentity, UnidentifiedDrug
from ontology.terms.loaded import LoadedTerms
from ontology.terms.readers.atc import read_atc
from ontology.terms.readers.ndc import read_ndc
from ontology.terms.readers.records import BrandRecord, DrugRecord, IngredientRecord, Item, LeftOut, LineRefused, SourceVersion
from ontology.terms.readers.registry import condition_anchors
from ontology.terms.readers.rxnorm import read_rxnorm
from ontology.terms.readers.site_codes import read_site_codes
from ontology.terms.readers.snomed import SUBSTANCE, SnomedReader
from ontology.terms.terminology import Terminology
from ontology.terms.terms_file import TermsFile, TermsWriter

SHIPPED = Terminology.shipped()
LABEL = ProductRow("set-1", "WARFARIN SODIUM", substances=(("WARFARIN SODIUM", None, None),), codes=(Code("rxnorm", "855332"),), routes=("ORAL",))
SITE = "http://site.example/drugs"

Loaded = tuple[Terminology, AdditionsReport]
Load = Callable[[Sequence[Item]], Loaded]


def load_into(folder: Path, items: Sequence[Item], terms: Terminology = SHIPPED) -> Loaded:
    with TermsWriter(folder / "TERMS") as writer:
        for item in items:
            if not isinstance(item, LeftOut | LineRefused | SourceVersion):
                writer.add(item)
        writer.finish({"sources": [{"kind": "atc", "version": "2026", "title": "ATC"}]})
    file = TermsFile(folder / "TERMS")
    grown = terms.with_site_terms(file, "hash")
    report = grown.compile_site_terms(file, folder / "table.sqlite")
    db = sqlite3.connect(folder / "table.sqlite", check_same_thread=False)
    return Terminology.from_rows(grown.rows(), LoadedTerms(lambda: db)), report


@pytest.fixture
def load(tmp_path: Path) -> Load:
    return lambda items: load_into(tmp_path, items)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    """A site with RxNorm, an NDC file and its own codes, and a label of warfarin in its release."""
    folder = tmp_path_factory.mktemp("site")
    codes = folder / "map.csv"
    codes.write_text(
        f"system,code,means,kind\n{SITE},W5,rxnorm:7999026,\n{SITE},WZ,warfarin + rxnorm:7999001,\n{SITE},none,rxnorm:404404,\n{SITE},label,rxnorm:855332,\n"
        "urn:dx,sugar,icd10:E11.9,\nurn:dx,asthma,asthma,condition\nurn:lab,crea,loinc:2160-0,\nurn:al,pen,penicillin,allergen\nurn:al,zem,rxnorm:7999020,allergen\n"
    )
    rows = [ndc_row("99998-0002", "Doublo", "QUOLLIDINE TARTRATE; ZEMBRAMIB"), ndc_row("99998-003", "Quillo", "NEWAMIDE HYDROCHLORIDE", route="TOPICAL")]
    items = [*read_rxnorm(write_rxnorm(folder)), *read_ndc(write_ndc(folder, rows)), *read_site_codes(codes)]
    return load_into(folder, items, SHIPPED.with_products([LABEL]))


def names(found: DrugIdentity | UnidentifiedDrug) -> tuple[str, ...] | str:
    return tuple(sorted(i.name for i in found.ingredients)) if isinstance(found, DrugIdentity) else found.reason


def test_a_loaded_code_alone_is_identified_with_form_route_and_strength(site: Loaded) -> None:
    drug = site[0].identify_drug([Code("rxnorm", "7999026")], None)
    assert isinstance(drug, DrugIdentity)
    assert str(drug.subject) == "Ingredient:rxnorm:11289"
    site_code = site[0].identify_drug([Code(SITE, "W5")], None)
    assert isinstance(site_code, DrugIdentity)
    assert site_code.matched == f"{SITE}:W5"
    assert (drug.how, drug.matched, drug.form, drug.route, drug.strength) == ("code", "rxnorm:7999026", "tablet", "oral", "5 mg")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (Code("rxnorm", "7999023"), ("quollidine", "zembramib")),
        (Code("rxnorm", "7999040"), ("quollidine",)),
        (Code("rxnorm", "7999005"), "ambiguous"),
        (Code("ndc", "99999-0001-01"), ("warfarin",)),
        (Code("http://hl7.org/fhir/sid/ndc", "99998000299"), ("quollidine", "zembramib")),
        (Code("ndc", "99998-003-01"), ("newamide",)),
        (Code(SITE, "W5"), ("warfarin",)),
        (Code(SITE, "WZ"), ("warfarin", "zembramib")),
        (Code(SITE, "label"), ("warfarin",)),
        (Code(SITE, "none"), "unknown"),
        (Code("rxnorm", "7999027"), "unknown"),
    ],
)
def test_codes_mean_their_whole_composition_or_nothing(site: Loaded, code: Code, expected: tuple[str, ...] | str) -> None:
    assert names(site[0].identify_drug([code], None)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Zembra 20 mg tablet", ("zembramib",)),
        ("ZEMBRAMIBUM", ("zembramib",)),
        ("quollidine 5 MG / zembramib 20 MG Oral Tablet", ("quollidine", "zembramib")),
        ("quollidine tartrate 5 mg", ("quollidine",)),
        ("zembramib (Zembra) + warfarin", ("warfarin", "zembramib")),
        ("Doublix", "ambiguous"),
        ("Zembro 20 mg", "unknown"),
        ("Zembra quantum", "unknown"),
    ],
)
def test_loaded_names_match_whole_and_never_nearly(site: Loaded, text: str, expected: tuple[str, ...] | str) -> None:
    assert names(site[0].identify_drug([], text)) == expected


def test_code_and_text_that_disagree_conflict_over_loaded_terms_too(site: Loaded) -> None:
    assert names(site[0].identify_drug([Code("rxnorm", "7999020")], "warfarin 5 mg")) == "conflict"
    assert names(site[0].identify_drug([Code("rxnorm", "7999023")], "quollidine")) == "conflict"


def test_answers_do_not_depend_on_the_texts_before(site: Loaded) -> None:
    texts = ["Doublix", "Zembra", "Zembra quantum", "warfarin", "quollidine and zembramib", "Doublix 5 mg tablet"]
    once = [site[0].identify_drug([], t) for t in texts]
    assert [site[0].identify_drug([], t) for t in reversed(texts)] == once[::-1]


def test_without_loaded_terms_all_that_is_unknown() -> None:
    assert names(SHIPPED.identify_drug([Code("rxnorm", "7999026")], None)) == "unknown"
    assert names(SHIPPED.identify_drug([], "Zembra")) == "unknown"


def test_loaded_names_are_no_mentions_in_labels(site: Loaded) -> None:
    mentioned = {name for name, _ in site[0].mention_names()}
    assert mentioned == {name for name, _ in SHIPPED.with_products([LABEL]).mention_names()}


def test_a_site_code_whose_target_nothing_knows_is_refused_with_its_line(site: Loaded) -> None:
    assert [(r.place, "rxnorm:404404" in r.what) for r in site[1].refused] == [("map.csv, line 4", True)]


def test_hand_kept_codes_and_names_win_and_the_contradiction_is_told(load: Load) -> None:
    terms, report = load(
        [
            IngredientRecord("5640", "wrongamide", ("Advil",)),
            DrugRecord("rxnorm", "11289", (("ibuprofen", None, "5640"),)),
            BrandRecord("Coumadin", (("ibuprofen", None, None),)),
        ]
    )
    assert names(terms.identify_drug([Code("rxnorm", "11289")], None)) == ("warfarin",)
    assert names(terms.identify_drug([], "Coumadin")) == ("warfarin",)
    assert report.counts["contradictions"] == 2
    assert report.contradictions[0] == "rxnorm:11289 is warfarin here and ibuprofen in the loaded terms"


def test_a_combination_sold_under_the_name_of_an_ingredient_does_not_change_what_the_name_means(load: Load) -> None:
    zembramib, warfarin = ("zembramib", None, "7999001"), ("warfarin", None, "11289")
    terms, report = load([IngredientRecord("7999001", "zembramib"), BrandRecord("Zembramib", (zembramib, warfarin)), BrandRecord("ZEMBRAMIB", (zembramib,))])
    assert names(terms.identify_drug([], "Zembramib 5 mg")) == ("zembramib",)
    assert report.contradictions == ["the name 'Zembramib' is zembramib here and warfarin / zembramib in the loaded terms"]


def test_drugs_that_a_loaded_product_holds_together_are_one_product_in_a_text(load: Load) -> None:
    text = "warfarin 2 mg, amiodarone 200 mg"
    terms, _ = load([DrugRecord("ndc", "99997-0001", (("warfarin", None, None), ("amiodarone", None, None)))])
    assert names(terms.identify_drug((), text)) == ("amiodarone", "warfarin")
    assert isinstance(SHIPPED.identify_drug((), text), UnidentifiedDrug)


def test_a_code_that_two_sources_give_to_different_drugs_is_ambiguous(load: Load) -> None:
    items = [DrugRecord("ndc", "99997-0001", (("warfarin", None, None),)), DrugRecord("ndc", "99997-0001", (("ibuprofen", None, None),))]
    terms, report = load(items)
    drug = terms.identify_drug([Code("ndc", "99997-0001")], None)
    assert isinstance(drug, UnidentifiedDrug)
    assert (drug.reason, drug.candidates) == ("ambiguous", ("ibuprofen", "warfarin"))
    assert report.counts["ambiguous codes"] == 1
    assert names(terms.identify_drug([Code("ndc", "99997-0001")], "warfarin")) == ("warfarin",)


def test_forms_that_differ_between_sources_are_not_chosen(load: Load) -> None:
    substances = (("warfarin", None, None),)
    terms, _ = load(
        [DrugRecord("ndc", "99997-0001", substances, "TABLET", ("ORAL",)), DrugRecord("ndc", "99997-0001", substances, "INJECTION", ("INTRAVENOUS",))]
    )
    drug = terms.identify_drug([Code("ndc", "99997-0001")], None)
    assert isinstance(drug, DrugIdentity)
    assert (drug.form, drug.route) == (None, None)


@pytest.mark.parametrize("name", ["Tablet", "Sodium", "Tartrate", "Once", "5", "B", "Pain Relief", "ORAL"])
def test_names_made_of_by_words_name_no_drug(load: Load, name: str) -> None:
    terms, _ = load([BrandRecord(name, (("warfarin", None, None),))])
    assert names(terms.identify_drug([], f"ibuprofen 200 mg {name}")) != ("ibuprofen", "warfarin")
    assert names(terms.identify_drug([], name)) != ("warfarin",)


def test_more_substances_than_a_label_may_have_are_no_composition(load: Load) -> None:
    terms, report = load([DrugRecord("ndc", "99997-0001", tuple((f"thing{n}", None, None) for n in range(13)))])
    assert names(terms.identify_drug([Code("ndc", "99997-0001")], None)) == "unknown"
    assert report.counts["without a composition"] == 1


# -- conditions, allergies, laboratory codes


def test_a_sites_own_problem_allergy_and_laboratory_codes_mean_the_standard_ones(site: Loaded) -> None:
    terms = site[0]
    assert terms.match_conditions([Code("urn:dx", "sugar")], None)[0].id == SHIPPED.match_conditions([Code("icd10cm", "E11.9")], None)[0].id
    assert [m.name for m in terms.match_conditions([Code("urn:dx", "asthma")], None)] == ["asthma"]
    assert terms.standard_codes((Code("urn:lab", "crea"),)) == (Code("urn:lab", "crea"), Code("loinc", "2160-0"))
    assert [m.id.type for m in terms.match_allergens([Code("urn:al", "pen")], None)] == [EntityType.DRUG_CLASS]
    assert [m.name for m in terms.match_allergens([Code("urn:al", "zem")], None)] == ["zembramib"]


@pytest.fixture(scope="module")
def snomed(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    folder = tmp_path_factory.mktemp("snomed")
    asthma, below, other, allergic, finding, agent = 195967001, 7990001, 7990002, 609328004, 7990003, 7990004
    concepts = [concept(c) for c in (asthma, below, other, allergic, finding, agent, SUBSTANCE)]
    edges = [edge(below, IS_A, asthma), edge(finding, IS_A, allergic), edge(finding, CAUSE, agent), edge(agent, IS_A, SUBSTANCE)]
    said = [
        description(below, "Asthma of bakers (disorder)", FULL_NAME),
        description(below, "BA"),
        description(finding, "Allergy to amoxicillin (finding)", FULL_NAME),
        description(agent, "Amoxicillin (substance)", FULL_NAME),
    ]
    return load_into(folder, list(SnomedReader(condition_anchors())(write_snomed(folder, concepts, said, edges))))


def test_a_finer_snomed_code_is_a_kind_of_the_known_condition(snomed: Loaded) -> None:
    (match,) = snomed[0].match_conditions([Code("http://snomed.info/sct", "7990001")], None)
    assert (match.name, match.how, match.matched) == ("asthma", "code", "snomed:7990001")
    (unknown,) = snomed[0].match_conditions([Code("snomed", "7990002")], "something else")
    assert unknown.how == "text"


def test_a_loaded_synonym_names_the_condition_but_an_abbreviation_does_not(snomed: Loaded) -> None:
    assert [m.name for m in snomed[0].match_conditions([], "Asthma of bakers")] == ["asthma"]
    assert [m.how for m in snomed[0].match_conditions([], "BA")] == ["text"]


def test_an_allergy_finding_is_an_allergy_to_its_cause(snomed: Loaded) -> None:
    (match,) = snomed[0].match_allergens([Code("snomed", "7990003")], None)
    assert (match.name, match.how) == ("amoxicillin", "code")
    assert names(snomed[0].identify_drug([Code("snomed", "7990004")], None)) == ("amoxicillin",)


def test_loaded_classes_are_edges_that_quote_their_row(tmp_path: Path) -> None:
    (tmp_path / "atc.csv").write_text(
        "code,name\nJ01,Antibacterials\nJ01C,Penicillins\nJ01CA,Extended\nJ01CA04,amoxicillin\nL99XX,Nothing known\nL99XX01,zembramib\n"
    )
    terms, _ = load_into(tmp_path, list(read_atc(tmp_path / "atc.csv")))
    (amoxicillin,) = terms.lookup("amoxicillin", (EntityType.INGREDIENT,))
    classes = {str(a) for a in terms.ancestors(amoxicillin) if a.system == "atc"}
    assert classes == {"DrugClass:atc:J01", "DrugClass:atc:J01C", "DrugClass:atc:J01CA"}
    file = next(f for f in terms.files() if f.key == "loaded-classes")
    quoted = [file.text[e.start : e.end] for e in terms.edge_rows() if e.file == file.key]
    assert quoted == [
        "amoxicillin\tbelongs to\tExtended\tatc:J01CA",
        "Penicillins\tis a kind of\tAntibacterials\tatc:J01C\tatc:J01",
        "Extended\tis a kind of\tPenicillins\tatc:J01CA\tatc:J01C",
    ]
    assert terms.match_allergens([Code("http://www.whocc.no/atc", "J01CA")], None)[0].id == EntityId("DrugClass", "atc", "J01CA")
    assert names(terms.identify_drug([Code("atc", "J01CA04")], None)) == ("amoxicillin",)
    assert names(terms.identify_drug([Code("atc", "L99XX01")], None)) == "unknown"
    assert not {n for n, _ in terms.mention_names((EntityType.DRUG_CLASS,))} & {"extended", "nothing known"}


# -- the file


def test_equal_records_give_an_equal_file_and_table(tmp_path: Path) -> None:
    made = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        load_into(tmp_path / name, list(read_rxnorm(write_rxnorm(tmp_path / name))))
        made.append(((tmp_path / name / "TERMS").read_bytes(), (tmp_path / name / "table.sqlite").read_bytes()))
    assert made[0] == made[1]


def test_other_loaded_terms_make_another_terminology(tmp_path: Path) -> None:
    with TermsWriter(tmp_path / "TERMS") as writer:
        writer.finish({})
    file = TermsFile(tmp_path / "TERMS")
    assert list(SHIPPED.with_site_terms(file, "one").rows()) != list(SHIPPED.with_site_terms(file, "other").rows())


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 broken", b'{"format": 1}'])
def test_what_is_no_terms_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "TERMS").write_bytes(content)
    with pytest.raises(TerminologyError, match="load the terminologies again"):
        TermsFile(tmp_path / "TERMS")


def test_a_file_of_another_format_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "TERMS", "w") as archive:
        archive.writestr("manifest.json", '{"format": "pharmgraph-terms/0"}')
    with pytest.raises(TerminologyError, match="has format 'pharmgraph-terms/0', this version reads"):
        TermsFile(tmp_path / "TERMS")


def test_an_unfinished_file_never_appears(tmp_path: Path) -> None:
    with TermsWriter(tmp_path / "TERMS") as writer:
        writer.add(BrandRecord("Zembra", ()))
    assert list(tmp_path.iterdir()) == []
