"""What hand-kept terms and labels already say of codes and names: the side that wins when loaded terms say something else."""

from __future__ import annotations

from collections.abc import Iterable

from ontology.model.entities import EntityType
from ontology.model.identifiers import Code, EntityId
from ontology.terms.codes import code_keys
from ontology.terms.concepts import ConceptIndex, names_of
from ontology.terms.drug_names import Composition
from ontology.terms.drug_text import BY_WORDS
from ontology.terms.drugs import DrugIndex
from ontology.terms.entries import TermData
from ontology.terms.names import name_key, singular_key
from ontology.terms.phrases import Key, phrase_key
from ontology.terms.vocabulary import Vocabulary

ALLERGEN_TYPES = (EntityType.INGREDIENT, EntityType.DRUG_CLASS, EntityType.ALLERGEN, EntityType.FOOD, EntityType.HERB)
_SAYING_NOTHING = BY_WORDS | {"plain", "salt", "clause", "ambiguous", "carrier", "vehicle"}
"""Tables of words that may stand beside any drug: a loaded name made of them alone would turn by-words into drugs."""
_SHORTEST_NAME = 3


class Known(DrugIndex):
    """The hand-kept terms and the labels' overlay, asked by code and by name."""

    def __init__(self, data: TermData, vocabulary: Vocabulary) -> None:
        super().__init__(data, vocabulary)
        self.concepts = ConceptIndex(data)
        self._concept_names = {singular_key(name_key(text)) for e in data.entities for text in names_of(e)}
        self.vocabulary = vocabulary
        self._empty = {t for w in data.words if w.table in _SAYING_NOTHING for t in phrase_key(w.text)}

    def coded(self, key: str) -> frozenset[Composition]:
        """What a code key stands for already."""
        system, _, value = key.partition(":")
        found, _ = self._from_codes([Code(system, value)])
        return frozenset(f.ingredients for hits in found for f in hits)

    def named(self, key: Key) -> frozenset[Composition]:
        """What a name means already."""
        return frozenset(self._names.meanings.get(key, ()))

    def says_nothing(self, key: Key) -> bool:
        """True for a name that must not be read as a drug: made of by-words, salts, numbers or single letters."""
        words = [t for t in key if t.isalpha()]
        return not words or self._empty.issuperset(words) or sum(map(len, words)) < _SHORTEST_NAME - any(not w.isascii() for w in words)

    def names_concept(self, key: str) -> bool:
        """True for the compared form of a name that any entity has already."""
        return key in self._concept_names

    def substance(self, name: str, unii: str | None, rxcui: str | None) -> EntityId | None:
        """The ingredient that a substance is already: by RxCUI, by UNII, by name with or without salt words."""
        return self.by_code("rxnorm", rxcui) or self.by_code("unii", unii) or (self.by_name(name) if name else None)

    def concept(self, alternatives: Iterable[str], types: tuple[EntityType, ...]) -> EntityId | None:
        """The concept of the first alternative (`system:code` or `name:...`) that means exactly one."""
        for target in alternatives:
            system, _, value = target.partition(":")
            if system == "name":
                found = self.concepts.lookup(value, types)
                if len(found) == 1:
                    return found[0]
            elif hit := self.concepts.concept_of_code(Code(system, value), types):
                return hit
        return None


def keys_of(system: str, code: str) -> tuple[str, ...]:
    """The keys that a code is stored under."""
    return code_keys(Code(system, code))
