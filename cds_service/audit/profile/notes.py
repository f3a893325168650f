"""Conditions that only a clinical note states.

A mention counts when its sentence is about the patient and affirmed: negation, family history, plans and hypotheticals are no facts; what
the words place in the past is history. What a note alone says is capped and marked "confirm" wherever it is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from cds_service.audit.clinical import setting, words
from cds_service.audit.kept import kept_with
from cds_service.audit.knowledge import Terms
from cds_service.intake.prescription import ConditionFact, Prescription, Source
from ontology.model.entities import EntityType
from ontology.terms.identity import ConceptMatch
from ontology.text.mentions import MentionIndex
from ontology.text.offsets import fold

_SENTENCE = re.compile(r"[^.;!?\n。；！？]+")
_CLAUSE = re.compile(r"[,:，：]|\bbut\b|\bhowever\b|\balthough\b")
_YEAR = re.compile(r"(?<![\d-])(?:19|20)\d{2}(?![\d])")
_FEWEST_LETTERS = 5
_BEFORE, _AFTER = 45, 40


def noted_conditions(prescription: Prescription, terms: Terms) -> tuple[ConditionFact, ...]:
    """The conditions that the notes state as present, one a sentence and concept, with the note as source."""
    if not prescription.patient.notes:
        return ()
    oldest = prescription.reference_time.date() - timedelta(days=setting("notes", "stale_days"))
    found: dict[tuple[str, str], ConditionFact] = {}
    for text, source in prescription.patient.notes[: setting("notes", "most_notes")]:
        if source.date is not None and source.date < oldest:
            continue
        for fact in _facts(text[: setting("notes", "longest_characters")], source, terms):
            found.setdefault((source.reference, str(fact.concepts[0].id)), fact)
    return tuple(found.values())


def named_within(fact: ConditionFact, terms: Terms) -> ConditionFact:
    """The entry with the conditions that its words name, where neither a code nor its whole text says which it is."""
    if any(m.how != "text" for m in fact.concepts) or not fact.text:
        return fact
    found = [m for named in _facts(fact.text, fact.source, terms) for m in named.concepts]
    return replace(fact, concepts=(*fact.concepts, *found)) if found else fact


def _facts(text: str, source: Source, terms: Terms) -> Iterator[ConditionFact]:
    index = condition_names(terms)
    for sentence in _SENTENCE.finditer(text):
        said = sentence[0].strip()
        if not said or _any(said.casefold(), words("notes", "others")) or _any(said.casefold(), words("notes", "hypothetical")):
            continue
        dated = source.date is not None and any(int(year) < source.date.year for year in _YEAR.findall(said))
        shadow = fold(said)
        for mention in index.find(shadow):
            named = shadow.text[mention.start : mention.end]
            if len(named) < _FEWEST_LETTERS and named.isascii():
                continue
            if not _affirmed(shadow.text.casefold(), mention.start, mention.end):
                continue
            matches = tuple(ConceptMatch(i, terms.name(i), "text", named) for i in mention.ids)
            status = "historical" if dated or _past(shadow.text.casefold(), mention.start, mention.end) else "active"
            yield ConditionFact(matches, f"{named} (note)", (), status, Source(source.reference, source.date, "notes"))


def _affirmed(text: str, start: int, end: int) -> bool:
    """True when nothing in the clause before the mention, or right behind it, denies it."""
    before = _CLAUSE.split(text[max(0, start - _BEFORE) : start])[-1]
    return not _any(before, words("notes", "negations_before")) and not _any(text[end : end + _AFTER], words("notes", "negations_after"))


def _past(text: str, start: int, end: int) -> bool:
    """True when the words around the mention place it in the past."""
    return _any(text[max(0, start - _BEFORE) : start], words("notes", "past_before")) or _any(text[end : end + _AFTER], words("notes", "past_after"))


def _any(text: str, wanted: tuple[str, ...]) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(w)}(?!\w)", text) is not None if w.isascii() else w in text for w in wanted)


@kept_with
def condition_names(terms: Terms) -> MentionIndex:
    """The names of all conditions as one automaton, made once a terminology."""
    return MentionIndex(terms.mention_names((EntityType.CONDITION,)))
