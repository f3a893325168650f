"""Names that a text uses for something that is not taken: a level in the blood, a receptor, an organ, a word made with the name."""

from __future__ import annotations

import re

from kb_builder.propose.reading.wording import wording
from ontology.text.mentions import words_key

_WORDS = wording()
_LEVEL = re.compile(
    r"\s*(?:levels?|concentrations?|values?|status|balance|depletion|excretion|retention|homeostasis|metabolism|clearance|absorption|loss|intake|channels?|receptors?|reuptake|transporters?|secretion|supplementation|release|uptake|(?:blockers?|antagonists?)(?! channel))\b",
    re.IGNORECASE,
)
_BEFORE_LEVEL = re.compile(
    r"(?:serum|plasma|blood|urinary|urine|whole blood|total|free|elevated|low|monitor|increased|decreased|excess|deplet(?:e|es|ing)|(?:depletion|release|reuptake|uptake|levels?|concentrations?) of(?: \w+ (?:and|or))?(?: circulating)?(?: [\d-]*hydroxy)?)\s+$",
    re.IGNORECASE,
)
_COMPOUND = re.compile(
    r"[- ](?:deplet\w+|deprivation|lowering|sensing|chelating|suppressing|suppression|binding|regulating|sparing|releasing|induced|associated|related|resistant|dependent|type|positive|refractory|sensitive|naive|tolerant|(?<=-)like|receptors?|channels?|reuptake|deficien\w+|synth(?:et)?ase|(?:bio)?synthesis|oxidase|antibod(?:y|ies)|resistance protein)\b",
    re.IGNORECASE,
)
_NON = re.compile(r"\bnon[- ]$|\btarget of $", re.IGNORECASE)
"""What makes a name that of something else: "non-X", "mammalian target of X"."""
_UNLESS_FOLLOWED: dict[str, re.Pattern[str]] = {
    "glucose": re.compile(r"\s+(?:solution|infusion|tablets?|gel|injection|containing)", re.IGNORECASE),
    "thyroid": re.compile(r"\s+(?:products?|preparations?|extracts?|tablets?|usp|desiccated)", re.IGNORECASE),
}
"""Names that are a laboratory value or an organ unless one of these words follows."""

_VACCINATED = frozenset({"vaccination", "vaccinations", "immunization", "immunizations"})
_WITH_VACCINES = re.compile(r"\s+(?:with|of|using)\b", re.IGNORECASE)
"""What makes vaccination name the vaccines behind it ("vaccination with live vaccines")."""


def means_else(blank: str, start: int, end: int) -> bool:
    """True for "non-X", "X-induced", "serum X", "X levels" and names that labels use for something that is not taken."""
    key = words_key(blank[start:end])
    before = blank[max(0, start - 40) : start]
    if _NON.search(before) or key in _WORDS["never_partners"] or _COMPOUND.match(blank, end):
        return True
    if key in _UNLESS_FOLLOWED and _UNLESS_FOLLOWED[key].match(blank, end) is None:
        return True
    if key in _VACCINATED and _WITH_VACCINES.match(blank, end) is not None:
        return True
    return key in _WORDS["measured"] and (_LEVEL.match(blank, end) is not None or _BEFORE_LEVEL.search(before) is not None)
