from __future__ import annotations

from decimal import Decimal

import pytest

from ontology.text.doses import read_doses


@pytest.mark.parametrize(
    ("words", "times", "period"),
    [
        ("once daily", 1, 1),
        ("twice a day", 2, 1),
        ("three times daily", 3, 1),
        ("3 times during the first 24 hours", 3, 1),
        ("BID", 2, 1),
        ("t.i.d.", 3, 1),
        ("q.d.", 1, 1),
        ("qhs", 1, 1),
        ("daily", 1, 1),
        ("every other day", 1, 2),
        ("qod", 1, 2),
        ("once weekly", 1, 7),
        ("twice weekly", 2, 7),
        ("3 times a week", 3, 7),
        ("every 3 weeks", 1, 21),
        ("monthly", 1, 30),
        ("at bedtime", 1, 1),
        ("in the morning and evening", 2, 1),
        ("on days 1, 8 and 15 of a 28-day cycle", 3, 28),
        ("on day 1 of each 21-day cycle", 1, 21),
        ("as a single dose", 1, 1),
    ],
)
def test_times_in_a_period(words: str, times: int, period: int) -> None:
    (phrase,) = read_doses(f"Take 10 mg {words} as told.")
    assert phrase.frequency is not None
    assert (phrase.frequency.times_low, phrase.frequency.times_high, phrase.frequency.period_days) == (times, times, period)


@pytest.mark.parametrize(
    ("words", "low", "high"), [("every 6 to 8 hours", 6, 8), ("q12h", 12, 12), ("every 48 hours", 48, 48), ("q4-6h", 4, 6), ("at 6-hour intervals", 6, 6)]
)
def test_hours_between_doses(words: str, low: int, high: int) -> None:
    (phrase,) = read_doses(f"Take 10 mg {words}.")
    assert phrase.frequency is not None
    assert (phrase.frequency.every_hours_low, phrase.frequency.every_hours_high) == (low, high)


@pytest.mark.parametrize(
    ("words", "low", "high"),
    [
        ("for 7 to 14 days", 7, 14),
        ("for 10 days", 10, 10),
        ("x 5 days", 5, 5),
        ("for two years", 730, 730),
        ("for 1 to 2 weeks", 7, 14),
        ("for up to 4 weeks", None, 28),
        ("for at least 10 days", 10, None),
        ("for the first 14 days of each 21-day cycle", 14, 14),
        (", 7 to 10 days", 7, 10),
    ],
)
def test_how_long(words: str, low: int | None, high: int | None) -> None:
    (phrase,) = read_doses(f"Take 10 mg twice daily {words}.")
    assert (phrase.days_low, phrase.days_high) == (low, high)


def test_a_cycle_keeps_the_daily_frequency() -> None:
    (phrase,) = read_doses("Take 10 mg twice daily on days 1 to 14 of each 21-day cycle.")
    assert phrase.frequency is not None
    assert (phrase.frequency.times_low, phrase.frequency.period_days, phrase.days_high) == (2, 1, 14)
    assert phrase.frequency.event == "on days 1 to 14 of each 21-day cycle"


def test_two_counts_joined_by_or_are_a_range() -> None:
    (phrase,) = read_doses("Give 80 mg three times a day or four times a day.")
    assert phrase.frequency is not None
    assert (phrase.frequency.times_low, phrase.frequency.times_high) == (3, 4)


def test_until_ends_at_the_clause() -> None:
    (phrase,) = read_doses("Take 10 mg daily until disease progression or unacceptable toxicity.")
    assert phrase.until == "disease progression or unacceptable toxicity"


def test_divided_doses_make_a_daily_amount() -> None:
    (shares,) = read_doses("Take 400 mg daily in two divided doses.")
    assert shares.frequency is not None
    assert (shares.amounts[0].per.value, shares.frequency.times_low) == ("day", 2)
    (unknown,) = read_doses("Take 400 mg daily in divided doses.")
    assert (unknown.amounts[0].per.value, unknown.frequency) == ("day", None)


