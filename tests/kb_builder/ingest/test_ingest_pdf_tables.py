"""Tables of PDF labels: cells, spans, titles, page breaks, tables without rules, and what is no table."""

from __future__ import annotations

import io
from collections.abc import Callable

from reportlab.lib import colors
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Paragraph, Table

from kb_builder.ingest.pdf_child import convert_here
from kb_builder.ingest.pdf_paged import PagedText
from kb_builder.ingest.tables import tables_of
from ontology.text.document import page_at

GRID = ("GRID", (0, 0), (-1, -1), 0.5, colors.black)
BOLD = ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold")
TEXT = ParagraphStyle("text", fontName="Helvetica", fontSize=10, leading=12)


def flowed(*story: Flowable) -> PagedText:
    data = io.BytesIO()
    template = BaseDocTemplate(data, pagesize=(612, 792))
    template.addPageTemplates([PageTemplate("one", [Frame(60, 50, 490, 690)])])
    template.build(list(story))
    return convert_here(data.getvalue())


def drawn(draw: Callable[[Canvas], None]) -> PagedText:
    data = io.BytesIO()
    canvas = Canvas(data, pagesize=(612, 792))
    draw(canvas)
    canvas.save()
    return convert_here(data.getvalue())


def test_a_plain_table_is_drawn_with_pipes() -> None:
    rows = [["CrCl (mL/min)", "Dose"], ["30 to 50", "250 mg"], ["below 30", "125 mg"]]
    assert flowed(Table(rows, style=[GRID])).text == "| CrCl (mL/min) | Dose |\n| --- | --- |\n| 30 to 50 | 250 mg |\n| below 30 | 125 mg |\n"


def test_an_empty_cell_stays_empty_at_its_place() -> None:
    text = flowed(Table([["", "Adults", "Children"], ["Start", "", "5 mg"], ["Then", "20 mg", ""]], style=[GRID])).text
    assert "|  | Adults | Children |" in text
    assert "| Start |  | 5 mg |" in text


def test_spanning_cells_keep_their_spans() -> None:
    rows = [["Reaction", "Dose", ""], ["", "First", "Second"], ["Rash", "Hold", "Stop"]]
    text = flowed(Table(rows, style=[GRID, ("SPAN", (1, 0), (2, 0)), ("SPAN", (0, 0), (0, 1))])).text
    assert '<tr><th rowspan="2">Reaction</th><th colspan="2">Dose</th></tr>' in text
    assert "<td>First</td><td>Second</td>" in text


def test_a_sign_of_comparison_in_html_is_no_tag() -> None:
    rows = [["Renal function", "Dose", ""], ["eGFR <30", "none", "x"], ["value <LLN", "none", "x"]]
    text = flowed(Table(rows, style=[GRID, ("SPAN", (1, 0), (2, 0))])).text
    assert "<td>eGFR <30</td>" in text
    assert "<td>value < LLN</td>" in text


def test_wrapped_lines_of_a_cell_are_joined_and_listed_values_are_not() -> None:
    wrapped = Paragraph("Take one tablet in the morning with a full glass of water and no food", TEXT)
    text = flowed(Table([["When", "How", "Level"], ["Day 1", wrapped, "1.03\n2.51"]], colWidths=[60, 120, 36], style=[GRID])).text
    assert "| Take one tablet in the morning with a full glass of water and no food |" in text
    assert "| 1.03<br>2.51 |" in text


def test_a_raised_mark_in_a_cell_keeps_apart_from_the_number() -> None:
    text = flowed(Table([["Drug", "Dose"], ["Calmex", Paragraph("50 mg<super>2</super> or 10<super>3</super>", TEXT)]], colWidths=[80, 120], style=[GRID])).text
    assert "50 mg^2 or 10^3" in text


def test_a_table_goes_on_over_the_page_without_its_repeated_header() -> None:
    rows = [["Day", "Dose"], *([f"Day {n}", f"{n} mg"] for n in range(1, 60))]
    paged = flowed(Table(rows, repeatRows=1, style=[GRID]))
    assert len(tables_of(paged.text)) == 1
    assert paged.text.count("| Day | Dose |") == 1
    assert page_at(paged.pages, paged.text.index("| Day 1 |")) == 1
    assert page_at(paged.pages, paged.text.index("| Day 59 |")) == 2
    assert any("header" in told.reason for told in paged.notes)


