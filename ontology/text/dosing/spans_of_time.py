"""Ceilings on time: how long at most, and how far apart doses must at least be."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from ontology.model.dosing import Frequency, Measure
from ontology.text.dosing.numbers import COUNT, HAN, number_of

_DAYS = {"d": Decimal(1), "w": Decimal(7), "m": Decimal(30), "y": Decimal(365)}
_SPAN = rf"(?P<n>{COUNT})[\s-]*(?:consecutive\s+)?(?P<unit>days?|weeks?|months?|years?)\b"
_LONGEST = re.compile(
    rf"\b(?:(?:do|does|should|must|may|can)?\s*not\s+(?:be\s+)?(?:to\s+)?(?:exceed|use[d]?\s+(?:for\s+)?(?:more|longer)\s+than|(?:continue[d]?|given|administered|taken|extend(?:ed)?)\s+(?:for\s+)?(?:beyond|(?:more|longer)\s+than))|(?:no|not)\s+(?:more|longer)\s+than(?=\s+\S+\s+(?:consecutive\s+)?(?:days|weeks|months))"
    rf"|maximum\s+(?:recommended\s+)?(?:treatment\s+)?duration(?:\s+of\s+(?:treatment|therapy|use))?\s*(?:is|of|:|should\s+be)|(?:treatment|therapy|use|duration)\s+(?:\w+\s+){{0,3}}(?:should\s+be\s+)?limited\s+to(?:\s+a\s+maximum\s+of)?|beyond)\s+(?:for\s+)?(?:a\s+(?:total|period)\s+of\s+|a\s+maximum\s+of\s+)?{_SPAN}(?!\s+(?:of\s+age|old|apart|after|before|prior))",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(
    rf"\b(?:longer|more)\s+than\s+(?:{COUNT}\s+(?:or|to)\s+)?{_SPAN}(?=(?:\s+[^.;:]{{0,40}})?\s+(?:is|are)\s+not\s+recommended)",
    re.IGNORECASE,
)
"""Asks for a shorter time: "for periods longer than 2 or 3 weeks is not recommended"."""
_BEYOND_ONLY = re.compile(r"^beyond", re.IGNORECASE)
_APART = re.compile(
    rf"\b(?:(?:at\s+least|a\s+minimum\s+of|no\s+less\s+than|not\s+less\s+than|minimum(?:\s+(?:interval|of))*(?:\s+(?:is|of))?)\s+(?P<n>{COUNT})\s*(?P<unit>hours?|hrs?|days?)\s+(?:apart(?!\s+from\b)|between\s+(?:[\w-]+\s+)?(?:doses|injections|applications|administrations|two\s+doses)|should\s+elapse|must\s+elapse)"
    rf"|(?:no|not)\s+(?:be\s+)?(?:given\s+|administered\s+|taken\s+|used\s+|dosed\s+)?(?:sooner|more\s+(?:often|frequently))\s+than\s+(?:once\s+)?every\s+(?P<n2>{COUNT})\s*(?P<unit2>hours?|hrs?|days?)|minimum\s+(?:dosing\s+)?interval\s+(?:between\s+doses\s+)?(?:is|of)\s+(?P<n3>{COUNT})\s*(?P<unit3>hours?|hrs?|days?))\b",
    re.IGNORECASE,
)
_HAN_LONGEST = re.compile(rf"(?:疗程|用药|使用|服用|连用|应用)[^,。;]{{0,8}}?不(?:得|应|宜|可|能)?(?:超过|多于)\s*(?P<n>{HAN})\s*(?P<unit>日|天|周|个?月|年)")
_HAN_DAYS = {"日": Decimal(1), "天": Decimal(1), "周": Decimal(7), "月": Decimal(30), "个": Decimal(30), "年": Decimal(365)}


@dataclass(frozen=True, slots=True)
class TimeCeiling:
    """A ceiling on DURATION (`days`) or MINIMUM_INTERVAL (`frequency`) at `[start, end)`."""

    start: int
    end: int
    measure: Measure
    days: Decimal | None = None
    frequency: Frequency | None = None


def find_time_ceilings(text: str, start: int, end: int) -> list[TimeCeiling]:
    """The ceilings on time in `[start, end)`."""
    out: list[TimeCeiling] = []
    for m in _LONGEST.finditer(text, start, end):
        number = number_of(m["n"])
        if number is None or _BEYOND_ONLY.match(m[0]):
            continue
        out.append(TimeCeiling(m.start(), m.end(), Measure.DURATION, days=number * _DAYS[m["unit"][0].lower()]))
    for m in _TOO_LONG.finditer(text, start, end):
        number = number_of(m["n"])
        if number is not None:
            out.append(TimeCeiling(m.start(), m.end(), Measure.DURATION, days=number * _DAYS[m["unit"][0].lower()]))
    for m in _HAN_LONGEST.finditer(text, start, end):
        number = number_of(m["n"])
        if number is not None:
            out.append(TimeCeiling(m.start(), m.end(), Measure.DURATION, days=number * _HAN_DAYS[m["unit"][0]]))
    for m in _APART.finditer(text, start, end):
        number = number_of(m["n"] or m["n2"] or m["n3"])
        unit = (m["unit"] or m["unit2"] or m["unit3"])[0].lower()
        if number:
            hours = number * 24 if unit == "d" else number
            out.append(TimeCeiling(m.start(), m.end(), Measure.MINIMUM_INTERVAL, frequency=Frequency(every_hours_low=hours)))
    return out
