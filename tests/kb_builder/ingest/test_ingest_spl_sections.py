"""What an SPL section is, where its text goes, and what the Highlights repeat."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kb_builder.ingest.spl import read_spl
from ontology.text.document import Document, Section, SectionState

Make = Callable[..., str]
MakeSpl = Callable[..., bytes]
P = "<paragraph>{}</paragraph>"
BOLD = '<paragraph><content styleCode="bold">{}</content></paragraph>'


def excerpt(inside: str) -> str:
    return f"<excerpt><highlight><text>{inside}</text></highlight></excerpt>"


def read(data: bytes) -> tuple[Document, list[tuple[str | None, str]]]:
    document, notes = read_spl(data)
    assert not any(lost for _, _, lost in notes)
    return document, [(field, reason) for field, reason, _ in notes]


def held(document: Document, key: str) -> Section:
    section = document.section(key)
    assert section is not None, [s.key for s in document.sections]
    return section


def text_keys(document: Document) -> list[str]:
    return [s.key for s in document.sections if not s.key.startswith(("openfda.", "spl.", "spl_product_data"))]


def test_a_section_holds_its_title_text_and_subsections(spl: MakeSpl, section: Make) -> None:
    inner = section("42229-5", "7.1 Sedatives", P.format("Avoid sedatives."))
    document, notes = read(spl(section("34073-7", "7 DRUG INTERACTIONS", P.format("General."), inner)))
    found = held(document, "drug_interactions")
    assert found.text == "7 DRUG INTERACTIONS\n\nGeneral.\n\n7.1 Sedatives\n\nAvoid sedatives."
    assert (found.title, found.loinc, found.state, found.repeats) == ("7 DRUG INTERACTIONS", "34073-7", SectionState.TEXT, None)
    assert notes == []
    assert text_keys(document) == ["drug_interactions"]


def test_a_coded_subsection_is_a_section_of_its_own_too(spl: MakeSpl, section: Make) -> None:
    inner = section("42228-7", "8.1 Pregnancy", P.format("No data."))
    document, _ = read(spl(section("43684-0", "8 USE IN SPECIFIC POPULATIONS", "", inner)))
    assert held(document, "pregnancy").text == "8.1 Pregnancy\n\nNo data."
    assert held(document, "use_in_specific_populations").text.endswith("8.1 Pregnancy\n\nNo data.")


def test_an_unclassified_subsection_with_a_known_heading_where_it_belongs_is_one_too(spl: MakeSpl, section: Make) -> None:
    renal = section("42229-5", "8.6 Renal Impairment", P.format("Halve the dose."))
    document, _ = read(spl(section("43684-0", "8 USE IN SPECIFIC POPULATIONS", "", renal)))
    assert held(document, "renal_impairment").text == "8.6 Renal Impairment\n\nHalve the dose."


@pytest.mark.parametrize(("code", "title"), [("34090-1", "12 CLINICAL PHARMACOLOGY"), ("34076-0", "17 PATIENT COUNSELING INFORMATION")])
def test_a_known_heading_elsewhere_stays_in_its_parent(spl: MakeSpl, section: Make, code: str, title: str) -> None:
    document, _ = read(spl(section(code, title, "", section("42229-5", "Pregnancy", P.format("Clearance falls.")))))
    assert document.section("pregnancy") is None
    assert "Clearance falls." in document.sections[0].text


def test_the_heading_is_followed_where_the_code_says_another(spl: MakeSpl, section: Make) -> None:
    wrong = (
        section("34082-8", "8.6 Renal Impairment", P.format("Halve the dose."))
        + "</component><component>"
        + section("34081-0", "8.5 Geriatric Use", P.format("Start low."))
    )
    document, notes = read(spl(section("43684-0", "8 USE IN SPECIFIC POPULATIONS", "", wrong)))
    assert held(document, "renal_impairment").loinc == "34082-8"
    assert held(document, "geriatric_use").text.endswith("Start low.")
    assert document.section("pediatric_use") is None
    assert [field for field, reason in notes if "the heading is followed" in reason] == ["renal_impairment", "geriatric_use"]


@pytest.mark.parametrize(
    ("code", "title", "key"),
    [
        ("34066-1", "WARNINGS", "boxed_warning"),
        ("34071-1", "Warning", "warnings"),
        ("42230-3", "Patient Information", "spl_patient_package_insert"),
        ("34067-9", "Uses", "indications_and_usage"),
        ("42232-9", "PRECAUTIONS:", "precautions"),
        ("99999-9", "Contraindications", "contraindications"),
        ("", "CONTRAINDICATIONS", "contraindications"),
        ("42229-5", "4. CONTRAINDICATIONS", "contraindications"),
        ("42229-5", "Storing the carton", "spl_unclassified_section"),
        ("", None, "spl_unclassified_section"),
    ],
)
def test_code_and_heading_together_give_the_key(spl: MakeSpl, section: Make, code: str, title: str | None, key: str) -> None:
    document, notes = read(spl(section(code, title, P.format("Some words."))))
    assert text_keys(document) == [key]
    assert notes == []


def test_a_code_of_no_table_is_named_by_its_display_name(spl: MakeSpl) -> None:
    one = '<section><code code="12345-6" codeSystem="2.16.840.1.113883.6.1" displayName="NEW KIND SECTION"/><title>New</title><text>words</text></section>'
    assert held(read(spl(one))[0], "new_kind").loinc == "12345-6"


def test_a_wrapper_of_no_known_meaning_hides_nothing(spl: MakeSpl, section: Make) -> None:
    inner = section("42229-5", "4 CONTRAINDICATIONS", P.format("Hypersensitivity."))
    document, _ = read(spl(section("42229-5", "FULL PRESCRIBING INFORMATION", "", inner)))
    assert held(document, "contraindications").text == "4 CONTRAINDICATIONS\n\nHypersensitivity."


def test_the_printed_heading_of_an_untitled_section_is_followed_too(spl: MakeSpl, section: Make) -> None:
    document, notes = read(spl(section("34066-1", None, BOLD.format("DOSAGE AND ADMINISTRATION") + P.format("One tablet daily."))))
    assert text_keys(document) == ["dosage_and_administration"]
    assert [field for field, _ in notes] == ["dosage_and_administration"]


def test_a_code_of_another_system_says_nothing(spl: MakeSpl) -> None:
    document, _ = read(spl('<section><code code="34070-3" codeSystem="1.2.3"/><title>Anything</title><text>words</text></section>'))
    assert text_keys(document) == ["spl_unclassified_section"]


# -- boxed warnings


def test_boxed_warnings_in_several_untitled_sections_are_one(spl: MakeSpl, section: Make) -> None:
    nested = section("34066-1", None, P.format("A warning within."))
    document, notes = read(spl(section("34066-1", None, P.format("WARNING: one"), nested), section("34066-1", None, P.format("two"))))
    assert held(document, "boxed_warning").text == "WARNING: one\n\nA warning within.\n\ntwo"
    assert notes == []


@pytest.mark.parametrize(
    ("code", "title", "text", "boxed"),
    [
        ("34068-7", "DOSAGE AND ADMINISTRATION", "Elderly: 0.5 mg twice daily", False),
        ("34068-7", "DOSAGE AND ADMINISTRATION", "WARNING: not for intrathecal use", True),
        ("34071-1", "WARNINGS", "Fatal falls were seen", True),
        ("42229-5", "Further items", "TAMPER-EVIDENT SEAL", False),
    ],
)
def test_a_box_inside_another_section_is_a_boxed_warning_only_when_it_warns(spl: MakeSpl, section: Make, code: str, title: str, text: str, boxed: bool) -> None:
    document, notes = read(spl(section(code, title, "", section("34066-1", None, P.format(text)))))
    assert (document.section("boxed_warning") is not None) is boxed
    assert text in document.sections[0].text
    assert bool(notes) is not boxed


# -- highlights


def test_highlights_are_sections_of_their_own_that_say_what_they_repeat(spl: MakeSpl, section: Make) -> None:
    document, _ = read(spl(section("34070-3", "4 CONTRAINDICATIONS", P.format("Glaucoma, as told in full."), extra=excerpt(P.format("Glaucoma (4)")))))
    short = held(document, "highlights.contraindications")
    assert (short.text, short.repeats) == ("Glaucoma (4)", "contraindications")
    assert held(document, "contraindications").text == "4 CONTRAINDICATIONS\n\nGlaucoma, as told in full."


def test_highlights_of_an_unclassified_subsection_belong_to_what_holds_it(spl: MakeSpl, section: Make) -> None:
    inner = section("42229-5", "5.1 Falls", P.format("Falls were seen."), extra=excerpt(P.format("Falls (5.1)")))
    document, _ = read(spl(section("43685-7", "5 WARNINGS AND PRECAUTIONS", "", inner)))
    assert held(document, "highlights.warnings_and_cautions").text == "Falls (5.1)"


@pytest.mark.parametrize(("title", "text"), [(None, "Glaucoma (4)"), ("4 CONTRAINDICATIONS", "4 CONTRAINDICATIONS\n\nGlaucoma (4)")])
def test_highlights_alone_take_the_plain_key(spl: MakeSpl, section: Make, title: str | None, text: str) -> None:
    document, _ = read(spl(section("34070-3", title, extra=excerpt(P.format("Glaucoma (4)")))))
    found = held(document, "contraindications")
    assert (found.text, found.repeats) == (text, None)
    assert document.section("highlights.contraindications") is None


def test_highlights_in_the_list_of_products_are_not_lost(spl: MakeSpl, section: Make, spl_product: str) -> None:
    document, _ = read(
        spl(section("34070-3", None, P.format("Glaucoma.")), product=spl_product.replace("</subject>", "</subject>" + excerpt(P.format("New in this label."))))
    )
    assert "New in this label." in held(document, "spl_unclassified_section").text


# -- headings inside a text


def test_printed_headings_open_sections_in_an_unclassified_text(spl: MakeSpl, section: Make) -> None:
    text = "".join(
        (
            P.format("Calmex tablets"),
            BOLD.format("CONTRAINDICATIONS"),
            P.format("Glaucoma."),
            P.format("PRECAUTIONS"),
            P.format("Care is needed."),
            BOLD.format("Drug Interactions:"),
            P.format("Avoid sedatives."),
        )
    )
    document, _ = read(spl(section("42229-5", None, text)))
    assert held(document, "contraindications").text == "CONTRAINDICATIONS\n\nGlaucoma."
    assert held(document, "drug_interactions").text == "Drug Interactions:\n\nAvoid sedatives."
    assert held(document, "precautions").text == "PRECAUTIONS\n\nCare is needed.\n\nDrug Interactions:\n\nAvoid sedatives."
    assert held(document, "spl_unclassified_section").text.startswith("Calmex tablets")


def test_a_word_in_bold_within_a_sentence_is_no_heading(spl: MakeSpl, section: Make) -> None:
    bold = '<paragraph><content styleCode="bold">Contraindications</content> are listed below.</paragraph>'
    document, _ = read(spl(section("42229-5", "Leaflet", bold + P.format("Contraindications") + P.format("are listed above."))))
    assert text_keys(document) == ["spl_unclassified_section"]


# -- repeats, states, odd shapes


def test_sections_of_one_meaning_are_joined_and_told(spl: MakeSpl, section: Make) -> None:
    table = "<table><tr><td>{}</td></tr></table>"
    document, notes = read(spl(section("34071-1", "WARNINGS", table.format("a")), section("34071-1", "WARNINGS", table.format("b"))))
    assert held(document, "warnings").text == "WARNINGS\n\na\n\nWARNINGS\n\nb"
    assert len(held(document, "warnings").tables) == 2
    assert notes == [("warnings", "2 sections have this meaning: joined in the order they stand")]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (P.format("None"), SectionState.NONE),
        ("", SectionState.STUB),
        (P.format("See Warnings."), SectionState.STUB),
        (P.format("Glaucoma."), SectionState.TEXT),
    ],
)
def test_none_and_a_bare_heading_are_told_apart(spl: MakeSpl, section: Make, text: str, state: SectionState) -> None:
    document, _ = read(spl(section("34070-3", "4 CONTRAINDICATIONS", text)))
    assert held(document, "contraindications").state is state


def test_repeated_ids_empty_sections_and_links_to_itself_are_read(spl: MakeSpl) -> None:
    one = (
        '<section ID="x"><id root="r"/><code code="34070-3" codeSystem="2.16.840.1.113883.6.1"/><title>Contraindications</title>'
        '<text><paragraph>See <linkHtml href="#x">this</linkHtml>: glaucoma.</paragraph></text><component><section ID="x"><id root="r"/></section></component>'
        "<component/></section>"
    )
    document, _ = read(spl(one, "<section/>"))
    assert held(document, "contraindications").text == "Contraindications\n\nSee this: glaucoma."
