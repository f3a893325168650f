"""Ids are minted from codes; words alone give an uncoded id that equal words share."""

from __future__ import annotations

import pytest

from ontology.model.errors import InvalidIdentifier
from ontology.model.identifiers import EntityId, content_hash, mint, mint_uncoded, normal_words


def test_an_id_is_read_back_as_it_was_written() -> None:
    entity = mint("Condition", "icd10cm", "K70.3")
    assert EntityId.parse(str(entity)) == entity


def test_a_code_may_hold_colons() -> None:
    assert EntityId.parse("Drug:pharmgraph:a:b").code == "a:b"


@pytest.mark.parametrize("text", ["", "warfarin", "Ingredient:rxnorm", "::", "Ingredient::1"])
def test_a_text_that_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(InvalidIdentifier):
        EntityId.parse(text)


def test_an_unknown_system_or_an_empty_code_is_refused() -> None:
    with pytest.raises(InvalidIdentifier, match="code system"):
        mint("Ingredient", "drugbank", "DB00682")
    with pytest.raises(InvalidIdentifier, match="empty code"):
        mint("Ingredient", "rxnorm", "")


def test_equal_words_give_an_equal_uncoded_id() -> None:
    a = mint_uncoded("Condition", "Severe  hepatic impairment")
    assert a == mint_uncoded("Condition", "severe hepatic IMPAIRMENT ")
    assert a != mint_uncoded("Condition", "hepatic impairment")
    assert a.system == "uncoded"
    with pytest.raises(InvalidIdentifier):
        mint_uncoded("Condition", " , ")


@pytest.mark.parametrize(("text", "normal"), [("ＣＹＰ３Ａ４", "cyp3a4"), ("P-gp  inhibitors,", "p-gp inhibitors"), ("对乙酰氨基酚（片）", "对乙酰氨基酚 片")])
def test_names_are_compared_folded(text: str, normal: str) -> None:
    assert normal_words(text) == normal


def test_the_content_hash_ignores_the_order_of_members() -> None:
    assert content_hash({"a": 1, "b": [2]}) == content_hash({"b": [2], "a": 1})
    assert content_hash([1, 2]) != content_hash([2, 1])
