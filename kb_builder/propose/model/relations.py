"""What a model said, found again in the text: mentions and relations with offsets, and the reasons for what was not found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from kb_builder.propose.model.locating import LONGEST_MENTION, find_quote, find_words
from kb_builder.propose.model.passages import Passage
from kb_builder.propose.model.replies import read_as
from kb_builder.propose.model.slices import Slice
from ontology.model.advice import Action
from ontology.model.claims import Polarity, Strength
from ontology.model.dosing import AmountBasis, Measure, PerWhat
from ontology.model.entities import EntityType
from ontology.model.facts import Whose
from ontology.text.context import blank_references
from ontology.text.sentences import split_units

MOST_SENTENCES = 3
_Number = Annotated[Decimal, Field(ge=0, max_digits=14, decimal_places=6)]


class MentionItem(BaseModel):
    """A mention as a model writes it."""

    text: str
    type: EntityType
    sentence: str


class DoseItem(BaseModel):
    """An amount as a model writes it."""

    low: _Number | None = None
    high: _Number | None = None
    unit: str = ""
    basis: AmountBasis = AmountBasis.FLAT
    per: PerWhat = PerWhat.DOSE
    times_a_day: _Number | None = None
    every_hours: _Number | None = None
    limits: Measure | Literal["none"] = "none"


class RelationItem(BaseModel):
    """A relation as a model writes it: `object` numbers a mention, or `text` and `type` name one."""

    predicate: str
    quote: str
    action: Action | Literal["none"]
    object: int | None = None
    text: str | None = None
    type: EntityType | None = None
    whose: Whose = Whose.EITHER
    polarity: Polarity = Polarity.POSITIVE
    strength: Strength = Strength.SHOULD
    effect: str = ""
    conditions: list[str] = []
    doses: list[DoseItem] = []


@dataclass(frozen=True, slots=True)
class Named:
    """A mention at `[start, end)` of the passage's folded text."""

    start: int
    end: int
    type: EntityType


@dataclass(frozen=True, slots=True)
class Relation:
    """A statement whose words all stand in the text: `statement` covers whole sentences, `conditions` the phrases that restrict it."""

    passage: Passage
    predicate: str
    object: Named | None
    statement: tuple[int, int]
    action: Action | None
    whose: Whose
    polarity: Polarity
    strength: Strength
    conditions: tuple[tuple[int, int], ...] = ()
    doses: tuple[DoseItem, ...] = ()


@dataclass(slots=True)
class Found:
    """What was found, and how much was not, by reason."""

    relations: list[Relation] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)


def find_mentions(items: Iterable[dict[str, Any]], passage: Passage, dropped: Counter[str]) -> list[Named]:
    """The mentions that stand in the passage, each once, in order of print."""
    out: dict[tuple[int, int], Named] = {}
    for item in items:
        said = read_as(MentionItem, item, "mention", dropped)
        if said is None:
            continue
        if said.type not in passage.slice.types:
            dropped["mention: a type the section is not asked about"] += 1
            continue
        sentence = find_quote(said.sentence, passage.shadow.text, passage.start, passage.end)
        if sentence is None:
            dropped["mention: its sentence does not stand in the passage"] += 1
            continue
        places = find_words(said.text, passage.shadow.text, *sentence, LONGEST_MENTION)
        if not places:
            dropped["mention: its words do not stand in its sentence"] += 1
            continue
        out.setdefault(places[0], Named(*places[0], said.type))
    return [out[place] for place in sorted(out)]


def find_relation(item: dict[str, Any], window: Sequence[Passage], part: Slice, listed: Sequence[Named] | None, dropped: Counter[str]) -> Relation | None:
    """The relation in the first passage of the window that holds its quote; None, with the reason counted, where any of its words stand nowhere.

    `listed` are the mentions that objects number; None where the item names its object itself.
    """
    said = read_as(RelationItem, item, "relation", dropped)
    if said is None:
        return None
    if not part.allows(said.predicate):
        dropped["relation: a predicate the section is not asked about"] += 1
        return None
    placed = next(((p, q) for p in window if (q := find_quote(said.quote, p.shadow.text, p.start, p.end)) is not None), None)
    if placed is None:
        dropped["relation: its quote does not stand in the passage, or in several places"] += 1
        return None
    passage, quote = placed
    if not passage.slice.allows(said.predicate):
        dropped["relation: a predicate the section is not asked about"] += 1
        return None
    text = passage.shadow.text
    sentences = [
        u for u in split_units(blank_references(text[passage.start : passage.end])) if u.start + passage.start < quote[1] and quote[0] < u.end + passage.start
    ]
    if not sentences or len(sentences) > MOST_SENTENCES:
        dropped["relation: its quote is no sentence, or more than three"] += 1
        return None
    statement = (sentences[0].start + passage.start, sentences[-1].end + passage.start)
    named, reason = _object(said, text, statement, listed)
    if reason is not None:
        dropped[reason] += 1
        return None
    conditions = [find_words(words, text, *statement, LONGEST_MENTION * 2) for words in said.conditions if words.strip()]
    if not all(conditions):
        dropped["relation: a condition does not stand in its sentence"] += 1
        return None
    if said.effect.strip() and not find_words(said.effect, text, *statement, LONGEST_MENTION * 2):
        dropped["relation: the effect does not stand in its sentence"] += 1
        return None
    return Relation(
        passage,
        said.predicate,
        named,
        statement,
        None if said.action == "none" else said.action,
        said.whose,
        said.polarity,
        said.strength,
        tuple(places[0] for places in conditions),
        tuple(said.doses),
    )


def _object(said: RelationItem, text: str, statement: tuple[int, int], listed: Sequence[Named] | None) -> tuple[Named | None, str | None]:
    """The object, and why there is none. Only a relation about doses may have no object."""
    if listed is None:
        if not (said.text or "").strip():
            return None, None if said.doses else "relation: no object"
        places = find_words(said.text or "", text, *statement, LONGEST_MENTION)
        if not places:
            return None, "relation: its object does not stand in its sentence"
        return (Named(*places[0], said.type), None) if said.type is not None else (None, "relation: its object has no type")
    if said.object is None:
        return None, None if said.doses else "relation: no object"
    if not 1 <= said.object <= len(listed):
        return None, "relation: its object is no mention that was found"
    named = listed[said.object - 1]
    if not (statement[0] <= named.start and named.end <= statement[1]):
        again = find_words(text[named.start : named.end], text, *statement, LONGEST_MENTION)
        if not again:
            return None, "relation: its object does not stand in its sentence"
        named = Named(*again[0], named.type)
    return named, None
