"""What is known of sections: codes, headings, states; and the dose forms that labels name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from kb_builder.ingest.classes import nui_of
from kb_builder.ingest.fields import key_of_heading, loinc_of, state_of, table_rows, title_of
from kb_builder.ingest.forms import read_form, with_forms
from kb_builder.ingest.openfda_record import read_record
from kb_builder.ingest.overlay import label_substances, product_rows
from ontology.model.identifiers import Code
from ontology.text.document import Document, ProductInfo, SectionState, SubstanceInfo

Make = Callable[..., dict[str, Any]]


@pytest.mark.parametrize("name", ["sections.tsv", "headings.tsv", "none_words.tsv", "form_nouns.tsv", "insert_forms.tsv", "insert_routes.tsv"])
def test_every_row_of_a_table_is_whole_and_names_its_source(name: str) -> None:
    rows = table_rows(name)
    assert rows
    assert all(value and value == value.strip() for row in rows for value in row.values()), name


def test_headings_are_unique_and_lead_to_known_sections() -> None:
    headings = [row["heading"] for row in table_rows("headings.tsv")]
    assert len(headings) == len(set(headings))
    assert {loinc_of(row["key"]) is not None for row in table_rows("headings.tsv") if row["language"] == "en"} == {True}


@pytest.mark.parametrize(
    ("heading", "key"),
    [
        ("Contraindications", "contraindications"),
        ("4 CONTRAINDICATIONS", "contraindications"),
        ("7. Drug Interactions:", "drug_interactions"),
        ("【禁忌】", "contraindications"),
        ("[药物相互作用]", "drug_interactions"),
        ("Warnings and Precautions", "warnings_and_cautions"),
        ("Something else", "something_else"),
        ("***", "untitled"),
    ],
)
def test_printed_headings_lead_to_keys(heading: str, key: str) -> None:
    assert key_of_heading(heading) == key


def test_titles_of_unknown_keys_are_their_words() -> None:
    assert title_of("openfda.brand_name") == "Brand name"
    assert loinc_of("openfda.brand_name") is None
    assert loinc_of("warnings_and_precautions") == loinc_of("warnings_and_cautions")


@pytest.mark.parametrize(
    ("key", "text", "state"),
    [
        ("contraindications", "4 CONTRAINDICATIONS None. None. ( 4 )", SectionState.NONE),
        ("contraindications", "4 CONTRAINDICATIONS None. • None. (4)", SectionState.NONE),
        ("contraindications", "CONTRAINDICATIONS None known.", SectionState.NONE),
        ("contraindications", "无。", SectionState.NONE),
        ("contraindications", "CONTRAINDICATIONS Hypersensitivity to baclofen.", SectionState.TEXT),
        ("contraindications", "4 CONTRAINDICATIONS None of these patients may take it.", SectionState.TEXT),
        ("contraindications", "禁忌尚不明确。", SectionState.UNKNOWN),
        ("contraindications", "本品禁忌尚不明确。", SectionState.UNKNOWN),
        ("contraindications", "尚不明确", SectionState.UNKNOWN),
        ("contraindications", "暂无。", SectionState.UNKNOWN),
        ("contraindications", "4 CONTRAINDICATIONS Unknown.", SectionState.UNKNOWN),
        ("contraindications", "无禁忌。", SectionState.NONE),
        ("contraindications", "1．无。", SectionState.NONE),
        ("contraindications", "尚不明确。对本品过敏者禁用。", SectionState.TEXT),
        ("geriatric_use", "未进行该项实验且无可靠参考文献。", SectionState.UNKNOWN),
        ("pregnancy", "孕妇禁用。", SectionState.TEXT),
        ("boxed_warning", "BOXED WARNING", SectionState.STUB),
        ("indications_and_usage", "INDICATIONS AND USAGE", SectionState.STUB),
        ("pregnancy", "Pregnancy See WARNINGS section.", SectionState.STUB),
        ("pregnancy", "Pregnancy - Category D (see WARNINGS section)", SectionState.TEXT),
        ("warnings", " \n ", SectionState.EMPTY),
    ],
)
def test_none_stub_and_empty_are_three_states(key: str, text: str, state: SectionState) -> None:
    assert state_of(key, text) is state


def form_of(text: str) -> str | None:
    known = {"tablets": "tablet", "tablet": "tablet", "extended-release tablets": "extended-release tablet", "injection": "injection", "system": "patch"}
    return known.get(text.casefold())


def make_form(record: Make, **fields: Any) -> str | None:
    document, _ = read_record(record(**fields))
    return read_form(document, document.products[0], form_of)


def test_the_form_is_read_beside_the_drugs_name(record: Make) -> None:
    assert make_form(record, indications_and_usage=["Ibuprofen extended-release tablets are indicated for pain"]) == "extended-release tablet"
    assert make_form(record, indications_and_usage=["Advil tablets are"]) == "tablet"


def test_a_form_elsewhere_or_an_ambiguous_word_does_not_count(record: Make) -> None:
    assert make_form(record, indications_and_usage=["Do not crush other tablets."]) is None
    assert make_form(record, indications_and_usage=["Ibuprofen acts on the nervous system"]) is None


def test_two_forms_of_one_label_give_none_unless_one_prevails(record: Make) -> None:
    assert make_form(record, indications_and_usage=["Ibuprofen tablets. Ibuprofen injection."]) is None
    assert make_form(record, indications_and_usage=["Ibuprofen tablets. Ibuprofen tablets. Ibuprofen tablets. Ibuprofen injection."]) == "tablet"


def test_the_section_on_forms_decides_when_the_name_is_nowhere_beside_one(record: Make) -> None:
    made = record(indications_and_usage=["For pain."], dosage_forms_and_strengths=["3 DOSAGE FORMS AND STRENGTHS Tablets: 200 mg"])
    document, _ = read_record(made)
    assert with_forms(document, form_of).products[0].form == "tablet"


def test_a_nui_is_given_only_where_it_can_belong_to_one_class(record: Make) -> None:
    made = record()
    assert nui_of(read_record(made)[0]) == "N0000175722"
    made["openfda"]["pharm_class_moa"] = ["Cyclooxygenase Inhibitors [MoA]"]
    assert nui_of(read_record(made)[0]) is None


def test_codes_of_older_versions_count_when_the_composition_is_the_same(record: Make) -> None:
    newest, _ = read_record(record())
    older, other = record(version="2"), record(version="1")
    older["openfda"] = {**older["openfda"], "rxcui": ["310965"], "brand_name": ["Motrin"]}
    other["openfda"] = {"generic_name": ["ASPIRIN"], "substance_name": ["ASPIRIN"], "rxcui": ["1191"]}
    (row,) = product_rows(newest, [read_record(older)[0], read_record(other)[0]])
    assert {c.value for c in row.codes if c.system == "rxnorm"} == {"197805", "310965"}
    assert row.brand_names == ("Advil", "Motrin")
    assert row.classes == (("Nonsteroidal Anti-inflammatory Drug [EPC]", "EPC", "N0000175722"),)
    assert label_substances(newest) == (("IBUPROFEN", "WK2XYI10QM", None),)


def test_classes_of_a_combination_belong_to_no_one_ingredient(record: Make) -> None:
    made = record()
    made["openfda"] |= {"substance_name": ["IBUPROFEN", "FAMOTIDINE"], "unii": ["WK2XYI10QM", "5QZO15J2Z8"]}
    (row,) = product_rows(read_record(made)[0], [])
    assert row.classes == ()


def test_codes_of_older_versions_stay_with_their_strength(record: Make) -> None:
    document, _ = read_record(record())

    def listing(*products: tuple[str, str | None]) -> Document:
        made = (ProductInfo("zzymib", (SubstanceInfo("ZZYMIB", strength=strength),), codes=(Code("ndc", code),)) for code, strength in products)
        return replace(document, products=tuple(made))

    now = listing(("1-25", "25 mg"), ("1-50", "50 mg"))
    rows = list(product_rows(now, [listing(("0-25", "25 mg"), ("0-50", "50 mg")), listing(("0-any", None))]))
    assert [(r.strength, {c.value for c in r.codes}) for r in rows] == [("25 mg", {"1-25", "0-25", "0-any"}), ("50 mg", {"1-50", "0-50", "0-any"})]
