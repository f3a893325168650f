import pytest

from ontology.model.errors import TerminologyError
from ontology.terms.tables import parse_table, read_table

HEAD = "# title: Test\n# version: 1\nkey\tnames\tsource\n"


def test_rows_know_their_place_in_the_text() -> None:
    text = HEAD + "a\tx | y\tS\n\n# a remark\nb\t华法林\tS|T\n"
    table = parse_table("test", text)
    assert [text[r.start : r.end] for r in table.rows] == ["a\tx | y\tS", "b\t华法林\tS|T"]
    assert table.rows[0].items("names") == ("x", "y")
    assert table.sources() == ("S", "T")
    assert (table.title, table.version) == ("Test", "1")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (HEAD + "a\tx\n", "line 4: 2 cells for the 3 columns"),
        (HEAD + "a\tx\t\n", "line 4: no source"),
        ("# title: Test\nkey\tsource\na\tS\n", "lacks the line '# version:'"),
    ],
)
def test_a_bad_file_names_line_and_fault(text: str, what: str) -> None:
    with pytest.raises(TerminologyError, match=what):
        parse_table("test", text)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(TerminologyError, match=r"nowhere\.tsv"):
        read_table("nowhere")
