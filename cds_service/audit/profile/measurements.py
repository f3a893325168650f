"""The patient's measurements: each the latest plausible one, in the unit asked for, or unknown with the reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property

from cds_service.audit.clinical import analytes, setting, words
from cds_service.audit.profile.lab_limits import analytes_meant, least_lower, stale_days, usual_upper
from cds_service.audit.profile.stated_values import stated_values
from cds_service.intake.prescription import Measurement, Prescription, Retrieval
from ontology.model.analytes import convert
from ontology.model.facts import Known, Range, Unknown, UnknownReason
from ontology.model.identifiers import normal_words
from ontology.model.quantities import Quantity, Unit, plain
from ontology.terms.entries import LabTerm

_KG, _CM, _MS = Unit.of("kg"), Unit.of("cm"), Unit.of("ms")
_ULN, _LLN, _UNITLESS = "times-upper-limit", "times-lower-limit", "number"
_THIRD = Decimal(1) / Decimal(3)
_HUNDREDTH = Decimal("0.01")


@dataclass(frozen=True)
class Measurements:
    """All measurements of a prescription, newest first. `state` is how the kind was retrieved; a list not complete makes absence unknown.

    `stated` are values that only words state; they stand in where no measurement does.
    """

    rows: tuple[Measurement, ...]
    state: Retrieval
    today: date
    stated: tuple[Measurement, ...] = ()

    @classmethod
    def of(cls, prescription: Prescription) -> Measurements:
        """The measurements of a prescription."""
        rows = sorted(prescription.patient.measurements, key=lambda m: (m.source.date or date.min, m.moment, m.source.reference), reverse=True)
        state = prescription.retrieval.get("observations", Retrieval.NOT_RETRIEVED)
        return cls(tuple(rows), state, prescription.reference_time.date(), stated_values(prescription))

    @property
    def absent(self) -> UnknownReason:
        """Why a value that is not among the measurements is unknown."""
        reasons = {Retrieval.NOT_RETRIEVED: UnknownReason.NOT_RETRIEVED, Retrieval.INCOMPLETE: UnknownReason.INCOMPLETE}
        return reasons.get(self.state, UnknownReason.NOT_RECORDED)

    def coded(self, loinc: Iterable[str], names: Iterable[str] = ()) -> list[Measurement]:
        """The measurements with one of the LOINC codes, or without a code and with one of the names; newest first."""
        wanted, called = frozenset(loinc), frozenset(names)
        return [m for m in self.rows if (m.code.value in wanted if m.code and m.code.system == "loinc" else self._words[id(m)] in called)]

    @cached_property
    def _words(self) -> dict[int, str]:
        """The words of each measurement without a LOINC code, normalised once."""
        return {id(m): normal_words(m.text) for m in self.rows if m.code is None or m.code.system != "loinc"}

    def weight(self, adult: bool | None) -> Known | Unknown:
        """Body weight in kg. A child's weight is stale after the days the data file names."""
        lowest = Decimal(str(setting("weight", "adult_lowest_kg") if adult else setting("weight", "lowest_kg")))
        fact = self._body("weight", _KG, lowest, Decimal(setting("weight", "highest_kg")))
        limit = setting("weight", "stale_days_child") if adult is False else setting("weight", "stale_days_adult")
        if isinstance(fact, Known) and fact.observed and fact.observed < self.today - timedelta(days=limit):
            return Unknown(UnknownReason.STALE, frozenset({"weight"}))
        return fact

    def height(self, adult: bool | None) -> Known | Unknown:
        """Body height in cm."""
        lowest = Decimal(setting("height", "adult_lowest_cm") if adult else setting("height", "lowest_cm"))
        return self._body("height", _CM, lowest, Decimal(setting("height", "highest_cm")))

    def lab(self, detail: str | None, unit: Unit | None) -> Known | Unknown:
        """The current value of what the label calls it, in the unit asked for.

        `detail` is a LOINC code or the label's words for one test or for several ("AST or ALT": the higher one decides).
        """
        meant, together = analytes_meant(detail or "")
        if len(meant) < 2:
            return self._one(meant[0] if meant else None, detail, unit)
        return _higher([self._one(m, detail, unit) for m in meant], lowest=together)

    def _one(self, analyte: LabTerm | None, detail: str | None, unit: Unit | None) -> Known | Unknown:
        needs = frozenset({f"lab:{analyte.called if analyte else (detail or '').casefold()}" if analyte or detail else "lab"})
        found = self.coded(analyte.loinc, analyte.names) if analyte else self.coded({detail or ""}, {normal_words(detail or "")})
        newest = next((m for m in found if m.code or _reported_as(analyte, m)), found[0] if found else None)
        fact = self._read(newest, analyte, unit, needs) if newest is not None else Unknown(self.absent, needs)
        if analyte is None or isinstance(fact, Known) or fact.reason is UnknownReason.IMPLAUSIBLE:
            return fact
        derived = self._corrected(unit) if analyte.called == "qtc" else None
        if isinstance(derived, Known):
            return derived
        spoken = next((m for m in self.stated if m.text == analyte.called), None)
        if spoken is None or fact.within is not None:
            return fact
        worded = self._read(spoken, analyte, unit, needs)
        return Known(worded.value, worded.observed, worded.reference, approximated=True) if isinstance(worded, Known) else fact

    def _read(self, m: Measurement, analyte: LabTerm | None, unit: Unit | None, needs: frozenset[str]) -> Known | Unknown:
        """One measurement as a fact."""
        day, reference = m.source.date, m.source.reference
        if day and day < self.today - timedelta(days=stale_days(analyte)):
            return Unknown(UnknownReason.STALE, needs)
        value = _as_reported(m.value, analyte)
        if value is None or (m.word is not None and unit is None and m.comparator is None):
            return Unknown(UnknownReason.NOT_RECORDED, needs) if m.word is None or unit else Known(m.word, day, reference)
        if analyte and not analyte.plausible(value) and not m.comparator:
            return Unknown(UnknownReason.IMPLAUSIBLE, needs)
        converted, usual = _in_unit(value, m, analyte, unit)
        if converted is None:
            return Unknown(UnknownReason.IMPLAUSIBLE, needs)
        if m.comparator:
            # A bound is no value: "< 15" is not 15, but it is below 30.
            return Unknown(UnknownReason.TOO_BROAD, needs, _bounded(converted, m.comparator, day, reference))
        return Known(converted, day, reference, approximated=usual)

    def _corrected(self, unit: Unit | None) -> Known | Unknown:
        """QTc after Fridericia from a QT and a heart rate of one day: QTc = QT / (60 / heart rate) ^ (1/3), in ms."""
        qt, rate = self._one(analytes()["qt"], "qt", _MS), self._one(analytes()["heart rate"], "heart rate", Unit.of("/min"))
        if not (isinstance(qt, Known) and isinstance(rate, Known) and isinstance(qt.value, Quantity) and isinstance(rate.value, Quantity)):
            return Unknown(self.absent, frozenset({"lab:qtc"}))
        if qt.observed != rate.observed or rate.value.value <= 0:
            return Unknown(self.absent, frozenset({"lab:qtc"}))
        corrected = qt.value.value / (60 / rate.value.value) ** _THIRD
        value = Quantity(corrected.quantize(Decimal(1)), _MS)
        return Known(value.to(unit) if unit is not None and unit.dimension == _MS.dimension else value, qt.observed, qt.reference, approximated=True)

    def _body(self, what: str, unit: Unit, lowest: Decimal, highest: Decimal) -> Known | Unknown:
        needs = frozenset({what})
        rows = [m for m in self.coded(setting(what, "loinc"), words(what)) if m.value is not None and not m.comparator]
        spoken = [m for m in self.stated if m.text == what]
        for m in (*rows, *spoken):
            value = convert(m.value, unit) if m.value else None
            if value is not None and lowest <= value.value <= highest:
                return Known(value, m.source.date, m.source.reference, approximated=m in spoken)
        return Unknown(UnknownReason.IMPLAUSIBLE if rows else self.absent, needs)


