"""Things that a statement may be about: drugs, classes, enzyme roles, food, conditions, each with the entities it stands for.

What the vocabulary does not know is named by the label's words alone (`uncoded`) when its form shows what it is. The label's own product is
marked, and so is its class where the label means the product by it ("beta-blockers" in the label of one).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from kb_builder.propose.reading.agonists import agonist_phrases
from kb_builder.propose.reading.effect_words import is_effect
from kb_builder.propose.reading.glued import glued_names
from kb_builder.propose.reading.lexicon import PARTNER_TYPES, STATE_TYPES, Lexicon
from kb_builder.propose.reading.other_meanings import means_else
from kb_builder.propose.reading.own_classes import OwnNames
from kb_builder.propose.reading.phrases import (
    KIND_LENGTH,
    NUMBERED,
    Phrase,
    Taken,
    class_phrases,
    first_of_two,
    numbered_classes,
    of_other_kind,
    relative_phrases,
)
from kb_builder.propose.reading.wording import wording
from ontology.model.entities import Entity, EntityType, Label
from ontology.model.identifiers import EntityId, mint_uncoded
from ontology.terms.identity import IngredientRef
from ontology.text.document import Document
from ontology.text.mentions import Mention
from ontology.text.offsets import Shadow
from ontology.text.roles import RoleMention, find_roles


class Kind(StrEnum):
    """What a thing is to a statement."""

    PARTNER = "partner"
    STATE = "state"
    ALLERGEN = "allergen"


@dataclass(frozen=True, slots=True)
class Target:
    """An entity that a thing stands for, in the label's words; `entity` is set where only the words name it."""

    id: EntityId
    words: str
    entity: Entity | None = None


@dataclass(frozen=True, slots=True)
class Thing:
    """A named thing at `[start, end)`. `own` is the label's product or its class; `joint` is one drug that has all the roles named."""

    start: int
    end: int
    kind: Kind
    targets: tuple[Target, ...]
    own: bool = False
    joint: bool = False

    @property
    def type(self) -> str:
        """The entity type of what the thing stands for."""
        return self.targets[0].id.type

    @property
    def ids(self) -> frozenset[EntityId]:
        """The entities that the thing stands for."""
        return frozenset(t.id for t in self.targets)


_PREFERENCE = (
    EntityType.LIFESTYLE,
    EntityType.FOOD,
    EntityType.INGREDIENT,
    EntityType.DRUG,
    EntityType.HERB,
    EntityType.DRUG_CLASS,
    EntityType.BRAND,
    EntityType.CONDITION,
    EntityType.PROCEDURE,
    EntityType.SYMPTOM,
    EntityType.POPULATION,
    EntityType.ALLERGEN,
)
"""Which entity a name means where it has several: "alcohol" is the drink before the ingredient."""

_WORDS = wording()
_LEADING_OTHER = re.compile(r"(?:other|another)\s+", re.IGNORECASE)
_TWIN = re.compile(r"\b(?P<first>[\w-]+(?:toxic|genic|active|tensive|static|lytic))\s+(?:and/or|and|or)\s+(?:potentially\s+)?$", re.IGNORECASE)
_BEHIND_EXAMPLES = re.compile(r"(?<!s)\s*\((?:e\.g\.,?|such as|for example,?)\s[^()]*\)\s", re.IGNORECASE)
_EXAMPLES = 8
"""So many examples stand in a bracket."""
_OF_MIX = re.compile(r"\s*(?:[,/+&]|\band\b)\s*", re.IGNORECASE)
_WITH_ROLE = re.compile(r"\s+(?:co-?administered|combined|together)\s+with\s+(?:an?\s+)?", re.IGNORECASE)
_FIRST_PARTS = re.compile(r"[\s,/+]+")
_CLASSES = frozenset({EntityType.DRUG_CLASS})
_SHORTEST_NAME = 3


@lru_cache(maxsize=2)
def thing_finder(lexicon: Lexicon, document: Document, subject: EntityId, ingredients: tuple[IngredientRef, ...]) -> ThingFinder:
    """The finder for one document and its subject; the last ones are kept, because every proposer asks for them."""
    return ThingFinder(lexicon, document, (subject, *(i.id for i in ingredients)), ingredients)


