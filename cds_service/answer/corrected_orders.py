"""A draft order as received with its dose corrected: a whole FHIR R4 or R5 MedicationRequest.

What the dose does not touch stays as it came, directions on food and handling too where they leave the dose as it is read. The instruction's words, the narrative and the amount to dispense are written again, so that nothing in
the resource still says the old dose. None where that cannot be done for certain: other versions and kinds, instructions whose other words state a dose.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from html import escape as escape_html
from typing import Any

from cds_service.answer.markdown import plain
from cds_service.intake.fhir.amounts import read_quantity
from cds_service.intake.fhir.concepts import words_of
from cds_service.intake.fhir.dosage import read_dosages
from cds_service.intake.fhir.values import items, mapping, number, objects
from cds_service.intake.prescription import DoseInstruction, Order
from cds_service.intake.sigs.directions import directions_of
from cds_service.intake.sigs.read import read_sig
from cds_service.intake.sigs.reconcile import is_dosed
from ontology.model.quantities import Quantity

_STU3 = ("context", "definition", "eventHistory")
_STU3_DOSAGE = ("doseQuantity", "doseRange", "doseSimpleQuantity", "rateQuantity", "rateRange", "rateRatio")
_ROUTES = {"oral": "by mouth", "intravenous": "intravenously", "intramuscular": "intramuscularly", "subcutaneous": "subcutaneously"}
_TIMES = {Decimal(1): "once", Decimal(2): "twice"}
_WEEK = Decimal(7)
_XHTML = "http://www.w3.org/1999/xhtml"


def corrected_order(order: Order, instruction: DoseInstruction) -> dict[str, Any] | None:
    """The whole resource with this instruction in place of its only one, or None. The received resource is not changed."""
    received = order.resource
    if received is None or not _is_r4_or_r5(received):
        return None
    dosages = objects(received.get("dosageInstruction"))
    if len(dosages) != 1 or len(items(received.get("dosageInstruction"))) != 1 or len(order.instructions) != 1:
        return None
    told = directions_of(order.instructions[0].text or "")
    for said in dict.fromkeys((", ".join((sig(instruction, order.route), *told)), sig(instruction, order.route))):
        dosage = _dosage(dosages[0], order.instructions[0], instruction, said)
        if dosage is not None and _reads_as(dosage, instruction):
            break
    else:
        return None
    made = {k: v for k, v in received.items() if k not in ("text", "renderedDosageInstruction", "_renderedDosageInstruction")}
    made["dosageInstruction"] = [dosage]
    if "renderedDosageInstruction" in received:
        made["renderedDosageInstruction"] = said
    if "text" in received:
        words = escape_html(f"{plain(order.text)}: {said}")
        made["text"] = {"status": "generated", "div": f'<div xmlns="{_XHTML}">{words}</div>'}
    if "dispenseRequest" in received:
        supply = _supply(mapping(received["dispenseRequest"]), order.instructions[0], instruction)
        if supply is None:
            return None
        made["dispenseRequest"] = supply
    return made


def sig(i: DoseInstruction, route: str | None) -> str:
    """The instruction in words: "25 mg by mouth every 2 days for 10 days"."""
    dose = quantity_words(i.dose_high) if i.dose_high is not None else ""
    counted = f" ({quantity_words(i.counted)})" if i.counted is not None else ""
    by = _ROUTES.get(route or "", route or "")
    lasting = f"for {i.duration_days.normalize():f} {'day' if i.duration_days == 1 else 'days'}" if i.duration_days is not None else ""
    return " ".join(part for part in (f"{dose}{counted}", by, often_words(i), lasting) if part)


def quantity_words(q: Quantity) -> str:
    """An amount with its unit as a person writes it."""
    counted = q.unit.code.startswith("{")
    unit = q.unit.dimension if counted else q.unit.code.strip("[]").replace("mcg", "mcg")
    return f"{q.value.normalize():f} {unit}{'s' if counted and q.value != 1 else ''}"


def often_words(i: DoseInstruction) -> str:
    """How often: "twice a day", "every 8 hours", "once a week", "every 2 days"."""
    times, days = i.times_high, i.period_days
    if times is None:
        return ""
    if i.every_hours_high is not None:
        return f"every {i.every_hours_high.normalize():f} hours"
    said = _TIMES.get(times, f"{times.normalize():f} times")
    if days == 1:
        return f"{said} a day"
    if days == _WEEK:
        return f"{said} a week"
    return f"every {days.normalize():f} days" if times == 1 else f"{said} in {days.normalize():f} days"


def _is_r4_or_r5(resource: Mapping[str, Any]) -> bool:
    """False for other resources, for shapes of STU3 and earlier, and for resources that a modifier may turn round."""
    if resource.get("resourceType") != "MedicationRequest" or any(m in resource for m in _STU3) or "modifierExtension" in resource:
        return False
    if isinstance(resource.get("requester"), Mapping) and "agent" in resource["requester"]:
        return False
    return not any(m in d or "modifierExtension" in d for d in objects(resource.get("dosageInstruction")) for m in _STU3_DOSAGE)


def _dosage(received: Mapping[str, Any], before: DoseInstruction, now: DoseInstruction, said: str) -> dict[str, Any] | None:
    """The dosage element, each part in the shape it came in."""
    if any(is_dosed(i) for c in items(received.get("additionalInstruction")) if (w := words_of(c)) for i in read_sig(w)):
        return None
    made = {k: v for k, v in received.items() if k not in ("_text", "patientInstruction", "_patientInstruction")}
    made["text"] = said
    own = received.get("patientInstruction")
    if isinstance(own, str) and own.strip():
        made["patientInstruction"] = said if any(is_dosed(i) for i in read_sig(own)) else own
    entries = objects(received.get("doseAndRate"))
    if entries:
        dose = _dose_entry(entries, now)
        if dose is None:
            return None
        made["doseAndRate"] = [dose]
    if "timing" in received and _often(before) != _often(now):
        made["timing"] = {"repeat": {**{k: v for k, v in mapping(mapping(received["timing"]).get("repeat")).items() if k.startswith("bounds")}, **_repeat(now)}}
    return made


def _dose_entry(entries: list[Mapping[str, Any]] | Any, now: DoseInstruction) -> dict[str, Any] | None:
    """The first entry that orders a dose, with the corrected amount in its own unit."""
    entry = next((e for e in entries if "doseQuantity" in e or "doseRange" in e), None)
    if entry is None:
        return None
    written = mapping(entry.get("doseQuantity")) or mapping(mapping(entry.get("doseRange")).get("high"))
    unit = read_quantity(written)
    amount = next((q for q in (now.dose_high, now.counted) if q is not None and unit is not None and q.unit == unit.unit), None)
    if amount is None:
        return None
    kept = {k: v for k, v in written.items() if k in ("unit", "system", "code")}
    return {**({"type": entry["type"]} if "type" in entry else {}), "doseQuantity": {"value": amount.value, **kept}}


def _repeat(i: DoseInstruction) -> dict[str, Any]:
    """A timing's repeat for how often."""
    if i.every_hours_high is not None:
        return {"frequency": 1, "period": i.every_hours_high, "periodUnit": "h"}
    if i.period_days % _WEEK == 0:
        return {"frequency": int(i.times_high or 1), "period": i.period_days / _WEEK, "periodUnit": "wk"}
    return {"frequency": int(i.times_high or 1), "period": i.period_days, "periodUnit": "d"}


