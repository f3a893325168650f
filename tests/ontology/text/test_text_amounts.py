from decimal import Decimal

import pytest

from ontology.text.amounts import find_doses, find_windows, separation_hours


def test_windows_of_time():
    assert [w.days for w in find_windows("within 14 days of stopping, or in the last 2 weeks")] == [Decimal(14), Decimal(14)]
    assert find_windows("Do not give within 36 hours of sacubitril")[0].days == Decimal("1.5")
    assert [w.days for w in find_windows("or for 2 weeks after stopping the drug")] == [Decimal(14)]
    assert find_windows("after treatment for 2 weeks") == []


def test_hours_between_doses_are_the_longest():
    assert separation_hours("at least 2 hours before or 4 to 6 hours after") == Decimal(6)
    assert separation_hours("separated by at least two hours") == Decimal(2)
    assert separation_hours("separate the doses") is None


def test_dose_bounds():
    (dose,) = find_doses("more than 2 g a day")
    assert (dose.low, dose.low_open, dose.unit, dose.per) == (Decimal(2), True, "g", "day")
    assert find_doses("Take 80 mg") == []


@pytest.mark.parametrize(
    ("words", "low", "high", "low_open", "high_open"),
    [
        ("not exceeding 40 mg daily", None, 40, False, False),
        ("equal to or less than 40 mg", None, 40, False, False),
        ("up to and including 40 mg", None, 40, False, False),
        ("less than 40 mg", None, 40, False, True),
        ("a minimum of 40 mg", 40, None, False, False),
        ("equal to or greater than 40 mg", 40, None, False, False),
        ("in excess of 40 mg", 40, None, True, False),
        ("doses above 40 mg", 40, None, True, False),
        ("doses of 40 mg", 40, None, False, False),
        ("超过 40 mg", 40, None, True, False),
        ("小于等于40mg", None, 40, False, False),
    ],
)
def test_doses_are_compared_in_the_words_that_ages_and_values_are(words, low, high, low_open, high_open):
    (dose,) = find_doses(words)
    assert (dose.low, dose.high, dose.low_open, dose.high_open) == (low, high, low_open, high_open)


def test_words_of_age_compare_no_dose():
    assert find_doses("older than 40 mg") == find_doses("from 40 mg") == []
