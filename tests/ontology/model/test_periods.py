"""Valid and recorded time are half-open and never mixed."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from ontology.model.periods import RecordedPeriod, ValidPeriod


def test_a_valid_period_ends_before_its_end() -> None:
    period = ValidPeriod(date(2026, 1, 1), date(2026, 2, 1))
    assert period.holds_on(date(2026, 1, 1))
    assert not period.holds_on(date(2026, 2, 1))
    assert ValidPeriod().holds_on(date(1900, 1, 1))


def test_a_period_cannot_end_before_it_starts() -> None:
    with pytest.raises(ValueError, match="before it starts"):
        ValidPeriod(date(2026, 2, 1), date(2026, 1, 1))


def test_recorded_time_needs_a_zone() -> None:
    with pytest.raises(ValueError, match="time zone"):
        RecordedPeriod(datetime(2026, 1, 1))  # noqa: DTZ001
    period = RecordedPeriod(datetime(2026, 1, 1, tzinfo=UTC))
    assert period.known_at(datetime(2026, 6, 1, tzinfo=UTC))
    assert not period.known_at(datetime(2025, 6, 1, tzinfo=UTC))
