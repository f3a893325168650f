"""Concepts by name and code, their hierarchy, and the one-way rule of subsumption."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence

from ontology.model.entities import Entity, EntityType
from ontology.model.guards import Truth
from ontology.model.identifiers import Code, EntityId, mint, mint_uncoded
from ontology.terms.codes import short_system
from ontology.terms.condition_text import ConditionPhrases
from ontology.terms.drugs import composition_id
from ontology.terms.entries import CodeRange, TermData
from ontology.terms.hierarchy import UPWARD
from ontology.terms.identity import ConceptMatch
from ontology.terms.names import head_variants, name_key, plural_key, singular_key
from ontology.terms.remembered import Remembered

_NOTHING: frozenset[EntityId] = frozenset()
_SHORTEST_BRAND = 5
_ICD10_CODE = re.compile(r"[A-Z]\d[0-9A-Z]{1,14}", re.ASCII)
"""From the three characters of a category to the longest national extension."""
_PARTED = re.compile(r"[,;()\[\]，；（）]")
_ICD10 = frozenset({"icd10cm", "http://hl7.org/fhir/sid/icd-10", "icd10", "urn:oid:2.16.840.1.113883.6.90"})
_MOST_CODES = 4096
"""Bare codes whose ancestors are kept; patients' records repeat the same few."""
_MOST_PAIRS = 32_768
"""Pairs of a label's and a record's concept whose subsumption is kept."""
_INFLECTED = frozenset(
    t.value for t in (EntityType.DRUG_CLASS, EntityType.ENZYME_ROLE, EntityType.CONDITION, EntityType.ALLERGEN, EntityType.FOOD, EntityType.SYMPTOM)
)


