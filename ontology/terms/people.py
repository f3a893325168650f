"""Words by which labels name patients of an age, with the bounds that a regulation or guideline gives them."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from functools import cache

from ontology.model.errors import InvalidGuard, InvalidQuantity
from ontology.model.facts import Axis
from ontology.model.guards import Interval
from ontology.model.quantities import Unit
from ontology.terms.tables import TableRow, read_table


@cache
def people_words() -> Mapping[str, Interval]:
    """Each word in lower case with the interval it stands for, whose `term` is that word. Raises TerminologyError naming the row that is wrong."""
    return {word: interval for row in read_table("people").rows for word in row.items("words") for interval in (read_people(row, word),)}


def read_people(row: TableRow, word: str) -> Interval:
    """The interval of a row for one of its words. Raises TerminologyError where axis, unit or bounds are none."""
    try:
        low, high = (Decimal(row[side]) if row[side] else None for side in ("low", "high"))
        return Interval(Axis(row["axis"]), low, high, Unit.of(row["unit"]).code, row["low_open"] == "yes", row["high_open"] == "yes", term=word)
    except (InvalidGuard, InvalidQuantity, InvalidOperation, ValueError) as error:
        raise row.fail(str(error) or "a bound that is no number") from error
