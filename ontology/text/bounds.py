"""Bounds on a patient's age, size, renal function and laboratory values in folded text, as printed.

"under 2 years" is `(None, 2)` open above, "2 years and older" is `(2, None)`, ">30 kg to 40 kg" is open below. A range over two units ("6 months
to <2 years") is two bounds. A number is a bound only where its unit, or the words before it, say of what; a hint from a table's header says it for
cells. The unit of a printed number is never converted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from ontology.model.facts import Axis
from ontology.model.guards import Interval
from ontology.text.comparators import Side, comparison, side_of
from ontology.text.measured import Measured, measured_as, pressure_behind

_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_WORDS = {w: str(n) for n, w in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"])} | {
    "fourteen": "14",
    "eighteen": "18",
}
_COUNT = re.compile(rf"(?<![\w./*^])(?<![A-Za-z]-)(?P<n>{_NUMBER})(?!\d|/\d|\*)|\b(?P<word>{'|'.join(_WORDS)})\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_COMPARED = comparison(
    at_most=r"to (?:the|a) (?:body )?weight of|to the age of|(?:from\s+)?birth\s+(?:up\s+)?(?:to|through)",
    at_least=r"starting at|(?:starting )?from(?: the age of| age)?",
    below=r"younger than|not yet|(?:from\s+)?birth\s+(?:up\s+)?to\s*(?:<|(?:less|younger) than|under|below)",
    above="older than",
)
_OP = re.compile(rf"{_COMPARED}\s*(?:the\s+)?(?:ages?\s+(?:of\s+)?|aged\s+|approximately\s+)?$", re.IGNORECASE)
_TIME = r"years?|yrs?\b\.?|months?|mos?\b\.?|weeks?|wks?\b|days?|hours?"
_CLEAR = r"m[lL](?:\s?(?:/|\s?per\s?)\s?|\s)min(?:ute)?s?\b\.?(?:\s?(?:/|per\s)?\s?\(?1\.73\s?(?:m\s?(?:2|²)|square met(?:er|re)s?|sq\.? ?m)\)?)?"
_UNIT = re.compile(
    rf"\s*-?\s*(?:(?P<clear>{_CLEAR})|(?P<time>{_TIME})|(?P<bmi>kg/m2)|(?P<weight>kg\b(?!/)|kilograms?\b|lbs?\b|pounds?\b|g\b(?!/)|grams?\b)|(?P<area>m2\b|met(?:er|re)s?[\s-]squared\b|square[\s-]met(?:er|re)s?\b)"
    r"|(?P<uln>(?:[x×]|times|-?\s*fold)\s*(?:the\s+|above\s+(?:the\s+)?)?(?:ULN|upper (?:limits?|ends?) of (?:the )?normal(?:\s+range)?|(?:the\s+)?(?:upper\s+)?normal(?:\s+(?:limits?|range|values?))?\b)|ULN\b)"
    r"|(?P<lab>m?mol/L|mEq(?:/L| per liter)|mg/dL|mg/100 mL|mg ?%|mcmol/L|[µu]mol/L|g/dL|g/L|mcg/dL|mcg/mL|[µu]g/mL|ng/mL|ng/dL|pg/mL|mI?U(?:/L| per liter)|U/L|msec(?:onds)?\b|ms\b|milliseconds|mm ?Hg|beats?(?:/|\s+per\s+)min(?:ute)?\b|bpm\b"
    r"|(?:cells\s*)?(?:/|per )\s*(?:mm\s?3|mm³|cubic millimeter|mcL|[µu]L|microliter)|[x×]\s?10\s?\^?\s?9\s?/\s?L|[x×]\s?10\s?\^?\s?3\s?/\s?(?:[µu]L|mcL|mm3)|%))",
    re.IGNORECASE,
)
_SEP = re.compile(r"\s*(?P<sep>to|-|through|~|and|but)\s*", re.IGNORECASE)
_OP_AHEAD = re.compile(rf"{_COMPARED}\s*", re.IGNORECASE)
_AROUND = re.compile(r"\s*(?P<op>≤|<=|<)\s*(?P<name>[A-Za-z][^<>≤≥=;\d]{0,70}?)\s*(?=≤|<)")
_BIRTH = re.compile(r"(?:from\s+)?birth\b", re.IGNORECASE)
_POUNDS_TOO = re.compile(
    r"(?<=kg)\s*\(\s*(?:approximately |about |[<>≤≥]\s*)?\d[\d.]*\s*(?:lbs?|pounds)\.?\s*\)", re.IGNORECASE
)  # the weight in kilograms again
_BETWEEN = re.compile(r"\bbetween\s+(?:the ages of\s+|ages\s+)?$", re.IGNORECASE)
_WAY = re.compile(
    r"\s*(?:,\s*)?(?:\+|(?:of age\s+|old\s+|in age\s+|body weight\s+)?(?:(?:and|or)\s+(?P<way>older|above|over|greater|more|higher|up|heavier|younger|under|less|lower|below|lighter|fewer)\b))",
    re.IGNORECASE,
)
_DOWN = frozenset({"younger", "under", "less", "lower", "below", "lighter", "fewer"})
_OF_YEARS = frozenset({"older", "younger"})
_OF_YEARS_BEFORE = re.compile(r"\b(?:ages?|aged|older|younger|birth)\b", re.IGNORECASE)
_OF_AGE = re.compile(
    r"\s*(?P<what>of age|old\b|of life|in age|of gestation(?:al age)?|'?\s*gestation(?:al age)?|post-?natal age|post-?menstrual age|corrected age)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound on a patient's value, at `[start, end)` of the folded text."""

    start: int
    end: int
    interval: Interval


