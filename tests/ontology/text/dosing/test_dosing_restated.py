"""Amounts told again on another basis, ceilings said of the amount before them, steps that are added."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ontology.model.dosing import Measure
from ontology.text.doses import read_doses


def amounts(text):
    return [str(a.low) for p in read_doses(text) for a in p.amounts if not p.increment]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("Give 650 mg (500 mg base) followed by 325 mg (250 mg base) 8 hours later.", ["650 mg (500 mg base)", "325 mg (250 mg base)"]),
        ("Take 300 mg (230 mg of the free base) daily.", ["300 mg (230 mg of the free base) daily"]),
    ],
)
def test_the_base_in_brackets_is_part_of_its_dose(text, spans):
    assert [text[p.start : p.end] for p in read_doses(text)] == spans


def test_a_total_told_of_salt_and_base_is_no_dose():
    assert amounts("Give 650 mg at once and 325 mg 8 hours later (total 975 mg of the salt or 750 mg base).") == ["650", "325"]


def test_the_ceiling_of_a_relative_clause_is_said_of_the_amount_before_it():
    found = read_doses("It may be raised to 80 mg, which is the maximum single dose, or lowered to 20 mg.")
    assert [(str(p.amounts[0].low), p.bound) for p in found] == [("80", None), ("80", Measure.SINGLE), ("20", None)]


def test_a_dose_that_is_the_most_is_a_ceiling_of_its_day_or_dose():
    assert [p.bound for p in read_doses("Raise to 40 mg once daily, which is the maximum.")] == [None, Measure.DAY]
    assert [p.bound for p in read_doses("Raise to 40 mg twice daily, which is the maximum.")] == [None, Measure.SINGLE]


def test_a_share_of_the_day_is_not_the_days_ceiling():
    """Twice 20 mg is the most of a day: 20 mg must not be told as it."""
    assert [p.bound for p in read_doses("Give 20 mg twice daily, which is the maximum daily dose.")] == [None]


def test_a_ceiling_of_its_own_still_bounds_the_amount_behind_it():
    (found,) = read_doses("The maximum single dose is 80 mg.")
    assert found.bound is Measure.SINGLE


def test_what_is_added_is_a_step_and_no_dose():
    text = "Start with 30 mg once daily and add 30 mg every 4 days until 30 mg three times a day."
    assert [(p.increment, p.frequency.times_low) for p in read_doses(text)] == [(False, 1), (True, 1), (False, 3)]


def test_a_capped_dose_per_weight_has_the_week_that_stands_behind_its_cap():
    (found,) = read_doses("5.5 mg/kg (4 mg/kg base), not to exceed 350 mg (280 mg base), once weekly on the same day.")
    assert (found.amounts[0].low, found.amounts[0].cap, found.frequency.period_days) == (Decimal("5.5"), Decimal(350), 7)
