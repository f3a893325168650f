"""Sentences that are about what the one before them names."""

from __future__ import annotations

import re

_BESIDE_THOSE = re.compile(
    r"\b(?:(?:co-?\s?administ\w*|concomitant\w*|concurrent\w*|combin\w*|together|co-?prescri\w*)\b[^.;]{0,50}? (?:with|of|and|to|on|receiving|taking)|(?:given|used|taken|administered|use|started|initiated|prescribed) with)"
    r" (?:any of |one of |either of )?(?:these|such|those) (?:[\w-]+ ){0,2}?(?:drugs?|agents?|medications?|medicines|products|substances|inhibitors|inducers|compounds|therapies)\b"
)
"""Takes the product beside the drugs of the sentence before."""


def is_beside_those(lower: str) -> bool:
    """True when the sentence is about the product beside the drugs that the one before it names ("during co-administration with these drugs")."""
    return _BESIDE_THOSE.search(lower) is not None


def is_taken(name: str) -> bool:
    """False for what happens to an enzyme ("CYP3A4 inhibition"), which does not say what is taken and how strong it is."""
    return not name.lower().endswith(("inhibition", "induction", "metabolism"))
