"""PDF labels drawn by the tests: reading order, paragraphs, headings, signs, running lines, pages, and the document they become."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Frame, FrameBreak, NextPageTemplate, PageBreak, PageTemplate, Paragraph

from kb_builder.ingest.pdf import PdfReader
from kb_builder.ingest.pdf_child import convert_here
from kb_builder.ingest.pdf_paged import PagedText
from kb_builder.ingest.reader import Noted, Refused
from kb_builder.ingest.sources import DiskFile
from ontology.text.document import Document, page_at

SMALL = ParagraphStyle("small", fontName="Helvetica", fontSize=8, leading=9.5)
BODY = ParagraphStyle("body", fontName="Times-Roman", fontSize=11, leading=13, alignment=4, spaceAfter=6)
HEAD = ParagraphStyle("head", fontName="Times-Bold", fontSize=11, leading=13, spaceBefore=8, spaceAfter=2)


def footer(canvas: Canvas, template: BaseDocTemplate) -> None:
    canvas.setFont("Helvetica", 8)
    canvas.drawString(72, 30, "Reference ID: 4451239")
    canvas.drawRightString(540, 30, str(template.page))


def drawn(draw: Callable[[Canvas], None]) -> PagedText:
    """The text of what is drawn on one canvas."""
    data = io.BytesIO()
    canvas = Canvas(data, pagesize=(612, 792))
    draw(canvas)
    canvas.save()
    return convert_here(data.getvalue())


def paragraphs(*texts: str, style: ParagraphStyle = BODY) -> PagedText:
    data = io.BytesIO()
    template = BaseDocTemplate(data, pagesize=(612, 792))
    template.addPageTemplates([PageTemplate("one", [Frame(60, 50, 490, 690)])])
    template.build([Paragraph(text, style) for text in texts])
    return convert_here(data.getvalue())


@pytest.fixture(scope="module")
def label() -> bytes:
    """A label of four pages: Highlights and contents in two columns, the full text in one, with a footer."""
    data = io.BytesIO()
    template = BaseDocTemplate(data, pagesize=(612, 792))
    two = PageTemplate("two", [Frame(40, 50, 255, 690), Frame(315, 50, 255, 690)], onPage=footer)
    one = PageTemplate("one", [Frame(60, 50, 490, 690)], onPage=footer)
    template.addPageTemplates([two, one])
    story: list[object] = [Paragraph("<b>HIGHLIGHTS OF PRESCRIBING INFORMATION</b>", SMALL)]
    story += [Paragraph("<b>ZELVORA (zelvorine) tablets, for oral use</b>", SMALL), Paragraph("<b>Initial U.S. Approval: 2019</b>", SMALL)]
    story += [Paragraph("<b>------------------INDICATIONS AND USAGE------------------</b>", SMALL)]
    story += [Paragraph("ZELVORA is indicated for the treatment of adults with crimson fever who have not answered to rest and to tea. (1)", SMALL)]
    story += [Paragraph("<b>--------------DOSAGE AND ADMINISTRATION--------------</b>", SMALL)]
    story += [
        Paragraph(f"• Take {n} mg by mouth once daily with a full glass of water until the fever of day {n} is gone. (2.1)", SMALL) for n in range(10, 24)
    ]
    story += [FrameBreak(), Paragraph("<b>------------------CONTRAINDICATIONS------------------</b>", SMALL)]
    story += [Paragraph("• Severe hepatic impairment of any cause, and hypersensitivity to zelvorine or to another of its parts. (4)", SMALL)]
    story += [Paragraph("<b>------------------DRUG INTERACTIONS------------------</b>", SMALL)]
    story += [Paragraph(f"• Inhibitors of the number {n}: the dosage of ZELVORA is halved as long as both are taken together. (7)", SMALL) for n in range(12)]
    story += [NextPageTemplate("two"), PageBreak(), Paragraph("<b>FULL PRESCRIBING INFORMATION: CONTENTS*</b>", SMALL)]
    left = ("1 INDICATIONS AND USAGE", "2 DOSAGE AND ADMINISTRATION", "2.1 Usual Dosage", "4 CONTRAINDICATIONS", "5 WARNINGS AND PRECAUTIONS", "5.1 Rash")
    right = ("6 ADVERSE REACTIONS", "7 DRUG INTERACTIONS", "7.1 Inhibitors", "8 USE IN SPECIFIC POPULATIONS", "8.1 Pregnancy", "11 DESCRIPTION")
    story += [*(Paragraph(t, SMALL) for t in left), FrameBreak(), *(Paragraph(t, SMALL) for t in right)]
    story += [NextPageTemplate("one"), PageBreak(), Paragraph("FULL PRESCRIBING INFORMATION", HEAD)]
    story += [Paragraph("1 INDICATIONS AND USAGE", HEAD), Paragraph("ZELVORA is indicated for adults with crimson fever.", BODY)]
    story += [Paragraph("2 DOSAGE AND ADMINISTRATION", HEAD), Paragraph("2.1 Usual Dosage", HEAD)]
    story += [
        Paragraph(f"On day {n} the dose of ZELVORA is {n} mg, to be taken with water in the morning and in the evening. " * 3, BODY) for n in range(1, 26)
    ]
    story += [Paragraph("4 CONTRAINDICATIONS", HEAD), Paragraph("ZELVORA is contraindicated in patients with severe hepatic impairment.", BODY)]
    template.build(story)
    return data.getvalue()


@pytest.fixture(scope="module")
def paged(label: bytes) -> PagedText:
    return convert_here(label)


def test_two_columns_are_read_one_after_the_other(paged: PagedText) -> None:
    places = [paged.text.index(words) for words in ("INDICATIONS AND USAGE", "Take 10 mg", "Take 23 mg", "Severe hepatic impairment of any cause", "number 11")]
    assert places == sorted(places)


def test_a_line_wrapped_in_a_column_is_joined(paged: PagedText) -> None:
    assert "• Severe hepatic impairment of any cause, and hypersensitivity to zelvorine or to another of its parts. (4)\n" in paged.text


def test_both_columns_of_a_table_of_contents_are_read_in_order(paged: PagedText) -> None:
    start = paged.text.index("CONTENTS*")
    places = [paged.text.index(words, start) for words in ("4 CONTRAINDICATIONS", "5.1 Rash", "6 ADVERSE REACTIONS", "7.1 Inhibitors", "11 DESCRIPTION")]
    assert places == sorted(places)


def test_rules_of_dashes_around_a_heading_are_left_out(paged: PagedText) -> None:
    assert "\n# INDICATIONS AND USAGE\n" in paged.text
    assert "\n# CONTRAINDICATIONS\n" in paged.text
    assert "---" not in paged.text


def test_numbered_headings_have_the_level_of_their_number(paged: PagedText) -> None:
    assert "\n# 2 DOSAGE AND ADMINISTRATION\n\n## 2.1 Usual Dosage\n" in paged.text


def test_running_lines_and_page_numbers_are_left_out_and_told(paged: PagedText) -> None:
    assert "Reference ID" not in paged.text
    assert any("Reference ID: 4451239" in told.reason and "left out" in told.reason and not told.lost for told in paged.notes)


def test_a_number_that_does_not_count_the_pages_stays() -> None:
    def draw(canvas: Canvas) -> None:
        for number in (7, 7):
            canvas.drawString(72, 700, f"The dose on this page is {number}.")
            canvas.drawString(72, 40, str(number))
            canvas.showPage()

    assert drawn(draw).text.count("7") == 4


def test_a_paragraph_goes_on_over_the_page_break() -> None:
    text = " ".join(f"On day {n} the dose of Calmex is {n} mg, taken with water in the morning and in the evening" for n in range(120))
    paged = paragraphs(f"{text}.")
    assert paged.text == f"{text}.\n"
    (_, first), (second_at, second) = paged.pages
    assert (first, second) == (1, 2)
    assert 0 < second_at < len(text)


def test_every_page_begins_where_its_words_begin(paged: PagedText) -> None:
    assert [number for _, number in paged.pages] == list(range(1, paged.pages[-1][1] + 1))
    assert page_at(paged.pages, paged.text.index("HIGHLIGHTS OF")) == 1
    assert page_at(paged.pages, paged.text.index("CONTENTS*")) == 2
    assert page_at(paged.pages, paged.text.index("\n# 1 INDICATIONS AND USAGE\n", paged.text.index("11 DESCRIPTION")) + 1) == 3
    assert page_at(paged.pages, paged.text.index("ZELVORA is contraindicated in patients")) == paged.pages[-1][1]


def test_the_same_bytes_give_the_same_text(label: bytes, paged: PagedText) -> None:
    assert convert_here(label) == paged


def test_an_exponent_of_a_unit_is_raised_and_any_other_raised_number_is_marked() -> None:
    paged = paragraphs(
        "Below 30 mL/min/1.73 m<super>2</super> with 50 × 10<super>9</super>/L, 500 mg<super>1</super>, vitamin B<sub>12</sub>, C<sub>max</sub>."
    )
    assert "1.73 m² with 50 × 10^9/L, 500 mg^1, vitamin B12, Cmax." in paged.text


def test_a_raised_number_never_joins_a_dose() -> None:
    assert "500^1 mg" in paragraphs("Give 500<super>1</super> mg.").text


def test_a_lowered_number_never_joins_the_next() -> None:
    assert "O5 2H2O" in paragraphs("The formula is O<sub>5</sub>2H<sub>2</sub>O.").text


def test_signs_of_a_symbol_font_are_what_they_show() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 11)
        canvas.drawString(72, 700, "Patients aged")
        canvas.setFont("Symbol", 11)
        canvas.drawString(146, 700, "\u2265")
        canvas.setFont("Helvetica", 11)
        canvas.drawString(156, 700, "65 years and")
        canvas.setFont("Symbol", 11)
        canvas.drawString(222, 700, "\u2264")
        canvas.setFont("Helvetica", 11)
        canvas.drawString(232, 700, "75 years")

    assert "aged ≥ 65 years and ≤ 75 years" in drawn(draw).text


def test_ligatures_are_letters() -> None:
    from kb_builder.ingest.pdf_glyphs import _character

    assert _character("\ufb01", "AAAAAA+Minion") == "fi"
    assert _character("\ufb03", "AAAAAA+Minion") == "ffi"


def test_a_radical_is_the_ideograph_it_looks_like() -> None:
    from kb_builder.ingest.pdf_glyphs import _character

    assert _character("\u2edd", "AAAAAA+NotoSerifCJK") == "食"
    assert _character("\u2f70", "AAAAAA+NotoSerifCJK") == "示"


def test_letters_printed_twice_to_look_bold_are_read_once() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "Hepatic impairment is named")
        canvas.drawString(72.3, 700, "Hepatic impairment is named")

    assert drawn(draw).text == "Hepatic impairment is named\n"


def test_paragraphs_without_a_gap_are_told_apart_by_a_short_last_line() -> None:
    style = ParagraphStyle("tight", fontName="Helvetica", fontSize=10, leading=12)
    first = "The first paragraph fills more than one line of the page, so that it is wrapped at least once, and then it ends early."
    second = "The second paragraph begins at once under it, fills more than one line of the page as well, and has words enough for that."
    assert paragraphs(first, second, style=style).text == f"{first}\n\n{second}\n"


def test_text_off_a_white_background_belongs_to_the_next_page() -> None:
    def draw(canvas: Canvas) -> None:
        for shown, cut in ((90, 80), (792, 792)):
            canvas.setFillColorRGB(1, 1, 1)
            canvas.rect(28, 86, 556, 678, stroke=0, fill=1)
            canvas.setFillColorRGB(0, 0, 0)
            for line in range(20):
                canvas.drawString(72, 700 - 15 * line, f"Line {line} of the page that is shown, number {shown}.")
            canvas.drawString(72, cut, "Cut words.")
            canvas.showPage()

    assert "Cut words" not in drawn(draw).text


def test_a_page_that_the_sheet_turns_is_read_upright() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setPageRotation(90)
        canvas.rotate(90)
        canvas.drawString(100, -100, "Turned by the sheet and by the text")

    paged = drawn(draw)
    assert paged.text == "Turned by the sheet and by the text\n"
    assert not paged.notes


def test_text_printed_sideways_is_kept_and_told() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "Upright words.")
        canvas.rotate(90)
        canvas.drawString(100, -500, "Words that run upwards.")

    paged = drawn(draw)
    assert paged.text == "Upright words.\n\nWords that run upwards.\n"
    assert any("sideways on page 1" in told.reason for told in paged.notes)


def test_chinese_text_has_no_spaces_between_its_characters() -> None:
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))

    def draw(canvas: Canvas) -> None:
        canvas.setFont("STSong-Light", 11)
        canvas.drawString(72, 700, "【禁忌】")
        canvas.drawString(72, 680, "对本品过敏者禁用。肌酐清除率低于30mL/min的患者禁", charSpace=1.5)
        canvas.drawString(72, 664, "用。孕妇禁用。")

    assert drawn(draw).text == "# 【禁忌】\n\n对本品过敏者禁用。肌酐清除率低于30mL/min的患者禁用。孕妇禁用。\n"


@pytest.fixture
def read(tmp_path: Path, label: bytes) -> list[Document | Refused | Noted]:
    file = tmp_path / "other-name.pdf"
    file.write_bytes(label)
    return list(PdfReader().read(DiskFile(file)))


def test_the_document_has_sections_with_pages(read: list[Document | Refused | Noted]) -> None:
    document = read[0]
    assert isinstance(document, Document)
    assert document.kind == "pdf"
    section = document.section("contraindications")
    assert section is not None
    assert section.text.strip() == "ZELVORA is contraindicated in patients with severe hepatic impairment."
    assert page_at(section.pages, 5) == 4
    dosage = document.section("dosage_and_administration")
    assert dosage is not None
    assert [number for _, number in dosage.pages] == [3, 4]
    assert document.section("highlights.contraindications") is not None


def test_what_the_converter_left_out_is_noted(read: list[Document | Refused | Noted]) -> None:
    assert any(isinstance(item, Noted) and "running line" in item.reason for item in read)
    assert not any(isinstance(item, Refused) for item in read)
