from hypothesis import given
from hypothesis import strategies as st

from ontology.text.offsets import fold
from ontology.text.tables import find_tables

FLAT = "Table 1: Drugs Drug What to do Warfarin Monitor INR. Check dose. Aspirin (any dose) Avoid."
HTML = (
    "<table><caption>Drugs</caption><thead><tr><th>Drug</th><th>What to do</th></tr></thead>"
    "<tbody><tr><td>Warfarin</td><td><paragraph>Monitor INR.</paragraph><paragraph>Check&#160;dose.</paragraph></td></tr>"
    "<tr><td>Aspirin <content>(any dose)</content></td><td>Avoid.</td></tr></tbody></table>"
)


def cells(text, tables):
    return [[[text[c.start : c.end] for c in row] for row in t.rows] for t in tables]


def test_cells_stand_in_the_flat_text():
    text = fold(FLAT).text
    tables = find_tables(text, [HTML])
    assert cells(text, tables) == [[["Drug", "What to do"], ["Warfarin", "Monitor INR. Check dose."], ["Aspirin (any dose)", "Avoid."]]]
    assert tables[0].header
    assert [text[s:e] for s, e in tables[0].rows[1][1].pieces] == ["Monitor INR.", "Check dose."]


def test_a_table_that_is_not_in_the_text_is_left_out():
    assert find_tables("Nothing of it stands here.", [HTML]) == []


def test_two_equal_tables_get_two_places():
    text = fold(f"{FLAT} Again. {FLAT}").text
    first, second = find_tables(text, [HTML, HTML])
    assert first.end <= second.start


def test_tables_drawn_with_pipes():
    text = fold("Lead.\n\n| Group | Examples |\n|---|---|\n| Anticoagulants | apixaban, heparin |\n\nEnd.").text
    assert cells(text, find_tables(text, [])) == [[["Group", "Examples"], ["Anticoagulants", "apixaban, heparin"]]]


@given(st.text(alphabet=st.sampled_from("<>/tabledrh abc&#1;\"='"), max_size=80), st.text(alphabet="ab cd", max_size=40))
def test_broken_markup_never_raises(markup, text):
    for table in find_tables(text, [markup, f"<table><tr><td>{markup}"]):
        assert 0 <= table.start < table.end <= len(text)
