"""Where cells stand in the flat text: once and exactly, in whatever the flat text has lost, moved or repeated; and what is said of tables that are not there."""

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from ontology.text.offsets import fold
from ontology.text.tables import Placement, find_tables, survey_tables
from ontology.text.tables.chains import Candidate, heaviest_chain


def rows(*lines):
    return "<table>" + "".join("<tr>" + "".join(f"<td>{c}</td>" for c in line) + "</tr>" for line in lines) + "</table>"


def words(text, table):
    return [[" ".join(text[s:e] for s, e in c.pieces) for c in row] for row in table.rows]


def test_empty_cells_keep_their_column():
    text = fold("Alfa 5 mg 6 mg").text
    (table,) = find_tables(text, ["<table><tr><td>Alfa</td><td/><td>5 mg</td></tr><tr><td/><td>6 mg</td><td> </td></tr></table>"])
    assert words(text, table) == [["Alfa", "", "5 mg"], ["", "6 mg", ""]]
    assert [(c.row, c.column, c.placed) for c in table.cells] == [(0, 0, True), (0, 1, False), (0, 2, True), (1, 0, False), (1, 1, True), (1, 2, False)]
    assert table.placement is Placement.WHOLE


def test_paragraphs_and_items_of_a_cell_have_their_own_places():
    text = fold("Alfa Stop. • Wait. • Start.").text
    markup = "<table><tr><td>Alfa</td><td><paragraph>Stop.</paragraph><list><item><caption>•</caption>Wait.</item><item><caption>•</caption>Start.</item></list></td></tr></table>"
    (table,) = find_tables(text, [markup])
    assert [text[s:e] for s, e in table.rows[0][1].pieces] == ["Stop.", "• Wait.", "• Start."]


def test_markup_in_the_text_itself_is_read_as_the_parser_reads_it():
    received = "Before.\n\n<table>\n<tr><td>CrCl &lt;30&nbsp;mL/min</td><td>R&amp;D <b>5</b> mg<br>daily</td></tr></table>\n\nAfter &lt;30."
    shadow = fold(received)
    (table,) = find_tables(shadow.text, [received[9:-13]])
    first, second = table.rows[0]
    assert (first.text, second.text) == ("CrCl <30 mL/min", "R&D 5 mg daily")
    assert received[slice(*shadow.raw_span(first.start, first.end))] == "CrCl &lt;30&nbsp;mL/min"
    assert [shadow.text[s:e] for s, e in second.pieces] == ["R&amp;D <b>5</b> mg", "daily"]


def test_a_table_without_place_is_told_and_keeps_its_cells():
    survey = survey_tables("Nothing of it stands here.", [rows(("Warfarin", "Monitor INR."), ("Aspirin", "Avoid."))])
    assert survey.placed == ()
    (table,) = survey.unplaced
    assert table.placement is Placement.UNPLACED
    assert [c.text for c in table.cells] == ["Warfarin", "Monitor INR.", "Aspirin", "Avoid."]
    assert not any(c.placed for c in table.cells)


def test_a_table_without_words_is_none():
    survey = survey_tables("Some text.", ["<table><tr><td><img src='x'/></td><td> </td></tr></table>"])
    assert (survey.placed, survey.unplaced) == ((), ())


def test_a_short_table_is_not_found_inside_a_word():
    survey = survey_tables("The dose of warfarin is low.", [rows(("in",))])
    assert (len(survey.placed), len(survey.unplaced)) == (0, 1)


def test_a_long_table_glued_to_the_next_sentence_is_found():
    text = "Factors Adjusted dose Known slow metabolisers 300 mgThe next sentence."
    (table,) = find_tables(text, [rows(("Factors", "Adjusted dose"), ("Known slow metabolisers", "300 mg"))])
    assert words(text, table)[1] == ["Known slow metabolisers", "300 mg"]


def test_a_table_said_twice_in_the_text_and_once_in_the_markup_has_one_place():
    text = "Alfa 5 mg. Then again: Alfa 5 mg."
    (table,) = find_tables(text, [rows(("Alfa", "5 mg"))])
    assert (table.start, text[table.start : table.end]) == (0, "Alfa 5 mg")


def test_equal_tables_take_the_places_between_their_neighbours():
    text = "Alfa 5 mg First part: Beta 6 mg Alfa 5 mg Second part: Gamma 7 mg Alfa 5 mg"
    equal, beta, gamma = rows(("Alfa", "5 mg")), rows(("Beta", "6 mg")), rows(("Gamma", "7 mg"))
    tables = find_tables(text, [beta, equal, gamma])
    assert [t.start for t in tables] == [text.index("Beta"), text.index("Alfa", 5), text.index("Gamma")]


def test_many_equal_tables_all_have_a_place():
    markup = [rows(("Alfa", "5 mg"))] * 200
    survey = survey_tables("Alfa 5 mg " * 200, markup)
    assert len({t.start for t in survey.placed}) == 200


def test_tables_out_of_order_are_found_where_they_stand():
    text = "Gamma seven mg daily Alfa five mg daily Beta six mg daily"
    tables = find_tables(text, [rows((f"{name} {n} mg daily",)) for name, n in (("Alfa", "five"), ("Beta", "six"), ("Gamma", "seven"))])
    assert [t.rows[0][0].text[:5] for t in tables] == ["Gamma", "Alfa ", "Beta "]


