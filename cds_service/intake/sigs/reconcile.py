"""Structure and words of one dosage as one reading: the structure decides, what the words add is taken, a contradiction is kept."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from msgspec.structs import fields, replace

from cds_service.intake.prescription import CONTRADICTION, DoseInstruction
from ontology.model.quantities import Quantity

_GROUPS = (
    ("dose_low", "dose_high", "dose_per"),
    ("day_low", "day_high"),
    ("times_low", "times_high", "period_days", "every_hours_low", "every_hours_high", "weekdays"),
    ("counted",),
    ("count",),
    ("as_needed",),
    ("as_needed_for",),
    ("max_single",),
    ("max_per_day",),
    ("max_doses_per_day",),
    ("max_lifetime",),
    ("duration_days",),
    ("rate", "rate_per"),
    ("over_hours",),
    ("route",),
    ("schedule",),
)
"""Members that are taken together: the first one that is said decides whether a group is."""

_OF_ALL = ("as_needed", "as_needed_for", "max_single", "max_per_day", "max_doses_per_day", "max_lifetime", "duration_days", "route", "schedule", "over_hours")
_SAME = Decimal("0.000001")
_UNSAID: dict[str, object] = {f.name: f.default for f in fields(DoseInstruction)}
"""What a member is where an instruction does not say it."""


def reconcile(structure: DoseInstruction, words: Sequence[DoseInstruction]) -> tuple[DoseInstruction, ...]:
    """The instructions of a dosage that has both. A phase of the words that agrees with the structure stays beside the phases that only the words tell."""
    if not is_dosed(structure):
        return tuple(_over(structure, w, first=n == 0) for n, w in enumerate(words))
    told = [w for w in words if is_dosed(w)]
    if not told:
        return (_with(structure, words[-1], _OF_ALL),)
    if len({w.sequence for w in told}) == 1 and (len(told) == 1 or _is_sum(structure, told)):
        if len(told) > 1 or _agrees(structure, told[0]):
            return (_with(structure, told[0], None if len(told) == 1 else _OF_ALL),)
    elif (fits := [n for n, w in enumerate(told) if _agrees(structure, w)]) and any(w.sequence for w in told):
        return tuple(replace(_with(structure, w, None), sequence=w.sequence) if n == fits[0] else w for n, w in enumerate(told))
    kept = _with(structure, told[-1], tuple(m for m in _OF_ALL if m not in ("duration_days", "schedule", "over_hours")))
    return (replace(kept, unread=(*kept.unread, f"{CONTRADICTION}{structure.text or told[0].text}")),)


def beside(instruction: DoseInstruction, words: Sequence[DoseInstruction]) -> DoseInstruction:
    """The instruction with what additional words say around dose and frequency; words that say nothing of that kind are warnings, and not kept."""
    return replace(_with(instruction, words[-1], _OF_ALL), unread=instruction.unread)


def is_dosed(instruction: DoseInstruction) -> bool:
    """True where an instruction says how much or how often."""
    return any(v is not None for v in (instruction.dose_high, instruction.day_high, instruction.times_high, instruction.count, instruction.rate))


def _over(structure: DoseInstruction, words: DoseInstruction, *, first: bool) -> DoseInstruction:
    """The words' instruction with what the structure says around it."""
    out = _with(structure, words, None)
    both = any(_says(structure, group) for group in _GROUPS)
    unread = (*(structure.unread if first else ()), *words.unread)
    return replace(out, sequence=words.sequence, read_from="both" if both else "words", text=structure.text or words.text, unread=unread)


def _with(structure: DoseInstruction, words: DoseInstruction, only: Sequence[str] | None) -> DoseInstruction:
    """The structure with what it does not say and the words do; of a count of tablets the words may add the mass."""
    taken: dict[str, Any] = {}
    for group in _GROUPS:
        lead = _says(words, group)
        if lead is not None and (only is None or lead in only) and _says(structure, group) is None:
            taken |= {m: getattr(words, m) for m in group}
    counted = words.counted
    if only is None and structure.dose_high is not None and counted is not None and words.dose_high is not None:
        if _alike(structure.dose_high, counted) and structure.dose_high != words.dose_high:
            taken |= {"dose_low": words.dose_low, "dose_high": words.dose_high, "counted": structure.dose_high}
        elif structure.counted is None:
            taken["counted"] = counted
    taken["read_from"] = "both" if taken else structure.read_from
    taken["unread"] = (*structure.unread, *words.unread)
    return replace(structure, **taken)


def _says(instruction: DoseInstruction, group: Sequence[str]) -> str | None:
    """The first member of the group that the instruction says."""
    return next((m for m in group if getattr(instruction, m) != _UNSAID[m]), None)


def _agrees(structure: DoseInstruction, words: DoseInstruction) -> bool:
    """True where nothing that both say differs; a count against a mass cannot differ."""
    if structure.dose_high is not None and words.dose_high is not None and structure.dose_per == words.dose_per:
        same = [q for q in (words.dose_high, words.counted) if q is not None and q.unit.dimension == structure.dose_high.unit.dimension]
        low = structure.dose_low or structure.dose_high
        if same and not any(_meet(low, structure.dose_high, words.dose_low if q == words.dose_high and words.dose_low else q, q) for q in same):
            return False
    if structure.times_high is not None and words.times_high is not None:
        a, b = (structure.times_per_day_low, structure.times_per_day_high), (words.times_per_day_low, words.times_per_day_high)
        if a[0] is None or b[0] is None or a[1] is None or b[1] is None:
            return True
        return a[0] <= b[1] + _SAME and b[0] <= a[1] + _SAME
    return True


def _is_sum(structure: DoseInstruction, parts: Sequence[DoseInstruction]) -> bool:
    """True where parts of one day add up to what the structure says of the day."""
    dose, times = structure.dose_high, structure.times_per_day_high
    if dose is None or times is None:
        return False
    total = Decimal(0)
    for part in parts:
        mine = next((q for q in (part.dose_high, part.counted) if q is not None and q.unit.dimension == dose.unit.dimension), None)
        if mine is None or part.times_per_day_high is None:
            return False
        total += mine.to(dose.unit).value * part.times_per_day_high
    return abs(total - dose.value * times) <= _SAME


def _meet(low: Quantity, high: Quantity, other_low: Quantity, other_high: Quantity) -> bool:
    unit = high.unit
    return low.to(unit).value <= other_high.to(unit).value + _SAME and other_low.to(unit).value <= high.value + _SAME


def _alike(a: Quantity, b: Quantity) -> bool:
    return a.unit.dimension == b.unit.dimension and abs(a.value - b.to(a.unit).value) <= _SAME