class ThingFinder:
    """Finds the things of one document's texts. Knows the names of the product that the document is about."""

    def __init__(self, lexicon: Lexicon, document: Document, ids: Sequence[EntityId], ingredients: Sequence[IngredientRef]) -> None:
        """`ids` are the subject and its ingredients; their classes count as the label's own."""
        self._lexicon = lexicon
        self._own = frozenset(ids)
        self._own_classes = frozenset(c for i in self._own for c in lexicon.classes_of(i))
        names = {n for p in document.products for n in (*p.brand_names, p.generic_name, *(s.name for s in p.substances))} | {i.name for i in ingredients}
        names |= {_FIRST_PARTS.split(n)[0] for p in document.products for n in p.brand_names}
        keys = sorted({re.escape(n.strip()) for n in names if len(n.strip()) >= _SHORTEST_NAME}, key=lambda k: (-len(k), k))
        self._own_names = re.compile(rf"(?<!\w)(?:{'|'.join(keys)})(?!\w)", re.IGNORECASE) if keys else None
        self._names = OwnNames("|".join(keys))
        self._own_target = Target(ids[0], "")

    def find(self, shadow: Shadow, blank: str) -> list[Thing]:
        """The things of a folded text, left to right, none overlapping. `blank` is the text without cross-references."""
        taken, no_states = Taken(), Taken()
        out: list[Thing] = []

        def keep(things: Iterable[Thing]) -> None:
            for thing in things:
                if not taken.covers(thing.start, thing.end):
                    taken.add(thing.start, thing.end)
                    out.append(thing)
                    if thing.kind is not Kind.STATE:
                        no_states.add(thing.start, thing.end)

        keep(self._role(r) for r in find_roles(blank))
        mentioned = self._lexicon.mentions(shadow)
        for mention in mentioned:
            if is_effect(mention, blank):
                taken.add(mention.start, mention.end)
        own = [Thing(m.start(), m.end(), Kind.PARTNER, (self._own_target,), own=True) for m in (self._own_names.finditer(blank) if self._own_names else ())]
        of_own = Taken(own)
        mentions = (m for m in mentioned if blank[m.start] == shadow.text[m.start] and not taken.covers(m.start, m.end) and not of_own.holds(m.start, m.end))
        keep(t for m in mentions if (t := self._known(m, blank)) is not None)
        keep(own)
        keep(t for place in glued_names(blank) if (t := self._glued(blank, *place)) is not None)
        described = [self._phrase(p) for p in relative_phrases(blank, taken, no_states)]
        for phrase in described:
            taken.take_over(phrase.start, phrase.end)
        spoken_for = Taken(described)
        out = [t for t in out if not spoken_for.covers(t.start, t.end)] + described if described else out
        keep(self._phrase(p) for p in class_phrases(blank, taken))
        keep(self._phrase(p) for p in agonist_phrases(blank))
        return _joined(sorted(out, key=lambda t: t.start), blank)

    def _known(self, mention: Mention, blank: str) -> Thing | None:
        """The thing a mention is; None where the words around it show that something else is meant."""
        leading = _LEADING_OTHER.match(blank, mention.start, mention.end)
        mention = mention if leading is None else replace(mention, start=leading.end())
        ids = [i for i in mention.ids if i.type != EntityType.ENZYME_ROLE]
        if not ids or means_else(blank, mention.start, mention.end):
            return None
        best = ids[0] if len(ids) == 1 else min(ids, key=_preference)
        entity = self._lexicon.ingredient_of(best)
        kind = Kind.PARTNER if best.type in PARTNER_TYPES else Kind.STATE if best.type in STATE_TYPES else Kind.ALLERGEN
        own = (
            entity in self._own or (entity in self._own_classes and self._names.mean_own(blank, mention.start, mention.end)) or self._is_own_mix(blank, mention)
        )
        thing = Thing(mention.start, mention.end, kind, (Target(entity, blank[mention.start : mention.end]),), own=own)
        if thing.type == EntityType.DRUG_CLASS and "hythmic" in blank[thing.start : thing.end]:
            numbered = NUMBERED.search(blank[max(0, thing.start - KIND_LENGTH) : thing.start])
            if numbered is not None:
                names = tuple(self._named(name) for name in numbered_classes(numbered[0]))
                return replace(thing, start=thing.start - len(numbered[0]), targets=names, own=False)
        other_kind = of_other_kind(blank, thing.start) if thing.type == EntityType.DRUG_CLASS else None
        if other_kind is not None:
            words = blank[thing.start : thing.end]
            names = tuple(self._named(f"{kind_words} {words}") for kind_words in (other_kind["first"], other_kind["second"]) if kind_words)
            return replace(thing, start=thing.start - len(other_kind[0]), targets=names, own=False)
        return thing if own or kind is not Kind.PARTNER or entity.type != EntityType.DRUG_CLASS else self._narrowed(thing, blank)

    def _glued(self, blank: str, start: int, end: int) -> Thing | None:
        found = self._lexicon.lookup(blank[start:end], PARTNER_TYPES)
        entity = self._lexicon.ingredient_of(min(found, key=_preference)) if found else None
        return Thing(start, end, Kind.PARTNER, (Target(entity, blank[start:end]),), own=entity in self._own) if entity is not None else None

    def _is_own_mix(self, blank: str, mention: Mention) -> bool:
        """True for a name made of the names of several of the label's ingredients ("acetaminophen, caffeine")."""
        parts = [p for p in _OF_MIX.split(blank[mention.start : mention.end]) if p]
        return len(parts) > 1 and self._own_names is not None and all(self._own_names.fullmatch(p) for p in parts)

    def _narrowed(self, thing: Thing, blank: str) -> Thing:
        """A class with the adjective before it that narrows it ("potent diuretics"): looked up whole, else by the label's words."""
        twin = _TWIN.search(blank[max(0, thing.start - 40) : thing.start])
        head = blank[thing.start : thing.end].rsplit(" ", 1)
        if twin is not None and len(head) > 1:
            start = thing.start - len(twin[0])
            return replace(thing, start=start, targets=(self._named(f"{twin['first']} {head[1]}"), *thing.targets))
        before = re.search(r"([\w-]+)\s+$", blank[max(0, thing.start - 24) : thing.start])
        if before is not None and (before[1].lower() in _WORDS["narrowing"] or before[1].lower().endswith("-type")):
            start = thing.start - len(before[0])
            thing = replace(thing, start=start, targets=(self._named(blank[start : thing.end]),))
        return self._of_two(thing, blank)

    def _of_two(self, thing: Thing, blank: str) -> Thing:
        """Both groups of two adjectives before one noun ("systemic or inhaled steroids", "loop or thiazide diuretics"), where the first one is known whole."""
        first = first_of_two(blank, thing.start)
        words = blank[thing.start : thing.end].split()
        if first is None or len(words) == 1:
            return thing
        groups = self._lexicon.lookup(f"{first['adjective']} {words[-1]}", _CLASSES)
        if not groups or groups[0] in thing.ids or self._lexicon.lookup(first["adjective"], PARTNER_TYPES):
            return thing
        start = thing.start - len(first[0])
        return replace(thing, start=start, targets=(Target(groups[0], f"{first['adjective']} {words[-1]}"), *thing.targets))

    def _role(self, mention: RoleMention) -> Thing:
        targets: list[Target] = []
        for role in mention.roles:
            entity = self._lexicon.role(role)
            targets.append(Target(entity, role.name) if entity is not None else uncoded(EntityType.ENZYME_ROLE, role.name))
        return Thing(mention.start, mention.end, Kind.PARTNER, tuple(targets), joint=mention.joint)

    def _phrase(self, phrase: Phrase) -> Thing:
        return Thing(phrase.start, phrase.end, Kind.PARTNER, tuple(self._named(name) for name in phrase.names))

    def _named(self, words: str) -> Target:
        found = self._lexicon.lookup(words, PARTNER_TYPES)
        return Target(found[0], words) if found else uncoded(EntityType.DRUG_CLASS, words)


