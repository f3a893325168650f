"""Which dosages of one order follow one another, and which are taken at the same time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from cds_service.intake.fhir.values import Resource, day, items, mapping, number, text
from cds_service.intake.sigs.often import slots_in
from cds_service.intake.tables import table


def places_of(dosages: Sequence[Resource]) -> list[int | None]:
    """The phase of each dosage: by its number, or by periods that do not overlap; None where all are taken side by side.

    Dosages of different parts of the day are side by side whatever their numbers, for numbers only order a list there.
    """
    if len(dosages) < 2 or _of_different_parts_of_the_day(dosages):
        return [None] * len(dosages)
    numbers = [number(d.get("sequence")) for d in dosages]
    whole = [int(n) if n is not None and n == int(n) else None for n in numbers]
    if len(set(whole)) > 1:
        return whole
    periods = [_period(d) for d in dosages]
    ordered = sorted(p for p in periods if p is not None)
    apart = len(ordered) == len(dosages) and all(a[1] <= b[0] for a, b in pairwise(ordered))
    return [ordered.index(p) + 1 for p in periods if p is not None] if apart else [None] * len(dosages)


def _of_different_parts_of_the_day(dosages: Sequence[Resource]) -> bool:
    seen: set[str] = set()
    for dosage in dosages:
        parts = _parts_of_the_day(dosage)
        if not parts or parts & seen:
            return False
        seen |= parts
    return True


def _parts_of_the_day(dosage: Resource) -> set[str]:
    repeat = mapping(mapping(dosage.get("timing")).get("repeat"))
    slots = table("timing_codes")["parts_of_day"]
    coded = {slots.get(str(w), str(w)) for w in items(repeat.get("when"))}
    return coded | {str(t) for t in items(repeat.get("timeOfDay"))} or slots_in(text(dosage.get("text")) or text(dosage.get("patientInstruction")) or "")


def _period(dosage: Resource) -> tuple[str, str] | None:
    """The first and the last day of a dosage, as ISO dates."""
    period = mapping(mapping(mapping(dosage.get("timing")).get("repeat")).get("boundsPeriod"))
    start, end = day(period.get("start")), day(period.get("end"))
    return (start.isoformat(), end.isoformat()) if start is not None and end is not None and start <= end else None
