"""Tables of a Markdown section as HTML."""

from kb_builder.ingest.tables import tables_of


def test_pipe_tables_become_html_with_their_head():
    (table,) = tables_of("Lead.\n\n| Use | Dose |\n|---|---|\n| Pain | 5 mg |\n")
    assert table == "<table><tr><th>Use</th><th>Dose</th></tr><tr><td>Pain</td><td>5 mg</td></tr></table>"


def test_rows_without_a_rule_are_values():
    (table,) = tables_of("| Pain | 5 mg |\n| Fever | 6 mg |")
    assert table == "<table><tr><td>Pain</td><td>5 mg</td></tr><tr><td>Fever</td><td>6 mg</td></tr></table>"


def test_what_is_no_markup_stays_text():
    (table,) = tables_of("| <30 | a \\| b |\n|---|---|\n| CrCl < 5 & more | **x** 5<sup>a</sup><br>y |")
    assert table == "<table><tr><th>&lt;30</th><th>a | b</th></tr><tr><td>CrCl &lt; 5 & more</td><td><b>x</b> 5<sup>a</sup><br>y</td></tr></table>"


def test_html_tables_stand_as_they_are_and_in_order():
    html = "<TABLE border=1><tr><td><table><tr><td>inner</td></tr></table></td></tr></TABLE>"
    found = tables_of(f"| A | B |\n|---|---|\n| 1 | 2 |\n\n{html}\n\n| C | D |\n|---|---|\n| 3 | 4 |")
    assert [html in f for f in found] == [False, True, False]
    assert found[1] == html


def test_pipes_inside_html_are_no_table():
    html = "<table>\n<tr><td>\n| A | B |\n|---|---|\n| 1 | 2 |\n</td></tr></table>"
    assert tables_of(html) == (html,)


def test_an_unclosed_html_table_reaches_to_the_end():
    assert tables_of("Lead <table><tr><td>a") == ("<table><tr><td>a",)


def test_full_width_pipes_draw_tables():
    (table,) = tables_of("\uff5c患者\uff5c剂量\uff5c\n\uff5c---\uff5c---\uff5c\n\uff5c成人\uff5c5mg\uff5c")
    assert table == "<table><tr><th>患者</th><th>剂量</th></tr><tr><td>成人</td><td>5mg</td></tr></table>"


def test_windows_line_ends_make_no_difference():
    assert tables_of("| A | B |\r\n|---|---|\r\n| 1 | 2 |\r\n") == tables_of("| A | B |\n|---|---|\n| 1 | 2 |\n")


def test_text_without_tables_has_none():
    assert tables_of("Take one | two tablets.\nOr more.") == ()
