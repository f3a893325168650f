"""What heads a cell: names of columns and rows, headings over rows, from markup or from content alone."""

import re

import pytest

from ontology.text.offsets import fold
from ontology.text.tables import RowKind, find_tables


def only(markup):
    """The one table, its flat text being the text of its cells."""
    flat = fold(" ".join(re.sub(r"<[^>]*>", " ", markup).split())).text
    (table,) = find_tables(flat, [markup])
    return table, flat


def rows(*lines, tag="td", head=()):
    top = "<thead><tr>" + "".join(f"<th>{c}</th>" for c in head) + "</tr></thead>" if head else ""
    return f"<table>{top}<tbody>" + "".join("<tr>" + "".join(f"<{tag}>{c}</{tag}>" for c in line) + "</tr>" for line in lines) + "</tbody></table>"


def at(table, text):
    return next(c for c in table.cells if c.text == text)


def names(cells):
    return [c.text for c in cells]


def test_a_head_names_columns_and_the_first_column_names_rows():
    table, flat = only(rows(("Mild", "20 mg"), ("Severe", "5 mg"), head=("Renal function", "Dose")))
    cell = at(table, "5 mg")
    assert names(table.column_headers(cell)) == ["Dose"]
    assert names(table.row_headers(cell)) == ["Severe"]
    assert [flat[c.start : c.end] for c in (cell, *table.column_headers(cell), *table.row_headers(cell))] == ["5 mg", "Dose", "Severe"]
    assert table.row_headers(at(table, "Severe")) == ()
    assert at(table, "Severe").header
    assert not cell.header


@pytest.mark.parametrize(
    "head",
    [
        ("<b>Weight band</b>", "<b>Give this much</b>"),  # bold
        ("Body weight", "Recommended dose"),  # words that name columns
        ("Band", "Amount"),  # words over numbers
        ("体重", "剂量"),
    ],
)
def test_a_head_without_markup_is_known_by_its_type_or_contrast(head):
    table, _ = only(rows(head, ("10 kg", "100 mg"), ("20 kg", "200 mg")))
    assert table.kinds == (RowKind.HEAD, RowKind.BODY, RowKind.BODY)
    assert names(table.column_headers(at(table, "200 mg"))) == [head[1].removeprefix("<b>").removesuffix("</b>")]


@pytest.mark.parametrize("head", [("<b>Alfa things</b>", "<b>Beta things</b>"), ("Drug", "Recommendation")])
def test_a_head_over_words_is_known_by_bold_type_or_by_what_it_names(head):
    table, _ = only(rows(head, ("one thing", "some other"), ("another", "the last")))
    assert table.kinds == (RowKind.HEAD, RowKind.BODY, RowKind.BODY)


def test_rows_all_in_bold_have_no_head():
    table, _ = only(rows(("<b>Alfa thing</b>", "<b>one</b>"), ("<b>Beta thing</b>", "<b>two</b>"), ("<b>Gamma thing</b>", "<b>six</b>")))
    assert RowKind.HEAD not in table.kinds


def test_first_rows_of_values_are_no_head():
    table, _ = only(rows(("Alfa", "Take it with water."), ("Beta", "Do not take it at night.")))
    assert table.kinds == (RowKind.BODY, RowKind.BODY)
    assert table.column_headers(at(table, "Take it with water.")) == ()


def test_a_cell_under_two_levels_of_names_has_both():
    markup = (
        "<table><tr><td rowspan='2'><b>Weight</b></td><td colspan='2'><b>Starting dose</b></td><td colspan='2'><b>Highest dose</b></td></tr>"
        "<tr><td><b>Morning</b></td><td><b>Evening</b></td><td><b>Morning</b></td><td><b>Evening</b></td></tr>"
        "<tr><td>20 kg</td><td>1 mg</td><td>2 mg</td><td>3 mg</td><td>4 mg</td></tr></table>"
    )
    table, _ = only(markup)
    assert table.kinds[:2] == (RowKind.HEAD, RowKind.HEAD)
    assert names(table.column_headers(at(table, "3 mg"))) == ["Highest dose", "Morning"]
    assert names(table.column_headers(at(table, "20 kg"))) == ["Weight"]
    assert names(table.column_headers(next(c for c in table.rows[1] if c.column == 4))) == ["Highest dose"]


def test_a_spanning_row_heads_the_rows_below_it_until_the_next():
    markup = (
        "<table><thead><tr><th>Use</th><th>Dose</th></tr></thead><tr><td colspan='2'>Adults</td></tr><tr><td>Pain</td><td>2 mg</td></tr>"
        "<tr><td colspan='2'>Severe renal impairment</td></tr><tr><td>Pain</td><td>1 mg</td></tr></table>"
    )
    table, _ = only(markup)
    assert [k.value for k in table.kinds] == ["head", "group", "body", "group", "body"]
    assert names(table.row_headers(at(table, "2 mg"))) == ["Adults", "Pain"]
    assert names(table.row_headers(at(table, "1 mg"))) == ["Severe renal impairment", "Pain"]