def test_a_row_that_the_page_cuts_is_one_row_again() -> None:
    def draw(canvas: Canvas) -> None:
        for page in (1, 2):
            canvas.setFillColorRGB(1, 1, 1)
            canvas.rect(28, 42, 556, 720, stroke=0, fill=1)
            canvas.setFillColorRGB(0, 0, 0)
            if page == 1:
                for line in range(6):
                    canvas.drawString(60, 700 - 14 * line, f"Line {line} of the text over the table, long enough for a line of prose.")
                grid = (100, 70, 20)
                canvas.drawString(64, 78, "Drug")
                canvas.drawString(164, 78, "Effect")
                canvas.drawString(64, 56, "Calmex")
                canvas.drawString(164, 56, "may increase the risk of a")
            else:
                grid = (780, 740, 720)
                canvas.drawString(164, 748, "low pulse.")
                canvas.drawString(64, 726, "Dozex")
                canvas.drawString(164, 726, "none")
                for line in range(6):
                    canvas.drawString(60, 600 - 14 * line, f"Line {line} of the text under the table, long enough for a line of prose.")
            canvas.grid([60, 160, 400], list(grid))
            canvas.showPage()

    paged = drawn(draw)
    assert "| Calmex | may increase the risk of a low pulse. |" in paged.text
    assert "| Dozex | none |" in paged.text
    assert len(tables_of(paged.text)) == 1


def test_a_frame_around_text_is_no_table() -> None:
    text = flowed(Table([[Paragraph("<b>WARNING: LOSS OF SALT</b>", TEXT)], [Paragraph("Calmex may cause a loss of salt.", TEXT)]], style=[GRID])).text
    assert text == "# WARNING: LOSS OF SALT\n\nCalmex may cause a loss of salt.\n"


def test_a_title_over_the_columns_stands_before_the_table() -> None:
    text = flowed(Table([["Active Ingredient", ""], ["Name", "Strength"], ["CALMAZINE", "25 mg"]], style=[GRID, BOLD, ("SPAN", (0, 0), (1, 0))])).text
    assert text.startswith("### Active Ingredient\n\n| Name | Strength |\n")


def test_titles_between_rows_of_the_same_columns_stay_in_the_table() -> None:
    bold = [("FONTNAME", (0, n), (-1, n), "Helvetica-Bold") for n in (1, 3)]
    spans = [("SPAN", (0, n), (1, n)) for n in (1, 3)]
    text = flowed(
        Table([["Age", "Dose"], ["Severe renal impairment", ""], ["adults", "5 mg"], ["Dialysis", ""], ["adults", "none"]], style=[GRID, *bold, *spans])
    ).text
    assert len(tables_of(text)) == 1
    assert '<th colspan="2">Dialysis</th>' in text


def test_a_table_without_rules_is_found_by_its_columns() -> None:
    rows = [
        ["CrCl (mL/min)", "Dose", "Interval"],
        ["above 50", "500 mg", "every 8 hours"],
        ["30 to 50", "250 mg", "every 12 hours"],
        ["below 30", "125 mg", "every 24 hours"],
    ]
    text = flowed(Paragraph("The dose follows the clearance of creatinine, as the table below this line says.", TEXT), Table(rows)).text
    assert "| CrCl (mL/min) | Dose | Interval |\n| --- | --- | --- |\n| above 50 | 500 mg | every 8 hours |" in text
    assert "| below 30 | 125 mg | every 24 hours |" in text


def test_a_list_with_bullets_far_from_their_text_is_no_table() -> None:
    def draw(canvas: Canvas) -> None:
        for n in range(6):
            canvas.drawString(72, 700 - 14 * n, "•")
            canvas.drawString(100, 700 - 14 * n, f"Condition number {n}.")

    text = drawn(draw).text
    assert "|" not in text
    assert text.startswith("• Condition number 0.\n• Condition number 1.\n")


def test_drawn_dots_are_bullets() -> None:
    def draw(canvas: Canvas) -> None:
        for n in range(3):
            canvas.circle(76, 703.5 - 14 * n, 2, fill=1)
            canvas.drawString(90, 700 - 14 * n, f"Condition number {n}.")

    assert drawn(draw).text == "• Condition number 0.\n• Condition number 1.\n• Condition number 2.\n"
