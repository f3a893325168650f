"""Body size: actual, ideal, adjusted and lean weight, body surface and body mass index. The formulas' numbers stand in the data file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Any

from cds_service.audit.clinical import sections, setting
from cds_service.audit.profile.demographics import Demographics
from cds_service.audit.profile.measurements import Measurements
from ontology.model.facts import Axis, Known, Unknown, UnknownReason
from ontology.model.quantities import Quantity, Unit

_KG, _M2, _KG_M2 = Unit.of("kg"), Unit.of("m2"), Unit.of("kg/m2")
_CM_AN_INCH = Decimal("2.54")
_HUNDRED = Decimal(100)
_PLACES = Decimal("0.001")


@dataclass(frozen=True)
class Body:
    """The body of one patient."""

    who: Demographics
    measurements: Measurements

    def value(self, axis: Axis) -> Known | Unknown:
        """The patient's place on an axis of weight, surface or mass index."""
        by_axis = {Axis.WEIGHT: "weight", Axis.WEIGHT_IDEAL: "ideal", Axis.WEIGHT_ADJUSTED: "adjusted", Axis.WEIGHT_LEAN: "lean"}
        if axis in by_axis:
            found: Known | Unknown = getattr(self, by_axis[axis])
            return found
        return self.surface if axis is Axis.BSA else self.mass_index

    @cached_property
    def weight(self) -> Known | Unknown:
        """Actual weight in kg; a young child's is stale after days."""
        fact = self.measurements.weight(self.who.adult)
        days = self.who.days
        row = next((r for r in sections()["weight_of_child"] if days is not None and days < r["below_days"]), None)
        if row and isinstance(fact, Known) and fact.observed and fact.observed < self.who.today - timedelta(days=row["stale_days"]):
            return Unknown(UnknownReason.STALE, frozenset({"weight"}))
        return fact

    @cached_property
    def height(self) -> Known | Unknown:
        """Height in cm."""
        return self.measurements.height(self.who.adult)

    @cached_property
    def ideal(self) -> Known | Unknown:
        """Ideal weight in kg: Devine for adults, Traub and Johnson for children from one year on."""
        height, sex, adult = self.height, self.who.sex(), self.who.adult
        if adult is None or (not adult and self.who.is_from(setting("ideal", "child")["youngest_years"]) is not True):
            return Unknown(UnknownReason.NOT_RECORDED, frozenset({"age"}))
        missing = _missing(height, sex)
        if missing or not (isinstance(height, Known) and isinstance(height.value, Quantity) and isinstance(sex, Known)):
            return Unknown(_reason(height, sex), missing)
        kg = ideal_weight(height.value.value, female=sex.value == "female", adult=adult)
        return Known(Quantity(kg, _KG), height.observed, height.reference) if kg > 0 else Unknown(UnknownReason.IMPLAUSIBLE, frozenset({"height"}))

    @cached_property
    def adjusted(self) -> Known | Unknown:
        """Adjusted weight in kg: between ideal and actual where actual is above ideal, else the actual weight."""
        return self._of_both(adjusted_weight)

    def _of_both(self, formula: Any) -> Known | Unknown:
        actual, ideal = self.weight, self.ideal
        missing = _missing(actual, ideal)
        if missing or not (isinstance(actual, Known) and isinstance(ideal, Known)):
            return Unknown(_reason(actual, ideal), missing)
        return Known(Quantity(formula(_number(actual), _number(ideal)), _KG), actual.observed, actual.reference)

    @cached_property
    def lean(self) -> Known | Unknown:
        """Lean weight in kg, after Janmahasatian."""
        weight, index, sex = self.weight, self.mass_index, self.who.sex()
        missing = _missing(weight, index, sex)
        if missing or not (isinstance(weight, Known) and isinstance(index, Known) and isinstance(sex, Known)):
            return Unknown(_reason(weight, index, sex), missing)
        kg = lean_weight(_number(weight), _number(index), female=sex.value == "female")
        return Known(Quantity(kg, _KG), weight.observed, weight.reference)

    @cached_property
    def surface(self) -> Known | Unknown:
        """Body surface in m2, after Mosteller: the root of weight in kg times height in cm through 3600."""
        return self._built(lambda kg, cm: (kg * cm / 3600).sqrt(), _M2)

    @cached_property
    def mass_index(self) -> Known | Unknown:
        """Body mass index in kg/m2: recorded weight and height, else a recorded index."""
        built = self._built(lambda kg, cm: kg / (cm / _HUNDRED) ** 2, _KG_M2)
        if isinstance(built, Known):
            return built
        stated = self.measurements.lab("bmi", _KG_M2)
        return stated if isinstance(stated, Known) else built

    def _built(self, formula: Any, unit: Unit) -> Known | Unknown:
        weight, height = self.weight, self.height
        missing = _missing(weight, height)
        if missing or not (isinstance(weight, Known) and isinstance(height, Known)):
            return Unknown(_reason(weight, height), missing)
        number = Decimal(formula(_number(weight), _number(height)))
        return Known(Quantity(number.quantize(_PLACES), unit), _older(weight, height), weight.reference)


def ideal_weight(height_cm: Decimal, *, female: bool, adult: bool) -> Decimal:
    """Ideal weight in kg. Adults: Devine 1974. Children: Traub and Johnson 1980."""
    row = setting("ideal", "adult" if adult else "child")
    above = height_cm / _CM_AN_INCH - Decimal(row["from_inches"])
    if not adult and above < 0:
        return height_cm**2 * Decimal(row["factor"])
    return Decimal(row["female_kg" if female else "male_kg"]) + Decimal(row["kg_an_inch"]) * above


def adjusted_weight(actual: Decimal, ideal: Decimal) -> Decimal:
    """Adjusted weight in kg; the actual weight where it is not above the ideal one."""
    return ideal + Decimal(setting("adjusted", "share")) * (actual - ideal) if actual > ideal else actual


def lean_weight(actual: Decimal, mass_index: Decimal, *, female: bool) -> Decimal:
    """Lean weight in kg, Janmahasatian 2005."""
    row = sections()["lean"]
    base, slope = (Decimal(row[f"{'female' if female else 'male'}_{part}"]) for part in ("base", "slope"))
    return Decimal(row["weight"]) * actual / (base + slope * mass_index)


def _number(fact: Known) -> Decimal:
    return fact.value.value if isinstance(fact.value, Quantity) else Decimal(0)


def _missing(*facts: Known | Unknown) -> frozenset[str]:
    return frozenset(n for f in facts if isinstance(f, Unknown) for n in f.needs)


def _reason(*facts: Known | Unknown) -> UnknownReason:
    return next((f.reason for f in facts if isinstance(f, Unknown)), UnknownReason.NOT_RECORDED)


def _older(*facts: Known) -> date | None:
    days: Iterable[date] = (f.observed for f in facts if f.observed is not None)
    return min(days, default=None)
