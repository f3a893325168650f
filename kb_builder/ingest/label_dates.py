"""The date of a label as it prints it: effective date, revision, approval. The latest one counts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date

_MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]
_MONTH = "|".join(f"{m[:3]}(?:{m[3:]})?" for m in _MONTHS)
_EFFECTIVE = re.compile(r"effective (?:date|time)\W{0,6}(\d{4})-?(\d{2})-?(\d{2})\b", re.IGNORECASE)
_REVISED = re.compile(
    rf"\b(?:revised|revision date|rev(?:ision)?\.?)\s*:?\s*(?:(?P<m>\d{{1,2}})/(?:(?P<d>\d{{1,2}})/)?(?P<y>\d{{4}})"
    rf"|(?P<month>{_MONTH})\.?,?\s+(?:(?P<day>\d{{1,2}}),?\s+)?(?P<year>\d{{4}}))\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(r"(\d{4})\s*[年.\-/]\s*(\d{1,2})\s*(?:[月.\-/]\s*(?:(\d{1,2})\s*日?)?)?")
EARLIEST = 1950


def latest_revision(text: str) -> tuple[date | None, tuple[tuple[str, str], ...]]:
    """The latest effective or revision date that an English label prints, with a note where its day is not printed."""
    return _latest([*_effective(text), *_revised(text)])


def latest_chinese(text: str) -> tuple[date | None, tuple[tuple[str, str], ...]]:
    """The latest date of some Chinese text on approval and revision dates."""
    folded = unicodedata.normalize("NFKC", text)
    return _latest([(int(m[1]), int(m[2]), int(m[3]) if m[3] else None) for m in _CHINESE.finditer(folded)])


def _effective(text: str) -> Iterator[tuple[int, int, int | None]]:
    for m in _EFFECTIVE.finditer(text):
        yield int(m[1]), int(m[2]), int(m[3])


def _revised(text: str) -> Iterator[tuple[int, int, int | None]]:
    for m in _REVISED.finditer(text):
        if m["y"]:
            yield int(m["y"]), int(m["m"]), int(m["d"]) if m["d"] else None
        else:
            month = next(n for n, name in enumerate(_MONTHS, start=1) if m["month"].lower().startswith(name[:3]))
            yield int(m["year"]), month, int(m["day"]) if m["day"] else None


def _latest(printed: list[tuple[int, int, int | None]]) -> tuple[date | None, tuple[tuple[str, str], ...]]:
    found: list[tuple[date, bool]] = []
    for year, month, day in printed:
        if year < EARLIEST:
            continue
        try:
            found.append((date(year, month, day or 1), day is not None))
        except ValueError:
            continue
    if not found:
        return None, ()
    latest, whole = max(found)
    note = ("effective", f"the label gives only the month {latest:%Y-%m}: dated to its first day")
    return latest, () if whole else (note,)