def test_a_plain_heading_stands_under_a_more_prominent_one():
    markup = (
        "<table><thead><tr><th>Use</th><th>Dose</th></tr></thead><tr><td colspan='2'><b>Children</b></td></tr><tr><td>Fever</td><td></td></tr><tr><td>Day 1</td><td>3 mg</td></tr>"
        "<tr><td>Day 2</td><td>4 mg</td></tr><tr><td colspan='2'><b>Adults</b></td></tr><tr><td>Day 1</td><td>5 mg</td></tr></table>"
    )
    table, _ = only(markup)
    assert names(table.row_headers(at(table, "4 mg"))) == ["Children", "Fever", "Day 2"]
    assert names(table.row_headers(at(table, "5 mg"))) == ["Adults", "Day 1"]


def test_a_plain_heading_further_down_still_stands_under_the_prominent_one():
    markup = (
        "<table><thead><tr><th>Use</th><th>Dose</th></tr></thead><tr><td colspan='2'><b>Children</b></td></tr><tr><td>Day 0</td><td>2 mg</td></tr>"
        "<tr><td>Fever</td><td></td></tr><tr><td>Day 1</td><td>3 mg</td></tr><tr><td>Cough</td><td></td></tr><tr><td>Day 2</td><td>4 mg</td></tr></table>"
    )
    table, _ = only(markup)
    assert names(table.row_headers(at(table, "3 mg"))) == ["Children", "Fever", "Day 1"]
    assert names(table.row_headers(at(table, "4 mg"))) == ["Children", "Cough", "Day 2"]


def test_a_row_drawn_together_with_its_neighbour_heads_nothing():
    markup = (
        "<table><thead><tr><th>Use</th><th>Dose</th></tr></thead>"
        "<tr><td styleCode='Botrule'>Angina</td><td styleCode='Botrule'>9 mg</td></tr>"
        "<tr><td styleCode='Botrule'>Pneumonia</td><td/></tr><tr><td styleCode='Botrule'>Cellulitis</td><td styleCode='Botrule'>6 mg</td></tr></table>"
    )
    table, _ = only(markup)
    assert names(table.row_headers(at(table, "6 mg"))) == ["Cellulitis"]


def test_a_name_over_several_rows_reaches_each_of_them():
    markup = (
        "<table><thead><tr><th>Use</th><th>Clearance</th><th>Dose</th></tr></thead>"
        "<tr><td rowspan='2'>Clots</td><td>over 50</td><td>20 mg</td></tr><tr><td>up to 50</td><td>15 mg</td></tr><tr><td>Other</td><td>any</td><td>10 mg</td></tr></table>"
    )
    table, _ = only(markup)
    assert table.stubs == 2
    assert names(table.row_headers(at(table, "15 mg"))) == ["Clots", "up to 50"]
    assert names(table.row_headers(at(table, "10 mg"))) == ["Other", "any"]


def test_a_value_over_several_rows_makes_no_column_of_names():
    markup = (
        "<table><thead><tr><th>Drug</th><th>Dose</th><th>Remark</th></tr></thead>"
        "<tr><td>Alfa</td><td rowspan='2'>1 mg</td><td rowspan='2'>none</td></tr><tr><td>Beta</td></tr></table>"
    )
    table, _ = only(markup)
    assert table.stubs == 1


def test_a_value_as_tall_as_its_name_makes_no_column_of_names():
    markup = (
        "<table><thead><tr><th>Drug</th><th>Dose</th><th>Remark</th></tr></thead>"
        "<tr><td rowspan='2'>Alfa</td><td rowspan='2'>1 mg</td><td>first</td></tr><tr><td>second</td></tr><tr><td>Beta</td><td>2 mg</td><td>third</td></tr></table>"
    )
    table, _ = only(markup)
    assert names(table.row_headers(at(table, "second"))) == ["Alfa"]


def test_an_empty_name_takes_the_name_above_it():
    table, _ = only(rows(("Resistant", "Mild", "300 mg"), ("", "Severe", "200 mg"), head=("Diagnosis", "Degree", "Dose")))
    assert names(table.row_headers(at(table, "200 mg"))) == ["Resistant"]
    assert at(table, "").placed is False


def test_names_of_columns_inside_the_body_hold_from_there_on():
    markup = (
        "<table><tr><th>Drug</th><th>Dose</th></tr><tr><td>Alfa</td><td>1 mg</td></tr><tr><td colspan='2'>Children</td></tr>"
        "<tr><th>Drug</th><th>Dose by weight</th></tr><tr><td>Alfa</td><td>2 mg</td></tr></table>"
    )
    table, _ = only(markup)
    assert names(table.column_headers(at(table, "1 mg"))) == ["Dose"]
    assert names(table.column_headers(at(table, "2 mg"))) == ["Dose by weight"]
    assert names(table.row_headers(at(table, "2 mg"))) == ["Children", "Alfa"]


def test_a_title_over_all_columns_is_a_name_of_each():
    table, _ = only(
        "<table><tr><td colspan='2'>Dose and route</td></tr><tr><td>Infection</td><td>Duration</td></tr><tr><td>Otitis</td><td>10 days</td></tr></table>"
    )
    assert names(table.column_headers(at(table, "10 days"))) == ["Dose and route", "Duration"]


def test_the_foot_stands_below_whatever_the_markup_puts_first():
    markup = "<table><tfoot><tr><td colspan='2'>a See text.</td></tr></tfoot><tbody><tr><td>Alfa</td><td>1 mg</td></tr></tbody></table>"
    table, flat = only(markup)
    assert table.kinds == (RowKind.BODY, RowKind.NOTES)
    assert flat[table.rows[1][0].start : table.rows[1][0].end] == "a See text."
