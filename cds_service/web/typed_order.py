"""An order typed by hand on the demo page: its form, what is wrong with it, and the MedicationRequest it becomes."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import cache
from importlib.resources import files
from typing import Any

LONGEST_NAME = 200
UCUM = "http://unitsofmeasure.org"
SNOMED = "http://snomed.info/sct"


@dataclass(frozen=True, slots=True)
class TypedOrder:
    """The fields as typed. `faults` maps a field to what is wrong with it; an order without a drug name is `blank`."""

    drug: str = ""
    dose: str = ""
    unit: str = "mg"
    frequency: str = ""
    route: str = "oral"
    as_needed: bool = False
    faults: Mapping[str, str] = field(default_factory=dict)

    @property
    def blank(self) -> bool:
        """True when nothing was typed that an order could be made of."""
        return not self.drug and not self.dose


def read_typed(form: Mapping[str, str]) -> TypedOrder:
    """The typed order of a submitted form, with the faults of its fields."""
    drug, dose = form.get("drug", "").strip(), form.get("dose", "").strip()
    unit, frequency, route = form.get("unit", "mg"), form.get("frequency", ""), form.get("route", "")
    faults: dict[str, str] = {}
    if dose and not drug:
        faults["drug"] = "Type the name of the drug this dose is of."
    if len(drug) > LONGEST_NAME:
        faults["drug"] = f"The name has {len(drug)} characters; {LONGEST_NAME} are read."
    if dose and _amount(dose) is None:
        faults["dose"] = f"{dose[:20]!r} is not an amount. Type a number above 0, such as 2.5."
    for name, value in (("unit", unit), ("frequency", frequency), ("route", route)):
        if value and value not in choices(name):
            faults[name] = f"{value[:20]!r} is not one of the choices."
    return TypedOrder(drug, dose, unit, frequency, route, form.get("as_needed") == "yes", faults)


def choices(name: str) -> tuple[str, ...]:
    """The words to choose from for `unit`, `frequency` or `route`."""
    return tuple(_tables()[name])


def sig(order: TypedOrder) -> str:
    """The order as a line of instructions."""
    amount = f"{order.dose} {order.unit}" if order.dose else ""
    parts = [amount, order.route, order.frequency, "as needed" if order.as_needed else ""]
    return " ".join(p for p in parts if p)


def resource_of(order: TypedOrder, order_id: str, patient: str, authored: str) -> dict[str, Any]:
    """The order as a draft MedicationRequest; what was not typed is not in it."""
    instruction: dict[str, Any] = {}
    if text := sig(order):
        instruction["text"] = text
    if order.frequency:
        instruction["timing"] = {"repeat": dict(_tables()["frequency"][order.frequency]["repeat"])}
    if order.as_needed:
        instruction["asNeededBoolean"] = True
    if order.route:
        code = _tables()["route"][order.route]["code"]
        instruction["route"] = {"coding": [{"system": SNOMED, "code": code}], "text": order.route}
    amount = _amount(order.dose)
    if amount is not None:
        code = _tables()["unit"][order.unit]["code"]
        instruction["doseAndRate"] = [{"doseQuantity": {"value": amount, "unit": order.unit, "system": UCUM, "code": code}}]
    resource: dict[str, Any] = {
        "resourceType": "MedicationRequest",
        "id": order_id,
        "status": "draft",
        "intent": "order",
        "medicationCodeableConcept": {"text": order.drug},
        "subject": {"reference": f"Patient/{patient}"},
        "authoredOn": authored,
    }
    return {**resource, "dosageInstruction": [instruction]} if instruction else resource


def _amount(text: str) -> Decimal | None:
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() and 0 < value < 10**9 else None


@cache
def _tables() -> dict[str, dict[str, Any]]:
    raw = tomllib.loads(files("cds_service.web").joinpath("data/typed_orders.toml").read_text(encoding="utf-8"))
    return {group: {row["words"]: row for row in rows} for group, rows in raw.items()}
