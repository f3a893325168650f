"""What the patient eats, drinks or smokes: by the problem list, or by a note that says so of the patient and now.

What only a note says is marked, as everything from notes. A habit that the record does not name is unknown, never denied.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from cds_service.audit.clinical import Signs, table
from cds_service.audit.kept import kept_with
from cds_service.audit.knowledge import Terms, entities_named
from cds_service.audit.outcomes import Certainty
from cds_service.audit.profile.demographics import Demographics
from cds_service.audit.profile.passages import Passage
from cds_service.intake.prescription import Source
from ontology.model.entities import EntityType
from ontology.model.identifiers import EntityId
from ontology.text.mentions import MentionIndex
from ontology.text.offsets import fold

TAKEN = (EntityType.FOOD, EntityType.LIFESTYLE, EntityType.HERB, EntityType.INGREDIENT)
"""What a patient may take without an order; of ingredients only those of the data file."""


@dataclass(frozen=True, slots=True)
class Habit:
    """Something the patient takes: the record's words, their source, how sure they are; `noted` when a note alone says it."""

    name: str
    source: Source
    certainty: Certainty
    noted: bool


@dataclass(frozen=True, slots=True)
class _Row:
    names: tuple[str, ...]
    signs: Signs
    noted: tuple[str, ...]


def habits_of(who: Demographics, terms: Terms) -> Mapping[EntityId, Habit]:
    """Every food, drink, herb or habit that the record says the patient takes."""
    found: dict[EntityId, Habit] = {}
    for row in _rows():
        for entity in entities_named(terms, row.names, TAKEN):
            if (habit := _listed(who, row) or _told(who, row)) is not None:
                found[entity] = habit
    for entity, habit in _mentioned(who, terms):
        found.setdefault(entity, habit)
    return found


def _listed(who: Demographics, row: _Row) -> Habit | None:
    for fact in who.conditions("active"):
        if row.signs.names(fact.codes, fact.text):
            certainty = Certainty.CODED if fact.codes else Certainty.STATED
            return Habit(fact.text, fact.source, certainty, fact.source.kind == "notes")
    return None


def _told(who: Demographics, row: _Row) -> Habit | None:
    for passage in who.passages:
        for start, end in passage.find(row.noted):
            if _is_taken(passage, start, end):
                return Habit(passage.text, passage.source, Certainty.TEXT, True)
    return None


def _mentioned(who: Demographics, terms: Terms) -> Iterator[tuple[EntityId, Habit]]:
    """Foods and herbs that a note names as taken; habits with signs of their own need those."""
    own = {e for row in _rows() for e in entities_named(terms, row.names, TAKEN)}
    if not who.passages:
        return
    index = food_names(terms)
    whole = fold("\n".join(p.text for p in who.passages))
    named = {whole.text[m.start : m.end] for m in index.find(whole)}
    for passage in who.passages if named else ():
        shadow = fold(passage.text)
        if not any(n in shadow.text for n in named):
            continue
        here = replace(passage, folded=shadow.text.casefold())
        for mention in index.find(shadow):
            if _is_taken(here, mention.start, mention.end):
                for entity in mention.ids:
                    if entity not in own:
                        yield entity, Habit(passage.text, passage.source, Certainty.TEXT, True)


def _is_taken(passage: Passage, start: int, end: int) -> bool:
    """True for a mention that the sentence states of the patient, now, and not as something to keep away from."""
    if passage.kind != "patient" or passage.is_past(start, end) or not passage.affirms(start, end):
        return False
    reach = table("foods")["noted"]["reach"]
    before, after = passage.folded[max(0, start - reach) : start], passage.folded[end : end + reach]
    return _listed_words("before").search(before) is None and _listed_words("after").search(after) is None


@cache
def _listed_words(key: str) -> re.Pattern[str]:
    rows = sorted(table("foods")["noted"][key], key=len, reverse=True)
    return re.compile("|".join(rf"(?<!\w){re.escape(w)}(?!\w)" if w.isascii() else re.escape(w) for w in rows))


@cache
def _rows() -> tuple[_Row, ...]:
    def codes(row: Mapping[str, object], suffix: str) -> tuple[tuple[str, str], ...]:
        return tuple((system, str(v)) for system in ("icd10cm", "snomed") for v in _listing(row, system + suffix))

    return tuple(
        _Row((row["food"],), Signs(codes(row, ""), codes(row, "_not"), _folded(row, "words"), _folded(row, "words_not")), _folded(row, "noted"))
        for row in table("foods")["habit"]
    )


def _listing(row: Mapping[str, object], key: str) -> list[str]:
    value = row.get(key, [])
    return value if isinstance(value, list) else []


def _folded(row: Mapping[str, object], key: str) -> tuple[str, ...]:
    return tuple(w.casefold() for w in _listing(row, key))


@kept_with
def food_names(terms: Terms) -> MentionIndex:
    """The names of all foods and herbs as one automaton, made once a terminology."""
    apart = unordered(terms)
    named = ((n, e) for n, e in terms.mention_names((EntityType.INGREDIENT,)) if e in apart)
    return MentionIndex((*terms.mention_names((EntityType.FOOD, EntityType.HERB)), *named))


def unordered(terms: Terms) -> frozenset[EntityId]:
    """The ingredients that people take without an order."""
    return entities_named(terms, tuple(table("foods")["unordered"]["ingredients"]), (EntityType.INGREDIENT,))