class ConceptIndex:
    """Look-ups over entities that are no drug names: conditions, classes, allergens, roles, foods ..."""

    def __init__(self, data: TermData) -> None:
        self._entities: dict[EntityId, Entity] = {e.id: e for e in data.entities}
        self._by_name: dict[str, list[EntityId]] = {}
        self._by_code: dict[tuple[str, str, str], EntityId] = {}
        for e in data.entities:
            for text in names_of(e):
                self._add_name(singular_key(name_key(text)), e.id)
                if e.id.type == EntityType.DRUG_CLASS:
                    for variant in head_variants(name_key(text)):
                        self._add_name(singular_key(variant), e.id)
            for code in e.codes:
                self._by_code.setdefault((e.id.type, code.system, code.value), e.id)
        self._brands = {name_key(name): composition_id(sold) for name, sold in _brand_names(data) if composition_id(sold) in self._entities}
        for name, subject in self._brands.items():
            self._add_name(singular_key(name), subject)
        self._unspecified = frozenset(_digits(w.text) for w in data.words if w.table == "unspecified-code")
        self._unmentioned = {name_key(w.text) for w in data.words if w.table == "ambiguous"}
        self._parents: dict[EntityId, list[EntityId]] = {}
        self._children: dict[EntityId, list[EntityId]] = {}
        for edge in data.edges:
            if edge.predicate in UPWARD:
                self._parents.setdefault(edge.subject, []).append(edge.object)
                self._children.setdefault(edge.object, []).append(edge.subject)
        self._ranges: dict[str, list[CodeRange]] = {}
        self._ranges_of: dict[EntityId, list[CodeRange]] = {}
        for r in data.ranges:
            for letter in map(chr, range(ord(r.low[0]), ord(r.high[0]) + 1)):
                self._ranges.setdefault(letter, []).append(r)
            self._ranges_of.setdefault(r.entity, []).append(r)
        self._ancestors: dict[EntityId, frozenset[EntityId]] = {}
        self._above_codes: Remembered[EntityId, frozenset[EntityId]] = Remembered(_MOST_CODES)
        self._covered: Remembered[tuple[EntityId, EntityId], Truth] = Remembered(_MOST_PAIRS)
        self._below: dict[EntityId, frozenset[EntityId]] = {}
        conditions = (k for k, ids in self._by_name.items() if any(i.type == EntityType.CONDITION for i in ids))
        self._phrases = ConditionPhrases(conditions, data.words)

    def _add_name(self, key: str, entity: EntityId) -> None:
        ids = self._by_name.setdefault(key, [])
        if entity not in ids:
            ids.append(entity)

    # -- names

    def lookup(self, name: str, types: Collection[EntityType] | None = None) -> tuple[EntityId, ...]:
        """The entities a whole name denotes, in the given types; singular and plural count as one name."""
        ids = self._by_name.get(singular_key(name_key(name)), ())
        if types is None:
            return tuple(ids)
        wanted = {t.value for t in types}
        return tuple(i for i in ids if i.type in wanted)

    def mention_names(self, types: Collection[EntityType] | None = None) -> Iterator[tuple[str, EntityId]]:
        """The names a running text can be scanned for, as keys, each pair once.

        English nouns come in singular and plural, brands denote what they contain. Names that mean something else in most texts (`ten`,
        `salt`) are left out, and so is a form of a class name that is also the name of an ingredient.
        """
        wanted = {t.value for t in types} if types is not None else None
        ingredients = {name_key(text) for e in self._entities.values() if e.id.type == EntityType.INGREDIENT for text in names_of(e)}
        seen: set[tuple[str, EntityId]] = set()
        for key, entity in self._all_mentions():
            shadowed = entity.type == EntityType.DRUG_CLASS and key in ingredients
            if key and key not in self._unmentioned and not shadowed and (wanted is None or entity.type in wanted) and (key, entity) not in seen:
                seen.add((key, entity))
                yield key, entity

    def _all_mentions(self) -> Iterator[tuple[str, EntityId]]:
        for e in self._entities.values():
            for text in names_of(e):
                key = name_key(text)
                yield key, e.id
                if e.id.type in _INFLECTED:
                    yield singular_key(key), e.id
                    yield plural_key(singular_key(key)), e.id
                if e.id.type == EntityType.DRUG_CLASS:
                    yield from ((variant, e.id) for variant in head_variants(key))
        yield from self._brands.items()

    # -- hierarchy

    def ancestors(self, entity: EntityId) -> frozenset[EntityId]:
        """Everything the entity is a kind of, upwards without end; not itself. A bare ICD-10-CM code is a kind of every range it lies in."""
        if not self._is_bare_code(entity):
            return self._closure(entity, self._parents, self._ancestors)
        return self._above_codes.of(entity, lambda: self._above_code(entity))

    def _above_code(self, entity: EntityId) -> frozenset[EntityId]:
        code = _digits(entity.code)
        lying_in = [r.entity for r in self._ranges_near(entity.code) if _within(code, r)]
        return frozenset({*lying_in, *(above for e in lying_in for above in self.ancestors(e))})

    def _descendants(self, entity: EntityId) -> frozenset[EntityId]:
        return self._closure(entity, self._children, self._below)

    @staticmethod
    def _closure(entity: EntityId, edges: dict[EntityId, list[EntityId]], known: dict[EntityId, frozenset[EntityId]]) -> frozenset[EntityId]:
        if entity not in edges:
            return _NOTHING
        if entity not in known:
            found: set[EntityId] = set()
            stack = list(edges[entity])
            while stack:
                following = stack.pop()
                if following not in found:
                    found.add(following)
                    stack += edges.get(following, ())
            known[entity] = frozenset(found)
        return known[entity]

    def covers(self, concept: EntityId, patient: EntityId) -> Truth:
        """TRUE when the patient's concept is or descends from the label's, UNKNOWN when it may, being broader, else FALSE."""
        return Truth.TRUE if patient == concept else self._covered.of((concept, patient), lambda: self._covers(concept, patient))

    def _covers(self, concept: EntityId, patient: EntityId) -> Truth:
        if concept in self.ancestors(patient):
            return Truth.TRUE
        below = self._descendants(concept)
        if self._is_bare_code(patient):
            return Truth.UNKNOWN if self._may_lie_in(concept, below, patient) else Truth.FALSE
        own = self._descendants(patient)
        return Truth.UNKNOWN if concept in own or not own.isdisjoint(below) else Truth.FALSE

    def _may_lie_in(self, concept: EntityId, below: frozenset[EntityId], patient: EntityId) -> bool:
        """A bare code that heads codes of the concept; or lies in what the concept, having no codes, only qualifies (`severe ...`)."""
        value = _digits(patient.code)
        if any(_broader(value, r) for e in (concept, *below) for r in self._ranges_of.get(e, ())):
            return True
        return concept not in self._ranges_of and not self._qualified_by(concept).isdisjoint(self.ancestors(patient))

    def _qualified_by(self, concept: EntityId) -> frozenset[EntityId]:
        """The nearest concepts above that codes say: heart failure for `severe heart failure`, not all heart disease."""
        above = self._parents.get(concept, ())
        coded = frozenset(parent for parent in above if parent in self._ranges_of)
        return coded or frozenset(e for parent in above for e in self._qualified_by(parent))

    def _is_bare_code(self, entity: EntityId) -> bool:
        return entity.system == "icd10cm" and entity not in self._entities

    def _ranges_near(self, code: str) -> Sequence[CodeRange]:
        return self._ranges.get(code[:1], ()) if len(code) > 2 else ()

    # -- the patient's record

    def match_conditions(self, codes: Sequence[Code], text: str | None) -> tuple[ConceptMatch, ...]:
        """The concepts a coded or worded problem stands for, most specific only; words alone give an uncoded concept.

        Where codes say anything, the words only add what they make more specific (K74.60 with "Child-Pugh class B"), never another problem.
        A code that lies in nothing that the vocabulary knows (D35.01) leaves it to the words to say which problem it is.
        """
        matches: dict[EntityId, ConceptMatch] = {}
        coded: set[EntityId] = set()
        for code in codes:
            for entity in self._by_condition_code(code):
                coded |= {entity, *self.ancestors(entity)}
                matches.setdefault(entity, ConceptMatch(entity, self.name(entity, text or code.value), "code", f"{short_system(code.system)}:{code.value}"))
        worded = self._by_condition_text(text) if text else {}
        said = coded if any(self._says_something(i) for i in matches) else {a for i in worded for a in (i, *self.ancestors(i))}
        worded |= {i: m for i, m in self._by_parts(text or "").items() if i not in worded and self.ancestors(i) & said}
        if said is coded:
            worded = {i: m for i, m in worded.items() if i not in coded and self.ancestors(i) & coded}
        elif not worded and not matches and text and name_key(text):
            uncoded = mint_uncoded(EntityType.CONDITION, text)
            worded = {uncoded: ConceptMatch(uncoded, text, "text", text)}
        matches |= worded
        return tuple(m for m in matches.values() if not any(m.id in self.ancestors(other) for other in matches))

    def _by_condition_code(self, code: Code) -> list[EntityId]:
        """The concepts of a code; the bare code where it is more specific than the narrowest concept that has kinds below it."""
        if code.system not in _ICD10:
            hit = self._by_code.get((EntityType.CONDITION.value, short_system(code.system), code.value.strip()))
            return [hit] if hit else []
        shown = unicodedata.normalize("NFKC", code.value).strip().upper()
        value = _digits(shown)
        if not _ICD10_CODE.fullmatch(value):
            return []
        found = dict.fromkeys(r.entity for r in self._ranges_near(value) if _within(value, r))
        narrowest = [e for e in found if not any(e in self.ancestors(other) for other in found)]
        kept = [e for e in narrowest if e not in self._children or self._says_no_more(value)]
        if len(kept) < len(narrowest) or not found:
            kept.append(mint(EntityType.CONDITION, "icd10cm", shown))
        return kept

    def _says_no_more(self, value: str) -> bool:
        """True for codes titled "unspecified": fourth character 9, or listed."""
        return value[3:4] == "9" or value in self._unspecified

    def _by_condition_text(self, text: str) -> dict[EntityId, ConceptMatch]:
        types = (EntityType.CONDITION,)
        found, phrase = self.lookup(text, types), text
        if not found and (key := self._phrases.head_of(text)):
            found, phrase = self.lookup(key, types), key
        return {i: ConceptMatch(i, self.name(i, text), "name", phrase) for i in found}

    def _by_parts(self, text: str) -> dict[EntityId, ConceptMatch]:
        """The conditions that a part of a text names whole, where commas or brackets part it ("heart failure, NYHA class III")."""
        parts = [part.strip() for part in _PARTED.split(text)] if _PARTED.search(text) else []
        return {i: ConceptMatch(i, self.name(i, part), "name", part) for part in parts if part for i in self.lookup(part, (EntityType.CONDITION,))}

    def _says_something(self, entity: EntityId) -> bool:
        """False for a bare code that lies in no range of the vocabulary."""
        return not self._is_bare_code(entity) or bool(self.ancestors(entity))

    def concept_of_code(self, code: Code, types: Collection[EntityType]) -> EntityId | None:
        """The entity of one of the types that a code denotes, or None."""
        return next((hit for t in types if (hit := self._by_code.get((t.value, short_system(code.system), code.value.strip())))), None)

    def entity(self, entity: EntityId) -> Entity | None:
        """The entity with this id, or None."""
        return self._entities.get(entity)

    def entities(self) -> Iterator[Entity]:
        """All entities in stored order."""
        return iter(self._entities.values())

    def name(self, entity: EntityId, default: str | None = None) -> str:
        """The preferred name; without one the default, else the id as text."""
        known = self._entities.get(entity)
        return known.name if known else default or str(entity)


