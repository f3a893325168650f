"""What the words of a state denote: a condition, a procedure, people, or an entity of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.contraindications.clauses import named_habit
from kb_builder.propose.contraindications.cores import plain_names
from kb_builder.propose.contraindications.expecting import is_expecting, is_of_nursing, is_of_pregnancy, says_more
from kb_builder.propose.contraindications.state_limits import graded, narrowing
from kb_builder.propose.reading.lexicon import STATE_TYPES, Lexicon
from kb_builder.propose.reading.things import Target, uncoded
from ontology.model.entities import EntityType
from ontology.model.guards import Category, Opaque
from ontology.model.identifiers import EntityId
from ontology.text.bounds import find_bounds

_PEOPLE = re.compile(
    r"\b(?:children|child|infants?|neonates?|newborns?|pediatric|paediatric|adolescents?|premature|elderly|geriatric|years|months|age)\b", re.IGNORECASE
)
_PROCEDURE = re.compile(r"\b(?:surger(?:y|ies)|procedures?|anesthesia|puncture|transplant\w*|catheter\w*|vaccination|dialysis|graft)\b", re.IGNORECASE)


def concept_of(bare: str, core: str, phrase: str, lexicon: Lexicon) -> tuple[Target, Category | Opaque | None]:
    """The entity of the words `bare` with their core, in a phrase, and the part of the words that the entity does not hold."""
    for name in dict.fromkeys((bare, core, named_habit(core), *plain_names(core))):
        found = lexicon.lookup(name, STATE_TYPES)
        if found:
            return Target(first_of(found), "pregnancy" if is_expecting(name) else bare), None
    if is_of_pregnancy(core) and (found := lexicon.lookup("pregnancy", STATE_TYPES)):
        return (Target(first_of(found), bare), Opaque(bare)) if says_more(core) else (Target(first_of(found), "pregnancy"), None)
    if is_of_nursing(core):
        found = lexicon.lookup("lactation", STATE_TYPES) or lexicon.lookup("breastfeeding", STATE_TYPES)
        if found:
            return Target(first_of(found), bare), None
    if _PEOPLE.search(core) and (find_bounds(phrase) or len(core.split()) <= 4):
        return uncoded(EntityType.POPULATION, bare), None if find_bounds(phrase) else Opaque(bare)
    for said in dict.fromkeys((core, *plain_names(core))):
        for levels, name in graded(said):
            found = lexicon.lookup(name, STATE_TYPES)
            if found:
                return Target(first_of(found), bare), narrowing(levels, said)
    procedure = _PROCEDURE.search(core)
    return uncoded(EntityType.PROCEDURE if procedure else EntityType.CONDITION, bare), None


def first_of(found: Sequence[EntityId]) -> EntityId:
    """The condition among entities of one name, else the first."""
    return next((f for f in found if f.type == EntityType.CONDITION), found[0])
