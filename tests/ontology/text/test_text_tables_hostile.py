"""Markup that is broken, endless or made to hurt is read within bounds, or said to be unread; nothing raises."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.text.tables import Placement, find_tables, survey_tables

SECONDS = 60
"""Far above what each takes; a table that costs more than its size is caught, a busy machine is not."""


def test_unclosed_tags_close_with_their_row():
    (table,) = find_tables("a b c d", ["<table><tr><td>a<td>b<tr><td>c<td>d"])
    assert [[c.text for c in row] for row in table.rows] == [["a", "b"], ["c", "d"]]


def test_a_table_without_rows_has_one():
    (table,) = find_tables("a b", ["<table><td>a</td><td>b</td></table>"])
    assert [c.text for c in table.cells] == ["a", "b"]


def test_spans_beyond_the_table_end_with_it():
    (table,) = find_tables(
        "a b c", ['<table><tr><td colspan="1000000">a</td></tr><tr><td rowspan="99999">b</td><td colspan="-3" rowspan="x">c</td></tr></table>']
    )
    assert table.width == 2
    assert [(c.rowspan, c.colspan) for c in table.cells] == [(1, 2), (1, 1), (1, 1)]


def test_wide_claims_push_no_cell_out():
    row = "<tr><td colspan='1000000'>a</td><td colspan='1000000'>b</td><td colspan='1000000'>c</td></tr>"
    (table,) = find_tables("a b c d e f", [f"<table>{row}<tr><td>d</td><td>e</td><td>f</td></tr></table>"])
    assert [c.text for c in table.cells] == ["a", "b", "c", "d", "e", "f"]
    assert table.placement is Placement.WHOLE


def test_a_rowspan_of_zero_reaches_the_end_of_its_group():
    (table,) = find_tables(
        "a b c d e", ["<table><tbody><tr><td rowspan='0'>a</td><td>b</td></tr><tr><td>c</td></tr></tbody><tfoot><tr><td>d</td><td>e</td></tr></tfoot></table>"]
    )
    assert table.rows[0][0].rowspan == 2
    assert (table.rows[1][0].column, table.rows[2][0].column) == (1, 0)


def test_cells_push_past_those_that_reach_down():
    (table,) = find_tables("a b c d", ["<table><tr><td>a</td><td rowspan='2'>b</td></tr><tr><td>c</td><td>d</td></tr></table>"])
    assert [c.column for c in table.cells] == [0, 1, 0, 2]


@pytest.mark.parametrize("markup", ["<table>" * 50_000 + "a", "<table><tr><td>" + "<b>" * 20_000 + "a", "<table>" + "<tr><td>x</td></tr>" * 300_000])
def test_what_cannot_be_read_is_told(markup):
    survey = survey_tables("a x", [markup, "<table><tr><td>a</td></tr></table>"])
    assert [t.placement for t in survey.unplaced] == [Placement.UNREAD]
    assert survey.unplaced[0].caption is not None
    assert [t.placement for t in survey.placed] == [Placement.WHOLE]


def test_control_characters_and_half_characters_do_no_harm():
    (table,) = find_tables("a b", ["<table><tr><td>a\x00 b</td><td>\ud800</td></tr></table>"])
    assert table.rows[0][0].placed


def test_empty_elements_hold_nothing_of_what_follows():
    markup = (
        "<table><tr><td/><td>5 mg<footnote ID='a'/> daily<renderMultiMedia referencedObject='x'/> or 6</td><td>7<footnoteRef IDREF='a'/> or 8</td></tr></table>"
    )
    (table,) = find_tables("5 mg daily or 6 7 or 8", [markup])
    assert [c.text for c in table.cells] == ["", "5 mg daily or 6", "7 or 8"]


def test_a_lone_less_sign_is_text():
    (table,) = find_tables("< 30 x <5 >= 7", ["<table><tr><td>< 30 x</td><td><5 >= 7</td></tr></table>"])
    assert [c.text for c in table.cells] == ["< 30 x", "<5 >= 7"]


def test_comments_scripts_and_instructions_hold_no_text():
    (table,) = find_tables("a b", ["<table><!-- x <td>y</td> --><tr><td>a<script>var z</script></td><td><?php q ?>b</td></tr></table>"])
    assert [c.text for c in table.cells] == ["a", "b"]


CELLS = [f"x{n}" for n in range(100_000)]
LARGE = "<table>" + "".join("<tr>" + "".join(f"<td>{c}</td>" for c in CELLS[n : n + 10]) + "</tr>" for n in range(0, len(CELLS), 10)) + "</table>"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "markup", "placed"),
    [
        (" ".join(CELLS), LARGE, 1),
        ("nothing of it", LARGE, 0),
        ("1 " * 500_000, "<table>" + "<tr><td>1</td><td>2</td></tr>" * 50_000 + "</table>", 0),
        ("a " * 100_000, "<table><tr>" + "<td rowspan='100000'>a</td>" * 200 + "</tr>" + "<tr><td>a</td></tr>" * 60_000 + "</table>", 1),
        ("a " * 100_000, "<table>" + "<tr><td colspan='100'>a</td><td colspan='100'>a</td></tr>" * 40_000 + "</table>", 1),
        ("word " * 400_000, "<table><tr><td>" + "word " * 400_000 + "</td></tr></table>", 1),
        ("<" * 500_000, "<table><tr><td>" + "<" * 500_000, 1),
        ("Table 1 " * 50_000 + "abc def", "<table><tr><td>abc</td><td>def</td></tr></table>", 1),
    ],
)
def test_the_largest_tables_are_read_in_bounded_time(text, markup, placed):
    began = time.process_time()
    survey = survey_tables(text, [markup])
    assert time.process_time() - began < SECONDS
    assert (len(survey.placed), len(survey.unplaced)) == (placed, 1 - placed)


@pytest.mark.slow
def test_thousands_of_absent_tables_cost_little():
    began = time.process_time()
    survey = survey_tables("abc def " * 3_000, ["<table><tr><td>abq</td><td>def longer text here</td></tr></table>"] * 3_000)
    assert time.process_time() - began < SECONDS
    assert len(survey.unplaced) == 3_000


TAGS = [
    "<table>",
    "</table>",
    "<tr>",
    "</tr>",
    "<td>",
    "</td>",
    "<td/>",
    "<th rowspan=2>",
    "<td colspan=3>",
    "<tfoot>",
    "<thead>",
    "<caption>",
    "<footnote ID='1'>",
    "</footnote>",
    "<sup>",
]


@given(st.lists(st.sampled_from([*TAGS, "a", "b", "1", "*", "&lt;", "&", "<", " "]), max_size=40), st.text(alphabet="ab1*<& |\n-", max_size=60))
def test_any_order_of_tags_gives_a_consistent_table(pieces, text):
    survey = survey_tables(text, ["".join(pieces), "<table>" + "".join(pieces)])
    for table in (*survey.placed, *survey.unplaced):
        assert len(table.rows) == len(table.kinds) == len(table.groups) == len(table.stub_cells)
        for cell in table.cells:
            assert cell.row + cell.rowspan <= len(table.rows)
            assert cell.column + cell.colspan <= table.width
            for other in (*table.column_headers(cell), *table.row_headers(cell)):
                assert other is not cell
            assert all(0 <= n < len(table.notes) for n in cell.notes)
            assert 0 <= cell.start <= cell.end <= len(text)
    taken = [p for t in survey.placed for c in t.cells for p in c.pieces]
    assert sum(e - s for s, e in taken) <= len(text)
