"""The bands of a measure that cells of numbers are, under a column that names the measure and its unit."""

from __future__ import annotations

import re
from decimal import Decimal

from ontology.model.facts import Axis
from ontology.model.guards import Interval
from ontology.text.bounds import find_bounds

_BAND = re.compile(
    r"(?P<op>≤|<=|<|≥|>=|>|less than or equal to|less than|up to|greater than or equal to|greater than|more than|at least|over|above|below|under)?\s*(?P<low>\d+(?:\.\d+)?)\s*(?P<lowunit>(?!(?:to|through|or|and)(?![a-z]))[a-z][\w./ ]*?)?\s*"
    r"(?:(?:-|to|through|to <|-\s*<|to less than|up to(?: and including)?)\s*(?P<less><|less than\s+)?(?P<high>\d+(?:\.\d+)?)\s*(?P<unit>[a-z][\w./ ]*?)?|(?P<way>or (?:less|lower|below|younger)|and (?:below|less|lower|under)|(?:and|or) (?:greater|more|above|over|older|higher|up|heavier)|\+))?\s*",
    re.IGNORECASE,
)
_POUNDS = re.compile(r"\(\s*(?:approximately )?[\d.]+\s*(?:lbs?|pounds)\.?\s*\)", re.IGNORECASE)
_UNITS: dict[Axis, tuple[tuple[str, str], ...]] = {
    Axis.WEIGHT: ((r"\bkg\b|kilogram", "kg"), (r"\blbs?\b|pound", "[lb_av]")),
    Axis.BSA: ((r"", "m2"),),
    Axis.CRCL: ((r"1\.73", "mL/min/{1.73_m2}"), (r"", "mL/min")),
    Axis.CRCL_INDEXED: ((r"", "mL/min/{1.73_m2}"),),
    Axis.EGFR: ((r"", "mL/min/{1.73_m2}"),),
    Axis.SCR: ((r"", "mg/dL"),),
    Axis.AGE: ((r"\byears?\b|\byrs?\b", "a"), (r"\bmonths?\b", "mo"), (r"\bweeks?\b", "wk"), (r"\bdays?\b", "d")),
}
_MOST = {Axis.CRCL: 300, Axis.CRCL_INDEXED: 300, Axis.EGFR: 300, Axis.AGE: 130, Axis.WEIGHT: 700}
"""What no patient exceeds, in the largest unit of each axis: a larger number is a band whose dash was lost in print."""


def read_band(words: str, axis: Axis, names: str) -> Interval | None:
    """The band that a cell of numbers is on an axis whose unit its column's name states; None for any other words."""
    m = _BAND.fullmatch(" ".join(_POUNDS.sub(" ", words).split()).strip(" *†‡§"))
    if m is None or axis not in _UNITS:
        return None
    printed = m["unit"] or m["lowunit"]
    if m["unit"] and m["lowunit"] and m["unit"].strip() != m["lowunit"].strip():
        return None
    where = printed if printed else names.lower()
    unit = next((code for pattern, code in _UNITS[axis] if re.search(pattern, where.lower())), None)
    if unit is None or (printed and not _is_unit(printed, axis)):
        return None
    low, high = Decimal(m["low"]), Decimal(m["high"]) if m["high"] else None
    op = (m["op"] or "").lower()
    if high is not None:
        if high < low or op in ("<", "≤", "<=", "less than", "up to", "under", "below"):
            return None
        return Interval(
            axis,
            low,
            high,
            unit,
            low_open=op in (">", "greater than", "more than", "over", "above"),
            high_open=bool(m["less"]) or "<" in m[0][m.start("low") :],
        )
    way = (m["way"] or "").lower()
    if op in ("<", "less than", "below", "under"):
        return Interval(axis, None, low, unit, high_open=True)
    if op in ("≤", "<=", "less than or equal to", "up to") or re.search(r"less|lower|below|younger|under", way):
        return Interval(axis, None, low, unit)
    if op in (">", "greater than", "more than", "over", "above"):
        return Interval(axis, low, None, unit, low_open=True)
    return Interval(axis, low, None, unit) if op or way else Interval(axis, low, low, unit)


def is_torn(band: Interval) -> bool:
    """True for a single number that no patient reaches: the dash of its band was lost in print ("5069")."""
    return band.low is not None and band.low == band.high and band.low > _MOST.get(band.axis, band.low)


def _is_unit(words: str, axis: Axis) -> bool:
    patterns: dict[Axis, str] = {
        Axis.WEIGHT: r"kgs?\.?|kilograms?|lbs?\.?|pounds?",
        Axis.BSA: r"m ?2|m\^2",
        Axis.CRCL: r"ml ?/ ?min(?:ute)?(?: ?/ ?1\.73 ?m ?2)?",
        Axis.CRCL_INDEXED: r"ml ?/ ?min(?:ute)?(?: ?/ ?1\.73 ?m ?2)?",
        Axis.EGFR: r"ml ?/ ?min(?:ute)?(?: ?/ ?1\.73 ?m ?2)?",
        Axis.SCR: r"mg ?/ ?dl|mg ?%",
        Axis.AGE: r"(?:years?|yrs?|months?|weeks?|days?)(?: of age| old)?",
    }
    return re.fullmatch(patterns[axis], words.strip().lower()) is not None


def lab_band(words: str, names: str) -> Interval | None:
    """The value of a laboratory test that a cell of a bound alone means under a column of this name and unit ("Platelet Count (x 10^9/L)": "Less than 40")."""
    told, lead = words.strip(" *†‡§"), f"{' '.join(names.split())}: "
    found = find_bounds(lead + told) if re.search(r"\d", told) else []
    whole = len(found) == 1 and (found[0].start, found[0].end) == (len(lead), len(lead) + len(told))
    return found[0].interval if whole and found[0].interval.axis in (Axis.LAB, Axis.SCR) else None