@dataclass(slots=True)
class _Value:
    """One number with the side it bounds and its unit."""

    number: Decimal
    start: int
    end: int
    side: Side | None
    unit: re.Match[str] | None
    aged: bool = False
    name: str = ""


def find_bounds(text: str, hint: Axis | None = None) -> list[Bound]:
    """The bounds in folded text, left to right, none overlapping. With a `hint` numbers that say nothing else are on that axis."""
    out: list[Bound] = []
    if _DIGIT.search(text) is None and not any(word in text.lower() for word in _WORDS):
        return out
    text = _POUNDS_TOO.sub(lambda m: " " * len(m[0]), text)
    numbers = list(_COUNT.finditer(text))
    at = 0
    while at < len(numbers):
        used = 1
        floor = out[-1].end if out else 0
        if numbers[at].start() < floor:
            at += 1
            continue
        first = _value(text, numbers[at], floor)
        second = _second(text, first, numbers[at + 1]) if at + 1 < len(numbers) else None
        ranged = second is not None and _is_range(text, first, second, floor)
        found = list(_bounds(text, first, second if ranged else None, hint))
        if found:
            out += found
            used = 2 if ranged else 1
        at += used
    return out


def _value(text: str, m: re.Match[str], floor: int) -> _Value:
    number = Decimal(_WORDS[m["word"].lower()] if m["word"] else m["n"].replace(",", ""))
    begin = max(floor, m.start() - 44)
    op = _OP.search(text[begin : m.start()])
    unit = _UNIT.match(text, m.end())
    end = unit.end() if unit else m.end()
    aged = _OF_YEARS_BEFORE.search(op[0]) is not None if op else False
    if unit is not None and unit.lastgroup == "time" and (of_age := _OF_AGE.match(text, end)) is not None and of_age["what"].lower() in ("of age", "old"):
        aged = True
    return _Value(number, begin + op.start() if op else m.start(), end, side_of(op) if op else None, unit, aged)


def _second(text: str, first: _Value, m: re.Match[str]) -> _Value | None:
    """The second number of a range that the first one opens, or None."""
    of_age = _OF_AGE.match(text, first.end)
    at = of_age.end() if of_age else first.end
    sep = _SEP.match(text, at)
    if sep is None:
        return _behind_name(text, first, m)
    op = _OP_AHEAD.match(text, sep.end())
    begin = op.end() if op else sep.end()
    if begin != m.start():
        return None
    found = _value(text, m, sep.end())
    found.start, found.side = sep.start(), side_of(op) if op else None
    joins = sep["sep"].lower() in ("and", "but")
    return None if joins and op is None and first.side is None and _BETWEEN.search(text[max(0, first.start - 30) : first.start]) is None else found


