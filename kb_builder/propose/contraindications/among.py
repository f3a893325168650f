"""Patients of a state whom a second state marks out: "patients with Huntington's disease who are suicidal" are not all who have that disease."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.contraindications.expecting import is_expecting
from kb_builder.propose.reading.coordination import split_conjuncts
from kb_builder.propose.reading.lexicon import STATE_TYPES, Lexicon
from ontology.model.entities import EntityType
from ontology.model.guards import AnyOf, Guard, HasCondition

_AMONG = re.compile(
    r"\W*(?:(?:in|for|to|the|any|patients|pediatric|children|women|men|adults|individuals|persons|those|having):?\s+)*(?:\bwith\s+)?(?P<state>[^.;:()\x01]{4,80}?)\s*,?\s+"
    r"who\s+(?:(?:are|is|have|has)\s+)(?:also\s+)?"
    r"(?!(?:been|not|no|never|had|shown|baseline|previously|currently|concomitant\w*|concurrent\w*|receiving|taking|using|on|under|undergoing|treated|co-?\w*|at|in|failed|responded|experienced|demonstrated)\b)",
    re.IGNORECASE,
)
_LEVEL = re.compile(r"(?:severely|morbidly|clinically|actively)\s+", re.IGNORECASE)
_HEAD = re.compile(r"(?:(?:an?|the|severe|active|untreated|known|history of)\s+)*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Among:
    """The state that all of the patients have, and where the words begin that mark out those who are meant."""

    whom: Restriction
    marked_from: int


def marked_among(text: str, start: int, end: int, lexicon: Lexicon) -> Among | None:
    """What `[start, end)` says of "patients with X who are Y" where X and the first Y are states by name; None for any other phrase."""
    m = _AMONG.match(text, start, end)
    if m is None:
        return None
    leaves: list[Guard] = []
    for conjunct in split_conjuncts(m["state"], lambda words: bool(lexicon.lookup(words, STATE_TYPES))):
        found = [f for f in lexicon.lookup(conjunct.words, STATE_TYPES) if f.type == EntityType.CONDITION]
        if not found:
            return None
        leaves.append(HasCondition(found[0], conjunct.words))
    first = re.split(r"\s*,|\s+(?:or|and)\s", text[m.end() : end], maxsplit=1)[0].strip(" .")
    names = {first, _LEVEL.sub("", first), _HEAD.sub("", first)}
    if not leaves or not any(is_expecting(name) or lexicon.lookup(name, STATE_TYPES) for name in names if name):
        return None
    return Among(Restriction(leaves[0] if len(leaves) == 1 else AnyOf(tuple(leaves)), m.start("state"), m.end("state")), m.end())
