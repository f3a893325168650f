"""Footnotes and captions: where they stand, which cells call them, and what only looks like a mark."""

import pytest

from ontology.text.offsets import fold
from ontology.text.tables import find_tables


def table_of(flat, markup):
    text = fold(flat).text
    (table,) = find_tables(text, [markup] if markup else [])
    return table, text


def at(table, text):
    return next(c for c in table.cells if c.text == text)


def called(table, text, cell):
    notes = table.footnotes_of(at(table, cell))
    assert all(text[n.start : n.end] == n.text for n in notes)
    return [(n.mark, n.text) for n in notes]


def test_a_footnote_printed_in_its_cell_is_no_part_of_the_cell():
    flat = "Drug Dose Alfa 5 mg Not for children. daily Beta 6 mg"
    markup = (
        "<table><thead><tr><th>Drug</th><th>Dose</th></tr></thead>"
        '<tr><td>Alfa</td><td>5 mg<footnote ID="n1">Not for children.</footnote> daily</td></tr><tr><td>Beta</td><td>6 mg<footnoteRef IDREF="n1"/></td></tr></table>'
    )
    table, text = table_of(flat, markup)
    cell = at(table, "5 mg daily")
    assert [text[s:e].strip() for s, e in cell.pieces] == ["5 mg", "daily"]
    assert called(table, text, "5 mg daily") == [("", "Not for children.")]
    assert called(table, text, "6 mg") == [("", "Not for children.")]
    assert called(table, text, "Beta") == []


def test_marks_in_superscript_call_the_notes_of_the_foot():
    flat = "Grade a Dose b Give in 1 hour. a By the common scale. Alfa 5 mg 1, b"
    markup = (
        "<table><thead><tr><th>Grade<sup>a</sup></th><th>Dose</th></tr></thead>"
        "<tfoot><tr><td colspan='2'><sup>b</sup> Give in 1 hour.</td></tr><tr><td colspan='2'><sup>a</sup> By the common scale.</td></tr></tfoot>"
        "<tr><td>Alfa</td><td>5 mg<sup>1, b</sup></td></tr></table>"
    )
    table, text = table_of(flat, markup)
    assert called(table, text, "Gradea") == [("a", "By the common scale.")]
    assert called(table, text, "5 mg1, b") == [("b", "Give in 1 hour.")]


def test_several_notes_of_one_cell_are_told_apart():
    flat = "Alfa 14 ‡ Beta 15 *† * With food. † Without food. ‡ Never at night."
    markup = (
        "<table><tr><td>Alfa</td><td>14 ‡</td></tr><tr><td>Beta</td><td>15 *†</td></tr>"
        "<tr><td colspan='2'>* With food. † Without food. ‡ Never at night.</td></tr></table>"
    )
    table, text = table_of(flat, markup)
    assert called(table, text, "14 ‡") == [("‡", "Never at night.")]
    assert called(table, text, "15 *†") == [("*", "With food."), ("†", "Without food.")]


def test_two_asterisks_are_one_mark_where_a_note_carries_them():
    flat = "Alfa 14** Beta 15* * With food. ** Without food."
    markup = "<table><tr><td>Alfa</td><td>14**</td></tr><tr><td>Beta</td><td>15*</td></tr><tr><td colspan='2'><p>* With food.</p><p>** Without food.</p></td></tr></table>"
    table, text = table_of(flat, markup)
    assert called(table, text, "14**") == [("**", "Without food.")]
    assert called(table, text, "15*") == [("*", "With food.")]


def test_notes_may_stand_in_the_text_behind_the_table():
    flat = "Alfa 14* Beta 15† * With food. † Without food. The next sentence is of something else."
    markup = "<table><tr><td>Alfa</td><td>14*</td></tr><tr><td>Beta</td><td>15†</td></tr></table>"
    table, text = table_of(flat, markup)
    assert called(table, text, "14*") == [("*", "With food.")]
    assert called(table, text, "15†") == [("†", "Without food.")]


def test_text_behind_the_table_that_no_cell_calls_is_no_note():
    flat = "Alfa 14 Beta 15 * With food. Then more."
    table, _ = table_of(flat, "<table><tr><td>Alfa</td><td>14</td></tr><tr><td>Beta</td><td>15</td></tr></table>")
    assert table.notes == ()


