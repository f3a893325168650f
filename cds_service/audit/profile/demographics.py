"""Age, sex, pregnancy and lactation: what the record says, and what it leaves open.

Pregnancy and lactation are FALSE only when asserted, or excluded by sex, age or history. Otherwise they are unknown.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from functools import cached_property

from cds_service.audit.clinical import sections, setting, signs, words
from cds_service.audit.profile.measurements import Measurements
from cds_service.intake.prescription import ConditionFact, Measurement, Prescription, Retrieval
from ontology.model.facts import Known, Unknown, UnknownReason
from ontology.model.quantities import Quantity, Unit

_DAY = Unit.of("d")
_WEEKS_WORDS = re.compile(r"(\d{1,2})\s*(?:\+\s*\d\s*)?(?:weeks?|wks?|周)", re.IGNORECASE)
_WEEKS_CODE = re.compile(r"^Z3A\.?(\d{2})$")
_SIX_PLACES = Decimal("0.000001")


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
    def born(self) -> tuple[date, bool] | None:
        """The date of birth and whether it is exact; a year or month alone stands for its middle. None when unusable or in the future."""
        text = (self.prescription.patient.birth_date or "").strip()[:10]
        parts = text.split("-")
        try:
            numbers = [int(p) for p in parts if p]
            exact = len(numbers) == 3
            day = date(*numbers) if exact else date(numbers[0], numbers[1], 15) if len(numbers) == 2 else date(numbers[0], 7, 1)
        except (ValueError, IndexError, TypeError):
            return None
        if day > self.today:
            return None if exact else (self.today, False)
        return day, exact

    def age(self, unit: Unit) -> Known | Unknown:
        """Age in the unit, by the calendar: on the 60th birthday it is exactly 60 years."""
        if self.born is None:
            return Unknown(UnknownReason.NOT_RECORDED, frozenset({"age"}))
        day, exact = self.born
        return Known(Quantity(_elapsed(day, self.today, unit), unit), None, self.prescription.patient.reference, approximated=not exact)

    @property
    def years(self) -> Decimal | None:
        """Age in years, None when unknown."""
        fact = self.age(Unit.of("a"))
        return fact.value.value if isinstance(fact, Known) and isinstance(fact.value, Quantity) else None

    @property
    def adult(self) -> bool | None:
        """True from the adult age of the data file on; None when the age is unknown."""
        return None if self.years is None else self.years >= setting("weight", "adult_years")

    def sex(self) -> Known | Unknown:
        """`female` or `male`."""
        word = self.prescription.patient.sex
        if word in ("female", "male"):
            return Known(word, None, self.prescription.patient.reference)
        return Unknown(UnknownReason.NOT_RECORDED, frozenset({"sex"}))

    @cached_property
    def gestation(self) -> tuple[Decimal, date | None, str] | None:
        """Weeks of gestation today with date and reference, where a current pregnancy states them."""
        longest = setting("pregnancy", "longest_weeks")
        for m in self.measurements.coded(setting("pregnancy", "loinc_weeks")):
            if m.value is not None and m.value.unit.dimension == "time" and m.source.date:
                weeks = m.value.to(Unit.of("wk")).value + Decimal((self.today - m.source.date).days) / 7
                if 0 < weeks <= longest:
                    return weeks, m.source.date, m.source.reference
        for c in self._conditions("active"):
            stated = next((Decimal(found[1]) for code in c.codes if (found := _WEEKS_CODE.match(code.value))), None)
            if stated is None and signs("pregnancy").names(c.codes, c.text) and (worded := _WEEKS_WORDS.search(c.text)):
                stated = Decimal(worded[1])
            if stated is not None and stated <= longest:
                return stated, c.source.date, c.source.reference
        return None

    @cached_property
    def pregnancy(self) -> Known | Unknown:
        """`no`, `yes` or the trimester."""
        stated = self._status(setting("pregnancy", "loinc_status"), "pregnancy") or self._test()
        diagnosed = next((c for c in self._conditions("active") if signs("pregnancy").names(c.codes, c.text)), None)
        if self.prescription.patient.sex == "male":
            return Known("no", None, self.prescription.patient.reference)
        if diagnosed is not None and (stated is None or stated.value != "no" or _later(diagnosed.source.date, stated.observed)):
            return Known(self._trimester(), diagnosed.source.date, diagnosed.source.reference)
        if stated is not None and stated.value == "yes":
            return Known(self._trimester(), stated.observed, stated.reference)
        if stated is not None:
            stale = stated.observed is not None and stated.observed < self.today - timedelta(days=setting("pregnancy", "stale_days"))
            return self._excluded() or (Unknown(UnknownReason.STALE, frozenset({"pregnancy-status"})) if stale else stated)
        return self._excluded() or Unknown(UnknownReason.NOT_RECORDED, frozenset({"pregnancy-status"}))

    def pregnant_in(self, stage: str) -> Known | Unknown:
        """Pregnancy in the stage that a label's words name (`at term`, `first trimester`); pregnancy at all where they name none."""
        fact = self.pregnancy
        said = stage.casefold()
        row = next((r for r in sections()["pregnancy_stage"] if any(w in said for w in r["words"])), None)
        if row is None or isinstance(fact, Unknown) or fact.value == "no":
            return fact
        if self.gestation is None:
            return Unknown(UnknownReason.TOO_BROAD, frozenset({"pregnancy-status"}))
        weeks = self.gestation[0]
        inside = row.get("from_week", 0) <= weeks < row.get("below_week", weeks + 1)
        return Known(fact.value if inside else "no", fact.observed, fact.reference)

    @cached_property
    def lactation(self) -> Known | Unknown:
        """`no` or `yes`."""
        stated = self._status(setting("lactation", "loinc_status"), "lactation")
        diagnosed = next((c for c in self._conditions("active") if signs("lactation").names(c.codes, c.text)), None)
        if self.prescription.patient.sex == "male":
            return Known("no", None, self.prescription.patient.reference)
        if stated is not None:
            return stated
        if diagnosed is not None:
            return Known("yes", diagnosed.source.date, diagnosed.source.reference)
        return self._excluded() or Unknown(UnknownReason.NOT_RECORDED, frozenset({"lactation-status"}))

    def _excluded(self) -> Known | None:
        """The reason in age or history that excludes pregnancy, if there is one."""
        low, high = setting("childbearing", "lowest_years"), setting("childbearing", "highest_years")
        if self.years is not None and not low <= self.years < high + 1:
            return Known("no", None, self.prescription.patient.reference)
        excluding = signs("childbearing", "excluded_by")
        for c in self.prescription.patient.conditions:
            if c.status in ("active", "historical") and excluding.names(c.codes, c.text):
                return Known("no", c.source.date, c.source.reference)
        return None

    def _conditions(self, status: str) -> list[ConditionFact]:
        return [c for c in self.prescription.patient.conditions if c.status == status]

    def _trimester(self) -> str:
        if self.gestation is None:
            return "yes"
        weeks = self.gestation[0]
        if weeks < setting("pregnancy", "second_trimester_week"):
            return "first-trimester"
        return "second-trimester" if weeks < setting("pregnancy", "third_trimester_week") else "third-trimester"

    def _status(self, loinc: list[str], fact: str) -> Known | None:
        for m in self.measurements.coded(loinc):
            answer = _answer(m, fact)
            if answer is not None:
                return Known(answer, m.source.date, m.source.reference)
        return None

    def _test(self) -> Known | None:
        """A recent positive or negative pregnancy test."""
        return self._status(setting("pregnancy", "loinc_test"), "pregnancy")

    @property
    def complete(self) -> bool:
        """True when the problem list was retrieved whole."""
        return self.prescription.retrieval.get("conditions") in (Retrieval.FOUND, Retrieval.NONE_FOUND, Retrieval.ASSERTED_NONE)


def _answer(m: Measurement, fact: str) -> str | None:
    """What a status observation answers: `yes`, `no`, or None when its value says neither."""
    said = (m.word or "").strip().casefold()
    if not said or any(w in said for w in words("answers", "open")):
        return None
    found = signs(fact)
    if said in words("answers", "no") or found.denies((), said) or said in {v for _, v in found.codes_not}:
        return "no"
    if said in words("answers", "yes") or found.names((), said) or said in {v for _, v in found.codes}:
        return "yes"
    return None


def _later(day: date | None, than: date | None) -> bool:
    return day is not None and (than is None or day > than)


def _elapsed(start: date, end: date, unit: Unit) -> Decimal:
    """Time between two days in the unit: whole calendar years and months with the fraction of the running one, else days."""
    if unit.code not in ("a", "mo"):
        return Quantity(Decimal((end - start).days), _DAY).to(unit).value
    step = 12 if unit.code == "a" else 1
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
