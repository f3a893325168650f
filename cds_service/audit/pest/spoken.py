"""Amounts, bands and the patient's values in words for cards."""

from __future__ import annotations

from decimal import Decimal

from cds_service.audit.pest.amounts import Given, OrderedAmounts
from cds_service.audit.pest.bands import Band
from ontology.model.facts import Axis, Facts, Known, Unknown
from ontology.model.guards import Category, Exposure, Guard, HasCondition, Interval, Opaque, Truth, leaves
from ontology.model.quantities import Quantity, Unit, plain
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
    Axis.WEIGHT_IDEAL: "ideal weight",
    Axis.WEIGHT_ADJUSTED: "adjusted weight",
    Axis.WEIGHT_LEAN: "lean weight",
}
_AGES = frozenset({Axis.AGE, Axis.POSTNATAL_AGE})
_GRADED = frozenset({Axis.RENAL, Axis.HEPATIC})
_ADULT, _NEWBORN, _INFANT = Decimal(18), Decimal(28), Decimal(731)
"""Years from which label dosing is for everybody; days below which an age is said in days, and in months."""
_NAMES = {"a": "years", "mo": "months", "wk": "weeks", "d": "days", "mL/min/{1.73_m2}": "mL/min/1.73 m2", "1": ""}
_SCALE_WORDS = {"esrd": "end-stage", "yes": "yes"}
_CENT = Decimal("0.01")


def amount(value: Decimal, dimension: str) -> str:
    """An amount in its reference unit as a person writes it: micrograms below 1 mg, grams from 10 g on."""
    unit = _UNITS.get(dimension, dimension if value == 1 else f"{dimension}s")
    if dimension == "mass" and value < 1:
        value, unit = value * 1000, "mcg"
    elif dimension == "mass" and value >= 10000:
        value, unit = value / 1000, "g"
    return f"{_short(value)} {unit}"


def stretch_words(days: Decimal) -> str:
    """A stretch of time as a person says it: in hours below two days, else in days."""
    return f"{_short(days)} days" if days >= 2 else f"{_short(days * 24)} hours"


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
            if leaf.axis is Axis.AGE and leaf.high is None and leaf.low == 0:
                continue  # all ages
            said.append(f"{_AXES.get(leaf.axis, leaf.detail or leaf.axis.value)} {_bounds(leaf)}".strip())
        elif isinstance(leaf, Category):
            said.append(_scale_words(leaf))
        elif isinstance(leaf, HasCondition):
            said.append(leaf.words)
        elif isinstance(leaf, Opaque):
            said.append(f"“{leaf.text}”")
        elif isinstance(leaf, Exposure):
            continue
    return ", ".join(dict.fromkeys(s for s in said if s))


def _scale_words(leaf: Category) -> str:
    """Words of a scale as a person says them: "no renal impairment", "mild or moderate hepatic impairment", "Child-Pugh B or C"."""
    values = [_SCALE_WORDS.get(v, v.replace("-", " ")) for v in leaf.values]
    listed = f"{', '.join(values[:-1])} or {values[-1]}" if len(values) > 1 else values[0]
    if leaf.axis in _GRADED:
        return f"no {_AXES[leaf.axis]}" if leaf.values == ("none",) else f"{listed} {_AXES[leaf.axis]}"
    if leaf.axis in (Axis.PREGNANCY, Axis.LACTATION, Axis.DIALYSIS):
        name = _AXES.get(leaf.axis, leaf.axis.value)
        return name if leaf.values == ("yes",) else f"no {name}" if leaf.values == ("no",) else f"{name} ({listed})"
    return f"{_name_of(leaf)} {listed}"


def fact_words(fact: Known) -> str:
    """A fact about the patient as a person says it."""
    value = fact.value
    if isinstance(value, bool):
        return ""
    if isinstance(value, Quantity):
        unit = _NAMES.get(value.unit.code, value.unit.code)
        number = str(int(value.value)) if value.unit.dimension == "time" and value.value >= 1 else _short(value.value)
        return f"age {number} {unit}" if value.unit.dimension == "time" else f"{number} {unit}".strip()
    return value.replace("-", " ")


