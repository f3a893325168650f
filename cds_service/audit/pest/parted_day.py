"""A combination in the morning and one of its ingredients alone in the evening: two orders that are one day's dose by the combination's label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from cds_service.audit.roster import Medication
from ontology.model.spans import SpanRole

_PARTS = re.compile(
    r"(?P<first>[^.;]{3,160}?)\s+in\s+the\s+(?P<when>morning|evening)\s*,?\s+(?:and|followed\s+by)\s+(?P<second>[^.;]{3,160}?)\s+in\s+the\s+(?!(?P=when))(?:morning|evening)\b",
    re.IGNORECASE,
)
_ONCE = Decimal(1)


def are_parts_of_a_day(first: Medication, second: Medication) -> bool:
    """True where the label of one order's combination gives the ingredient of the other alone at the other end of the day, and each is ordered once a day."""
    for whole, part in ((first, second), (second, first)):
        if part.ingredients < whole.ingredients and _once_a_day(whole) and _once_a_day(part) and any(_divides(whole, part, said) for said in _quotes(whole)):
            return True
    return False


def _divides(whole: Medication, part: Medication, said: str) -> bool:
    """True for a sentence with all of the combination in one half of the day and no more than the part in the other."""
    inside = [i.name.lower() for i in whole.drug.ingredients if i.id in part.ingredients]
    others = [i.name.lower() for i in whole.drug.ingredients if i.id not in part.ingredients]
    for m in _PARTS.finditer(said.lower()):
        for full, alone in ((m["first"], m["second"]), (m["second"], m["first"])):
            if all(n in full for n in (*inside, *others)) and all(n in alone for n in inside) and not any(n in alone for n in others):
                return True
    return False


def _quotes(medication: Medication) -> Iterator[str]:
    for view in medication.views:
        for rule in view.doses:
            yield from (s.quote for c in rule.claims for s in c.evidence if s.role is SpanRole.STATEMENT)


def _once_a_day(medication: Medication) -> bool:
    """True for an order of one dose a day, or one that does not say how often."""
    told = [i.times_per_day_high for i in medication.order.instructions]
    return len(told) <= 1 and all(t is None or t <= _ONCE for t in told)
