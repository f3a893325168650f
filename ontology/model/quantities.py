"""Quantities in Decimal with a unit of a closed table.

The table covers what doses, limits, patient facts and label bands are written in. `mcg`, `ug`, `µg` and `μg` are one unit. Units that
look alike but are not (CrCl in mL/min, eGFR in mL/min/1.73 m2) have different dimensions and never convert.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from ontology.model.errors import InvalidQuantity
from ontology.model.units import ALIASES, UNITS, UnitRow


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of the closed table: canonical code, dimension, and factor to the dimension's reference unit."""

    code: str
    dimension: str
    factor: Decimal

    @classmethod
    def of(cls, text: str) -> Unit:
        """The unit that a code or a printed form denotes. Raises InvalidQuantity when it is not in the table."""
        return _unit(text)

    @classmethod
    def find(cls, text: str | None) -> Unit | None:
        """The unit that the text denotes, or None."""
        if not text:
            return None
        try:
            return _unit(text)
        except InvalidQuantity:
            return None


@cache
def _unit(text: str) -> Unit:
    key = text.strip()
    code = key if key in UNITS else ALIASES.get(key) or ALIASES.get(key.casefold().replace(" ", ""))
    row: UnitRow | None = UNITS.get(code) if code else None
    if code is None or row is None:
        raise InvalidQuantity(f"unit {text!r} is not in the unit table")
    return Unit(code, row.dimension, row.factor)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A decimal value with its unit; no float ever becomes one."""

    value: Decimal
    unit: Unit

    def __post_init__(self) -> None:
        if not isinstance(self.value, Decimal):
            raise InvalidQuantity(f"quantity value {self.value!r} is not a Decimal")
        if not self.value.is_finite():
            raise InvalidQuantity(f"quantity value {self.value} is not finite")

    def to(self, unit: Unit) -> Quantity:
        """The same amount in another unit. Raises InvalidQuantity when the dimensions differ."""
        if unit.dimension != self.unit.dimension:
            raise InvalidQuantity(f"{self.unit.code} ({self.unit.dimension}) does not convert to {unit.code} ({unit.dimension})")
        if unit == self.unit:
            return self
        return Quantity(self.value * self.unit.factor / unit.factor, unit)

    def __str__(self) -> str:
        return f"{plain(self.value)} {self.unit.code}"


def plain(value: Decimal) -> str:
    """A decimal as a person writes it: no exponent, no trailing zeros added, precision kept."""
    return format(value, "f")


def quantity(value: str | int | Decimal, unit: str) -> Quantity:
    """A quantity from a number that is no float and a unit's text. Raises InvalidQuantity."""
    return Quantity(Decimal(value), Unit.of(unit))
