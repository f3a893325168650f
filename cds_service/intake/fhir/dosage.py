"""Dosage elements to dose instructions: R4 and R5 `doseAndRate`, STU3 and DSTU2 `doseQuantity`, the `dosage` of an administration, free text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from msgspec.structs import replace

from cds_service.intake.fhir.amounts import Said, quantity_words, read_count, read_quantity, read_ratio, read_said
from cds_service.intake.fhir.concepts import code_words, words_of
from cds_service.intake.fhir.places import places_of
from cds_service.intake.fhir.timing import read_timing
from cds_service.intake.fhir.values import Resource, boolean, items, mapping, number, objects, text
from cds_service.intake.prescription import DoseInstruction
from cds_service.intake.sigs.read import SHORT, read_sig
from cds_service.intake.sigs.reconcile import beside, is_dosed, reconcile
from cds_service.intake.tables import table
from ontology.model.quantities import Quantity
from ontology.terms.remembered import Remembered

__all__ = ["Dosage", "quantity_words", "read_dosages", "read_quantity", "read_route", "read_words"]

_DOSES = ("doseQuantity", "doseRange")
_RATES = ("rateQuantity", "rateRange", "rateRatio")
DAY_TOLERANCE = Decimal("0.001")
_COUNTS_OF_DOSES = frozenset({"dose", "doses", "{dose}", "times", "time", "{times}", "administration", "administrations", "1", ""})

_LONGEST_KEPT = 2000
"""Characters of an element as it arrived."""
_LONG_WORDS = re.compile(rf"'[^']{{{SHORT + 1},}}'|\"[^\"]{{{SHORT + 1},}}\"")
"""A string in it that is longer than the instructions that are kept."""


@dataclass(frozen=True, slots=True)
class Dosage:
    """A dose instruction with what belongs to the order as a whole: route words and whether the dose is given once."""

    instruction: DoseInstruction
    route: str | None
    once: bool


def read_dosages(value: object) -> tuple[Dosage, ...]:
    """The dosages of an order in received order; one that is told in several phases or parts is as many.

    Orders repeat the same instructions, so what was read of an equal element is kept in memory, unless it holds words that may be more than directions.
    """
    if not value:
        return ()
    said = repr(value)
    return _read(value) if len(said) > _LONGEST_KEPT or _has_long_words(said) else _READ.of(said, lambda: _read(value))


def _has_long_words(said: str) -> bool:
    """True for an element with a string that is longer than the instructions that are kept; most are told by the distance of their quotes."""
    return ('"' in said or max(map(len, said.split("'"))) > SHORT) and _LONG_WORDS.search(said) is not None


def _read(value: object) -> tuple[Dosage, ...]:
    elements = objects(value)
    structured = tuple(d for element, place in zip(elements, places_of(elements), strict=True) for d in _dosage(element, place))
    return structured + tuple(d for v in items(value) if (t := text(v)) for d in read_words(t))


_READ: Remembered[str, tuple[Dosage, ...]] = Remembered(4096)


def read_words(said: str) -> tuple[Dosage, ...]:
    """The dosages of an order that is free text alone."""
    return tuple(_as_dosage(i, None) for i in read_sig(said))


def read_route(concept: object) -> str | None:
    """The words of a route: text or display, else what its code stands for."""
    said = words_of(concept)
    if said:
        return said
    codes = table("routes")
    return next((w for c in code_words(concept) if (w := codes["snomed"].get(c) or codes["other"].get(c.upper()))), None)


def _dosage(dosage: Resource, place: int | None) -> tuple[Dosage, ...]:
    route = read_route(dosage.get("route"))
    structure = _structure(dosage)
    said, more = _said(dosage), _additional(dosage)
    read = reconcile(structure, read_sig(said)) if said is not None else (structure,)
    if more is not None:
        added = read_sig(more)
        bare = said is None and not is_dosed(structure) and is_dosed(added[0])
        read = reconcile(structure, added) if bare else tuple(beside(i, added) for i in read)
    return tuple(_as_dosage(i if len(read) > 1 else replace(i, sequence=place), route) for i in read)


def _as_dosage(instruction: DoseInstruction, route: str | None) -> Dosage:
    return Dosage(instruction, route or instruction.route, once=instruction.count == 1)


def _said(dosage: Resource) -> str | None:
    return text(dosage.get("text")) or text(dosage.get("patientInstruction"))


def _additional(dosage: Resource) -> str | None:
    """The additional instructions, as far as the main words do not hold them."""
    main = (_said(dosage) or "").lower()
    return ". ".join(w for c in items(dosage.get("additionalInstruction")) if (w := words_of(c)) and w.lower() not in main) or None


def _structure(dosage: Resource) -> DoseInstruction:
    timing = read_timing(dosage.get("timing"))
    entries = objects(dosage.get("doseAndRate"))
    unread: list[str] = []
    low, high = _dose(_entry(entries, _DOSES) or dosage, unread)
    rate = _rate(_entry(entries, _RATES) or dosage, unread)
    of_day = high is not None and high.over == "day"
    of_week = high is not None and high.over == "week"
    day = high.quantity if high is not None and of_day else None
    return DoseInstruction(
        text=_said(dosage),
        dose_low=_single(low, timing.times_low, timing.period_days),
        dose_high=_single(high, timing.times_low if of_day else timing.times_high, timing.period_days),
        dose_per=high.per if high is not None else None,
        day_low=low.quantity if low is not None and day is not None else None,
        day_high=day,
        times_low=Decimal(1) if of_week and timing.times_low is None else timing.times_low,
        times_high=Decimal(1) if of_week and timing.times_high is None else timing.times_high,
        period_days=Decimal(7) if of_week and timing.times_high is None else timing.period_days,
        every_hours_low=timing.every_hours_low,
        every_hours_high=timing.every_hours_high,
        weekdays=timing.weekdays,
        count=timing.count,
        as_needed=_as_needed(dosage) or timing.as_needed,
        as_needed_for=_reason(dosage),
        max_single=read_quantity(dosage.get("maxDosePerAdministration")),
        max_per_day=_max_per_day(dosage.get("maxDosePerPeriod"), unread),
        max_doses_per_day=_max_doses(dosage.get("maxDosePerPeriod")),
        max_lifetime=read_quantity(dosage.get("maxDosePerLifetime")),
        duration_days=timing.days,
        rate=rate.quantity if rate is not None else None,
        rate_per=rate.per if rate is not None else None,
        over_hours=timing.over_hours,
        unread=(*unread, *timing.unread),
    )


def _entry(entries: Sequence[Resource], members: Sequence[str]) -> Resource | None:
    """The dose-and-rate entry that says one of the members, the ordered one before a calculated one."""
    saying = [e for e in entries if any(m in e for m in members)]
    return next((e for e in saying if "ordered" in code_words(e.get("type"))), saying[0] if saying else entries[0] if entries else None)


def _single(said: Said | None, times: Decimal | None, period: Decimal) -> Quantity | None:
    """The single dose: what is said, or the share of a daily amount where the order says how many doses a day."""
    if said is None or said.over != "day":
        return said.quantity if said is not None else None
    return Quantity(said.quantity.value * period / times, said.quantity.unit) if times else None


def _dose(chosen: Resource, unread: list[str]) -> tuple[Said | None, Said | None]:
    """Lowest and highest dose of an entry."""
    spread = mapping(chosen.get("doseRange")) or mapping(chosen.get("quantityRange"))
    if spread:
        low, high = (read_said(spread.get(end)) or read_count(spread.get(end)) for end in ("low", "high"))
        if low is None and high is None:
            unread.append("dose range without known units")
        return low, high or low
    amount = chosen.get("doseQuantity") or chosen.get("dose") or chosen.get("quantityQuantity") or chosen.get("quantity")
    if amount is None:
        return None, None
    read = read_said(amount) or read_count(amount)
    if read is None or read.hourly:
        unread.append(f"dose {quantity_words(amount) or 'without a number'}: unit not known")
        return None, None
    return read, read


def _rate(chosen: Resource, unread: list[str]) -> Said | None:
    """The rate an hour; of a range the highest."""
    read: Said | None = None
    for member in _RATES:
        if member not in chosen:
            continue
        value = chosen[member]
        spread = mapping(value) if member == "rateRange" else {}
        said = read_ratio(value) if member == "rateRatio" else read_said(spread.get("high") or spread.get("low") or value)
        if said is None or not said.hourly:
            unread.append(f"{member} not read")
        else:
            read = read or said
    return read


def _as_needed(dosage: Resource) -> bool:
    flag = boolean(dosage.get("asNeededBoolean"))
    if flag is None:
        flag = boolean(dosage.get("asNeeded"))
    said = any(dosage.get(m) for m in ("asNeededCodeableConcept", "asNeededFor")) or isinstance(dosage.get("asNeeded"), dict)
    return bool(flag) or said


def _reason(dosage: Resource) -> str | None:
    named = (dosage.get("asNeededCodeableConcept"), dosage.get("asNeeded"), *items(dosage.get("asNeededFor")))
    return next((w for c in named if c is not None and not isinstance(c, bool | str) and (w := words_of(c))), None)


def _max_per_day(value: object, unread: list[str]) -> Quantity | None:
    """The ceiling a day; a ceiling over another stretch is no daily one and is reported as unread."""
    found: Quantity | None = None
    for ratio in objects(value):
        amount = read_quantity(ratio.get("numerator"))
        if amount is not None and amount.unit.code not in ("{dose}", "1") and _is_day(ratio.get("denominator")):
            found = found or amount
        elif not (_is_day(ratio.get("denominator")) and _doses(ratio.get("numerator")) is not None):
            unread.append("maximum dose over a period other than a day, or with unknown units")
    return found


def _max_doses(value: object) -> Decimal | None:
    """The number of doses a day at most, where the ceiling counts doses."""
    return next((n for r in objects(value) if _is_day(r.get("denominator")) and (n := _doses(r.get("numerator"))) is not None), None)


def _doses(value: object) -> Decimal | None:
    quantity = mapping(value)
    words = (text(quantity.get("unit")) or text(quantity.get("code")) or "").lower()
    return number(quantity.get("value")) if words in _COUNTS_OF_DOSES else None


def _is_day(value: object) -> bool:
    stretch = read_quantity(value)
    return stretch is not None and stretch.unit.dimension == "time" and abs(stretch.value * stretch.unit.factor - 1) < DAY_TOLERANCE
