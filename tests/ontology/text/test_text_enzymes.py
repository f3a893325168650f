"""Printed names of enzymes and transporters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.text.enzymes import canonical_enzyme, family_of


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("CYP 3A4/5", ["CYP3A4"]),
        ("CYP3A3/4", ["CYP3A4"]),
        ("CYP3A4/2C9", ["CYP3A4", "CYP2C9"]),
        ("CYP2C8/9/19", ["CYP2C8", "CYP2C9", "CYP2C19"]),
        ("CYP1A1/2", ["CYP1A1", "CYP1A2"]),
        ("cytochrome P450 2D6", ["CYP2D6"]),
        ("cytochrome P-450 (CYP3A4)", ["CYP3A4"]),
        ("hepatic cytochrome P450 3A4 (CYP3A4)", ["CYP3A4"]),
        ("CYP450 1A2", ["CYP1A2"]),
        ("P-glycoprotein (P-gp)", ["P-gp"]),
        ("OATP1B1/1B3", ["OATP1B1", "OATP1B3"]),
        ("OATP1B1/B3", ["OATP1B1", "OATP1B3"]),
        ("OATP1B1/3", ["OATP1B1", "OATP1B3"]),
        ("OAT1/3", ["OAT1", "OAT3"]),
        ("MATE1/2-K", ["MATE1", "MATE2-K"]),
        ("MATE2K", ["MATE2-K"]),
        ("UGT 1A9", ["UGT1A9"]),
        ("aldehyde oxidase", ["aldehyde oxidase"]),
        ("CYP2C8/2", ["CYP2C8"]),
        ("CYP9Z9", []),
        ("CYP2C3", []),
    ],
)
def test_a_printed_name_is_the_enzymes_that_exist(printed: str, expected: list[str]) -> None:
    assert canonical_enzyme(printed) == expected


def test_a_bare_number_goes_on_with_the_family_before_it_where_that_has_it() -> None:
    assert canonical_enzyme("2B7", "UGT") == ["UGT2B7"]
    assert canonical_enzyme("1B3", "OATP") == ["OATP1B3"]
    assert canonical_enzyme("2D6", "OATP") == ["CYP2D6"]
    assert canonical_enzyme("2D6") == ["CYP2D6"]


def test_a_name_tells_its_family() -> None:
    assert [family_of(n) for n in ("CYP2D6", "OATP1B1", "OAT1", "P-gp")] == ["CYP", "OATP", "OAT", ""]


@given(st.text(alphabet="CYPOATUGM12349BD/-()kK ", max_size=24))
def test_no_text_invents_an_enzyme(text: str) -> None:
    assert all(canonical_enzyme(name) == [name] for name in canonical_enzyme(text))
