"""The doses of an instruction in plain words: how much, said once although it is written twice, and what is no dose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from cds_service.intake.sigs.lexicon import SECTIONS, Words, any_of, tokens_of
from cds_service.intake.sigs.restated import Dosed, beside, is_pair, joined, with_second_saying
from ontology.model.dosing import AmountBasis, PerWhat
from ontology.model.quantities import Quantity, Unit
from ontology.text.dosing.chinese import find_han_quantities
from ontology.text.dosing.numbers import COUNT, number_of
from ontology.text.dosing.quantities import Quantified, Role, find_quantities, is_counted, is_mass
from ontology.text.dosing.words import UNITS

Spans = Sequence[tuple[int, int]]

_HAN = re.compile(r"[一-鿿]")
_UNIT_WORDS = frozenset({next(word for _, _, word in tokens_of(unit)) for unit in UNITS} | {"auc"})
_MIXED_BEFORE = re.compile(rf"(?:\b(?:{any_of(SECTIONS['beside_the_dose']['before'])})|[(])\s*(?:a\s+|about\s+|approximately\s+)?$", re.IGNORECASE)
_CARRIER_BEFORE = re.compile(rf"{any_of(SECTIONS['beside_the_dose']['carriers'])}\s*$", re.IGNORECASE)
_TOTAL = re.compile(rf"{any_of(SECTIONS['beside_the_dose']['total'])}\s*$", re.IGNORECASE)
_MIXED_BEHIND = re.compile(rf"\s*(?:{any_of(SECTIONS['beside_the_dose']['behind'])})", re.IGNORECASE)
_BARE = re.compile(
    rf"(?:^\s*|\b(?:take|give|use|chew|swallow|insert|inject|apply|and|then|plus|morning|noon|evening|bedtime)\s+|[,;:]\s*)(?P<count>(?P<low>{COUNT})(?:\s*(?:-|to|or)\s*(?P<high>{COUNT}))?)\s+"
    r"(?=(?:to\s+be\s+taken|noon|midday|by\s+mouth|orally|every|once|twice|three\s+times|four\s+times|daily|at\s+bedtime|at\s+(?:breakfast|lunch|noon|dinner|supper)|in\s+the|with|before|after|as\s+needed|on|for|under|now|weekly|rectally|vaginally)\b)",
    re.IGNORECASE,
)
_IN_VOLUME = re.compile(r"/\s*(?P<n>\d+(?:\.\d+)?)\s*mL$", re.IGNORECASE)
_APART_BEFORE = re.compile(rf"(?:[,;.(]|\s[-–])\s*(?:{any_of(SECTIONS['beside_the_dose']['supply_before'])}\s*:?\s*|:\s*)?$", re.IGNORECASE)
_NOTHING_BEHIND = re.compile(rf"[\s.,;]*(?:{any_of(SECTIONS['beside_the_dose']['supply'])})?[\s.,;)]*", re.IGNORECASE)
_SUPPLIED, _TAKEN = Decimal(5), Decimal(2)  # fewer than five, or no more than twice the dose, may be taken at once
_BOTTLE = Decimal(10)  # a volume of ten doses is that of a bottle
_BASES = {AmountBasis.FLAT: None, AmountBasis.PER_KG: "kg", AmountBasis.PER_M2: "m2"}


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


def quantities_of(text: str, words: Words) -> list[Quantified]:
    """Every quantity of the text in order; a text without a word that begins a unit has none."""
    if _HAN.search(text):
        return find_han_quantities(text, 0, len(text))
    return [] if _UNIT_WORDS.isdisjoint(words) and "{" not in text else find_quantities(text, 0, len(text))


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
        dose, at = with_second_saying(text, dose, left[i + 1 :])
        last = doses[-1] if doses else None
        if last is not None and is_pair(text, last, dose):
            doses.pop()
            seen.pop()
            continue
        whole = (joined(text, last, dose) or beside(text, last, dose)) if last is not None else None
        if whole is not None:
            doses[-1] = whole
        else:
            doses.append(dose)
        seen.append((dose.start, at))
    if _is_supply(text, doses):
        doses.pop()
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
    if before and _TOTAL.search(text, max(0, q.start - 30), q.start) is not None:
        return False
    mixed = _MIXED_BEHIND.match(text, q.end) is not None or _MIXED_BEFORE.search(text, max(0, q.start - 24), q.start) is not None
    return not (mixed and (before or q.unit == "mL") and q.unit in ("mL", "g", "mg", "{bag}"))


def _is_carrier(text: str, q: Quantified, quantities: Sequence[Quantified]) -> bool:
    """True for the volume of a fluid that something else is given in ("NS 100 mL + ceftriaxone 2 g")."""
    return q.unit == "mL" and any(is_mass(o.unit) for o in quantities) and _CARRIER_BEFORE.search(text, max(0, q.start - 20), q.start) is not None


def _is_supply(text: str, doses: Sequence[Dosed]) -> bool:
    """True where the last of several counts stands alone at the end ("1 tablet at bedtime, 10 tablets"): what is dispensed, no dose."""
    if len(doses) < 2:
        return False
    last, first = doses[-1], doses[0]
    alone = _APART_BEFORE.search(text, first.end, last.start) is not None and _NOTHING_BEHIND.fullmatch(text, last.end) is not None
    said = first.counted or first.high
    bottled = last.high.unit.code == said.unit.code == "mL" and last.high.value >= _BOTTLE * said.value
    counts = (is_counted(last.high.unit.code) or bottled) and last.low == last.high and last.counted is None and last.per is None and not last.of_day
    alike = last.high.unit == said.unit and last.high.value > _TAKEN * said.value
    return alone and counts and last.high.value >= _SUPPLIED and (alike or said.unit.dimension in ("mass", "activity"))


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
