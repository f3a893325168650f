"""What labels' words for laboratory tests mean, how long a result stays current, and usual upper limits of normal."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache

from cds_service.audit.clinical import analytes, table
from ontology.model.identifiers import normal_words
from ontology.model.quantities import Quantity, Unit
from ontology.terms.entries import LabTerm

_JOINED = re.compile(r"\s*(?:\band/or\b|/|\bor\b|\band\b|,)\s*")


@cache
def analytes_meant(detail: str) -> tuple[tuple[LabTerm, ...], bool]:
    """The tests that a LOINC code or a label's words mean, and whether all of them are meant together ("ALT and AST"); none where unknown."""
    said = normal_words(detail)
    rows = analytes()
    group = next((r for r in table("lab_limits")["group"] if said in r["names"]), None)
    if group is not None:
        return tuple(rows[name] for name in group["any_of"]), False
    if said in rows:
        return (rows[said],), False
    parts = [p for p in _JOINED.split(detail.casefold()) if p]
    found = tuple(rows[normal_words(p)] for p in parts if normal_words(p) in rows)
    if len(found) < 2 or len(found) != len(parts):
        return (), False
    return found, re.search(r"\band\b(?!/or)", detail.casefold()) is not None


@cache
def stale_days(analyte: LabTerm | None) -> int:
    """Days after which a result is no current value."""
    data = table("lab_limits")
    row = next((r for r in data["current"] if analyte is not None and analyte.called in r["analytes"]), data["labs"])
    return int(row["stale_days"])


@cache
def least_lower(analyte: LabTerm | None) -> Quantity | None:
    """The lowest lower limit of normal in use, None where the data file has none: what lies below it is low in every laboratory."""
    row = next((r for r in table("lab_limits")["lower"] if analyte is not None and analyte.called in r["analytes"]), None)
    return Quantity(Decimal(row["lower"]), Unit.of(row["unit"])) if row else None


@cache
def usual_upper(analyte: LabTerm | None) -> Quantity | None:
    """The usual upper limit of normal, None where the data file has none."""
    row = next((r for r in table("lab_limits")["upper"] if analyte is not None and analyte.called in r["analytes"]), None)
    return Quantity(Decimal(row["upper"]), Unit.of(row["unit"])) if row else None
