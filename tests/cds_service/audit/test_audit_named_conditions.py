"""Conditions that words name, and kinds of them."""

from __future__ import annotations

import pytest

from cds_service.audit.named_conditions import kinds_named
from ontology.terms.terminology import Terminology


@pytest.fixture(scope="module")
def terms() -> Terminology:
    return Terminology.shipped()


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ("chronic eosinophilic leukemia", ["eosinophilic"]),
        ("severe leukemia", [""]),
        ("leukemia", [""]),
        ("hypertension or refractory asthma", ["", ""]),
        ("zebra-spotted asthma", ["spotted"]),
    ],
)
def test_a_word_before_a_disease_makes_it_one_kind_unless_it_is_a_degree(terms: Terminology, words: str, kinds: list[str]) -> None:
    assert [kind for _, kind in kinds_named(terms, words)] == kinds
