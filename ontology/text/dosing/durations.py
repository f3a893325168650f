"""How long: days, weeks and months of treatment, and the event that ends it."""

from __future__ import annotations

import re
from decimal import Decimal

from ontology.text.dosing.numbers import COUNT, number_of
from ontology.text.dosing.pieces import Kind, Piece
from ontology.text.sought import sought

_DAYS = {"d": Decimal(1), "w": Decimal(7), "m": Decimal(30), "y": Decimal(365), "h": Decimal(1)}
_UNIT = r"(?P<unit>days?|weeks?|wks?|months?|years?|yrs?|hours?)"
_SPAN = rf"(?:(?P<low>{COUNT})\s*(?:(?P<u1>days?|weeks?|months?)\s*)?(?:-|to|or|through)\s*)?(?P<high>{COUNT})[\s-]*(?:consecutive\s+|full\s+|treatment\s+|more\s+|additional\s+)?{_UNIT}\b"
_LIMIT = r"(?P<limit>up\s+to(?:\s+a\s+(?:maximum|total)\s+of)?|(?:a\s+)?maximum\s+(?:period\s+)?of|no\s+(?:more|longer)\s+than|not\s+(?:more|longer)\s+than|not\s+to\s+exceed)"
_FLOOR = r"(?P<floor>(?:at\s+least|a\s+minimum\s+of|no\s+less\s+than|not\s+less\s+than)(?:\s+an?\s+additional)?)"
_FOR = re.compile(
    rf"\b(?:(?:for|x|over(?=\s+\d+\s+(?:weeks|months))|during)\s*(?:a\s+)?(?:(?:total|period|duration)\s+(?:of\s+)?)*(?:{_LIMIT}\s+|{_FLOOR}\s+)?(?:about\s+|approximately\s+|the\s+(?:first|next)\s+|an?\s+additional\s+|another\s+|a\s+total\s+of\s+|the\s+(?:entire|full|whole)\s+)?{_SPAN})(?!\s+(?:of\s+age|old|after\s+birth|before|prior|or\s+older|earlier|(?:per|a|each|every|of\s+each|of\s+every)\s+(?:week|month)))",
    re.IGNORECASE,
)
_COURSE = sought(
    rf"\b{_SPAN}[\s-]+(?:course|regimen|treatment(?:\s+(?:course|period))?|therapy)\b|\b(?:(?:treatment|therapy)\s+)?(?:duration|course)(?:\s+of\s+(?:treatment|therapy))?\s*(?:is|:|of|should\s+be|was)\s+(?:{_LIMIT.replace('limit', 'limit2')}\s+|{_FLOOR.replace('floor', 'floor2')}\s+)?{_SPAN.replace('<', '<c')}",
    re.IGNORECASE,
)
_TREATMENT = re.compile(r"course|regimen|treatment|therapy|duration", re.IGNORECASE)
_BARE = re.compile(rf"(?<=[,;:|(\s])(?<!every )(?<!after )(?<!each )(?<!within ){_SPAN}(?=\s*(?:[.;,)|]|$))", re.IGNORECASE)
_SHORT = re.compile(r"\s*(?P<n>\d{1,3})\s?(?P<unit>d|wk)\b(?!\.)")
_UNTIL = sought(
    r"\b(?:until|or\s+till|till)\s+(?P<what>[^.;:•()\[\]|\n\u2029\x01]{3,140}?)(?=\s*(?:[.;:•()\[\]|\n\u2029\x01]|$|,\s*(?:then|but|and|or\s+for|or\s+up|with|at)\b|\s+in\s+combination\b|\s+or\s+for\s+(?:a\s+max|up\s+to)))",
    re.IGNORECASE,
)


def find_durations(text: str, start: int, end: int) -> list[Piece]:
    """The pieces that say how long, in no order; they may overlap."""
    out: list[Piece] = []
    for m in _FOR.finditer(text, start, end):
        out += _duration(m, m["low"], m["high"], m["unit"], m["u1"], bool(m["limit"]), bool(m["floor"]))
    for m in _COURSE.finditer(text, start, end) if _TREATMENT.search(text, start, end) else ():
        if m["high"]:
            out += _duration(m, m["low"], m["high"], m["unit"], m["u1"], False, False)
        else:
            out += _duration(m, m["clow"], m["chigh"], m["cunit"], m["cu1"], bool(m["limit2"]), bool(m["floor2"]))
    for m in _UNTIL.finditer(text, start, end):
        out.append(Piece(m.start(), m.end(), Kind.UNTIL, words=" ".join(m["what"].split())))
    return out


def bare_duration(text: str, start: int, end: int) -> Piece | None:
    """A span of days or weeks without a word before it ("every 12 hours, 7 to 14 days"), right at `start`; None where there is none."""
    short = _SHORT.match(text, start, end)
    if short is not None and int(short["n"]):
        days = Decimal(short["n"]) * _DAYS[short["unit"][0]]
        return Piece(short.start("n"), short.end(), Kind.DURATION, days_low=days, days_high=days)
    m = _BARE.search(text, start, min(end, start + 40))
    if m is None or text[start : m.start()].strip(" ,;:|-"):
        return None
    return next(iter(_duration(m, m["low"], m["high"], m["unit"], m["u1"], False, False)), None)


def _duration(m: re.Match[str], low: str | None, high: str, unit: str, unit_low: str | None, limit: bool, floor: bool) -> list[Piece]:
    top, bottom = number_of(high), number_of(low) if low else None
    if top is None:
        return []
    if unit[0].lower() == "h" and (top % 24 or not top):
        return []
    days_high = top * _DAYS[unit[0].lower()]
    days_low = bottom * _DAYS[(unit_low or unit)[0].lower()] if bottom is not None else days_high
    if unit[0].lower() == "h":
        days_low, days_high = days_low / 24, days_high / 24
    if days_low > days_high:
        return []
    return [Piece(m.start(), m.end(), Kind.DURATION, days_low=None if limit and low is None else days_low, days_high=None if floor else days_high)]
