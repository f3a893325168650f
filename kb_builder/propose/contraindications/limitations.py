"""Limitations of use that are limits of a laboratory value: the people of a value in whom the product is not recommended, listed under its uses.

"X is not recommended to be initiated, unless the benefit outweighs the risk, in: adult females with CD4+ cell counts greater than 250 cells/mm3."
What else an indications section denies is a use, which the proposer of indications reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kb_builder.propose.conditions.reader import read_label_conditions
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.contraindications.advised import state_draft
from kb_builder.propose.drafts import Draft
from kb_builder.propose.found import State
from kb_builder.propose.reading.blocks import Block, Reading, Statement
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import uncoded
from ontology.model.advice import Action
from ontology.model.claims import Strength
from ontology.model.entities import EntityType
from ontology.model.facts import Axis
from ontology.model.guards import Category, Interval, Opaque, leaves

SECTION = "indications_and_usage"
_LEAD = re.compile(r"\bnot\s+(?:be\s+)?(?:recommended|initiated|started|used)\b[^;:]{0,120}\b(?:in|for)\s*:?\s*$", re.IGNORECASE)
_ITEM_END = re.compile(r"[\s,;.]*(?:\b(?:or|and)\b)?[\s,;.]*$")
_SEXES = (
    (re.compile(r"\b(?:females?|women|girls)\b", re.IGNORECASE), "female"),
    (re.compile(r"\b(?:males?|men|boys)\b", re.IGNORECASE), "male"),
)


def may_limit(text: str) -> bool:
    """False for a section that need not be read: it denies nothing."""
    return " not " in text


def limited_values(reading: Reading, lexicon: Lexicon) -> Iterator[Draft]:
    """The items of such lists that bound a laboratory value, with all that they say of the people; an item that no axis holds whole is none."""
    if reading.key != SECTION:
        return
    for block in reading.blocks:
        lead: Statement | None = None
        for statement in block.statements:
            if not statement.item:
                lead = statement if _LEAD.search(reading.blank, statement.start, statement.end) is not None else None
            elif lead is not None:
                yield from _item(reading, lexicon, block, lead, statement)


def _item(reading: Reading, lexicon: Lexicon, block: Block, lead: Statement, item: Statement) -> Iterator[Draft]:
    text = reading.blank[item.start : item.end]
    end = item.start + (cut.start() if (cut := _ITEM_END.search(text)) is not None else len(text))
    found = read_label_conditions(reading.blank, item.start, end, reading.things_in(item.start, end), lexicon)
    tests = " ".join(leaf.detail or "" for r in found for leaf in leaves(r.guard) if isinstance(leaf, Interval))
    found = [r for r in found if not (isinstance(r.guard, Opaque) and r.guard.text.casefold() in tests)]  # a piece of the test's own name
    told = [leaf for r in found for leaf in leaves(r.guard)]
    if any(isinstance(leaf, Opaque) for leaf in told) or not any(isinstance(leaf, Interval) and leaf.axis is Axis.LAB for leaf in told):
        return
    limits = (*found, *(() if any(getattr(leaf, "axis", None) is Axis.SEX for leaf in told) else _sex(reading.blank, item.start, end)))
    words = " ".join(reading.blank[item.start : end].split())
    state = State(uncoded(EntityType.POPULATION, words), item.start, end, tuple(limits))
    yield state_draft(reading, replace(block, heading=(lead.start, lead.end)), item, state, Action.NOT_RECOMMENDED, Strength.SHOULD)


def _sex(blank: str, start: int, end: int) -> Iterator[Restriction]:
    for pattern, sex in _SEXES:
        if (m := pattern.search(blank, start, end)) is not None:
            yield Restriction(Category(Axis.SEX, (sex,)), *m.span())
            return