def names_of(entity: Entity) -> tuple[str, ...]:
    """The entity's names, each once, the preferred one first."""
    return tuple(dict.fromkeys((entity.name, *(label.text for label in entity.labels))))


def _brand_names(data: TermData) -> Iterator[tuple[str, tuple[EntityId, ...]]]:
    """Hand-kept brand names, and those of the overlay that are one word long enough to be no word of the language."""
    sold: dict[str, set[tuple[EntityId, ...]]] = {}
    for name, ingredients in {(name, p.ingredients) for p in data.products for name in p.brands}:
        if " " not in name_key(name) and len(name) >= _SHORTEST_BRAND:
            sold.setdefault(name_key(name), set()).add(ingredients)
    yield from ((name, next(iter(compositions))) for name, compositions in sorted(sold.items()) if len(compositions) == 1)
    yield from ((brand.name, brand.ingredients) for brand in data.brands)


def _digits(code: str) -> str:
    return code.replace(".", "")


def _within(code: str, r: CodeRange) -> bool:
    return code[: len(r.low)] >= r.low and code[: len(r.high)] <= r.high and len(code) >= min(len(r.low), len(r.high))


def _broader(code: str, r: CodeRange) -> bool:
    return not _within(code, r) and r.low[: len(code)] <= code <= r.high[: len(code)]
