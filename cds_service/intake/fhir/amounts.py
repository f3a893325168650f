"""Quantities of a resource: plain ones, doses per kg or m2, and rates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from cds_service.intake.fhir.values import mapping, number, text
from cds_service.intake.tables import table
from ontology.model.quantities import Quantity, Unit

UCUM = "http://unitsofmeasure.org"

_PER = {"kg": "kg", "kilogram": "kg", "m2": "m2", "m^2": "m2", "{bsa}": "m2"}
_HOURS = {"min": Decimal(60), "minute": Decimal(60), "h": Decimal(1), "hr": Decimal(1), "hour": Decimal(1)}
_DAYS = {"d": "day", "day": "day", "24h": "day", "24.h": "day", "wk": "week", "week": "week"}
_DOSES = frozenset({"dose", "{dose}", "{administration}", "administration"})
_MOST_OF_A_PRODUCT = 10
"""A dose without a unit above this is no count of tablets."""

_ANNOTATION = re.compile(r"\{[^}]*\}")


@dataclass(frozen=True, slots=True)
class Said:
    """A quantity, per kg or m2 (`per`), of a day or a week (`over`), or an hour (`hourly`: a rate)."""

    quantity: Quantity
    per: str | None = None
    over: str | None = None
    hourly: bool = False


def read_quantity(value: object) -> Quantity | None:
    """A quantity whose unit the table knows. The code decides; the display text counts only without one, or beside a code of another system."""
    if value is None:
        return None
    amount, units = _number_and_units(value)
    found = next((u for u in map(Unit.find, units) if u is not None), None)
    return Quantity(amount, found) if amount is not None and found is not None else None


def read_said(value: object) -> Said | None:
    """A dose or rate with what its unit is divided by ("mg/kg", "mg/kg/d", "ug/kg/min", "mL/h"); None where one part is not known."""
    if value is None:
        return None
    plain = read_quantity(value)
    if plain is not None and "/" not in plain.unit.code:
        return Said(plain)
    amount, units = _number_and_units(value)
    if amount is None:
        return None
    return next((said for u in units if (said := _divided(amount, u)) is not None), None)


def read_count(value: object) -> Said | None:
    """A number of dose forms by HL7's codes for them, or a small number without any unit, which counts the ordered product."""
    amount, units = _number_and_units(value)
    if amount is None or amount <= 0:
        return None
    forms: dict[str, str] = table("dose_forms")["forms"]
    found = next((forms[u.upper()] for u in (*units, *units_shown(value)) if u.upper() in forms), None)
    if found is None and not units and amount <= _MOST_OF_A_PRODUCT and (amount * 4) % 1 == 0:
        found = "{dose}"
    return Said(Quantity(amount, Unit.of(found))) if found is not None else None


def units_shown(value: object) -> tuple[str, ...]:
    """The display of a quantity's unit, empty without one."""
    shown = text(mapping(value).get("unit"))
    return (shown,) if shown else ()


def read_ratio(value: object) -> Said | None:
    """A rate given as a ratio: an amount in a stretch of time, as an amount an hour."""
    ratio = mapping(value)
    top, below = read_said(ratio.get("numerator")), read_quantity(ratio.get("denominator"))
    if top is None or top.over or top.hourly or below is None or below.unit.dimension != "time" or below.value <= 0:
        return None
    minutes = {"min": Decimal(1), "h": Decimal(60), "d": Decimal(1440)}.get(below.unit.code)
    if minutes is None:
        return None
    return Said(Quantity(top.quantity.value * 60 / (below.value * minutes), top.quantity.unit), top.per, hourly=True)


def quantity_words(value: object) -> str | None:
    """A quantity as it was written, for a quantity whose unit is not in the table."""
    quantity = mapping(value)
    amount = number(quantity.get("value"))
    unit = text(quantity.get("unit")) or text(quantity.get("code"))
    return f"{amount:f} {unit or ''}".strip() if amount is not None else None


def _number_and_units(value: object) -> tuple[Decimal | None, tuple[str, ...]]:
    """The number, and the spellings of its unit that count, the one that decides first."""
    quantity = mapping(value)
    amount = number(quantity.get("value"))
    code, unit = text(quantity.get("code")), text(quantity.get("unit"))
    if code is None:
        return amount, (unit,) if unit else ()
    if (text(quantity.get("system")) or UCUM) == UCUM:
        return amount, (code,)
    return amount, (code, *((unit,) if unit else ()))


def _divided(amount: Decimal, printed: str) -> Said | None:
    first, *below = [p.strip() for p in printed.split("/")]
    unit = Unit.find(first)
    if unit is None:
        return None
    per: str | None = None
    over: str | None = None
    hours: Decimal | None = None
    for part in below:
        word = part.lower() if part.lower() in _DOSES else (_ANNOTATION.sub("", part).strip().lower() or part.lower())
        if word in _PER and per is None:
            per = _PER[word]
        elif word in _HOURS and hours is None and over is None:
            hours = _HOURS[word]
        elif word in _DAYS and over is None and hours is None:
            over = _DAYS[word]
        elif word not in _DOSES:
            return None
    return Said(Quantity(amount * (hours or 1), unit), per, over, hours is not None)
