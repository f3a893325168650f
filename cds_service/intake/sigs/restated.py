"""One dose that is said twice: in a bracket, behind an equals sign, right beside the first saying, as the ends of a range."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ontology.model.dosing import AmountBasis
from ontology.model.quantities import Quantity, Unit
from ontology.text.dosing.quantities import Quantified, Role, is_mass

_BRACKET = re.compile(r"\s*(?:(?:of\s+)?[A-Za-z]+\s+)?[(\[]\s*=?\s*(?P<inside>[^()\[\]]{1,80})[)\]]")
_EQUALS = re.compile(r"\s*(?:=|/)\s*(?=[\d.])")
_EACH = re.compile(r"\b(?:each|per|/)\b|=", re.IGNORECASE)
_JOIN = re.compile(r"\s*(?P<range>-|~|to)\s*|\s*,?\s*or\s+", re.IGNORECASE)
_SEVERAL = re.compile(r"\d\s*(?:mg|mcg|g|units)?\s*[-/+]\s*\d", re.IGNORECASE)
_NEXT_TO = re.compile(r"\s*(?:,|:|-|x|of)?\s*(?:each\s*)?", re.IGNORECASE)
_OF = re.compile(r"\s*(?:x|of)\s*", re.IGNORECASE)
_EACH_BEHIND = re.compile(r"\s*(?:each|apiece)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dosed:
    """A dose at `[start, end)` of the plain text. `counted` is the same dose in tablets or millilitres; `of_day` where the amount is that of a day."""

    start: int
    end: int
    low: Quantity
    high: Quantity
    per: str | None = None
    counted: Quantity | None = None
    of_day: bool = False
    of_week: bool = False
    bare: bool = False  # a count without a unit


def with_second_saying(text: str, dose: Dosed, following: Sequence[Quantified]) -> tuple[Dosed, int]:
    """The dose with what a bracket or an equals sign behind it says of it, and where that ends. The mass decides."""
    bracket, equals = _BRACKET.match(text, dose.end), _EQUALS.match(text, dose.end)
    if bracket is not None:
        start, end, whole = *bracket.span("inside"), bracket.end()
    elif equals is not None and following and following[0].start == equals.end():
        start, end, whole = following[0].start, following[0].end, following[0].end
    else:
        return dose, dose.end
    inside = [q for q in following if q.start >= start and q.end <= end]
    masses = [q for q in inside if is_mass(q.unit)]
    others = [q for q in inside if not is_mass(q.unit) and q.basis is AmountBasis.FLAT]
    if not inside or any(q.role is Role.RATE for q in inside):
        return dose, dose.end
    if dose.per is not None and len(masses) == 1 and masses[0].basis is AmountBasis.FLAT and (flat := _quantity(masses[0])) is not None:
        return replace(dose, low=Quantity(masses[0].low, flat.unit), high=flat, per=None), whole
    if is_mass(dose.high.unit.code):
        said = _quantity(others[0]) if len(others) == 1 and not masses else None
        return replace(dose, counted=said), whole
    if len(masses) != 1 or masses[0].basis is not AmountBasis.FLAT or masses[0].role is Role.CONCENTRATION:
        return dose, whole
    mass, unit = masses[0], Unit.find(masses[0].unit)
    combined = dose.low == dose.high and _SEVERAL.search(text, start, end) is not None
    if unit is None or mass.formula is not None or combined:
        return dose, whole
    each = len(others) == 1 and others[0].high == 1 and others[0].start < mass.start
    if each or _EACH.search(text, mass.end, end):
        return replace(dose, low=Quantity(dose.low.value * mass.high, unit), high=Quantity(dose.high.value * mass.high, unit), counted=dose.high), whole
    return replace(dose, low=Quantity(mass.low, unit), high=Quantity(mass.high, unit), counted=dose.high), whole


def _quantity(q: Quantified) -> Quantity | None:
    unit = Unit.find(q.unit)
    return Quantity(q.high, unit) if unit is not None else None


def joined(text: str, last: Dosed, dose: Dosed) -> Dosed | None:
    """Two amounts as one range or choice ("1 tablet or 2 tablets", "500 mg to 1 g"); None where they are two doses."""
    if not last.end <= dose.start <= last.end + 10 or _JOIN.fullmatch(text, last.end, dose.start) is None:
        return None
    if last.high.unit.dimension != dose.high.unit.dimension or last.per not in (None, dose.per) or last.bare:
        return None
    low, high = sorted((last.low, dose.high), key=lambda q: q.value * q.unit.factor)
    return replace(dose, start=last.start, low=low, high=high)


def is_pair(text: str, last: Dosed, dose: Dosed) -> bool:
    """True for two falling amounts with a hyphen between ("250 mg-125 mg"): the strengths of a combination, no range."""
    apart = _JOIN.fullmatch(text, last.end, dose.start) if last.end <= dose.start else None
    falling = last.high.unit == dose.high.unit and last.high.value > dose.high.value
    return apart is not None and apart["range"] == "-" and falling and last.counted is None


def beside(text: str, last: Dosed, dose: Dosed) -> Dosed | None:
    """A count or volume and a mass right beside each other as one dose; None where they are two.

    One tablet, or a volume, is its mass; of several tablets a mass behind "of" or before "each" is that of one, else the count stands.
    """
    gap = _NEXT_TO.fullmatch(text, last.end, dose.start) if last.end <= dose.start <= last.end + 10 else None
    sizes = (last, dose) if not is_mass(last.high.unit.code) else (dose, last)
    count, mass = sizes
    if gap is None or is_mass(count.high.unit.code) or not is_mass(mass.high.unit.code) or mass.per or count.counted or mass.counted or count.bare:
        return None
    behind = _EACH_BEHIND.match(text, dose.end)
    whole = replace(last, end=behind.end() if behind is not None else dose.end)
    if count.high.value == 1 or count.high.unit.dimension == "volume":
        return replace(whole, low=mass.low, high=mass.high, counted=count.high)
    if mass is dose and (behind is not None or _OF.fullmatch(text, last.end, dose.start)):
        size, unit = mass.high.value, mass.high.unit
        return replace(whole, low=Quantity(count.low.value * size, unit), high=Quantity(count.high.value * size, unit), counted=count.high)
    return replace(whole, low=count.low, high=count.high)