def _preference(entity: EntityId) -> tuple[int, EntityId]:
    """The order in which one of several entities of a name is meant."""
    kind = EntityType(entity.type)
    return _PREFERENCE.index(kind) if kind in _PREFERENCE else len(_PREFERENCE), entity


def _joined(things: list[Thing], blank: str) -> list[Thing]:
    """The things with "macrolide antibiotics" as one: a class right before a broader one in lower case is meant alone."""
    out: list[Thing] = []
    for thing in things:
        last = out[-1] if out else None
        if _is_shared_noun(thing, out, blank):
            continue
        classes = last is not None and last.type == thing.type == EntityType.DRUG_CLASS
        if last is not None and classes and thing.start == last.end + 1 and blank[last.end] == " " and blank[thing.start].islower():
            out[-1] = replace(last, end=thing.end)
        elif last is not None and last.type == thing.type == EntityType.ENZYME_ROLE and _WITH_ROLE.fullmatch(blank, last.end, thing.start):
            out[-1] = replace(last, end=thing.end, targets=(*last.targets, *thing.targets), joint=True)
        else:
            out.append(thing)
    return out


def _is_shared_noun(thing: Thing, before: Sequence[Thing], blank: str) -> bool:
    """True for the noun behind the examples of a class that is named without it ("tricyclic (e.g., ...) antidepressants")."""
    if thing.type != EntityType.DRUG_CLASS or thing.own or blank[max(0, thing.start - 2) : thing.start] != ") " or not blank[thing.start].islower():
        return False
    group = next((t for t in reversed(before[-_EXAMPLES:]) if t.type == EntityType.DRUG_CLASS), None)
    return group is not None and not group.own and _BEHIND_EXAMPLES.fullmatch(blank, group.end, thing.start) is not None


def uncoded(kind: EntityType, words: str) -> Target:
    """A target that the label's words alone name."""
    name = re.sub(r"\s+", " ", words).strip(" ,.;:-")
    language = "zh" if re.search(r"[一-鿿]", name) else "en"
    entity = Entity(mint_uncoded(kind, name), kind, name, labels=(Label(name, language, "label", preferred=True),))
    return Target(entity.id, name, entity)
