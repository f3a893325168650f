"""Dosage elements to dose instructions: R4 and R5 `doseAndRate`, STU3 and DSTU2 `doseQuantity`, the `dosage` of an administration."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from cds_service.intake.fhir.concepts import code_words, words_of
from cds_service.intake.fhir.timing import read_timing
from cds_service.intake.fhir.values import Resource, boolean, items, mapping, number, objects, text
from cds_service.intake.prescription import DoseInstruction
from cds_service.intake.tables import table
from ontology.model.quantities import Quantity, Unit

UCUM = "http://unitsofmeasure.org"
DAY_TOLERANCE = Decimal("0.001")


@dataclass(frozen=True, slots=True)
class Dosage:
    """A dose instruction with what belongs to the order as a whole: route words and whether the dose is given once."""

    instruction: DoseInstruction
    route: str | None
    once: bool


def read_dosages(value: object) -> tuple[Dosage, ...]:
    """The dosages of an order in received order; free text alone is an instruction with nothing but its text."""
    return tuple(_dosage(d) for d in objects(value)) + tuple(Dosage(DoseInstruction(text=t), None, False) for v in items(value) if (t := text(v)))


def read_quantity(value: object) -> Quantity | None:
    """A quantity whose unit the table knows. The code decides; the display text counts only without one, or beside a code of another system."""
    quantity = mapping(value)
    amount = number(quantity.get("value"))
    code, unit = text(quantity.get("code")), text(quantity.get("unit"))
    if code is None:
        found = Unit.find(unit)
    elif (text(quantity.get("system")) or UCUM) == UCUM:
        found = Unit.find(code)
    else:
        found = Unit.find(code) or Unit.find(unit)
    return Quantity(amount, found) if amount is not None and found is not None else None


def quantity_words(value: object) -> str | None:
    """A quantity as it was written, for a quantity whose unit is not in the table."""
    quantity = mapping(value)
    amount = number(quantity.get("value"))
    unit = text(quantity.get("unit")) or text(quantity.get("code"))
    return f"{amount:f} {unit or ''}".strip() if amount is not None else None


def read_route(concept: object) -> str | None:
    """The words of a route: text or display, else what its code stands for."""
    said = words_of(concept)
    if said:
        return said
    codes = table("routes")
    return next((w for c in code_words(concept) if (w := codes["snomed"].get(c) or codes["other"].get(c.upper()))), None)


def _dosage(dosage: Resource) -> Dosage:
    timing = read_timing(dosage.get("timing"))
    low, high, unread = _dose(dosage)
    ceiling, unread_ceiling = _max_per_day(dosage.get("maxDosePerPeriod"))
    instruction = DoseInstruction(
        text=text(dosage.get("text")) or text(dosage.get("patientInstruction")),
        dose_low=low,
        dose_high=high,
        times_low=timing.low,
        times_high=timing.high,
        as_needed=_as_needed(dosage),
        max_per_day=ceiling,
        duration_days=timing.days,
        unread=(*unread, *timing.unread, *unread_ceiling),
    )
    return Dosage(instruction, read_route(dosage.get("route")), timing.once)


def _dose(dosage: Resource) -> tuple[Quantity | None, Quantity | None, tuple[str, ...]]:
    """Lowest and highest single dose; of several dose-and-rate entries the ordered one."""
    entries = objects(dosage.get("doseAndRate"))
    chosen = next((e for e in entries if "ordered" in code_words(e.get("type"))), entries[0] if entries else dosage)
    unread = tuple(f"{m} not read" for m in ("rateRatio", "rateRange", "rateQuantity") if m in chosen or m in dosage)
    spread = mapping(chosen.get("doseRange"))
    if spread:
        low, high = read_quantity(spread.get("low")), read_quantity(spread.get("high"))
        if low is None and high is None:
            return None, None, ("dose range without known units", *unread)
        return low, high or low, unread
    amount = chosen.get("doseQuantity") or chosen.get("dose") or chosen.get("quantityQuantity") or chosen.get("quantity")
    if amount is None:
        return None, None, unread
    read = read_quantity(amount)
    if read is None:
        return None, None, (f"dose {quantity_words(amount) or 'without a number'}: unit not known", *unread)
    return read, read, unread


def _as_needed(dosage: Resource) -> bool:
    flag = boolean(dosage.get("asNeededBoolean"))
    if flag is None:
        flag = boolean(dosage.get("asNeeded"))
    said = any(dosage.get(m) for m in ("asNeededCodeableConcept", "asNeededFor")) or isinstance(dosage.get("asNeeded"), dict)
    return bool(flag) or said


def _max_per_day(value: object) -> tuple[Quantity | None, tuple[str, ...]]:
    """The ceiling a day; a ceiling over another stretch is no daily one and is reported as unread."""
    unread: list[str] = []
    for ratio in objects(value):
        amount, stretch = read_quantity(ratio.get("numerator")), read_quantity(ratio.get("denominator"))
        if amount is not None and stretch is not None and stretch.unit.dimension == "time" and stretch.value > 0:
            days = stretch.value * stretch.unit.factor
            if abs(days - 1) < DAY_TOLERANCE:
                return amount, tuple(unread)
        unread.append("maximum dose over a period other than a day, or with unknown units")
    return None, tuple(unread)
