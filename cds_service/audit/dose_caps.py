"""Dose limits that a label puts on a combination, read from its own words, and whether an order already respects them."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from cds_service.audit.doses import daily_dose
from cds_service.intake.prescription import Order
from ontology.model.advice import Action, Advice
from ontology.model.errors import InvalidQuantity
from ontology.model.facts import Whose
from ontology.model.quantities import Quantity, Unit

_LIMIT = re.compile(
    r"(?:exceed(?:ing)?|maximum(?: recommended)?(?: (?:daily )?dos(?:e|age))?(?: (?:of|is))?|limit(?:ed)?(?: the)?(?: dos(?:e|age))? to|(?:no|not) more than|at most|up to|to)\s+"
    r"(?P<number>\d+(?:,\d{3})*(?:\.\d+)?)\s*(?P<unit>mg|mcg|g)\b(?=(?P<rest>[^.;]{0,40}))",
    re.IGNORECASE,
)
_TIMES = ((re.compile(r"\b(?:twice|two times|2 times)\b", re.IGNORECASE), 2), (re.compile(r"\b(?:three times|3 times)\b", re.IGNORECASE), 3))
_DAILY = re.compile(r"\b(?:daily|per day|a day|each day|once)\b|/day", re.IGNORECASE)


@lru_cache(maxsize=4096)
def read_cap(words: str) -> Quantity | None:
    """The daily amount that the words allow at most; None when they name none or several."""
    found = {_daily(m) for m in _LIMIT.finditer(words)}
    return found.pop() if len(found) == 1 else None


def dose_cap(advice: Advice) -> Quantity | None:
    """The daily limit that an advice puts on the label's own drug, None when it states none."""
    for step in (*advice.steps, *advice.otherwise):
        if step.action is Action.ADJUST_DOSE and step.whose is not Whose.PARTNER and step.parameter:
            return read_cap(step.parameter)
    return None


def within(order: Order, limit: Quantity) -> bool:
    """True when the order's daily dose is known and not above the limit."""
    dose = daily_dose(order)
    if dose is None:
        return False
    try:
        return dose.to(limit.unit).value <= limit.value
    except InvalidQuantity:
        return False


def _daily(m: re.Match[str]) -> Quantity | None:
    rest = m["rest"]
    times = next((n for pattern, n in _TIMES if pattern.search(rest)), 1 if _DAILY.search(rest) else None)
    unit = Unit.find(m["unit"].lower())
    return Quantity(Decimal(m["number"].replace(",", "")) * times, unit) if times and unit else None