def test_what_the_text_has_lost_has_no_place_and_the_rest_stands_exactly():
    lines = [(f"Patients of group {n}", f"{n} mg", "once") for n in range(1, 9)]
    kept = [x for n, line in enumerate(lines) for x in line if n != 4]
    text = fold("Lead. 5 mg once. " + " ".join(kept) + " Tail 5 mg once.").text
    (table,) = find_tables(text, [rows(*lines)])
    assert table.placement is Placement.PARTLY
    assert words(text, table) == [list(line) if n != 4 else ["", "", ""] for n, line in enumerate(lines)]


def test_a_short_cell_apart_from_its_table_is_not_taken_for_it():
    lines = [(f"Patients of group {n}", f"{n} mg", "once") for n in range(1, 7)]
    text = " ".join(x for line in lines for x in line).replace("group 4 4 mg once", "group 4 (in all 4 mg a week) once")
    (table,) = find_tables(text, [rows(*lines)])
    assert words(text, table)[3] == ["Patients of group 4", "", "once"]


def test_footnotes_moved_behind_the_table_do_not_hide_it():
    lines = "".join(f"<tr><td>Patients of group {n}</td><td>{n} mg<footnote>Only group {n} at night.</footnote></td></tr>" for n in range(1, 5))
    text = " ".join(f"Patients of group {n} {n} mg" for n in range(1, 5)) + " " + " ".join(f"Only group {n} at night." for n in range(1, 5))
    (table,) = find_tables(text, [f"<table>{lines}</table>"])
    assert [text[c.start : c.end] for c in table.cells] == [w for n in range(1, 5) for w in (f"Patients of group {n}", f"{n} mg")]


def test_a_table_of_which_too_little_is_left_is_told():
    lines = [(f"Patients of group {n}", f"{n} mg", "once") for n in range(1, 9)]
    survey = survey_tables("Patients of group 2 2 mg once. The rest was cut.", [rows(*lines)])
    assert [t.placement for t in survey.unplaced] == [Placement.UNPLACED]


def test_scattered_words_are_no_table():
    text = "Patients of group one are many. " + "Nothing here. " * 200 + "Patients of group two are few. "
    survey = survey_tables(text, [rows(("Patients of group one", "Patients of group two"), ("Alfa", "Beta"))])
    assert len(survey.unplaced) == 1


def test_a_table_inside_a_cell_is_a_table_of_its_own():
    text = "Outer left Inner one Inner two Outer right"
    markup = f"<table><tr><td>Outer left {rows(('Inner one', 'Inner two'))}</td><td>Outer right</td></tr></table>"
    outer, inner = find_tables(text, [markup])
    assert words(text, outer) == [["Outer left", "Outer right"]]
    assert words(text, inner) == [["Inner one", "Inner two"]]
    assert (outer.nested, inner.nested) == (False, True)


def test_an_inner_table_given_once_more_is_the_same_table():
    text = "Outer left Inner one Inner two Outer right"
    inner = rows(("Inner one", "Inner two"))
    survey = survey_tables(text, [f"<table><tr><td>Outer left {inner}</td><td>Outer right</td></tr></table>", inner])
    assert (len(survey.placed), len(survey.unplaced)) == (2, 0)


def test_the_heaviest_chain_is_the_leftmost_of_equals():
    twice = [Candidate(0, 9, 3, 3), Candidate(0, 2, 3, 3), Candidate(1, 12, 3, 3), Candidate(1, 5, 3, 3)]
    assert [c.place for c in heaviest_chain(twice)] == [2, 5]
    assert [c.place for c in heaviest_chain([Candidate(0, 2, 3, 3), Candidate(1, 3, 3, 3)])] == [2]


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 4), st.integers(1, 9)), max_size=8))
def test_no_chain_is_heavier_than_the_heaviest(given_candidates):
    candidates = [Candidate(i, *c) for i, c in enumerate(given_candidates)]
    best = max(
        sum(c.weight for c in chosen)
        for n in range(len(candidates) + 1)
        for chosen in combinations(candidates, n)
        if all(a.place + a.size <= b.place for a, b in pairwise(chosen))
    )
    assert sum(c.weight for c in heaviest_chain(candidates)) == best


word = st.text(alphabet="abc123½™µ≤-é", min_size=0, max_size=6)


@given(st.lists(st.lists(word, min_size=1, max_size=4), min_size=1, max_size=5), word, word)
def test_cells_joined_by_spaces_are_all_found_in_order(lines, before, after):
    text = fold(" ".join([before, *(c for line in lines for c in line), after])).text
    for table in find_tables(text, [rows(*lines)]):
        placed = [c for c in table.cells if c.placed]
        assert [(c.start, c.end) for c in placed] == sorted((c.start, c.end) for c in placed)
        for cell in placed:
            assert "".join(text[cell.start : cell.end].split()) == "".join(fold(cell.text).text.split())
        if any("".join(fold(c).text.split()) for line in lines for c in line):
            assert table.placement is Placement.WHOLE
