"""Renal function: what the record states, and what it allows to compute.

Stated values come before computed ones. Creatinine clearance is Cockcroft-Gault with each weight the record allows (actual, ideal,
adjusted); eGFR is CKD-EPI 2021. A rise of creatinine by 0.3 mg/dL within 48 hours makes both unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from functools import cached_property

from cds_service.audit.clinical import analytes, setting, signs
from cds_service.audit.profile.demographics import Demographics
from cds_service.audit.profile.measurements import Measurements
from ontology.model.analytes import convert
from ontology.model.facts import Axis, Known, Unknown, UnknownReason
from ontology.model.quantities import Quantity, Unit

_MG_DL, _ML_MIN, _INDEXED = Unit.of("mg/dL"), Unit.of("mL/min"), Unit.of("mL/min/{1.73_m2}")
_NEED = frozenset({"renal-function"})
_TENTH = Decimal("0.1")


@dataclass(frozen=True)
class Renal:
    """The kidneys of one patient."""

    who: Demographics
    measurements: Measurements

    def value(self, axis: Axis) -> Known | Unknown:
        """Creatinine clearance, eGFR, creatinine, dialysis or the grade of impairment."""
        if axis is Axis.SCR:
            return self.measurements.lab("creatinine", _MG_DL)
        if axis is Axis.DIALYSIS:
            return self.dialysis
        if axis is Axis.RENAL:
            return self.grade
        return self.clearance if axis in (Axis.CRCL, Axis.CRCL_INDEXED) else self.filtration

    @cached_property
    def dialysis(self) -> Known | Unknown:
        """`yes` by code or words, `no` when a problem list read whole does not say it."""
        found = signs("dialysis")
        for c in self.who.prescription.patient.conditions:
            if c.status == "active" and found.names(c.codes, c.text):
                return Known("yes", c.source.date, c.source.reference)
        return Known("no") if self.who.complete else Unknown(UnknownReason.NOT_RETRIEVED, _NEED)

    @cached_property
    def _creatinine(self) -> Known | Unknown:
        creatinine = self.measurements.lab("creatinine", _MG_DL)
        if isinstance(creatinine, Unknown):
            return Unknown(creatinine.reason, _NEED)
        return Unknown(UnknownReason.UNSTABLE, _NEED) if self._unstable() else creatinine

    def _unstable(self) -> bool:
        """True when creatinine rose by the limit of the data file within its window before the newest value."""
        entry = analytes()["creatinine"]
        rows = [m for m in self.measurements.coded(entry.loinc, entry.names) if m.value is not None and m.source.date is not None]
        if len(rows) < 2 or rows[0].value is None or rows[0].source.date is None:
            return False
        newest, since = convert(rows[0].value, _MG_DL, entry.analyte), rows[0].source.date - timedelta(days=setting("renal", "unstable_days"))
        earlier = [convert(m.value, _MG_DL, entry.analyte) for m in rows[1:] if m.value is not None and m.source.date is not None and m.source.date >= since]
        rise = Decimal(setting("renal", "unstable_rise_mg_dl"))
        return newest is not None and any(e is not None and newest.value - e.value >= rise for e in earlier)

    @cached_property
    def clearances(self) -> dict[str, Decimal]:
        """Cockcroft-Gault in mL/min by weight used: `actual`, and `ideal` and `adjusted` where height is known. Empty when not computable."""
        creatinine, years, sex = self._creatinine, self.who.years, self.who.sex()
        weight = self.measurements.weight(self.who.adult)
        if not isinstance(creatinine, Known) or years is None or not self.who.adult or not isinstance(sex, Known) or not isinstance(weight, Known):
            return {}
        if not isinstance(creatinine.value, Quantity) or not isinstance(weight.value, Quantity) or creatinine.value.value <= 0:
            return {}
        weights = {"actual": weight.value.value}
        height = self.measurements.height(self.who.adult)
        if isinstance(height, Known) and isinstance(height.value, Quantity):
            base = Decimal(50) if sex.value == "male" else Decimal("45.5")
            ideal = base + Decimal("2.3") * (height.value.value / Decimal("2.54") - 60)
            if ideal > 0 and weights["actual"] > ideal:
                weights |= {"ideal": ideal, "adjusted": ideal + Decimal("0.4") * (weights["actual"] - ideal)}
        factor = Decimal("0.85") if sex.value == "female" else Decimal(1)
        whole_years = Decimal(int(years))
        return {name: (140 - whole_years) * w * factor / (72 * creatinine.value.value) for name, w in weights.items()}

    @cached_property
    def clearance(self) -> Known | Unknown:
        """Creatinine clearance in mL/min: measured, else computed with actual weight where the three weights agree within the data file's limit."""
        stated = self.measurements.lab("crcl", _ML_MIN)
        if isinstance(stated, Known):
            return stated
        if isinstance(self._creatinine, Unknown):
            return self._creatinine
        found = self.clearances
        if not found:
            return Unknown(UnknownReason.NOT_RECORDED, frozenset(self._missing() or _NEED))
        if max(found.values()) - min(found.values()) > Decimal(setting("renal", "weights_agree_within")) * found["actual"]:
            return Unknown(UnknownReason.TOO_BROAD, _NEED)
        creatinine = self._creatinine
        return Known(Quantity(found["actual"].quantize(_TENTH), _ML_MIN), creatinine.observed, creatinine.reference)

    def _missing(self) -> set[str]:
        missing = set()
        if self.who.years is None:
            missing.add("age")
        if isinstance(self.who.sex(), Unknown):
            missing.add("sex")
        if isinstance(self.measurements.weight(self.who.adult), Unknown):
            missing.add("weight")
        return missing | ({"renal-function"} if missing else set())

    @cached_property
    def filtration(self) -> Known | Unknown:
        """Filtration rate (eGFR) in mL/min/1.73 m2: stated, else CKD-EPI 2021 for adults."""
        stated = self.measurements.lab("egfr", _INDEXED)
        if isinstance(stated, Known):
            return Unknown(UnknownReason.UNSTABLE, _NEED) if self._unstable() else stated
        creatinine, years, sex = self._creatinine, self.who.years, self.who.sex()
        if isinstance(creatinine, Unknown):
            return creatinine
        if years is None or not self.who.adult or not isinstance(sex, Known) or not isinstance(creatinine.value, Quantity) or creatinine.value.value <= 0:
            return Unknown(UnknownReason.NOT_RECORDED, frozenset(self._missing() - {"weight"} or _NEED))
        female = sex.value == "female"
        ratio = creatinine.value.value / Decimal("0.7" if female else "0.9")
        low = min(ratio, Decimal(1)) ** Decimal("-0.241" if female else "-0.302")
        high = max(ratio, Decimal(1)) ** Decimal("-1.200")
        egfr = 142 * low * high * Decimal("0.9938") ** int(years) * (Decimal("1.012") if female else Decimal(1))
        return Known(Quantity(egfr.quantize(_TENTH), _INDEXED), creatinine.observed, creatinine.reference)

    @cached_property
    def grade(self) -> Known | Unknown:
        """`none`, `mild`, `moderate`, `severe` or `esrd`: dialysis, else by clearance or eGFR, else by the coded stage of kidney disease."""
        if isinstance(self.dialysis, Known) and self.dialysis.value == "yes":
            return Known("esrd", self.dialysis.observed, self.dialysis.reference)
        words = {self._word(f) for f in (self.clearance, self.filtration) if isinstance(f, Known)}
        if len(words) == 1:
            measured = self.clearance if isinstance(self.clearance, Known) else self.filtration
            reference = measured.reference if isinstance(measured, Known) else None
            return Known(words.pop(), measured.observed if isinstance(measured, Known) else None, reference)
        if len(words) > 1:
            return Unknown(UnknownReason.TOO_BROAD, _NEED)
        return self._staged() or (self.clearance if isinstance(self.clearance, Unknown) else Unknown(UnknownReason.NOT_RECORDED, _NEED))

    def _word(self, fact: Known) -> str:
        number = fact.value.value if isinstance(fact.value, Quantity) else Decimal(0)
        grades: dict[str, int] = setting("renal", "grades")
        return next(word for word, low in grades.items() if number >= low)

    def _staged(self) -> Known | None:
        stages: dict[str, str] = setting("renal", "stages")
        for c in self.who.prescription.patient.conditions:
            for code in c.codes:
                word = next((w for prefix, w in stages.items() if code.system == "icd10cm" and code.value.startswith(prefix)), None)
                if word and c.status == "active":
                    return Known(word, c.source.date, c.source.reference)
        return None
