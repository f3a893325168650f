"""Words of age stand for bounds with a source; a row that is wrong names itself."""

import dataclasses
from decimal import Decimal

import pytest

from ontology.model.errors import TerminologyError
from ontology.model.facts import Axis
from ontology.terms.people import people_words, read_people
from ontology.terms.tables import read_table


def test_every_word_stands_for_its_rows_bounds_under_its_own_name():
    words = people_words()
    assert (words["adults"].low, words["adults"].high, words["adults"].term) == (Decimal(18), None, "adults")
    assert (words["children"].high, words["children"].high_open) == (Decimal(18), True)
    assert (words["elderly"].axis, words["elderly"].low) == (Axis.AGE, Decimal(65))


def test_every_row_has_a_source_that_is_a_known_work_and_a_reason():
    works = {row["key"] for row in read_table("sources").rows}
    for row in read_table("people").rows:
        assert set(row.items("source")) <= works
        assert row["why"]


@pytest.mark.parametrize(("column", "value"), [("axis", "shoe size"), ("unit", "fortnight"), ("low", "many"), ("low", "90")])
def test_a_row_that_is_no_bound_names_its_line(column, value):
    row = next(r for r in read_table("people").rows if r["key"] == "infants")
    wrong = dataclasses.replace(row, cells={**row.cells, column: value})
    with pytest.raises(TerminologyError, match=rf"people\.tsv, line {row.line}"):
        read_people(wrong, "infants")
