import json
from typing import Any

import pytest

from ontology.model.errors import TerminologyError
from ontology.model.identifiers import Code
from ontology.terms.entries import ProductRow
from ontology.terms.terminology import Terminology

GROWN = Terminology.shipped().with_products(
    [ProductRow("s", "ZZYMIB", ("Zzex",), (("ZZYMIB", "AAAAAAAAA1", None),), (Code("ndc", "1-2"),), ("ORAL",), "TABLET", (("X [EPC]", "EPC", None),))]
)


def test_rows_give_back_an_equal_terminology() -> None:
    rows = list(GROWN.rows())
    again = Terminology.from_rows(rows)
    assert list(again.rows()) == rows
    assert list(again.entities()) == list(GROWN.entities())
    assert list(again.edge_rows()) == list(GROWN.edge_rows())
    assert again.files() == GROWN.files()
    assert again.identify_drug([], "Zzex 5 mg") == GROWN.identify_drug([], "Zzex 5 mg")
    assert list(again.mention_names()) == list(GROWN.mention_names())


def test_every_row_is_json() -> None:
    assert all(json.loads(text) for _, text in GROWN.rows())


@pytest.mark.parametrize(
    ("row", "what"),
    [
        (("colour", "[]"), "unknown kind 'colour'"),
        (("entity", "["), "damaged terminology row of kind 'entity'"),
        (("entity", '["Nothing:x:1","n",[],[]]'), "damaged"),
        (("entity", '{"id": "Ingredient:rxcui:1"}'), "damaged"),
        (("brand", '["Coumadin", 7, null, null]'), "damaged"),
        (("word", '["route", null, "x", []]'), "damaged"),
        (("product", '["d", ["b"], 3, [], [], [], null]'), "damaged"),
        (("word", None), "damaged"),
        (("word",), "not a pair"),
        (("word", "[]", "more"), "not a pair"),
        (7, "not a pair"),
        ((7, "[]"), "unknown kind '7'"),
    ],
)
def test_damaged_rows_are_named(row: Any, what: str) -> None:
    with pytest.raises(TerminologyError, match=what):
        Terminology.from_rows([row])
