"""Tables that plain text draws with spaces, and what is none."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_builder.ingest.tables import tables_of
from ontology.text.offsets import fold
from ontology.text.tables import Placement, RowKind, survey_tables

DOSES = """Lead sentence before the table.

Clearance (mL/min)    Dose       Interval
-----------------------------------------
50 or more            200 mg     every 12 h
30 to 49              100 mg     every 12 h
below 30               50 mg     daily

The sentence after it."""


def cells(markup):
    return [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", markup)]


def test_columns_are_cut_at_gutters_however_values_are_set():
    (table,) = tables_of(DOSES)
    assert cells(table) == [
        ["Clearance (mL/min)", "Dose", "Interval"],
        ["50 or more", "200 mg", "every 12 h"],
        ["30 to 49", "100 mg", "every 12 h"],
        ["below 30", "50 mg", "daily"],
    ]
    assert table.count("<th>") == 3


def test_the_cells_stand_in_the_text_with_their_headers():
    text = fold(DOSES).text
    survey = survey_tables(text, tables_of(DOSES))
    (table,) = survey.placed
    assert (table.placement, table.kinds[0]) == (Placement.WHOLE, RowKind.HEAD)
    cell = next(c for c in table.cells if c.text == "50 mg")
    assert text[cell.start : cell.end] == "50 mg"
    assert [c.text for c in (*table.row_headers(cell), *table.column_headers(cell))] == ["below 30", "Dose"]


def test_tabs_part_fields():
    (table,) = tables_of("Use\tDose\nPain\t5 mg\nFever and chills\t6 mg")
    assert cells(table) == [["Use", "Dose"], ["Pain", "5 mg"], ["Fever and chills", "6 mg"]]


def test_a_line_that_goes_on_in_a_later_column_belongs_to_the_table():
    (table,) = tables_of("Use     What to do\nPain    Take it with\n        much water.\nFever   Wait.")
    assert cells(table)[2] == ["", "much water."]


def test_the_last_line_may_go_on_and_a_line_of_text_does_not():
    lines = "Use     What to do\nPain    Take it.\nFever   Wait"
    assert cells(tables_of(lines + "\n        a day.")[0])[-1] == ["", "a day."]
    assert cells(tables_of(lines + "\nText.")[0])[-1] == ["Fever", "Wait"]


@pytest.mark.parametrize(
    "text",
    [
        "A sentence.  Another one.\nA third that is longer.  And more.\nIt goes on here and there.  Yes it does.",
        "•  one\n•  two\n•  three",
        "1.  one\n2.  two\n3.  three",
        "5.1  Bleeding\n5.2  Falls\n5.3  Rash",
        "Use   Dose\nPain  5 mg",
        "The left column of a page that is set in two    and the right column, which speaks of other\ncolumns goes on here and on and on until it is    things and has nothing to do with the left one\nover at last, or so the reader hopes, in vain.    at all, as anybody can see who reads it whole.",
        "H            -N  CH3\nHO           -C--CONH\nNH2          H   OH",
        "# Heading  one\n# Heading  two\n# Heading  three",
    ],
)
def test_lists_and_prose_are_no_tables(text):
    assert tables_of(text) == ()


line = st.lists(st.sampled_from(["a", "bb", "5 mg", "<30", "-", "*"]), min_size=1, max_size=4).map("   ".join)


@given(st.lists(line, max_size=8))
def test_whatever_is_found_stands_in_the_text(lines):
    received = "\n".join(lines)
    survey = survey_tables(fold(received).text, tables_of(received))
    assert survey.unplaced == ()
