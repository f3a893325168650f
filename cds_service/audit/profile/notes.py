"""Conditions that only a clinical note states.

A mention counts when its sentence is about the patient and affirmed: negation, family history, plans and hypotheticals are no facts; what
the words place in the past is history. What a note alone says is capped and marked "confirm" wherever it is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from cds_service.audit.clinical import words
from cds_service.audit.kept import kept_with
from cds_service.audit.knowledge import Terms
from cds_service.audit.profile.passages import Passage, cut, passages_of
from cds_service.intake.prescription import ConditionFact, Prescription, Source
from ontology.model.entities import EntityType
from ontology.terms.identity import ConceptMatch
from ontology.text.mentions import MentionIndex
from ontology.text.offsets import fold

_FEWEST_LETTERS = 5
_FEWEST_CAPITALS = 4
_HISTORY_OF = re.compile(r"\b(?:a|the)?\s*histor(?:y|ies) of\b", re.IGNORECASE)
_RELATIVES = ("others", "child", "patient")


def noted_conditions(prescription: Prescription, terms: Terms) -> tuple[ConditionFact, ...]:
    """The conditions that the notes state as present, one a sentence and concept, with the note as source."""
    found: dict[tuple[str, str], ConditionFact] = {}
    for fact in _facts(passages_of(prescription), terms) if prescription.patient.notes else ():
        found.setdefault((fact.source.reference, str(fact.concepts[0].id)), fact)
    return tuple(found.values())


def named_within(fact: ConditionFact, terms: Terms) -> ConditionFact:
    """The entry with the conditions that its words name, where neither a code nor its whole text says which it is."""
    if any(m.how != "text" for m in fact.concepts) or not fact.text:
        return fact
    found = [m for named in _facts(cut(fact.text, fact.source), terms) for m in named.concepts]
    return replace(fact, concepts=(*fact.concepts, *found)) if found else fact


def relatives_conditions(prescription: Prescription, terms: Terms) -> tuple[ConditionFact, ...]:
    """The conditions of blood relatives: entries on the family's history by the names in their words, and what the notes affirm of relatives."""
    listed = (c for c in prescription.patient.conditions if c.status == "family" and c.text)
    entries = (replace(c, concepts=tuple(m for f in _facts(_of_family(cut(c.text, c.source)), terms, _RELATIVES) for m in f.concepts)) for c in listed)
    noted = _facts(_of_family(p for p in passages_of(prescription) if _is_of_blood(p)), terms, _RELATIVES)
    return tuple(c for c in (*entries, *noted) if c.concepts)


def _of_family(passages: Iterable[Passage]) -> Iterator[Passage]:
    """The sentences without "history of": the history is the family's, and what follows the word is the disease itself."""
    yield from (replace(p, text=_HISTORY_OF.sub(" ", p.text)) for p in passages)


def _is_of_blood(passage: Passage) -> bool:
    """True where a sentence on others is about one who shares the patient's blood."""
    said = passage.folded
    return passage.kind == "child" or any(re.search(rf"(?<!\w){re.escape(w)}(?!\w)" if w.isascii() else w, said) for w in words("notes", "blood_relatives"))


def _facts(passages: Iterable[Passage], terms: Terms, kinds: tuple[str, ...] = ("patient",)) -> Iterator[ConditionFact]:
    index = condition_names(terms)
    for passage in passages:
        if passage.kind not in kinds:
            continue
        shadow = fold(passage.text)
        here = replace(passage, folded=shadow.text.casefold())
        for mention in index.find(shadow):
            named = shadow.text[mention.start : mention.end]
            if _is_too_short(named) or not here.affirms(mention.start, mention.end):
                continue
            matches = tuple(ConceptMatch(i, terms.name(i), "text", named) for i in mention.ids)
            status = "historical" if here.is_past(mention.start, mention.end) else "active"
            yield ConditionFact(matches, f"{named} (note)", (), status, Source(passage.source.reference, passage.source.date, "notes"))


def _is_too_short(named: str) -> bool:
    """True for a name of so few letters that other words are written like it; four capitals are an abbreviation."""
    if named.casefold() in words("notes", "short_names"):
        return False
    return named.isascii() and len(named) < (_FEWEST_CAPITALS if named.isupper() and named.isalpha() else _FEWEST_LETTERS)


@kept_with
def condition_names(terms: Terms) -> MentionIndex:
    """The names of all conditions as one automaton, made once a terminology."""
    return MentionIndex(terms.mention_names((EntityType.CONDITION,)))
