"""The day of the last dose of a stopped drug, where a note tells it.

A sentence counts that names the drug, says that it ended, and gives a day: a date, or days, weeks or months before the note. Sentences on others,
plans and hypotheticals do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from functools import cache

from cds_service.audit.clinical import words
from cds_service.audit.profile.passages import Passage

_MONTHS = {m: i for i, m in enumerate(("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1)}
_NAMED = "|".join(rf"{m}[a-z]*" for m in _MONTHS)
_ISO = re.compile(r"(?P<year>20\d\d)-(?P<month>\d\d)-(?P<day>\d\d)")
_DAY_FIRST = re.compile(rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<name>{_NAMED})\.?,?\s+(?P<year>20\d\d)")
_MONTH_FIRST = re.compile(rf"(?P<name>{_NAMED})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>20\d\d)")
_CHINESE = re.compile(r"(?P<year>20\d\d)年(?P<month>\d{1,2})月(?P<day>\d{1,2})日")
_AGO = re.compile(r"(?P<count>\d{1,3}|one|two|three|four|five|six|a|an)\s+(?P<unit>day|week|month)s?\s+ago")
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_DAYS = {"day": 1, "week": 7, "month": 30}


def told_last_use(passages: Iterable[Passage], names: Iterable[str]) -> date | None:
    """The day of the last dose of a drug with one of the names (lower case); None where no sentence tells it."""
    wanted = tuple(n for n in names if n)
    for p in passages:
        if p.kind != "patient" or not any(n in p.folded for n in wanted) or _ended().search(p.folded) is None:
            continue
        day = _day_in(p.folded, p.source.date)
        if day is not None and (p.source.date is None or day <= p.source.date):
            return day
    return None


def _day_in(text: str, written: date | None) -> date | None:
    for pattern in (_ISO, _DAY_FIRST, _MONTH_FIRST, _CHINESE):
        found = pattern.search(text)
        if found is None:
            continue
        parts = found.groupdict()
        month = _MONTHS[parts["name"][:3]] if parts.get("name") else int(parts["month"])
        try:
            return date(int(parts["year"]), month, int(parts["day"]))
        except ValueError:
            return None
    if written is None:
        return None
    if "yesterday" in text or "昨日" in text or "昨天" in text:
        return written - timedelta(days=1)
    found = _AGO.search(text)
    if found is None:
        return None
    count = _NUMBERS.get(found["count"]) or int(found["count"])
    return written - timedelta(days=count * _DAYS[found["unit"]])


@cache
def _ended() -> re.Pattern[str]:
    """Words that say that a drug's use ended."""
    return re.compile("|".join(rf"(?<!\w){re.escape(w)}" if w.isascii() else re.escape(w) for w in words("last_use")))