def _supply(request: Mapping[str, Any], before: DoseInstruction, now: DoseInstruction) -> dict[str, Any] | None:
    """The dispense request with its amount in proportion to the dose, None where that is not a whole number."""
    if "initialFill" in request:
        return None
    amount = mapping(request.get("quantity"))
    value, old, new = number(amount.get("value")), _rate(before), _rate(now)
    if not amount:
        return dict(request)
    if value is None or old is None or new is None:
        return None
    scaled = (value * new / old).quantize(Decimal("0.0001"))
    whole = scaled.to_integral_value()
    return {**request, "quantity": {**amount, "value": whole}} if scaled == whole and whole >= 1 else None


def _rate(i: DoseInstruction) -> Decimal | None:
    """The amount a day in the unit of the dose."""
    return i.dose_high.value * i.times_high / i.period_days if i.dose_high is not None and i.times_high is not None else None


def _often(i: DoseInstruction) -> tuple[Decimal | None, Decimal]:
    return i.times_high, i.period_days


def _reads_as(dosage: Mapping[str, Any], wanted: DoseInstruction) -> bool:
    """True when the service reads the element as the instruction it was written for."""
    read = read_dosages([dosage])
    if len(read) != 1:
        return False
    got = read[0].instruction
    same_dose = {q for q in (got.dose_high, got.counted) if q} & {q for q in (wanted.dose_high, wanted.counted) if q}
    return bool(same_dose) and got.dose_low == got.dose_high and _often(got) == _often(wanted) and got.duration_days == wanted.duration_days and not got.unread
