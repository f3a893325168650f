"""Valid time and recorded time: two half-open periods, never mixed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class ValidPeriod:
    """When a statement holds in the world: `[start, end)` in days. `None` is unbounded, or not stated by the source."""

    start: date | None = None
    end: date | None = None

    def __post_init__(self) -> None:
        if self.start is not None and self.end is not None and self.end < self.start:
            raise ValueError(f"valid period ends {self.end} before it starts {self.start}")

    def holds_on(self, day: date) -> bool:
        """True when the day lies in the period."""
        return (self.start is None or self.start <= day) and (self.end is None or day < self.end)


@dataclass(frozen=True, slots=True)
class RecordedPeriod:
    """When the knowledge base believed it: `[start, end)` in UTC instants; rows are closed, never deleted."""

    start: datetime
    end: datetime | None = None

    def __post_init__(self) -> None:
        if self.start.tzinfo is None or (self.end is not None and self.end.tzinfo is None):
            raise ValueError("recorded time needs a time zone")
        if self.end is not None and self.end < self.start:
            raise ValueError(f"recorded period ends {self.end} before it starts {self.start}")

    def known_at(self, instant: datetime) -> bool:
        """True when the row was part of the knowledge base at the instant."""
        return self.start <= instant and (self.end is None or instant < self.end)