def patient_words(guard: Guard | None, facts: Facts, *, dated: bool = False) -> str:
    """The patient's own values on what a guard asks and that meet it: "eGFR 40 mL/min/1.73 m2, Child-Pugh C", `dated` with the day of each."""
    said: list[str] = []
    for leaf in leaves(guard):
        if isinstance(leaf, Interval | Category) and not _is_any_adult(leaf) and leaf.evaluate(facts).truth is Truth.TRUE:
            unit = Unit.find(leaf.unit) if isinstance(leaf, Interval) else None
            found = _age(facts) if leaf.axis in _AGES else facts.value(leaf.axis, leaf.detail, unit)
            words = _value_words(leaf, found) if isinstance(found, Known) else _possible_words(leaf, found)
            day = f" ({found.observed.isoformat()})" if dated and words and isinstance(found, Known) and found.observed and leaf.axis not in _AGES else ""
            said.append(f"{words}{day}")
    return ", ".join(dict.fromkeys(w for w in said if w))


def _is_any_adult(leaf: Interval | Category) -> bool:
    """True for "adults": it tells nothing of the patient that decides a dose."""
    return isinstance(leaf, Interval) and leaf.axis is Axis.AGE and leaf.high is None and leaf.low is not None and leaf.unit == "a" and leaf.low <= _ADULT


def _age(facts: Facts) -> Known | Unknown:
    """The age in the unit that a person uses: days to four weeks, months to two years, then years."""
    found: Known | Unknown = facts.value(Axis.AGE, None, Unit.of("d"))
    days = found.value.value if isinstance(found, Known) and isinstance(found.value, Quantity) else None
    return found if days is None or days < _NEWBORN else facts.value(Axis.AGE, None, Unit.of("mo" if days < _INFANT else "a"))


def _value_words(leaf: Interval | Category, fact: Known) -> str:
    """A value with the name of what was measured; empty for a word that says nothing."""
    value = fact.value
    if isinstance(value, bool) or value in ("yes", "no", "none"):
        return ""
    if isinstance(value, Quantity):
        if leaf.axis in _AGES:
            return f"age {int(value.value)} {_counted(_NAMES.get(value.unit.code, value.unit.code), int(value.value))}"
        unit = _NAMES.get(value.unit.code, value.unit.code)
        if leaf.axis is Axis.CHILD_PUGH:
            return f"Child-Pugh score {_short(value.value)}"
        return f"{_AXES.get(leaf.axis, leaf.detail or leaf.axis.value)} {_short(value.value)} {unit}".strip()
    word = value.replace("-", " ")
    if leaf.axis is Axis.CHILD_PUGH and len(word) > 1:
        return f"Child-Pugh score {word}"
    if leaf.axis in _GRADED:
        return f"{word} {_AXES[leaf.axis]}"
    if leaf.axis is Axis.PREGNANCY:
        return f"pregnancy ({word})"
    return word if leaf.axis is Axis.SEX else f"{_name_of(leaf)} {word}"


def _name_of(leaf: Interval | Category) -> str:
    """What an axis is called: a genotype by its gene."""
    return leaf.detail if leaf.axis is Axis.GENOTYPE and leaf.detail else _AXES.get(leaf.axis, leaf.detail or leaf.axis.value)


def _possible_words(leaf: Interval | Category, fact: Unknown) -> str:
    """What is known of a fact that decides although it is not known exactly: the grades that are possible, the numbers that it lies between."""
    if fact.within is not None and fact.within.shown:
        return f"{_AXES.get(leaf.axis, leaf.axis.value)} {fact.within.shown}"
    among = fact.among - {"none"}
    return f"{_AXES[leaf.axis]} of a grade that the record leaves open" if among and leaf.axis in _GRADED else ""


def _counted(unit: str, number: int | str | None) -> str:
    return unit.removesuffix("s") if str(number) == "1" and unit in _NAMES.values() else unit


def _bounds(leaf: Interval) -> str:
    unit = _NAMES.get(leaf.unit, leaf.unit)
    low, high = (None if x is None else _short(x) for x in (leaf.low, leaf.high))
    if low is not None and high is not None:
        return f"{low} to {high} {unit}" if low != high else f"{low} {unit}"
    if low is not None:
        return f"{'above' if leaf.low_open else 'from'} {low} {_counted(unit, low)}"
    return f"{'below' if leaf.high_open else 'up to'} {high} {_counted(unit, high)}"


def _short(value: Decimal) -> str:
    rounded = (
        value.quantize(_CENT)
        if value < 100
        else value.quantize(Decimal(1))
        if value == value.to_integral_value() or value >= 1000
        else value.quantize(Decimal("0.1"))
    )
    return plain(rounded.normalize()) if rounded else "0"