def _in_unit(value: Quantity, m: Measurement, analyte: LabTerm | None, unit: Unit | None) -> tuple[Quantity | None, bool]:
    """The value in the unit, and whether that rests on a usual limit; multiples of a limit of normal use the result's own where it has one.

    A value below the lowest lower limit in use is low whatever the laboratory; one above it rests on that limit.
    """
    if unit is None:
        return value, False
    if unit.dimension not in (_ULN, _LLN) or value.unit.dimension == unit.dimension:
        return convert(value, unit, analyte.analyte if analyte else None), False
    low = unit.dimension == _LLN
    own, usual = (m.lower, least_lower(analyte)) if low else (m.upper, usual_upper(analyte))
    bound = own or usual
    limit = convert(bound, value.unit, analyte.analyte if analyte else None) if bound else None
    if limit is None or limit.value <= 0:
        return None, False
    times = value.value / limit.value
    return Quantity(times if low else times.quantize(_HUNDREDTH), unit), own is None and (not low or times >= 1)


def _as_reported(value: Quantity | None, analyte: LabTerm | None) -> Quantity | None:
    """A number without a unit as one in the unit of a test that has no other (INR, pH), or as a share of one for a percentage."""
    if value is None or analyte is None or not analyte.units or value.unit.dimension != _UNITLESS:
        return value
    canonical = Unit.of(analyte.units[0])
    if canonical.dimension in ("inr", "ph"):
        return Quantity(value.value, canonical)
    return Quantity(value.value * 100, canonical) if canonical.code == "%" and value.value <= 1 else value


def _bounded(value: Quantity, comparator: str, day: date | None, reference: str | None) -> Range | None:
    """Where a result with a comparator lies."""
    shown = f"{comparator}{plain(value.value)} {value.unit.code}"
    if comparator in ("<", "<="):
        return Range(None, value, high_open=comparator == "<", shown=shown, observed=day, reference=reference)
    if comparator in (">", ">="):
        return Range(value, None, low_open=comparator == ">", shown=shown, observed=day, reference=reference)
    return None


def _higher(facts: list[Known | Unknown], *, lowest: bool) -> Known | Unknown:
    """Of several tests the one that decides: the highest for "or", the lowest for "and". With one missing, what the other leaves possible."""
    known = [f for f in facts if isinstance(f, Known) and isinstance(f.value, Quantity)]
    unknown = [f for f in facts if isinstance(f, Unknown)]
    if not known:
        return unknown[0] if unknown else facts[0]
    chosen = (min if lowest else max)(known, key=lambda f: f.value.value if isinstance(f.value, Quantity) else Decimal(0))
    if not unknown or not isinstance(chosen.value, Quantity):
        return chosen
    shown = f"{plain(chosen.value.value)} {chosen.value.unit.code}"
    low, high = (None, chosen.value) if lowest else (chosen.value, None)
    within = Range(low, high, shown=shown, observed=chosen.observed, reference=chosen.reference)
    return Unknown(unknown[0].reason, frozenset(n for u in unknown for n in u.needs), within)


def _reported_as(analyte: LabTerm | None, m: Measurement) -> bool:
    """False for an uncoded result in a unit that the test is not reported in: a share of neutrophils is no count of them."""
    value = _as_reported(m.value, analyte)
    return analyte is None or value is None or not analyte.units or analyte.convert(value, Unit.of(analyte.units[0])) is not None
