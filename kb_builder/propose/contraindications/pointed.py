"""The patients of the sentence before, where one that advises against a product says "these patients"."""

from __future__ import annotations

import re
from bisect import bisect_left

from kb_builder.propose.reading.blocks import Block, Statement

_THESE = re.compile(
    r"\b(?:in|to|for|by|among) (?:any of )?(?:these|such) (?:patients|individuals|people|persons|women)\b|^\W*(?:these|such) (?:patients|individuals|people|persons|women) (?:should|must)\b"
)
_PEOPLE = r"\b(?:patients|individuals|people|persons|women)\s+(?:with|who have)\s+"
_NAMED = re.compile(
    rf"{_PEOPLE}(?P<states>(?!(?:the|these|this|such|no|not|normal|already|previously|recently|never|been|had|experienced)\b)[^.;:()\x01]{{3,160}}?)"
    r"(?P<stop>\s*[.;:(\x01]|\s*$|\s+(?:may|might|can|could|will|would|are|is|was|were|have|has|had|should|must|do|does|did|because|due|since|and (?:may|can|is|are|has|have))\b"
    r"|,?\s+(?:who|whose|when|if|while|during|after|before|following|taking|receiving|treated|given|on|using|than|compared|undergoing|without|especially|particularly|including|(?:and|or) (?:in )?(?:patients|those|individuals|people|persons|women))\b)",
    re.IGNORECASE,
)
_NARROWS = re.compile(
    r",?\s+(?:who|whose|when|if|while|during|after|before|following|taking|receiving|treated|given|on|using|than|compared|undergoing|without|especially|particularly|including|(?:and|or) (?:in )?(?:patients|those|individuals|people|persons|women))$",
    re.IGNORECASE,
)
"""Says more of the patients than their state: who they are cannot be told by the state alone."""


def points_back(lower: str) -> bool:
    """True for a sentence about "these patients"."""
    return _THESE.search(lower) is not None


def patients_before(blank: str, block: Block, statement: Statement, until: int) -> tuple[Statement, tuple[int, int]] | None:
    """The sentence with the place of the state of the only patients whom it names: this one before `until`, or the one before it in the block.

    None where it names none, several, or says more of them than their state.
    """
    at = bisect_left(block.statements, statement.start, key=lambda s: s.start)
    before = statement
    found = list(_NAMED.finditer(blank, statement.start, until))
    if not found and at > 0:
        before = block.statements[at - 1]
        found = list(_NAMED.finditer(blank, before.start, before.end))
    if len(found) != 1 or _NARROWS.fullmatch(found[0]["stop"]) is not None:
        return None
    return before, found[0].span("states")
