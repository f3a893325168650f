"""The names of conditions in headings and cells, as targets."""

from __future__ import annotations

import re

from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Target, uncoded
from ontology.model.entities import EntityType

_LONGEST_NAME = 14
"""Words of a condition's name; what is longer is a list or a sentence."""
_MEMBERS = re.compile(r",\s+(?:or\s+|and\s+)?|\s+or\s+(?=[A-Z])")
_LIST = re.compile(r"^[^,]{2,60},[^,]{2,60},.*,\s+or\s+[A-Za-z]")
PATIENTS_WITH = re.compile(r"^(?:[A-Za-z]+ )?patients\s+with\s+", re.IGNORECASE)


def named_condition(words: str, lexicon: Lexicon) -> Target:
    """A condition by its words: coded where the vocabulary has them, else uncoded."""
    known = lexicon.lookup(words, frozenset({EntityType.CONDITION}))
    return Target(known[0], words) if known else uncoded(EntityType.CONDITION, words)


def widened_use(target: Target, words: str, lexicon: Lexicon) -> Target:
    """A use by its wider name: still the coded one, unless what the name adds is another disease ("bipolar depression" is no depression)."""
    added = words.lower().removesuffix(target.words.lower()).split()
    others = [f for w in added for f in lexicon.lookup(f"{w} disorder", frozenset({EntityType.CONDITION})) if f != target.id]
    return uncoded(EntityType.CONDITION, words) if others else Target(target.id, words, target.entity)


def named_conditions(words: str, lexicon: Lexicon) -> list[Target]:
    """A condition by its words, without "patients with"; of a list ("adult patients with NSCLC, HNSCC, cHL, or cSCC") each member is one."""
    name = PATIENTS_WITH.sub("", words)
    if len(name.split()) <= _LONGEST_NAME and not _LIST.search(name):
        return [named_condition(name, lexicon)]
    members = [m.strip(" ,.;:") for m in _MEMBERS.split(name)]
    return [named_condition(m, lexicon) for m in members if re.search(r"[A-Za-z]{2}", m) and len(m.split()) <= _LONGEST_NAME]
