"""Amounts, bands and the patient's values in words for cards."""

from __future__ import annotations

from decimal import Decimal

from cds_service.audit.pest.amounts import Given, OrderedAmounts
from cds_service.audit.pest.bands import Band
from ontology.model.facts import Axis, Known
from ontology.model.guards import Category, Exposure, HasCondition, Interval, Opaque, leaves
from ontology.model.quantities import Quantity, plain
from ontology.store.records import Rule

_UNITS = {"mass": "mg", "volume": "mL", "activity": "units", "equivalents": "mEq", "substance": "mmol", "radioactivity": "MBq"}
_AXES = {
    Axis.CRCL: "creatinine clearance",
    Axis.CRCL_INDEXED: "creatinine clearance",
    Axis.EGFR: "eGFR",
    Axis.SCR: "serum creatinine",
    Axis.RENAL: "renal impairment",
    Axis.DIALYSIS: "dialysis",
    Axis.HEPATIC: "hepatic impairment",
    Axis.CHILD_PUGH: "Child-Pugh",
    Axis.POSTNATAL_AGE: "age",
    Axis.GESTATIONAL_AGE: "gestational age",
    Axis.BSA: "body surface",
    Axis.GENOTYPE: "genotype",
}
_NAMES = {"a": "years", "mo": "months", "wk": "weeks", "d": "days", "mL/min/{1.73_m2}": "mL/min/1.73 m2", "1": ""}
_CENT = Decimal("0.01")


def amount(value: Decimal, dimension: str) -> str:
    """An amount in its reference unit as a person writes it: micrograms below 1 mg, grams from 10 g on."""
    unit = _UNITS.get(dimension, dimension if value == 1 else f"{dimension}s")
    if dimension == "mass" and value < 1:
        value, unit = value * 1000, "mcg"
    elif dimension == "mass" and value >= 10000:
        value, unit = value / 1000, "g"
    return f"{_short(value)} {unit}"


def ordered_words(ordered: OrderedAmounts, dimension: str, per: str) -> str:
    """What the order gives, over the stretch compared."""
    given: Given = ordered.given[dimension]
    value = given.single_high if per == "dose" else given.daily_high
    if value is None:
        value = given.single_high if given.single_high is not None else Decimal(0)
        per = "dose"
    return f"{amount(value, dimension)} {'a day' if per != 'dose' else 'a dose'}"


def allowed_words(band: Band, per: str) -> str:
    """What a band allows, over the stretch compared."""
    low, high = (band.single_low, band.single_high) if per == "dose" else (band.daily_low, band.daily_high)
    if high is None:
        return "another dose"
    stretch = "a dose" if per == "dose" else "a day"
    if band.period_days >= 2 and band.single_high is not None:
        return f"{amount(band.single_high, band.dimension)} every {_short(band.period_days)} days"
    shown = amount(high, band.dimension)
    if low is not None and low > 0 and low != high:
        shown = f"{amount(low, band.dimension)} to {shown}"
    return f"{shown} {stretch}"


def condition_words(rule: Rule) -> str:
    """What a rule's guard asks of the patient, in a few words: "eGFR 30 to 50 mL/min/1.73 m2, age from 60 years"."""
    said: list[str] = []
    for leaf in leaves(rule.guard):
        if isinstance(leaf, Interval):
            said.append(f"{_AXES.get(leaf.axis, leaf.detail or leaf.axis.value)} {_bounds(leaf)}".strip())
        elif isinstance(leaf, Category):
            said.append(f"{_AXES.get(leaf.axis, leaf.axis.value)} {' or '.join(v.replace('-', ' ') for v in leaf.values)}")
        elif isinstance(leaf, HasCondition):
            said.append(leaf.words)
        elif isinstance(leaf, Opaque):
            said.append(f"“{leaf.text}”")
        elif isinstance(leaf, Exposure):
            continue
    return ", ".join(dict.fromkeys(s for s in said if s))


def fact_words(fact: Known) -> str:
    """A fact about the patient as a person says it."""
    value = fact.value
    if isinstance(value, bool):
        return ""
    if isinstance(value, Quantity):
        unit = _NAMES.get(value.unit.code, value.unit.code)
        number = str(int(value.value)) if value.unit.code == "a" and value.value >= 1 else _short(value.value)
        return f"age {number} {unit}" if value.unit.dimension == "time" else f"{number} {unit}".strip()
    return value.replace("-", " ")


def _bounds(leaf: Interval) -> str:
    unit = _NAMES.get(leaf.unit, leaf.unit)
    low, high = (None if x is None else _short(x) for x in (leaf.low, leaf.high))
    if low is not None and high is not None:
        return f"{low} to {high} {unit}" if low != high else f"{low} {unit}"
    if low is not None:
        return f"{'above' if leaf.low_open else 'from'} {low} {unit}"
    return f"{'below' if leaf.high_open else 'up to'} {high} {unit}"


def _short(value: Decimal) -> str:
    rounded = (
        value.quantize(_CENT)
        if value < 100
        else value.quantize(Decimal(1))
        if value == value.to_integral_value() or value >= 1000
        else value.quantize(Decimal("0.1"))
    )
    return plain(rounded.normalize()) if rounded else "0"
