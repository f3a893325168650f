"""Whether a label says once for all its doses that they are given once a day ("Administer X once daily, on an empty stomach")."""

from __future__ import annotations

import re

from kb_builder.propose.dosage.table_doses import doses_of_words
from kb_builder.propose.reading.blocks import Reading
from ontology.model.dosing import Frequency

Place = tuple[int, int]
Usual = tuple[Frequency, Place]
"""How often all doses are given, and the place that says so."""

_ORDER = re.compile(
    r"\b(?:administer|take|give|(?:should|must) be (?:administered|taken|given)|(?:is|are) to be (?:administered|taken|given))\b[^.;:\d]{0,50}?\b(?P<often>once (?:daily|a day|each day|every day)|as a single daily dose)\b(?!\s*(?:or|to|before \w+ or)\b)",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"\b(?:twice|three times|four times|two times|2 times|3 times) (?:daily|a day|per day)|\bdivided\b|\b[bt]\.?i\.?d\b|\bevery (?:other day|\d+ hours)|\bq ?\d+ ?h",
    re.IGNORECASE,
)
_NARROW = re.compile(r"\d\s*(?:mg|mcg|g|units?|mL|tablets?|capsules?)\b|\b(?:if|when|patients|children|adults|or|except|unless|in)\b", re.IGNORECASE)


def once_daily(reading: Reading) -> Usual | None:
    """The frequency with the place that says it; None where the section says it of some doses only, or gives doses more often too."""
    if _OTHERWISE.search(reading.blank):
        return None
    for m in _ORDER.finditer(reading.blank):
        start = max(reading.blank.rfind(". ", 0, m.start()), reading.blank.rfind("\x01", 0, m.start())) + 1
        said = next((p.frequency for p in doses_of_words(f"1 mg {m['often']}")), None)
        if said is not None and not _NARROW.search(reading.blank, start, m.start("often")):
            return said, m.span()
    return None
