"""The day that words of the record name: "on 14 July 2026", "2026-07-14", "in July 2026", "in 2019", "three weeks ago"."""

from __future__ import annotations

import calendar
import re
from datetime import date, timedelta

_MONTHS = {name.casefold(): n for names in (calendar.month_name, calendar.month_abbr) for n, name in enumerate(names) if name} | {"sept": 9}
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_DAY = re.compile(
    rf"\b(?P<iso>\d{{4}}-\d{{2}}-\d{{2}})\b|\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?{_MONTH}(?:\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,?)?\s+(?P<year>\d{{4}})\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b(?!-)")
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_AGO = re.compile(rf"\b(?P<n>\d{{1,3}}|{'|'.join(_COUNTS)})\s+(?P<unit>day|week|month|year)s?\s+ago\b", re.IGNORECASE)
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}


def told_days(text: str, today: date, written: date | None = None) -> tuple[date, date] | None:
    """The first and the last day that the first such words may mean, counted back from the day they were written; None without any, or where they lie ahead."""
    if (m := _DAY.search(text)) is not None:
        found = _named(m)
    elif (m := _AGO.search(text)) is not None:
        found = _counted(m, written or today)
    elif (m := _YEAR.search(text)) is not None:
        found = (date(int(m[0]), 1, 1), date(int(m[0]), 12, 31))
    else:
        return None
    return None if found is None or found[0] > today else (found[0], min(found[1], today))


def _counted(m: re.Match[str], written: date) -> tuple[date, date] | None:
    unit = _DAYS[m["unit"].casefold()]
    try:
        day = written - timedelta(days=(_COUNTS.get(m["n"].casefold()) or int(m["n"])) * unit)
        return day - timedelta(days=unit // 2), day + timedelta(days=unit // 2)
    except OverflowError:  # before the calendar begins, or behind its end
        return None


def _named(m: re.Match[str]) -> tuple[date, date] | None:
    try:
        if m["iso"]:
            day = date.fromisoformat(m["iso"])
            return day, day
        year, month = int(m["year"]), _MONTHS[m["month"].casefold()]
        if (number := m["day"] or m["day2"]) is not None:
            day = date(year, month, int(number))
            return day, day
        return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])
    except ValueError:
        return None
