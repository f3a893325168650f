"""The numbers that a text prints, and what a claim may make of them."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_builder.gate.printed_numbers import printed_numbers, prints


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("20 mg once daily", "20"),
        ("20 mg once daily", "1"),
        ("1,250 mg/m2 twice daily", "1250"),
        ("1,250 mg/m2 twice daily", "2"),
        ("0.125 mg", "0.125"),
        (".5 mg", "0.5"),
        ("for 2 weeks", "14"),
        ("for two weeks", "14"),
        ("within 24 hours", "1"),
        ("every 8 hours", "8"),
        ("q12h", "12"),
        ("q.i.d.", "4"),
        ("every other day", "48"),
        ("half the dose", "0.5"),
        ("1/2 tablet", "0.5"),
        ("reduce by 25%", "0.75"),
        ("25 percent of the dose", "0.25"),
        ("2 million units", "2000000"),
        ("creatinine clearance <30 mL/min", "30"),
        ("5.00 mg", "5"),
        ("for 4 to 8 weeks", "28"),
        ("Weeks 3 to 24", "154"),
        ("Day 1", "1"),
        ("750 mg to 1.5 grams", "0.75"),
        ("two 150-mg tablets", "300"),
        ("3 x 50 mg capsules", "150"),
        ("not to exceed 4 grams", "4000"),
        ("increased by at least 50%", "1.5"),
        ("every 15 minutes", "0.25"),
        ("50 mg/5 mL oral suspension", "10"),
    ],
)
def test_a_printed_number_stands(text, number):
    assert prints(Decimal(number), printed_numbers([text]))


@pytest.mark.parametrize(
    ("text", "number"),
    [("20 mg once daily", "2"), ("1,250 mg", "250"), ("0.125 mg", "125"), ("in elderly patients", "65"), ("", "1"), ("within 24 hours", "2")],
)
def test_a_number_that_is_not_printed_does_not_stand(text, number):
    assert not prints(Decimal(number), printed_numbers([text]))


def test_the_sign_of_a_step_is_not_printed():
    assert prints(Decimal(-25), printed_numbers(["lower the dose by 25 mg"]))


@given(st.text())
def test_any_text_can_be_read(text):
    printed_numbers([text])


@given(st.decimals(min_value=0, max_value=10**6, places=2, allow_nan=False, allow_infinity=False))
def test_every_number_is_found_as_it_is_printed(number):
    assert prints(number, printed_numbers([f"give {number} mg"]))


def test_a_cell_under_a_name_that_says_percent_prints_a_share():
    assert prints(Decimal("0.65"), printed_numbers(["65", "Percent of the usual dose"]))
    assert not prints(Decimal("0.65"), printed_numbers(["65 mg", "Percent of the usual dose"]))
    assert not prints(Decimal("0.65"), printed_numbers(["65", "Usual dose"]))
