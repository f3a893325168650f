"""The parts of Drug Facts, the fixed layout of US over-the-counter labels (21 CFR 201.66), in text that has lost its layout.

The regulation gives the headings, their words and their order, so that a part is found by its heading alone: "Do not use", "Ask a doctor before
use if", "Ask a doctor or pharmacist before use if you are", "When using this product", "Stop use and ask a doctor if", "If pregnant or
breast-feeding", "Keep out of reach of children".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from ontology.text.offsets import PARAGRAPH


class FactsHeading(StrEnum):
    """The headings of the warnings, by what they ask of the consumer."""

    DO_NOT_USE = "do-not-use"
    ASK_DOCTOR = "ask-doctor"
    ASK_DOCTOR_OR_PHARMACIST = "ask-doctor-or-pharmacist"
    WHEN_USING = "when-using"
    STOP_USE = "stop-use"
    PREGNANCY = "pregnancy"
    CHILDREN = "children"
    OVERDOSE = "overdose"
    ALERT = "alert"


@dataclass(frozen=True, slots=True)
class FactsPart:
    """The words behind one heading, `[start, end)`; `at` is where the heading begins."""

    heading: FactsHeading
    at: int
    start: int
    end: int


_HEADINGS: tuple[tuple[FactsHeading, str], ...] = (
    (FactsHeading.ASK_DOCTOR_OR_PHARMACIST, r"Ask (?:a |your )?doctor or (?:a )?pharmacist before us(?:e|ing)(?: this product)?(?: if)?"),
    (FactsHeading.ASK_DOCTOR, r"Ask (?:a |your )?doctor before us(?:e|ing)?(?: this product)?(?: if)?"),
    (
        FactsHeading.STOP_USE,
        r"Stop (?:use|using)(?: this product)?(?: and (?:ask|see|contact|consult) (?:a |your )?(?:doctor|dentist|health professional)(?: or dentist)?)?(?: if)?",
    ),
    (FactsHeading.PREGNANCY, r"If (?:you are )?pregnant or breast-?\s?feeding,?"),
    (FactsHeading.CHILDREN, r"Keep (?:this and all (?:drugs|medicines?) )?(?:out of (?:the )?reach of children|away from children)"),
    (FactsHeading.OVERDOSE, r"In case of (?:accidental )?(?:overdose|ingestion)|If swallowed|Overdose warning"),
    (FactsHeading.WHEN_USING, r"When using this product|While using this product"),
    (FactsHeading.ALERT, r"(?:[A-Z][a-z]+ ){0,3}?(?:[A-Za-z]+ )(?:[Aa]lert|[Ww]arning)\s*:"),
    (FactsHeading.DO_NOT_USE, r"Do not (?:use|take)(?: this product)?(?! more| for longer| longer)|(?<=: )do not use(?: this product)? if(?= you)"),
)
_HEADING = re.compile("|".join(rf"(?P<h{i}>\b{pattern})" for i, (_, pattern) in enumerate(_HEADINGS)))
_TELLING = frozenset({FactsHeading.ASK_DOCTOR, FactsHeading.ASK_DOCTOR_OR_PHARMACIST, FactsHeading.STOP_USE, FactsHeading.WHEN_USING, FactsHeading.CHILDREN})
"""Headings that no other label prints with a capital."""


_DIRECTIONS = re.compile(r"\W*Directions\b")
_DIRECTION = re.compile(
    r"(?<=[a-z0-9)\].:;])(?<!\band)(?<!\bor)(?<!\bfor)(?<!\bin)(?<!\bof)(?<!\bto)(?<!\bif)(?<!\bthe)(?<!\bunless)(?<!\bwith)(?<!\bby)(?<!\bpremature)(?<!\byoung)(?<!\bolder)\s+"
    r"(?=(?:adults|children|infants|babies|consumers|ages?)\s+(?:and|under|over|below|with|of|\d|who)\b|(?:do not|never)\s+(?:exceed\b|(?:take|use|give|apply)\s+(?:more|for more|longer|with)\b)"
    r"|if\s+(?:pain|needed|symptoms|you|taken|swallowed)\b|(?:not|no) more than\b|shake\b|wait\b)"
)


def cut_directions(text: str) -> str:
    """The text of the same length; in the directions of Drug Facts a paragraph mark stands where an item begins that lost its bullet."""
    if _DIRECTIONS.match(text) is None:
        return text
    return _DIRECTION.sub(lambda m: PARAGRAPH + " " * (len(m[0]) - 1), text)


@lru_cache(maxsize=64)
def drug_facts_parts(text: str) -> tuple[FactsPart, ...]:
    """The parts of a text in order of print; the text before the first heading is none."""
    found = [(m.start(), m.end(), _HEADINGS[int((m.lastgroup or "h0")[1:])][0]) for m in _HEADING.finditer(text)]
    return tuple(FactsPart(heading, at, start, after[0]) for (at, start, heading), after in pairwise([*found, (len(text), len(text), FactsHeading.OVERDOSE)]))


@lru_cache(maxsize=64)
def is_drug_facts(text: str) -> bool:
    """True for warnings in the layout of Drug Facts."""
    return any(p.heading in _TELLING for p in drug_facts_parts(text))
