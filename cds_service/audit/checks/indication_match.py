"""Whether an indication of a label is what an order is for: by code, by organism, by words; and where a disease's markers exclude it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache

from cds_service.audit.clinical import table, words
from cds_service.audit.knowledge import Terms
from cds_service.audit.named_conditions import expanded, named_concepts
from cds_service.audit.profile.record import content_words, specific_words, words_together
from cds_service.intake.prescription import ConditionFact
from ontology.model.guards import Opaque, Truth, leaves
from ontology.store.records import Rule


class Met(Enum):
    """How an indication lies to a use."""

    SAME = "same"  # a code or all the label's words
    NEAR = "near"  # a broader or narrower code, or a specific word in common
    EXCLUDED = "excluded"  # the disease is the one, but a marker says otherwise
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker of a disease with its names and the words that mean its absence."""

    name: str
    positive: re.Pattern[str]
    negative: re.Pattern[str]


def meets(terms: Terms, rule: Rule, fact: ConditionFact) -> Met:
    """How the rule's indication lies to a condition.

    Where concepts are known on both sides they decide, and shared words count only when they are several: fibrillation of the ventricles is not
    that of the atria.
    """
    named = _words_of(rule)
    label_said, said = specific_words(rule.words or rule.object_name), expanded(fact.text)
    if _opposed(named, fact.text):
        return Met.EXCLUDED if label_said & said else Met.NONE
    label = (rule.object,) if rule.object.system != "uncoded" else named_concepts(terms, rule.words or rule.object_name)
    own = tuple(m.id for m in fact.concepts)
    met = {terms.covers(concept, mine) for concept in label for mine in own}
    asked = label_said or words_together(rule.words or rule.object_name)
    if (Truth.TRUE in met and rule.object.system != "uncoded") or (asked and asked <= said):
        return Met.SAME
    if met & {Truth.TRUE, Truth.UNKNOWN} or any(terms.covers(mine, concept) is Truth.TRUE for concept in label for mine in own):
        return Met.NEAR
    shared = (content_words(named) & said) - frozenset(words("text_match", "general")) - _FILLER
    enough = 2 if label and own else 1
    return Met.NEAR if len(shared) >= enough or _organism(named, fact.text) else Met.NONE


def denied(terms: Terms, rule: Rule, fact: ConditionFact, labelled: tuple[Rule, ...]) -> bool:
    """True when a condition is the very one that the label says the drug is not for.

    Where the label lists the same condition as a use, what it excludes is a kind of it that its words name beyond the use; the record must say that.
    """
    named, said = rule.words or rule.object_name, expanded(fact.text)
    asked = specific_words(named)
    if any(f"non-{word}" in fact.text.casefold() or f"non{word}" in fact.text.casefold() for word in asked):
        return False
    used = frozenset(w for p in labelled if meets(terms, p, fact) is Met.SAME for w in specific_words(p.words or p.object_name))
    if used and not (asked - used) & said and not narrows(terms, rule, labelled):
        return False
    if asked and asked <= said:
        return True
    beyond = frozenset() if rule.object in terms.lookup(named) else asked - content_words(rule.object_name)
    if rule.object.system != "uncoded" and beyond <= said and any(terms.covers(rule.object, m.id) is Truth.TRUE for m in fact.concepts):
        return True
    return _organism(named, fact.text)


def narrows(terms: Terms, rule: Rule, labelled: tuple[Rule, ...]) -> bool:
    """True when what a rule names is a strictly narrower concept than a use that is labelled."""
    return rule.object.system != "uncoded" and any(p.object != rule.object and terms.covers(p.object, rule.object) is Truth.TRUE for p in labelled)


def _words_of(rule: Rule) -> str:
    return " ".join((rule.words or rule.object_name, *(leaf.text for leaf in leaves(rule.guard) if isinstance(leaf, Opaque))))


def _organism(named: str, text: str) -> bool:
    """True when the label names a group of organisms and the condition one of them."""
    label, said = named.casefold(), text.casefold()
    return any(any(g in label for g in row["group"]) and any(m in said for m in row["members"]) for row in table("indications")["organisms"])


def _opposed(named: str, text: str) -> bool:
    said = text.casefold()
    return any(other.search(said) and not own.search(said) for own, other in _marked(named))


@lru_cache(maxsize=4096)
def _marked(named: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """The markers that a label's words state one way, each with the pattern of that way and of the other."""
    label, found = named.casefold(), []
    for m in _markers():
        positive, negative = m.positive.search(label) is not None, m.negative.search(label) is not None
        if positive is not negative:
            found.append((m.positive, m.negative) if positive else (m.negative, m.positive))
    return tuple(found)


@cache
def _markers() -> tuple[Marker, ...]:
    rows = []
    for row in table("indications")["marker"]:
        names = "|".join(re.escape(w) for w in sorted(row["words"], key=len, reverse=True))
        absent = "|".join([rf"\b(?:{names})\b[)\s-]{{0,2}}(?:negative|阴性)", *(re.escape(w) for w in row["negative"])])
        rows.append(Marker(row["name"], re.compile(rf"\b(?:{names})\b[)\s-]{{0,2}}(?:positive|阳性)"), re.compile(absent)))
    return tuple(rows)


_FILLER = frozenset(
    ("of", "the", "a", "an", "and", "or", "in", "with", "to", "for", "who", "have", "has", "had", "patient", "patients", "due", "by", "caused", "adult", "not")
)