def _behind_name(text: str, first: _Value, m: re.Match[str]) -> _Value | None:
    """The upper number of a comparison that has the value's name in its middle ("60 ≤ eGFR < 90 mL/min")."""
    around = _AROUND.match(text, first.end)
    if first.side is not None or around is None:
        return None
    found = _value(text, m, around.end())
    if found.side is None or not found.side.is_upper or found.start != around.end():
        return None
    first.side = Side.ABOVE if around["op"] == "<" else Side.AT_LEAST
    first.name = around["name"]
    return found


def _is_range(text: str, first: _Value, second: _Value, floor: int) -> bool:
    """True where the two numbers bound one value: a lower one, then an upper one."""
    if (first.side is not None and first.side.is_upper) or (second.side is not None and not second.side.is_upper):
        return False
    joins = re.match(r"\s*(?:and|but)\b", text[second.start : second.end], re.IGNORECASE) is not None
    between = _BETWEEN.search(text[max(floor, first.start - 30) : first.start]) is not None
    return not joins or between or (first.side is not None and second.side is not None)


def _bounds(text: str, first: _Value, second: _Value | None, hint: Axis | None) -> Iterator[Bound]:
    last = second or first
    of_age = _OF_AGE.match(text, last.end)
    way = _WAY.match(text, last.end) or (_WAY.match(text, of_age.end()) if of_age else None)
    end = max(last.end, of_age.end() if of_age else 0, way.end() if way and second is None else 0)
    age = of_age["what"].lower().strip(" '") if of_age else "of age" if first.aged or (way is not None and (way["way"] or "").lower() in _OF_YEARS) else None
    before = f"{text[: first.start]} {first.name} " if first.name else text
    what = measured_as(before, len(before) if first.name else first.start, last.unit or first.unit, age, hint)
    if what is None:
        what = pressure_behind(text, first.start, last.unit)
    if what is None:
        return
    if second is not None:
        opens = _BETWEEN.search(text[max(0, first.start - 30) : first.start])
        first.start -= len(opens[0]) if opens is not None else 0
        yield from _range(text, first, second, what, end)
    elif way is not None and first.side is None:
        low, high = (None, first.number) if (way["way"] or "").lower() in _DOWN else (first.number, None)
        yield Bound(first.start, end, Interval(what.axis, low, high, what.unit, detail=what.detail))
    elif first.side is not None and first.side.is_upper:
        low = Decimal(0) if what.axis is Axis.AGE and _BIRTH.match(text, first.start) else None
        yield Bound(first.start, end, Interval(what.axis, low, first.number, what.unit, high_open=first.side.is_open, detail=what.detail))
    elif first.side is not None:
        yield Bound(first.start, end, Interval(what.axis, first.number, None, what.unit, low_open=first.side.is_open, detail=what.detail))
    elif what.axis is hint and not text[: first.start].strip(" (|") and re.match(r"[\s)|]*$|\s*\(", text[end:]):
        yield Bound(first.start, end, Interval(what.axis, first.number, first.number, what.unit, detail=what.detail))


def _range(text: str, first: _Value, second: _Value, what: Measured, end: int) -> Iterator[Bound]:
    """One bound, or one for each end where their units differ."""
    lower = what if first.unit is None or first.name else measured_as(text, first.start, first.unit, "of age" if what.axis is Axis.AGE else None, what.axis)
    opens, closes = first.side is Side.ABOVE, second.side is Side.BELOW
    if lower is None or lower.axis is not what.axis:
        return
    if lower.unit == what.unit:
        if first.number <= second.number:
            yield Bound(first.start, end, Interval(what.axis, first.number, second.number, what.unit, opens, closes, what.detail))
        return
    yield Bound(first.start, second.start, Interval(what.axis, first.number, None, lower.unit, opens, detail=what.detail))
    yield Bound(second.start, end, Interval(what.axis, None, second.number, what.unit, high_open=closes, detail=what.detail))
