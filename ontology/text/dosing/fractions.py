"""Parts of another dose: "half the usual dose", "reduce the dose by 50%", "75% of the starting dose", "double the dose"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from ontology.model.dosing import FractionOf
from ontology.text.dosing.numbers import DIGITS, PART, number_of, part_of

_DOSE = r"(?:dos(?:es?|ages?|ing)|regimens?)"
_WHOSE = r"(?:the|their|its|recommended|usual|normal|standard|adult|full|approved|labeled|calculated|total|daily|weekly|single|maximum|current|previous|prior|original|existing|present|preceding|last|starting|initial|maintenance|loading|oral|intravenous)"
_OF = rf"(?P<of>(?:{_WHOSE}\s+){{1,6}}(?:(?!patients|human)[\w-]+\s+){{0,2}}?)"
_PERCENT = rf"(?:(?P<low>{DIGITS})\s*%?\s*(?:-|to|or)\s*)?(?P<high>{DIGITS})\s*(?:%|percent)"
_WORDY = r"(?:by\s+(?:approximately\s+|about\s+|up\s+to\s+|at\s+least\s+|a\s+further\s+|an\s+additional\s+)?)"
_CHANGE = r"(?P<way>reduc\w*|decreas\w*|lower\w*|increas\w*|cut)"
_BY = re.compile(
    rf"\b{_CHANGE}\b(?P<between>[^.;()]{{0,110}}?)\b{_WORDY}(?:{_PERCENT}|(?P<part>{PART}))(?![\w%-]|\s*(?:mg|mcg|g|mL|tablets?|units?)\b)",
    re.IGNORECASE,
)
_AND_BY = re.compile(rf"[^.;%]{{0,160}}?(?:,|\band|\bor)\s+(?:by\s+)?{_PERCENT}(?=\s+(?:in|for|if|when|with)\b)", re.IGNORECASE)
"""A further change of the same sentence: "reduce the dose by 25% in patients with A and 50% in patients with B"."""
_OF_DOSE = re.compile(
    rf"\b(?:{_PERCENT}\s*(?=\(|of\b)|(?P<part>{PART}))\s*(?:\(\s*(?:{DIGITS}\s*%|1/[234])\s*\)\s*)?(?:of\s+)?{_OF}{_DOSE}\b(?!\s*(?:reduction|increase|adjustment))",
    re.IGNORECASE,
)
_OF_THAT = re.compile(rf"\b{_PERCENT}\s*of\s+that\s+(?:usually\s+|normally\s+)?(?:recommended|given|used)\b", re.IGNORECASE)
"""A dose named by its patients alone: "25 to 30% of that recommended for patients with normal kidneys"."""
_NOUN = re.compile(
    rf"(?:{_PERCENT}[\s-]+(?:{_DOSE}\s+)?(?P<way>reduction|decrease|increase)(?:\s+(?:in|of)\s+(?:the\s+)?(?:[\w-]+\s+){{0,4}}?{_DOSE})?|\b{_DOSE}\s+(?P<way2>reduction|decrease|increase)\s+(?:of|by)\s+(?:approximately\s+|about\s+|up\s+to\s+|at\s+least\s+)?{_PERCENT.replace('<', '<n')})",
    re.IGNORECASE,
)
_TIMES = re.compile(
    rf"\b(?:(?P<double>double|doubled|doubling|(?<=to )twice|(?<=use )twice|(?<=give )twice)(?=\s+(?:the|their|your)\b)(?:\s+(?:the|their|your)(?:\s+(?!human\b)[\w-]+){{0,4}}?\s+{_DOSE})|(?P<passive>{_DOSE}\s+(?:[\w-]+\s+){{0,4}}?(?:be\s+|is\s+)?(?P<verb>doubled|halved|tripled))|(?P<halve>halve|halving|half)\s+(?:the|of\s+the)\s+(?:[\w-]+\s+){{0,4}}?{_DOSE})\b",
    re.IGNORECASE,
)
_IN_HALF = re.compile(
    rf"\b(?:cut|cutting|reduc\w+|decreas\w+)\s+[^.;:()]{{0,60}}?{_DOSE}\b[^.;:()]{{0,20}}?\s*\bin\s+half\b|\b{_DOSE}\s+[^.;:()]{{0,30}}?(?:cut|reduced|decreased)\s+in\s+half\b",
    re.IGNORECASE,
)
_ABOUT_DOSE = re.compile(rf"\b{_DOSE}\b", re.IGNORECASE)
_NOT_A_DOSE = re.compile(
    r"\b(?:clearance|concentrations?|AUC|exposure|count|risk|levels?|Cmax|platelets?|incidence|bioavailability|interval|volume|rate)\b", re.IGNORECASE
)
_HALF = Decimal("0.5")
_STEP = re.compile(r"\b(?:every|each|increments?|at\s+intervals|weekly)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fraction:
    """A factor from `low` to `high` on another dose, at `[start, end)`; `step` where it is repeated, as in titration."""

    start: int
    end: int
    low: Decimal
    high: Decimal
    of: FractionOf
    step: bool = False


def find_fractions(text: str, start: int, end: int) -> list[Fraction]:
    """The fractions of doses in `[start, end)`, in order, none overlapping another."""
    found: list[Fraction | None] = []
    for m in _BY.finditer(text, start, end):
        around = text[max(start, m.start() - 150) : m.start()]
        said = m["between"] if _ABOUT_DOSE.search(m["between"]) else around + m["between"]
        if _ABOUT_DOSE.search(said) and not _NOT_A_DOSE.search(m["between"]):
            first = _changed(m, m["low"], m["high"], m["part"], m["way"], text, said)
            found.append(first)
            at = m.end()
            while first is not None and m["high"] and (more := _AND_BY.match(text, at, end)) is not None:
                begins = more.start("low") if more["low"] else more.start("high")
                next_one = _changed(m, more["low"], more["high"], None, m["way"], text, said)
                found.append(None if next_one is None else replace(next_one, start=begins, end=more.end()))
                at = more.end()
    for m in _OF_DOSE.finditer(text, start, end):
        low, high = _shares(m["low"], m["high"], m["part"])
        if low is not None and high is not None and m["of"].strip().lower() not in ("a", "an"):
            found.append(Fraction(m.start(), m.end(), low, high, _taken_of(m["of"])))
    for m in _OF_THAT.finditer(text, start, end):
        low, high = _shares(m["low"], m["high"], None)
        if low is not None and high is not None:
            found.append(Fraction(m.start(), m.end(), low, high, _taken_of("recommended")))
    for m in _NOUN.finditer(text, start, end):
        if m["way2"] or _ABOUT_DOSE.search(m[0]):
            found.append(_changed(m, m["low"] or m["nlow"], m["high"] or m["nhigh"], None, m["way"] or m["way2"], text, m[0]))
    for m in _TIMES.finditer(text, start, end):
        word = (m["double"] or m["verb"] or m["halve"]).lower()
        factor = Decimal("0.5") if word.startswith("hal") else Decimal(3) if word.startswith("tri") else Decimal(2)
        found.append(Fraction(m.start(), m.end(), factor, factor, _taken_of(m[0]), _is_step(text, m.end(), m.endpos)))
    found += [Fraction(m.start(), m.end(), _HALF, _HALF, _taken_of(m[0])) for m in _IN_HALF.finditer(text, start, end)]
    out: list[Fraction] = []
    for fraction in sorted((f for f in found if f is not None), key=lambda f: (f.start, -f.end)):
        if not out or fraction.start >= out[-1].end:
            out.append(fraction)
    return out


def _shares(low: str | None, high: str | None, part: str | None) -> tuple[Decimal | None, Decimal | None]:
    if part:
        value = part_of(part)
        return value, value
    top = number_of(high) if high else None
    bottom = number_of(low) if low else top
    if top is None or bottom is None or bottom > top:
        return None, None
    return bottom / 100, top / 100


def _changed(m: re.Match[str], low: str | None, high: str | None, part: str | None, way: str, text: str, said: str) -> Fraction | None:
    bottom, top = _shares(low, high, part)
    if bottom is None or top is None:
        return None
    if way.lower().startswith("incr"):
        return Fraction(m.start(), m.end(), 1 + bottom, 1 + top, _taken_of(said), _is_step(text, m.end(), m.endpos))
    if top >= 1:
        return None
    return Fraction(m.start(), m.end(), 1 - top, 1 - bottom, _taken_of(said), _is_step(text, m.end(), m.endpos))


def _is_step(text: str, at: int, end: int) -> bool:
    return _STEP.search(text, at, min(end, at + 30)) is not None


def _taken_of(words: str) -> FractionOf:
    said = words.lower()
    if re.search(r"\b(?:usual|normal|standard|recommended|full|adult|approved|labeled)\b|\b(?:starting|initial)\s+(?:and|or)\s+maintenance\b", said):
        return FractionOf.USUAL
    if re.search(r"\b(?:starting|initial|loading|maximum|calculated)\b", said):
        return FractionOf.RULE
    return FractionOf.MAINTENANCE if re.search(r"\bmaintenance\b", said) else FractionOf.CURRENT