def test_a_daily_dose_is_a_daily_amount_without_a_frequency() -> None:
    (phrase,) = read_doses("The total daily dose of 40 mg is enough.")
    assert (phrase.amounts[0].per.value, phrase.frequency) == ("day", None)


def test_events_anchor_a_dose() -> None:
    (phrase,) = read_doses("Give 50 mg after each hemodialysis.")
    assert phrase.frequency is not None
    assert phrase.frequency.event == "after each hemodialysis"


def test_a_span_in_brackets_behind_a_frequency_is_no_duration() -> None:
    (phrase,) = read_doses("Give 1,500 mg every 4 weeks (28 days).")
    assert (phrase.days_low, phrase.days_high) == (None, None)


def test_an_age_is_no_duration() -> None:
    (phrase,) = read_doses("Give 10 mg once daily for 6 years of age and older.")
    assert phrase.days_high is None


def test_days_are_kept_exact() -> None:
    (phrase,) = read_doses("Take 10 mg daily for 3 months.")
    assert phrase.days_high == Decimal(90)


@pytest.mark.parametrize("text", ["Take 25 mg at bedtime, increased weekly.", "Start with 25 mg doubled every two weeks."])
def test_how_often_a_dose_changes_is_not_how_often_it_is_given(text: str) -> None:
    (phrase, *_) = read_doses(text)
    assert phrase.frequency is None or phrase.frequency.period_days == 1


def test_a_printed_count_wins_over_what_a_meal_implies() -> None:
    (phrase,) = read_doses("Take 2 mg before breakfast twice daily.")
    assert phrase.frequency is not None
    assert (phrase.frequency.times_low, phrase.frequency.event) == (2, "before breakfast")


def test_a_dose_before_an_event_is_given_once() -> None:
    (phrase,) = read_doses("Give 16 mg 1 hour before induction of anesthesia.")
    assert phrase.frequency is not None
    assert (phrase.frequency.times_low, phrase.frequency.event) == (1, "1 hour before induction of anesthesia")


def test_a_subsequent_dose_counts_as_one_more_time() -> None:
    (phrase,) = read_doses("Give 4 mg 30 minutes before chemotherapy, with a subsequent 4-mg dose 4 and 8 hours after the first dose.")
    assert phrase.frequency is not None
    assert phrase.frequency.times_low == 3


def test_days_of_a_week_are_no_duration() -> None:
    (often,) = read_doses("Give 6 mg/kg 5 days a week.")
    (daily,) = read_doses("Give 6 mg/kg once daily for 5 days per week.")
    assert often.frequency is not None
    assert daily.frequency is not None
    assert (often.frequency.times_low, often.frequency.period_days) == (5, 7)
    assert (daily.frequency.times_low, daily.frequency.period_days, daily.days_high) == (1, 1, None)


def test_hours_of_treatment_count_in_whole_days() -> None:
    (phrase,) = read_doses("Give 0.5 mg every 6 hours for 48 hours.")
    assert phrase.days_high == 2
    (infusion,) = read_doses("Give 5 mg for 4 hours.")
    assert infusion.days_high is None


def test_weeks_of_administration_are_an_event() -> None:
    loading, maintenance = read_doses("Give 120 mg at Weeks 0, 2, and 4, followed by 120 mg every 4 weeks.")
    assert loading.frequency is not None
    assert maintenance.frequency is not None
    assert (loading.frequency.event, loading.frequency.times_low) == ("at Weeks 0, 2, and 4", None)
    assert maintenance.frequency.period_days == 28


def test_a_total_of_doses_a_day_is_a_daily_amount() -> None:
    (phrase,) = read_doses("Twice daily dosing totaling 100 mg.")
    assert phrase.frequency is not None
    assert (phrase.amounts[0].per.value, phrase.frequency.times_low) == ("day", 2)


def test_a_band_of_weight_before_an_amount_is_no_threshold() -> None:
    (phrase,) = read_doses("40 kg and over 900 mg weekly")
    assert (phrase.amounts[0].low, phrase.bound) == (900, None)
