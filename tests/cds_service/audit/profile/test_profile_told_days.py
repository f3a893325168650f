"""Days that words of the record name."""

from datetime import date

import pytest

from cds_service.audit.profile.told_days import told_days

TODAY = date(2026, 11, 1)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("Transient ischemic attack on 14 July 2026", date(2026, 7, 14), date(2026, 7, 14)),
        ("TIA, July 14, 2026", date(2026, 7, 14), date(2026, 7, 14)),
        ("TIA on the 3rd of Sept. 2025", date(2025, 9, 3), date(2025, 9, 3)),
        ("MI 2026-02-28", date(2026, 2, 28), date(2026, 2, 28)),
        ("Stroke in February 2024", date(2024, 2, 1), date(2024, 2, 29)),
        ("Stroke in November 2026", date(2026, 11, 1), TODAY),
        ("Stroke in 2019", date(2019, 1, 1), date(2019, 12, 31)),
        ("stroke three weeks ago", date(2026, 10, 8), date(2026, 10, 14)),
        ("stroke a year ago", date(2025, 5, 3), date(2026, 5, 2)),
    ],
)
def test_a_day_is_told(text: str, first: date, last: date) -> None:
    assert told_days(text, TODAY) == (first, last)


def test_weeks_are_counted_back_from_the_day_they_were_written() -> None:
    assert told_days("stroke three weeks ago", TODAY, date(2026, 1, 22)) == (date(2025, 12, 29), date(2026, 1, 4))


@pytest.mark.parametrize(("text", "written"), [("stroke 999 years ago", date(500, 1, 1)), ("stroke 0 years ago", date(9999, 12, 31))])
def test_a_day_outside_the_calendar_is_none(text: str, written: date) -> None:
    assert told_days(text, TODAY, written) is None


@pytest.mark.parametrize("text", ["Stroke", "operation on 31 February 2026", "surgery planned for 3 March 2027", "MI 2026-13-40", "at age 14", ""])
def test_no_day_is_told(text: str) -> None:
    assert told_days(text, TODAY) is None
