"""Cells and columns of several strengths: units taken together are one dose, of which each is only a part."""

from __future__ import annotations

import pytest

from kb_builder.propose.dosage.table_doses import doses_of_words


@pytest.mark.parametrize(
    "cell",
    [
        "1 tablet of 20 mg and 1 tablet of 35 mg",
        "One 20 mg tablet plus two 35 mg tablets twice daily",
        "2 capsules of 20 mg, 1 capsule of 35 mg and 1 capsule of 50 mg",
    ],
)
def test_units_of_several_strengths_taken_together_are_no_doses_by_themselves(cell):
    assert doses_of_words(cell) == ()


@pytest.mark.parametrize(
    ("cell", "amounts"),
    [
        ("1 tablet of 20 mg in the morning and 1 tablet of 35 mg in the evening", [20, 35]),
        ("1 tablet of 20 mg or 2 tablets of 10 mg", [20]),
        ("1 tablet of 20 mg", [20]),
    ],
)
def test_units_taken_at_other_times_or_in_each_other_s_stead_are_doses(cell, amounts):
    assert [int(a.low) for p in doses_of_words(cell) for a in p.amounts] == amounts
