"""Class names that only say what an effect is like ("additive CNS depressant effects") and name no drugs."""

from __future__ import annotations

import re

from ontology.model.entities import EntityType
from ontology.text.mentions import Mention

_EFFECT = re.compile(
    r"(?:(?:,\s+[\w-]+){0,3},?\s+(?:and/or|and|or)\s+[\w-]+)?\s+(?:effects?|efficacy|activity|actions?|responses?|properties|potency)\b", re.IGNORECASE
)
_NAMES_DRUGS = re.compile(
    r"\b(?:(?:drugs?|agents?|medications?|medicines?|products?|compounds?|substances?)\s+(?:with|having|possessing|(?:that|which) (?:have|has|possess))\s+(?:[\w-]+\s+){0,3}|monitor\w*\s+(?:of\s+|the\s+)*)$",
    re.IGNORECASE,
)
"""What stands before the name of an effect where the drugs are meant that have it: "agents with sedative properties", "monitor anticoagulant activity"."""
_NOUN_ENDINGS = ("inhibitor", "blocker", "antagonist", "agonist", "nsaid", "inducer", "s")
"""How class names end that are nouns: "diuretic effect" names no drug, "NSAID effects" does."""


def is_effect(mention: Mention, blank: str) -> bool:
    """True for a class that only says what an effect is like ("additive CNS depressant effects")."""
    if mention.ids[0].type != EntityType.DRUG_CLASS or blank[mention.start : mention.end].lower().endswith(_NOUN_ENDINGS):
        return False
    return _EFFECT.match(blank, mention.end) is not None and _NAMES_DRUGS.search(blank[max(0, mention.start - 60) : mention.start]) is None
