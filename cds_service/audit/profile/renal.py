"""Renal function: what the record states, and what it allows to compute.

Stated values come before computed ones, computed ones before coded stages. Where several numbers are possible (weights far apart, sex or age not
recorded, only the other measure known) the answer is the range they span: it decides a band that holds all of it, and is a gap elsewhere.
While creatinine is changing no formula holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from cds_service.audit.clinical import sections, setting
from cds_service.audit.profile.body import Body
from cds_service.audit.profile.demographics import Demographics
from cds_service.audit.profile.kidney_record import IMPAIRED, NEED, KidneyRecord
from cds_service.audit.profile.measurements import Measurements
from cds_service.audit.profile.ranges import TENTH, least, most, share_of, span
from cds_service.audit.profile.renal_formulas import ckd_epi_2021, cockcroft_gault, pottel, schwartz
from cds_service.intake.prescription import Source
from ontology.model.facts import Axis, Known, Range, Unknown, UnknownReason
from ontology.model.quantities import Quantity, Unit

_MG_DL, _ML_MIN, _INDEXED = Unit.of("mg/dL"), Unit.of("mL/min"), Unit.of("mL/min/{1.73_m2}")
_GRADES = ("none", "mild", "moderate", "severe", "esrd")
_WEIGHTS = ("ideal", "adjusted", "actual")


@dataclass(frozen=True)
class Renal:
    """The kidneys of one patient."""

    who: Demographics
    measurements: Measurements
    body: Body

    def value(self, axis: Axis, detail: str | None = None) -> Known | Unknown:
        """Creatinine clearance, eGFR, creatinine, dialysis or the grade of impairment. `detail` are the label's words for the clearance it means."""
        if axis is Axis.SCR:
            return self.measurements.lab("creatinine", _MG_DL)
        if axis is Axis.DIALYSIS:
            return self.dialysis
        if axis is Axis.RENAL:
            return self.grade
        if axis is Axis.CRCL_INDEXED:
            return self.indexed_clearance
        return self.clearance_by(detail) if axis is Axis.CRCL else self.filtration

    @cached_property
    def record(self) -> KidneyRecord:
        """What the problem list and the notes say of the kidneys."""
        return KidneyRecord(self.who, self.measurements)

    @property
    def unstable(self) -> str | None:
        """Why no formula holds now; None where creatinine is steady."""
        return self.record.unstable

    @cached_property
    def dialysis(self) -> Known | Unknown:
        """The kind of dialysis or `yes`; `no` where a problem list read whole does not say it, or the kidneys work too well for it."""
        if self.record.dialysis is not None:
            return self.record.dialysis
        if self.who.complete:
            return Known("no")
        lowest = min((low for low in (least(self._clearance), least(self._filtration)) if low is not None), default=None)
        if lowest is not None and lowest >= setting("renal", "no_dialysis_from"):
            return Known("no", approximated=True)
        return Unknown(UnknownReason.NOT_RETRIEVED, NEED)

    @cached_property
    def _creatinine(self) -> Known | Unknown:
        creatinine = self.measurements.lab("creatinine", _MG_DL)
        if isinstance(creatinine, Unknown):
            return Unknown(creatinine.reason, NEED)
        return Unknown(UnknownReason.UNSTABLE, NEED) if self.unstable else creatinine

    @cached_property
    def _people(self) -> list[tuple[int, bool]]:
        """The completed years and the sex (true for female) that the record leaves possible for an adult."""
        sex, ages = self.who.sex(), self.who.ages
        if ages is None or not self.who.adult:
            return []
        sexes = [sex.value == "female"] if isinstance(sex, Known) else [True, False]
        return [(years, female) for years in sorted({int(a) for a in ages}) for female in sexes]

    @cached_property
    def clearances(self) -> dict[str, Decimal]:
        """Cockcroft-Gault in mL/min by weight used, where age and sex are exact: `actual`, and `ideal` and `adjusted` where they differ from it."""
        return {name: values[0] for name, values in self._clearances.items()} if len(self._people) == 1 else {}

    @cached_property
    def _clearances(self) -> dict[str, list[Decimal]]:
        """Cockcroft-Gault in mL/min by weight used, for everybody whom the record leaves possible."""
        creatinine, weight = self._creatinine, self.body.weight
        if not (isinstance(creatinine, Known) and isinstance(creatinine.value, Quantity) and isinstance(weight, Known) and isinstance(weight.value, Quantity)):
            return {}
        actual, mg_dl = weight.value.value, creatinine.value.value
        weights = {"actual": actual}
        ideal = self.body.ideal
        if isinstance(ideal, Known) and isinstance(ideal.value, Quantity) and ideal.value.value < actual:
            adjusted = self.body.adjusted
            weights["ideal"] = ideal.value.value
            weights["adjusted"] = adjusted.value.value if isinstance(adjusted, Known) and isinstance(adjusted.value, Quantity) else actual
        return {
            name: [cockcroft_gault(years=y, kg=kg, creatinine_mg_dl=mg_dl, female=f) for y, f in self._people] for name, kg in weights.items() if self._people
        }

    def clearance_by(self, detail: str | None) -> Known | Unknown:
        """Creatinine clearance in mL/min by the weight that the label's words name; as `clearance` where they name none."""
        named = next((w for w in _WEIGHTS if detail and w in detail.casefold()), None)
        values = self._clearances.get(named or "") or (self._clearances.get("actual") if named else None)
        if not values or isinstance(self.measurements.lab("crcl", _ML_MIN), Known):
            return self.clearance
        return self._from(values, {named or "": values}, _ML_MIN)

    @cached_property
    def clearance(self) -> Known | Unknown:
        """Creatinine clearance in mL/min: reported, else computed; in obesity the range over actual, ideal and adjusted weight."""
        dialysed = self.record.dialysis
        return self._dialysed(dialysed, _ML_MIN) if dialysed is not None else self._clearance

    @cached_property
    def _clearance(self) -> Known | Unknown:
        reported = self.measurements.lab("crcl", _ML_MIN)
        if isinstance(reported, Known):
            return reported
        if self.unstable:
            return Unknown(UnknownReason.UNSTABLE, NEED)
        by_weight = self._clearances
        if by_weight:
            used = by_weight if self._obese else {"actual": by_weight["actual"]}
            return self._from([v for values in used.values() for v in values], used, _ML_MIN)
        return self._converted(self._filtration, self._share, _ML_MIN, "eGFR") or Unknown(self._why_none, self._missing())

    @cached_property
    def _obese(self) -> bool:
        """True when actual weight is so far above ideal that no one of the weights stands for the others."""
        ideal = self.body.ideal
        weight = self.body.weight
        if "ideal" not in self._clearances or not (isinstance(ideal, Known) and isinstance(ideal.value, Quantity)):
            return False
        return isinstance(weight, Known) and isinstance(weight.value, Quantity) and weight.value.value >= ideal.value.value * Decimal(setting("obese", "ratio"))

    @cached_property
    def filtration(self) -> Known | Unknown:
        """Filtration rate (eGFR) in mL/min/1.73 m2: reported, else CKD-EPI 2021 for adults and Schwartz for children, else the coded stage's range."""
        dialysed = self.record.dialysis
        if dialysed is not None:
            return self._dialysed(dialysed, _INDEXED)
        found = self._filtration
        if isinstance(found, Known) or found.within is not None:
            return found
        low, high = self._share
        reported = self.measurements.lab("crcl", _ML_MIN)
        return self._converted(reported, (1 / high, 1 / low), _INDEXED, "creatinine clearance") or found

    @cached_property
    def _filtration(self) -> Known | Unknown:
        if self.unstable:
            return Unknown(UnknownReason.UNSTABLE, NEED)
        reported = self.measurements.lab("egfr", _INDEXED)
        if isinstance(reported, Known):
            return reported
        creatinine = self._creatinine
        if isinstance(creatinine, Known) and isinstance(creatinine.value, Quantity):
            mg_dl = creatinine.value.value
            if self._people:
                values = [ckd_epi_2021(years=y, creatinine_mg_dl=mg_dl, female=f) for y, f in self._people]
                return self._from(values, {}, _INDEXED)
            child = self._of_child(mg_dl, creatinine)
            if child is not None:
                return child
        if isinstance(reported, Unknown) and reported.within is not None:
            return Unknown(reported.reason, NEED, reported.within)
        return self.record.staged or Unknown(self._why_none, frozenset(self._missing() - {"weight"} or NEED))

    def _of_child(self, mg_dl: Decimal, creatinine: Known) -> Known | Unknown | None:
        height, ages = self.body.height, self.who.ages
        if self.who.adult is not False or ages is None:
            return None
        if not (isinstance(height, Known) and isinstance(height.value, Quantity)):
            rate = pottel(years=ages[0], creatinine_mg_dl=mg_dl)
            low, high = (Decimal(x) for x in sections()["pottel"]["shares"])
            source = Source(creatinine.reference or "", creatinine.observed, "observations")
            within = span(rate * low, rate * high, _INDEXED, f"eGFR about {rate.quantize(TENTH)} without a height", source) if rate is not None else None
            return Unknown(UnknownReason.NOT_RECORDED, frozenset({"height"}) | NEED, within)
        found = schwartz(years=ages[0], height_cm=height.value.value, creatinine_mg_dl=mg_dl)
        if found is None:
            return None
        return Known(Quantity(found[0].quantize(TENTH), _INDEXED), creatinine.observed, creatinine.reference, approximated=not found[1])

    @cached_property
    def indexed_clearance(self) -> Known | Unknown:
        """Creatinine clearance in mL/min/1.73 m2: by the body surface where it is known, else by the surfaces that are plausible; a child's eGFR."""
        if self.who.adult is False:
            return self.filtration
        reference, surface = Decimal(setting("renal", "reference_surface_m2")), self.body.surface
        small, large = (Decimal(x) for x in setting("renal", "plausible_surface_m2"))
        if isinstance(surface, Known) and isinstance(surface.value, Quantity):
            small = large = surface.value.value
        return self._converted(self.clearance, (reference / large, reference / small), _INDEXED, "creatinine clearance") or self.clearance

    @cached_property
    def grade(self) -> Known | Unknown:
        """`none`, `mild`, `moderate`, `severe` or `esrd`: dialysis, else by clearance and eGFR, else by stage or words; several where they disagree."""
        if self.record.dialysis is not None:
            return Known("esrd", self.record.dialysis.observed, self.record.dialysis.reference)
        if self.unstable:
            return Unknown(UnknownReason.UNSTABLE, NEED, among=IMPAIRED if self.record.injured else frozenset())
        measured = bool(self._clearances) or isinstance(self.measurements.lab("crcl", _ML_MIN), Known)
        own = ((self.clearance,) if measured else ()) + (self._filtration,)
        facts = [f for f in own if isinstance(f, Known) or f.within is not None] or [f for f in (self.clearance,) if least(f) is not None]
        exact = [f for f in facts if isinstance(f, Known)]
        words = {w for f in facts for w in self._words(f)}
        worded = self.record.graded
        newborn = self.who.days is not None and self.who.days < sections()["newborn"]["below_days"]
        if not words and newborn and self.who.complete and not self.record.diseased:
            return Known("none", approximated=True)
        if not words:
            return worded or Unknown(self._why_none, self._missing())
        reference = next((f.reference for f in exact), None) or next((f.within.reference for f in facts if isinstance(f, Unknown) and f.within), None)
        observed = next((f.observed for f in exact), None)
        lowest = min((low for f in facts if (low := least(f)) is not None), default=None)
        if "none" in words and len(exact) == len(facts) and not self.record.diseased and lowest is not None and lowest >= setting("renal", "healthy_from"):
            words = {"none"}
        if len(words) == 1:
            return Known(words.pop(), observed, reference, approximated=len(exact) < len(facts))
        return Unknown(UnknownReason.TOO_BROAD, NEED, among=frozenset(words), reference=reference)

    def _words(self, fact: Known | Unknown) -> Iterable[str]:
        """The grades that a value or its range may mean. Without kidney disease a rate of 60 to 89 is no impairment."""
        low, high = least(fact), most(fact)
        grades: dict[str, int] = setting("renal", "grades")
        short = isinstance(fact, Unknown) and fact.within is not None and fact.within.high_open
        first = next(i for i, w in enumerate(_GRADES) if high is None or high > grades[w] or (high == grades[w] and not short))
        last = next((i for i, w in enumerate(_GRADES) if low is not None and low >= grades[w]), len(_GRADES) - 1)
        healthy = not self.record.diseased
        return ("none" if healthy and w == "mild" else w for w in _GRADES[first : last + 1])

    def _dialysed(self, dialysed: Known, unit: Unit) -> Unknown:
        source = Source(dialysed.reference or "", dialysed.observed, "conditions")
        return Unknown(UnknownReason.TOO_BROAD, NEED, span(Decimal(0), Decimal(setting("renal", "dialysis_below")), unit, "dialysis", source, high_open=True))

    @cached_property
    def _share(self) -> tuple[Decimal, Decimal]:
        low, high = setting("renal", "clearance_of_filtration")
        return Decimal(low), Decimal(high)

    def _converted(self, fact: Known | Unknown, shares: tuple[Decimal, Decimal], unit: Unit, called: str) -> Known | Unknown | None:
        """One measure from the other, between two shares of it; None where the other is not known either."""
        within = share_of(fact, shares, unit, called)
        return Unknown(UnknownReason.TOO_BROAD, self._missing(), within) if isinstance(within, Range) else within

    def _from(self, values: list[Decimal], by_weight: dict[str, list[Decimal]], unit: Unit) -> Known | Unknown:
        """One number as a fact; several as the range they span, each shown with what it was computed with."""
        creatinine = self._creatinine
        observed = creatinine.observed if isinstance(creatinine, Known) else None
        low, high = min(values).quantize(TENTH), max(values).quantize(TENTH)
        if low == high:
            return Known(Quantity(low, unit), observed, creatinine.reference)
        if len(by_weight) > 1 and len(self._people) == 1:
            shown = ", ".join(f"{rows[0].quantize(TENTH)} with {name} weight" for name, rows in by_weight.items()) + f" ({unit.code})"
        else:
            shown = f"{low} to {high} {unit.code}"
        source = Source(creatinine.reference or "", observed, "observations")
        return Unknown(UnknownReason.TOO_BROAD, self._missing() or NEED, span(low, high, unit, shown, source))

    @cached_property
    def _why_none(self) -> UnknownReason:
        creatinine = self._creatinine
        return creatinine.reason if isinstance(creatinine, Unknown) else UnknownReason.NOT_RECORDED

    def _missing(self) -> frozenset[str]:
        """What a formula would need beside creatinine, with renal function itself."""
        missing = set(NEED)
        if isinstance(self._creatinine, Unknown):
            return frozenset(missing)
        if self.who.ages is None or self.who.adult is None:
            missing.add("age")
        if isinstance(self.who.sex(), Unknown):
            missing.add("sex")
        if isinstance(self.body.weight, Unknown):
            missing.add("weight")
        return frozenset(missing)
