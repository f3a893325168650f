"""Age and sex: what the record says, and what it leaves open.

A date of birth of a year or a month alone gives the range of ages that it leaves possible; a guard decides where all of the range agrees.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from functools import cached_property

from cds_service.audit.clinical import setting, signs
from cds_service.audit.profile.measurements import Measurements
from cds_service.audit.profile.passages import Passage, passages_of
from cds_service.intake.prescription import ConditionFact, Prescription, Retrieval
from ontology.model.facts import Known, Range, Unknown, UnknownReason
from ontology.model.quantities import Quantity, Unit

_DAY, _YEAR = Unit.of("d"), Unit.of("a")
_SIX_PLACES = Decimal("0.000001")
_ADMINISTRATIVE = "administrative gender"
_MONTH_AND_YEAR = 2
_MONTHS_OF = {"a": 12, "mo": 1}


@dataclass(frozen=True)
class Demographics:
    """Who the patient is, on the day of the audit."""

    prescription: Prescription
    measurements: Measurements

    @property
    def today(self) -> date:
        """The day of the reference time."""
        return self.prescription.reference_time.date()

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """The sentences of the notes, cut once."""
        return passages_of(self.prescription) if self.prescription.patient.notes else ()

    @cached_property
    def born(self) -> tuple[date, date] | None:
        """The earliest and the latest possible day of birth, equal where it is exact. None when nothing usable says it, or it is in the future.

        Without a date of birth a measured age stands in.
        """
        text = (self.prescription.patient.birth_date or "").strip()[:10]
        try:
            numbers = [int(p) for p in text.split("-") if p]
            first = date(*(*numbers, 1, 1)[:3])
        except (ValueError, IndexError, TypeError):
            return self._from_measured_age()
        last = first
        if len(numbers) < _MONTH_AND_YEAR + 1:
            month = numbers[1] if len(numbers) == _MONTH_AND_YEAR else 12
            last = date(first.year, month, monthrange(first.year, month)[1])
        return None if first > self.today else (first, min(last, self.today))

    def _from_measured_age(self) -> tuple[date, date] | None:
        for m in self.measurements.coded(setting("age", "loinc")):
            months = _MONTHS_OF.get(m.value.unit.code) if m.value else None
            if m.value is None or months is None or m.source.date is None or not 0 <= m.value.value <= setting("age", "highest_years") * 12 / months:
                continue
            whole = int(m.value.value) * months
            return _add_months(m.source.date, -whole - months) + timedelta(days=1), _add_months(m.source.date, -whole)
        return None

    @cached_property
    def _ages_by_unit(self) -> dict[str, Known | Unknown]:
        """The ages asked for so far; every rule of every order asks for one."""
        return {}

    def age(self, unit: Unit) -> Known | Unknown:
        """Age in the unit, by the calendar: on the 60th birthday it is exactly 60 years."""
        known = self._ages_by_unit.get(unit.code)
        if known is None:
            known = self._ages_by_unit[unit.code] = self._age(unit)
        return known

    def _age(self, unit: Unit) -> Known | Unknown:
        if self.born is None:
            return Unknown(UnknownReason.NOT_RECORDED, frozenset({"age"}))
        first, last = self.born
        reference = self.prescription.patient.reference
        oldest = Quantity(_elapsed(first, self.today, unit), unit)
        if first == last:
            return Known(oldest, None, reference)
        youngest = Quantity(_elapsed(last, self.today, unit), unit)
        low, high = self.ages or (Decimal(0), Decimal(0))
        shown = f"age {int(low)} to {int(high)} years" if int(low) != int(high) else f"age {int(low)} years"
        return Unknown(UnknownReason.TOO_BROAD, frozenset({"age"}), Range(youngest, oldest, shown=shown, reference=reference))

    @cached_property
    def ages(self) -> tuple[Decimal, Decimal] | None:
        """The youngest and the oldest possible age in years; None when nothing says it."""
        return None if self.born is None else (_elapsed(self.born[1], self.today, _YEAR), _elapsed(self.born[0], self.today, _YEAR))

    @cached_property
    def days(self) -> int | None:
        """Days of life at most; None when nothing says it."""
        return None if self.born is None else (self.today - self.born[0]).days

    def is_from(self, years: Decimal | int) -> bool | None:
        """Whether the patient has reached an age; None where the record does not decide."""
        if self.ages is None:
            return None
        youngest, oldest = self.ages
        return True if youngest >= years else False if oldest < years else None

    @cached_property
    def adult(self) -> bool | None:
        """True from the adult age of the data file on; None when the record does not decide."""
        return self.is_from(setting("weight", "adult_years"))

    @cached_property
    def _sex(self) -> Known | Unknown:
        patient = self.prescription.patient
        if patient.sex not in ("female", "male"):
            return Unknown(UnknownReason.NOT_RECORDED, frozenset({"sex"}))
        if patient.sex_source == _ADMINISTRATIVE and self.contradicted:
            return Unknown(UnknownReason.TOO_BROAD, frozenset({"sex"}), reference=patient.reference)
        return Known(patient.sex, None, patient.reference)

    def sex(self) -> Known | Unknown:
        """`female` or `male`: sex for clinical use or at birth where recorded, else administrative gender where nothing speaks against it."""
        return self._sex

    @property
    def is_male(self) -> bool:
        """True where the sex is known to be male."""
        return isinstance(self._sex, Known) and self._sex.value == "male"

    @cached_property
    def contradicted(self) -> bool:
        """True when the record holds what only the other sex has, or says that gender and sex at birth differ."""
        found = signs("sex", f"against_{self.prescription.patient.sex}")
        return any(c.status in ("active", "historical") and found.names(c.codes, c.text) for c in self.prescription.patient.conditions)

    def conditions(self, *statuses: str) -> list[ConditionFact]:
        """The entries of the problem list in one of the states, with the order's reasons."""
        return [c for c in self.prescription.patient.conditions if c.status in statuses]

    @property
    def complete(self) -> bool:
        """True when the problem list was retrieved whole."""
        return self.prescription.retrieval.get("conditions") in (Retrieval.FOUND, Retrieval.NONE_FOUND, Retrieval.ASSERTED_NONE)


def _elapsed(start: date, end: date, unit: Unit) -> Decimal:
    """Time between two days in the unit: whole calendar years and months with the fraction of the running one, else days."""
    if unit.code not in _MONTHS_OF:
        return Quantity(Decimal((end - start).days), _DAY).to(unit).value
    step = _MONTHS_OF[unit.code]
    months = (end.year - start.year) * 12 + end.month - start.month
    whole = months // step * step
    while _add_months(start, whole) > end:
        whole -= step
    last, following = _add_months(start, whole), _add_months(start, whole + step)
    fraction = Decimal((end - last).days) / Decimal((following - last).days)
    return Decimal(whole // step) + fraction.quantize(_SIX_PLACES, ROUND_HALF_EVEN)


def _add_months(day: date, months: int) -> date:
    """The same day of the month later; the 29th to 31st fall on the month's last day where it is shorter."""
    total = day.year * 12 + day.month - 1 + months
    year, month = divmod(total, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
