"""The doses of an instruction in plain words: how much, said once although it is written twice, and what is no dose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from cds_service.intake.sigs.lexicon import SECTIONS, any_of
from ontology.model.dosing import AmountBasis, PerWhat
from ontology.model.quantities import Quantity, Unit
from ontology.text.dosing.chinese import find_han_quantities
from ontology.text.dosing.numbers import COUNT, number_of
from ontology.text.dosing.quantities import Quantified, Role, find_quantities, is_counted, is_mass

Spans = Sequence[tuple[int, int]]

_HAN = re.compile(r"[一-鿿]")
_BRACKET = re.compile(r"\s*(?:(?:of\s+)?[A-Za-z]+\s+)?[(\[]\s*=?\s*(?P<inside>[^()\[\]]{1,80})[)\]]")
_EQUALS = re.compile(r"\s*(?:=|/)\s*(?=[\d.])")
_EACH = re.compile(r"\b(?:each|per|/)\b|=", re.IGNORECASE)
_JOIN = re.compile(r"\s*(?P<range>-|~|to)\s*|\s*,?\s*or\s+", re.IGNORECASE)
_MIXED_BEFORE = re.compile(rf"(?:\b(?:{any_of(SECTIONS['beside_the_dose']['before'])})|[(])\s*(?:a\s+|about\s+|approximately\s+)?$", re.IGNORECASE)
_CARRIER_BEFORE = re.compile(rf"{any_of(SECTIONS['beside_the_dose']['carriers'])}\s*$", re.IGNORECASE)
_MIXED_BEHIND = re.compile(rf"\s*(?:{any_of(SECTIONS['beside_the_dose']['behind'])})", re.IGNORECASE)
_BARE = re.compile(
    rf"(?:^\s*|\b(?:take|give|use|chew|swallow|insert|inject|apply|and|then|plus)\s+|[,;:]\s*)(?P<count>(?P<low>{COUNT})(?:\s*(?:-|to|or)\s*(?P<high>{COUNT}))?)\s+"
    r"(?=(?:by\s+mouth|orally|every|once|twice|three\s+times|four\s+times|daily|at\s+bedtime|at\s+(?:breakfast|lunch|noon|dinner|supper)|in\s+the|with|before|after|as\s+needed|on|for|under|now|weekly|rectally|vaginally)\b)",
    re.IGNORECASE,
)
_IN_VOLUME = re.compile(r"/\s*(?P<n>\d+(?:\.\d+)?)\s*mL$", re.IGNORECASE)
_SEVERAL = re.compile(r"\d\s*(?:mg|mcg|g|units)?\s*[-/+]\s*\d", re.IGNORECASE)
_BASES = {AmountBasis.FLAT: None, AmountBasis.PER_KG: "kg", AmountBasis.PER_M2: "m2"}


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


@dataclass(frozen=True, slots=True)
class Running:
    """The rate of an infusion at `[start, end)`, an hour."""

    start: int
    end: int
    amount: Quantity
    per: str | None


@dataclass(frozen=True, slots=True)
class Amounts:
    """The doses in order, the rates, and the spans of all amounts that were understood, also of those that are no doses."""

    doses: tuple[Dosed, ...]
    rates: tuple[Running, ...]
    seen: tuple[tuple[int, int], ...]


def quantities_of(text: str) -> list[Quantified]:
    """Every quantity of the text in order."""
    return find_han_quantities(text, 0, len(text)) if _HAN.search(text) else find_quantities(text, 0, len(text))


def read_amounts(text: str, quantities: Sequence[Quantified], without: Spans) -> Amounts:
    """The doses and rates of the text; what stands in one of the spans `without` is passed over."""
    doses: list[Dosed] = []
    rates: list[Running] = []
    seen: list[tuple[int, int]] = []
    at = 0
    left = [q for q in quantities if not any(q.start < end and q.end > start for start, end in without)]
    for i, q in enumerate(left):
        if q.start < at:
            continue
        if q.role is Role.RATE:
            running = _running(q)
            if running is not None:
                rates.append(running)
                seen.append((q.start, q.end))
            continue
        if not _is_dose(text, q, doses) or _is_carrier(text, q, left):
            seen += [(q.start, q.end)] if q.role is not Role.DOSE or q.basis in _BASES else []
            continue
        dose = _dosed(q) if not (q.product and _has_count(left)) else None
        if dose is None:
            seen += [(q.start, q.end)] if q.product else []
            continue
        dose, at = _with_second_saying(text, dose, left[i + 1 :])
        last = doses[-1] if doses else None
        if last is not None and _is_pair(text, last, dose):
            doses.pop()
            seen.pop()
            continue
        joined = _joined(text, last, dose) if last is not None else None
        if joined is not None:
            doses[-1] = joined
        else:
            doses.append(dose)
        seen.append((dose.start, at))
    if not doses and not rates:
        doses += _unit_doses(text, left)
    taken = [*seen, *without]
    for m in _BARE.finditer(text):
        span = m.span("count")
        if not any(span[0] < end and span[1] > start for start, end in taken):
            bare = _bare(m, doses)
            if bare is not None:
                doses.append(bare)
                seen.append(span)
    return Amounts(tuple(sorted(doses, key=lambda d: d.start)), tuple(rates), tuple(seen))


def _is_dose(text: str, q: Quantified, before: Sequence[Dosed]) -> bool:
    if q.role is not Role.DOSE or q.basis not in _BASES or q.unit == "{dose}":
        return False
    mixed = _MIXED_BEHIND.match(text, q.end) is not None or _MIXED_BEFORE.search(text, max(0, q.start - 24), q.start) is not None
    return not (mixed and (before or q.unit == "mL") and q.unit in ("mL", "g", "mg", "{bag}"))


def _is_carrier(text: str, q: Quantified, quantities: Sequence[Quantified]) -> bool:
    """True for the volume of a fluid that something else is given in ("NS 100 mL + ceftriaxone 2 g")."""
    return q.unit == "mL" and any(is_mass(o.unit) for o in quantities) and _CARRIER_BEFORE.search(text, max(0, q.start - 20), q.start) is not None


def _has_count(quantities: Sequence[Quantified]) -> bool:
    """True where tablets are counted somewhere, so that the strength of one ("10 mg tablet: take 1 tablet daily") is no dose."""
    return any(is_counted(q.unit) and q.unit != "{dose}" for q in quantities)


def _dosed(q: Quantified) -> Dosed | None:
    unit = Unit.find(q.unit)
    if unit is None or q.high <= 0:
        return None
    return Dosed(q.start, q.end, Quantity(q.low, unit), Quantity(q.high, unit), _BASES[q.basis], None, q.per is PerWhat.DAY, q.per is PerWhat.WEEK)


def _unit_doses(text: str, quantities: Sequence[Quantified]) -> list[Dosed]:
    """The only amount of an instruction where it names the whole unit ("2.5 mg/3 mL by nebulizer"), not a concentration in one millilitre."""
    if len(quantities) != 1 or quantities[0].role is not Role.CONCENTRATION or quantities[0].basis is not AmountBasis.FLAT:
        return []
    q, volume = quantities[0], _IN_VOLUME.search(text, quantities[0].start, quantities[0].end)
    unit, number = Unit.find(q.unit), number_of(volume["n"]) if volume is not None else None
    if unit is None or number is None or number == 1:
        return []
    return [Dosed(q.start, q.end, Quantity(q.low, unit), Quantity(q.high, unit), counted=Quantity(number, Unit.of("mL")))]


def _running(q: Quantified) -> Running | None:
    unit = Unit.find(q.unit)
    if unit is None or q.basis not in _BASES:
        return None
    return Running(q.start, q.end, Quantity(q.high * (60 if "minute" in q.over else 1), unit), _BASES[q.basis])


def _with_second_saying(text: str, dose: Dosed, following: Sequence[Quantified]) -> tuple[Dosed, int]:
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
    if not inside:
        return dose, dose.end
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


def _joined(text: str, last: Dosed, dose: Dosed) -> Dosed | None:
    """Two amounts as one range or choice ("1 tablet or 2 tablets", "500 mg to 1 g"); None where they are two doses."""
    if not last.end <= dose.start <= last.end + 10 or _JOIN.fullmatch(text, last.end, dose.start) is None:
        return None
    if last.high.unit.dimension != dose.high.unit.dimension or last.per not in (None, dose.per) or last.bare:
        return None
    low, high = sorted((last.low, dose.high), key=lambda q: q.value * q.unit.factor)
    return replace(dose, start=last.start, low=low, high=high)


def _is_pair(text: str, last: Dosed, dose: Dosed) -> bool:
    """True for two falling amounts with a hyphen between ("250 mg-125 mg"): the strengths of a combination, no range."""
    apart = _JOIN.fullmatch(text, last.end, dose.start) if last.end <= dose.start else None
    falling = last.high.unit == dose.high.unit and last.high.value > dose.high.value
    return apart is not None and apart["range"] == "-" and falling and last.counted is None


def _bare(m: re.Match[str], doses: Sequence[Dosed]) -> Dosed | None:
    """A count without a unit: that of the dose before it, else of the product."""
    low = number_of(m["low"])
    high = number_of(m["high"]) if m["high"] else low
    before = max((d for d in doses if d.start < m.start()), key=lambda d: d.start, default=None)
    counted = (before.counted or before.high) if before is not None else None
    unit = counted.unit if counted is not None and is_counted(counted.unit.code) else Unit.of("{dose}")
    if low is None or high is None or not 0 < low <= high <= Decimal(30):
        return None
    return Dosed(*m.span("count"), Quantity(low, unit), Quantity(high, unit), bare=True)
