"""Tables that Markdown draws with pipes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_builder.ingest.tables import tables_of
from ontology.text.offsets import fold
from ontology.text.tables import RowKind, find_tables, survey_tables


def read(received):
    """The tables of a Markdown text as cells of received text, found with the HTML that ingest makes of them."""
    shadow = fold(received)
    survey = survey_tables(shadow.text, tables_of(received))
    assert survey.unplaced == ()
    return [[[received[slice(*shadow.raw_span(c.start, c.end))] if c.placed else "" for c in row] for row in t.rows] for t in survey.placed], survey.placed


def test_a_rule_makes_the_first_row_the_head():
    cells, (table,) = read("Lead.\n\n| Group | Dose |\n|:--|---:|\n| Adults | 5 mg |\n| Children | 2 mg |\n\nEnd.")
    assert cells == [[["Group", "Dose"], ["Adults", "5 mg"], ["Children", "2 mg"]]]
    assert table.kinds == (RowKind.HEAD, RowKind.BODY, RowKind.BODY)
    assert [c.text for c in table.column_headers(table.rows[2][1])] == ["Dose"]
    assert [c.text for c in table.row_headers(table.rows[2][1])] == ["Children"]


def test_outer_pipes_may_be_missing():
    cells, _ = read("Group | Dose\n--- | ---\nAdults | 5 mg")
    assert cells == [[["Group", "Dose"], ["Adults", "5 mg"]]]


def test_a_sentence_with_a_pipe_is_no_table():
    assert read("Take A | B as told.\nThen rest.") == ([], ())
    assert read("Take A | B | C | D as told.\nOr E | F | G | H.") == ([], ())


def test_a_line_above_the_head_is_no_row():
    cells, _ = read("See a | b here.\n| A | B |\n|---|---|\n| 1 | 2 |")
    assert cells == [[["A", "B"], ["1", "2"]]]


def test_an_escaped_pipe_stands_in_its_cell():
    cells, (table,) = read("| A | B |\n|---|---|\n| x \\| y | z |")
    assert cells[0][1] == ["x \\| y", "z"]
    assert table.rows[1][0].text == "x | y"


def test_ragged_rows_keep_every_word():
    cells, (table,) = read("| A | B |\n|---|---|\n| only |\n| 1 | 2 | 3 |")
    assert cells == [[["A", "B"], ["only"], ["1", "2", "3"]]]
    assert table.width == 3


def test_line_breaks_cut_a_cell_in_pieces():
    received = "| A | B |\n|---|---|\n| Alfa | 5 mg<br>6 mg<br/>**7 mg** |"
    shadow = fold(received)
    _, (table,) = read(received)
    assert [shadow.text[s:e] for s, e in table.rows[1][1].pieces] == ["5 mg", "6 mg", "7 mg"]


def test_marks_references_and_bold_are_read():
    received = "| A | **B** |\n|---|---|\n| CrCl &lt;30 | 5<sup>a</sup> |\n\n<sup>a</sup> With food."
    _, (table,) = read(received)
    assert [c.text for c in table.cells] == ["A", "B", "CrCl <30", "5a"]
    assert [n.text for n in table.footnotes_of(table.rows[1][1])] == ["With food."]


@pytest.mark.parametrize("place", ["表1 成人用法用量\n\n{}", "{}\n\n表1 成人用法用量"])
def test_chinese_tables_with_full_width_pipes_and_captions(place):
    received = "用法如下。\n\n" + place.format("\uff5c患者\uff5c剂量\uff5c\n\uff5c---\uff5c---\uff5c\n\uff5c成人\uff5c5mg\uff5c") + "\n\n其他。"
    cells, (table,) = read(received)
    assert cells == [[["患者", "剂量"], ["成人", "5mg"]]]
    assert table.caption is not None
    assert table.caption.text == "表1 成人用法用量"
    assert [c.text for c in table.column_headers(table.rows[1][1])] == ["剂量"]


def test_two_tables_apart_are_two():
    cells, _ = read("| A | B |\n|---|---|\n| 1 | 2 |\n\n| C | D |\n|---|---|\n| 3 | 4 |")
    assert cells == [[["A", "B"], ["1", "2"]], [["C", "D"], ["3", "4"]]]


def test_a_pipe_table_inside_html_is_not_counted_twice():
    received = "<table><tr><td>| A | B |</td><td>x</td></tr></table>"
    assert len(find_tables(fold(received).text, tables_of(received))) == 1


cell = st.text(alphabet="ab 1<&*;\\-é(", max_size=6).filter(lambda s: not s.endswith("\\"))


@given(st.lists(st.lists(cell, min_size=2, max_size=3), min_size=1, max_size=4))
def test_every_word_between_pipes_has_its_place(lines):
    received = "\n".join("|" + "|".join(line) + "|" for line in lines)
    text = fold(received).text
    for table in find_tables(text, []):
        for c in table.cells:
            assert all("|" not in text[s:e] and text[s:e].strip() for s, e in c.pieces)
