"""The patient's measurements: weight, height, laboratory values, each the latest plausible one, in the unit asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from cds_service.audit.clinical import analytes, setting, words
from cds_service.intake.prescription import Measurement, Prescription, Retrieval
from ontology.model.analytes import convert
from ontology.model.facts import Known, Unknown, UnknownReason
from ontology.model.identifiers import normal_words
from ontology.model.quantities import Unit
from ontology.terms.entries import LabTerm

_KG, _CM, _ADULT_DAYS = Unit.of("kg"), Unit.of("cm"), Decimal("365.25")


@dataclass(frozen=True, slots=True)
class Measurements:
    """All measurements of a prescription, newest first. `state` is how the kind was retrieved; a list not complete makes absence unknown."""

    rows: tuple[Measurement, ...]
    state: Retrieval
    today: date

    @classmethod
    def of(cls, prescription: Prescription) -> Measurements:
        """The measurements of a prescription."""
        rows = sorted(prescription.patient.measurements, key=lambda m: (m.source.date or date.min, m.source.reference), reverse=True)
        state = prescription.retrieval.get("observations", Retrieval.NOT_RETRIEVED)
        return cls(tuple(rows), state, prescription.reference_time.date())

    @property
    def absent(self) -> UnknownReason:
        """Why a value that is not among the measurements is unknown."""
        reasons = {Retrieval.NOT_RETRIEVED: UnknownReason.NOT_RETRIEVED, Retrieval.INCOMPLETE: UnknownReason.INCOMPLETE}
        return reasons.get(self.state, UnknownReason.NOT_RECORDED)

    def coded(self, loinc: Iterable[str], names: Iterable[str] = ()) -> list[Measurement]:
        """The measurements with one of the LOINC codes, or without a code and with one of the names; newest first."""
        wanted, called = frozenset(loinc), frozenset(names)
        return [m for m in self.rows if (m.code.value in wanted if m.code and m.code.system == "loinc" else normal_words(m.text) in called)]

    def weight(self, adult: bool | None) -> Known | Unknown:
        """Body weight in kg. A child's weight is stale after the days the data file names."""
        lowest = Decimal(setting("weight", "adult_lowest_kg") if adult else str(setting("weight", "lowest_kg")))
        fact = self._body("weight", _KG, lowest, Decimal(setting("weight", "highest_kg")))
        if adult is False and isinstance(fact, Known) and fact.observed and fact.observed < self.today - timedelta(days=setting("weight", "stale_days_child")):
            return Unknown(UnknownReason.STALE, frozenset({"weight"}))
        return fact

    def height(self, adult: bool | None) -> Known | Unknown:
        """Body height in cm."""
        lowest = Decimal(setting("height", "adult_lowest_cm") if adult else setting("height", "lowest_cm"))
        return self._body("height", _CM, lowest, Decimal(setting("height", "highest_cm")))

    def lab(self, detail: str | None, unit: Unit | None) -> Known | Unknown:
        """The current value of an analyte named by LOINC code or by the label's words, in the unit asked for."""
        analyte = analytes().get(normal_words(detail or ""))
        needs = frozenset({f"lab:{analyte.called if analyte else (detail or '').casefold()}" if detail else "lab"})
        found = self.coded(analyte.loinc, analyte.names) if analyte else self.coded({detail or ""}, {normal_words(detail or "")})
        if not found:
            return Unknown(self.absent, needs)
        newest = next((m for m in found if m.code or _reported_as(analyte, m)), found[0])
        if newest.source.date and newest.source.date < self.today - timedelta(days=setting("labs", "stale_days")):
            return Unknown(UnknownReason.STALE, needs)
        if newest.value is None:
            return (
                Unknown(UnknownReason.NOT_RECORDED, needs) if newest.word is None or unit else Known(newest.word, newest.source.date, newest.source.reference)
            )
        if newest.comparator:
            # A bound is no value: "< 15" is not 15.
            return Unknown(UnknownReason.TOO_BROAD, needs)
        if analyte and not analyte.plausible(newest.value):
            return Unknown(UnknownReason.IMPLAUSIBLE, needs)
        value = convert(newest.value, unit, analyte.analyte if analyte else None) if unit else newest.value
        return Unknown(UnknownReason.IMPLAUSIBLE, needs) if value is None else Known(value, newest.source.date, newest.source.reference)

    def _body(self, what: str, unit: Unit, lowest: Decimal, highest: Decimal) -> Known | Unknown:
        needs = frozenset({what})
        rows = [m for m in self.coded(setting(what, "loinc"), words(what)) if m.value is not None and not m.comparator]
        if not rows:
            return Unknown(self.absent, needs)
        for m in rows:
            value = convert(m.value, unit) if m.value else None
            if value is not None and lowest <= value.value <= highest:
                return Known(value, m.source.date, m.source.reference)
        return Unknown(UnknownReason.IMPLAUSIBLE, needs)


def _reported_as(analyte: LabTerm | None, m: Measurement) -> bool:
    """False for an uncoded result in a unit that the test is not reported in: a share of neutrophils is no count of them."""
    return analyte is None or m.value is None or not analyte.units or analyte.convert(m.value, Unit.of(analyte.units[0])) is not None
