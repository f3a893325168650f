"""Laboratory values and vital signs that problem titles and notes state in words ("LVEF 30%", "BP 92/54").

They stand in only where no measurement says it, and what rests on them is marked as approximated. Targets, limits, ranges and earlier values
are no values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import cache

from cds_service.audit.clinical import analytes, table
from cds_service.audit.profile.passages import Passage, cut, passages_of
from cds_service.intake.prescription import Measurement, Prescription
from ontology.model.quantities import Quantity, Unit

_NUMBER = re.compile(
    r"[\s:=]*(?:is|of|at|today|now|currently|level|interval|about|approximately|~|,)?[\s:=~]*(?P<number>\d{1,5}(?:\.\d{1,3})?)(?!\d|\s?(?:-|–|to|/)\s?\d)(?P<unit>\s?[^\s,;()]{1,16})?"
)
_PRESSURE = re.compile(r"[\s:=]*(?:is|of|at)?[\s:=]*(\d{2,3})\s?/\s?(\d{2,3})(?!\d)")
_DIGIT = re.compile(r"\d")
_BEFORE = 24


def stated_values(prescription: Prescription) -> tuple[Measurement, ...]:
    """The values that active problems and notes state, as measurements without a code, newest note first."""
    patient = prescription.patient
    titles = (p for c in patient.conditions if c.status == "active" and _DIGIT.search(c.text) for p in cut(c.text, c.source))
    return (*_values(titles), *_values(passages_of(prescription) if patient.notes else ()))


def _values(passages: Iterable[Passage]) -> Iterator[Measurement]:
    for passage in passages:
        if passage.kind in ("others", "child") or not _DIGIT.search(passage.folded):
            continue
        for m in _names().finditer(passage.folded):
            if not _is_current(passage, m.start()):
                continue
            called = _by_name()[m[0]]
            yield from _pressures(passage, m.end()) if called == "pressure" else _value(passage, m.end(), called)


def _value(passage: Passage, end: int, called: str) -> Iterator[Measurement]:
    found = _NUMBER.match(passage.folded, end)
    if found is None:
        return
    bare = table("stated_values")["stated"]["bare"].get(called)
    unit = Unit.find((found["unit"] or "").strip(" .")) or (Unit.of(bare) if bare else None)
    if unit is not None and analytes()[called].plausible(value := Quantity(Decimal(found["number"]), unit)):
        yield Measurement(None, called, value, None, None, passage.source)


def _pressures(passage: Passage, end: int) -> Iterator[Measurement]:
    found = _PRESSURE.match(passage.folded, end)
    for name, number in zip(("systolic blood pressure", "diastolic blood pressure"), found.groups() if found else (), strict=False):
        yield Measurement(None, name, Quantity(Decimal(number), Unit.of("mm[Hg]")), None, None, passage.source)


def _is_current(passage: Passage, start: int) -> bool:
    before = passage.folded[max(0, start - _BEFORE) : start]
    return not passage.dated_past and _outside().search(before) is None


@cache
def _by_name() -> dict[str, str]:
    """The test by each way of writing it, lower case."""
    rows = table("stated_values")["stated"]
    found = {name: called for called in rows["analytes"] for name in (*analytes()[called].names, *rows["names"].get(called, ()))}
    return {**found, **dict.fromkeys(table("stated_values")["pressure"]["words"], "pressure")}


@cache
def _names() -> re.Pattern[str]:
    rows = sorted((n for n in _by_name() if len(n) > 1), key=len, reverse=True)
    return re.compile("|".join(rf"(?<![\w-]){re.escape(n)}(?!\w)" if n.isascii() else re.escape(n) for n in rows))


@cache
def _outside() -> re.Pattern[str]:
    rows = table("stated_values")["stated_not"]["words"]
    return re.compile("|".join(rf"(?<!\w){re.escape(w)}(?!\w)" if w.isascii() else re.escape(w) for w in rows))
