"""The conditions of dosing prose, headings and table cells, as guards.

`read_conditions` reads a sentence or clause; `read_label_conditions` a heading or cell, whose words are the condition: what is not read stays as `Opaque`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.lexicon import Lexicon
from kb_builder.propose.restrictions import Restriction, restrictions
from kb_builder.propose.things import Thing
from ontology.model.facts import Axis
from ontology.model.guards import Opaque


def read_conditions(text: str, start: int, end: int, things: Sequence[Thing], lexicon: Lexicon) -> list[Restriction]:
    """The conditions on the patient that a sentence or clause `[start, end)` of folded text states; all of them must hold."""
    return restrictions(text, start, end, things)


def read_label_conditions(text: str, start: int, end: int, things: Sequence[Thing], lexicon: Lexicon, axis_hint: Axis | None = None) -> list[Restriction]:
    """The conditions that a heading or cell `[start, end)` is; words that no axis holds are kept as `Opaque`."""
    found = restrictions(text, start, end, things)
    words = " ".join(text[start:end].split()).strip(" ,.;:")
    return found or ([Restriction(Opaque(words), start, end)] if re.search(r"\w", words) else [])


def axis_of_header(words: str) -> Axis | None:
    """The axis that the cells under a column header are on, or None."""
    lower = words.lower()
    if re.search(r"creatinine clearance|\bcrcl\b|\bclcr\b|\bccr\b", lower):
        return Axis.CRCL_INDEXED if "1.73" in lower else Axis.CRCL
    if re.search(r"\be?gfr\b|glomerular filtration", lower):
        return Axis.EGFR
    if re.search(r"serum creatinine|\bscr\b", lower):
        return Axis.SCR
    if re.search(r"\bweight\b", lower):
        return Axis.WEIGHT
    if re.search(r"surface area|\bbsa\b", lower):
        return Axis.BSA
    if re.search(r"child.?pugh", lower):
        return Axis.CHILD_PUGH
    return Axis.AGE if re.search(r"\bages?\b", lower) else None
