from decimal import Decimal

from ontology.text.amounts import find_doses, find_windows, separation_hours


def test_windows_of_time():
    assert [w.days for w in find_windows("within 14 days of stopping, or in the last 2 weeks")] == [Decimal(14), Decimal(14)]
    assert find_windows("Do not give within 36 hours of sacubitril")[0].days == Decimal("1.5")


def test_hours_between_doses_are_the_longest():
    assert separation_hours("at least 2 hours before or 4 to 6 hours after") == Decimal(6)
    assert separation_hours("separated by at least two hours") == Decimal(2)
    assert separation_hours("separate the doses") is None


def test_dose_bounds():
    (dose,) = find_doses("more than 2 g a day")
    assert (dose.low, dose.low_open, dose.unit, dose.per) == (Decimal(2), True, "g", "day")
    assert find_doses("Take 80 mg") == []
