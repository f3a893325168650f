"""The words of a sentence in lower case, in which every letter of the label's own product is a sign."""

from __future__ import annotations

from kb_builder.propose.reading.blocks import Reading, Statement
from ontology.model.entities import EntityType

_OWN = "ø"


def own_as_signs(reading: Reading, statement: Statement) -> str:
    """The sentence in lower case, its own product as ø, of the same length as printed."""
    words = reading.blank[statement.start : statement.end].lower()
    if len(words) != statement.end - statement.start:
        words = reading.blank[statement.start : statement.end]
    for thing in statement.things:
        if thing.own and thing.type != EntityType.DRUG_CLASS:
            s, e = thing.start - statement.start, thing.end - statement.start
            words = words[:s] + _OWN * (e - s) + words[e:]
    return words
