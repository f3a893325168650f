"""Dose limits that a label puts on a combination, read from its own words, and whether an order already respects them.

A limit is of the label's own drug, or of the partner where the words name it. A dose that the label recommends for the combination is a limit too.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from cds_service.audit.doses import daily_dose
from cds_service.audit.roster import Medication
from cds_service.intake.prescription import Order
from ontology.model.advice import Action, Advice
from ontology.model.errors import InvalidQuantity
from ontology.model.facts import Whose
from ontology.model.quantities import Quantity, Unit

_LIMIT = re.compile(
    r"(?:recommended (?:starting |initial |daily )?dos(?:e|age)(?: of [a-z ]{3,40}?)? is|exceed(?:ing)?|maximum(?: recommended)?(?: (?:daily )?dos(?:e|age))?(?: (?:of|is))?|limit(?:ed)?(?: the)?(?: dos(?:e|age))? to|(?:no|not) more than|at most|up to|to)\s+"
    r"(?P<number>\d+(?:,\d{3})*(?:\.\d+)?)\s*(?P<unit>mg|mcg|g)\b(?=(?P<rest>[^.;]{0,40}))",
    re.IGNORECASE,
)
_REACH = 60
"""Most characters between a drug's name and its limit."""

_TIMES = ((re.compile(r"\b(?:twice|two times|2 times)\b", re.IGNORECASE), 2), (re.compile(r"\b(?:three times|3 times)\b", re.IGNORECASE), 3))
_DAILY = re.compile(r"\b(?:daily|per day|a day|each day|once)\b|/day", re.IGNORECASE)


@lru_cache(maxsize=4096)
def read_cap(words: str) -> Quantity | None:
    """The daily amount that the words allow at most; None when they name none or several."""
    found = {_daily(m, 0) for m in _LIMIT.finditer(words)}
    return found.pop() if len(found) == 1 else None


@lru_cache(maxsize=4096)
def read_cap_of(words: str, names: tuple[str, ...]) -> Quantity | None:
    """The amount a day that the words allow at most of a drug whose dose they name before it. One without a time is read as the amount of a day."""
    nearest: tuple[int, re.Match[str]] | None = None
    folded = words.casefold()
    for name in (n for n in names if n in folded):
        spoken = rf"dos(?:e|age)s? of {re.escape(name)}|{re.escape(name)}(?: [a-z]+)? dos(?:e|age)"
        ends = [m.end() for m in re.finditer(spoken, words, re.IGNORECASE)]
        for m in _LIMIT.finditer(words):
            gap = min((m.start("number") - end for end in ends if end <= m.start("number")), default=_REACH + 1)
            if gap <= _REACH and (nearest is None or gap < nearest[0]):
                nearest = (gap, m)
    return _daily(nearest[1], 1) if nearest else None


def dose_cap(advice: Advice, quote: str, owner: Medication, partner: Medication) -> tuple[Medication, Quantity] | None:
    """The daily limit that an advice puts on one drug of the pair, with that drug; None when it states none."""
    named = read_cap_of(quote, tuple(i.name.casefold() for i in partner.drug.ingredients))
    if named is not None:
        return partner, named
    for step in (*advice.steps, *advice.otherwise):
        if step.action is Action.ADJUST_DOSE and step.whose is not Whose.PARTNER and step.parameter:
            limit = read_cap(step.parameter)
            return None if limit is None else (owner, limit)
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


def _daily(m: re.Match[str], untimed: int) -> Quantity | None:
    """The amount a day; `untimed` is how often a day an amount without a time counts, 0 for not at all."""
    rest = m["rest"]
    times = next((n for pattern, n in _TIMES if pattern.search(rest)), 1 if _DAILY.search(rest) else untimed)
    unit = Unit.find(m["unit"].lower())
    return Quantity(Decimal(m["number"].replace(",", "")) * times, unit) if times and unit else None