@pytest.mark.parametrize("cell", ["30 mg/m<sup>2</sup>", "10<sup>2</sup> cells", "30 mg/m^{2}"])
def test_an_exponent_calls_nothing(cell):
    words = cell.replace("<sup>", " ").replace("</sup>", "")
    markup = f"<table><tr><td>Alfa</td><td>{cell}</td></tr><tr><td>Beta</td><td>5 mg<sup>2</sup></td></tr><tr><td colspan='2'><sup>2</sup> With food.</td></tr></table>"
    table, _ = table_of(f"Alfa {words} Beta 5 mg 2 2 With food.", markup)
    dose, other = (row[1] for row in table.rows[:2])
    assert dose.notes == ()
    assert [n.text for n in table.footnotes_of(other)] == ["With food."]


def test_a_caption_of_the_markup_and_the_note_it_calls():
    flat = "Table 3: Doses Grade 1 is mild. Alfa 5 mg"
    markup = "<table><caption>Table 3: Doses<footnote>Grade 1 is mild.</footnote></caption><tr><td>Alfa</td><td>5 mg</td></tr></table>"
    table, text = table_of(flat, markup)
    assert table.caption is not None
    assert text[table.caption.start : table.caption.end] == table.caption.text == "Table 3: Doses"
    assert [n.text for n in table.footnotes_of(table.caption)] == ["Grade 1 is mild."]


MARKUP = "<table><tr><td>Alfa</td><td>5 mg</td></tr></table>"


@pytest.mark.parametrize(
    ("flat", "caption"),
    [
        ("Doses are in Table 3. Table 3: Doses by age Alfa 5 mg", "Table 3: Doses by age"),
        ("Doses are in Table 3. Table 3. Doses by age Alfa 5 mg", "Table 3. Doses by age"),
        ("Lead.\n\nTABLE 12 Doses\n\nAlfa 5 mg", "TABLE 12 Doses"),
        ("服用方法见下。\n\n表1 成人剂量\n\nAlfa 5 mg", "表1 成人剂量"),
        ("服用方法见下。\n表1:成人剂量\nAlfa 5 mg", "表1:成人剂量"),
        ("Lead.\n\nAlfa 5 mg\n\nTable 4: Doses below\n\nMore.", "Table 4: Doses below"),
        ("Doses are shown in Table 3. Alfa 5 mg", None),
        ("Table 3: Doses. They hold for adults only. Alfa 5 mg", None),
        ("No caption at all. Alfa 5 mg", None),
    ],
)
def test_a_caption_stands_right_before_or_below_the_table(flat, caption):
    table, text = table_of(flat, MARKUP)
    assert (table.caption.text if table.caption else None) == (fold(caption).text if caption else None)
    if table.caption:
        assert text[table.caption.start : table.caption.end] == table.caption.text


def test_the_caption_of_one_table_is_not_the_next_ones():
    text = fold("Table 1: Doses Alfa 5 mg Beta 6 mg").text
    first, second = find_tables(text, [MARKUP, "<table><tr><td>Beta</td><td>6 mg</td></tr></table>"])
    assert first.caption is not None
    assert second.caption is None


def test_the_first_row_may_be_the_caption():
    table, _ = table_of(
        "Table 2. Doses Drug Dose Alfa 5 mg",
        "<table><tr><td colspan='2'>Table 2. Doses</td></tr><tr><th>Drug</th><th>Dose</th></tr><tr><td>Alfa</td><td>5 mg</td></tr></table>",
    )
    assert table.caption is not None
    assert table.caption.text == "Table 2. Doses"
    assert [c.text for c in table.column_headers(at(table, "5 mg"))] == ["Dose"]


def test_markdown_around_a_table_is_no_part_of_its_caption_or_notes():
    flat = "Lead.\n\n**Table 5: Doses**\n\n<table><tr><td>Alfa</td><td>14<sup>a</sup></td></tr></table>\n\n<sup>a</sup> With food.\n\nMore."
    table, text = table_of(flat, "<table><tr><td>Alfa</td><td>14<sup>a</sup></td></tr></table>")
    assert table.caption is not None
    assert table.caption.text == "Table 5: Doses"
    assert called(table, text, "14a") == [("a", "With food.")]
