"""What joins the concentrations of an analyte: its molar mass and its charge.

Laboratories report one analyte as mass, as amount of substance or as equivalents (creatinine in mg/dL or umol/L, calcium in mg/dL, mmol/L or
mEq/L). The three are dimensions of their own; only the analyte's own numbers lead from one to another.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from ontology.model.errors import InvalidQuantity
from ontology.model.quantities import Quantity, Unit

_MASS, _SUBSTANCE, _EQUIVALENT = Unit.of("mg/dL"), Unit.of("mmol/L"), Unit.of("meq/L")
_MG_DL_IN_MG_L = 10


@dataclass(frozen=True, slots=True)
class Analyte:
    """Molar mass in g/mol, and equivalents a mole; None where laboratories do not convert by it."""

    molar_mass: Decimal | None = None
    charge: int | None = None

    def __post_init__(self) -> None:
        if self.molar_mass is not None and not (self.molar_mass.is_finite() and self.molar_mass > 0):
            raise InvalidQuantity(f"molar mass {self.molar_mass} is no positive number")
        if self.charge is not None and self.charge < 1:
            raise InvalidQuantity(f"charge {self.charge} is no count of equivalents a mole")


def convert(value: Quantity, unit: Unit, analyte: Analyte | None = None) -> Quantity | None:
    """The value in the unit, by molar mass or charge where the dimensions differ; None when the two do not convert."""
    if value.unit.dimension == unit.dimension:
        return value.to(unit)
    if analyte is None:
        return None
    amount = _in_mmol_l(value, analyte)
    if amount is None:
        return None
    if unit.dimension == _SUBSTANCE.dimension:
        return Quantity(amount, _SUBSTANCE).to(unit)
    if unit.dimension == _MASS.dimension and analyte.molar_mass is not None:
        return Quantity(amount * analyte.molar_mass / _MG_DL_IN_MG_L, _MASS).to(unit)
    if unit.dimension == _EQUIVALENT.dimension and analyte.charge is not None:
        return Quantity(amount * analyte.charge, _EQUIVALENT).to(unit)
    return None


def _in_mmol_l(value: Quantity, analyte: Analyte) -> Decimal | None:
    """The amount of substance in mmol/L, or None where nothing leads to it."""
    dimension = value.unit.dimension
    if dimension == _SUBSTANCE.dimension:
        return value.to(_SUBSTANCE).value
    if dimension == _MASS.dimension and analyte.molar_mass is not None:
        return value.to(_MASS).value * _MG_DL_IN_MG_L / analyte.molar_mass
    if dimension == _EQUIVALENT.dimension and analyte.charge is not None:
        return value.to(_EQUIVALENT).value / analyte.charge
    return None
