"""The look-ups of the terminology with loaded terms behind them: what memory does not know is asked of the table on disk.

Names of the table enter memory with the first text that uses them; as every run of words of every text is looked up, no answer depends on
which texts came before.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ontology.model.entities import EntityType
from ontology.model.identifiers import Code, EntityId
from ontology.terms.codes import code_keys, short_system
from ontology.terms.concepts import ConceptIndex
from ontology.terms.drug_names import Composition
from ontology.terms.drug_text import DrugText
from ontology.terms.drugs import DrugIndex, _Found
from ontology.terms.entries import TermData
from ontology.terms.identity import ConceptMatch, DrugIdentity, IngredientRef, UnidentifiedDrug
from ontology.terms.loaded import LoadedDrug, LoadedTerms
from ontology.terms.names import name_key, singular_key, without_suffix
from ontology.terms.phrases import Key, phrase_key
from ontology.terms.plain_text import plain_text
from ontology.terms.vocabulary import Vocabulary

_MOST_TOKENS = 80
"""Longer texts are no drug names; their first words are enough to say so."""


class LoadedDrugIndex(DrugIndex):
    """Drug identity over hand-kept terms, labels and loaded terms, in this order."""

    def __init__(self, data: TermData, vocabulary: Vocabulary, loaded: LoadedTerms) -> None:
        super().__init__(data, vocabulary)
        self._loaded = loaded

    def identify(self, codes: Sequence[Code], text: str | None) -> DrugIdentity | UnidentifiedDrug:
        """The drug that codes and text name together, or why none can be told; the strength of a loaded code where the text has none."""
        drug = super().identify(codes, text)
        if not isinstance(drug, DrugIdentity) or drug.how != "code" or drug.strength:
            return drug
        ingredients = tuple(r.id for r in drug.ingredients)
        strengths = {d.strength for code in codes for d in self._drugs_of(code) if d.ingredients == ingredients and d.strength}
        return replace(drug, strength=strengths.pop()) if len(strengths) == 1 else drug

    def ref(self, ingredient: EntityId) -> IngredientRef:
        """The reference of an ingredient, with its RxCUI where known."""
        known = None if ingredient in self._entities else self._loaded.ingredient(ingredient)
        return IngredientRef(ingredient, *known) if known else super().ref(ingredient)

    def _drugs_of(self, code: Code) -> list[LoadedDrug]:
        return [drug for key in code_keys(code) for drug in self._loaded.drugs_of(key)]

    def _from_codes(self, codes: Sequence[Code]) -> tuple[list[list[_Found]], str]:
        found: list[list[_Found]] = []
        matched = ""
        for code in codes:
            hits, said = super()._from_codes([code])
            if not hits and (drugs := self._drugs_of(code)):
                hits, said = [[_Found(d.ingredients, (), d.form, d.route) for d in drugs]], f"{short_system(code.system)}:{code.value}"
            found += hits
            matched = matched or said
        return found, matched

    def _from_text(self, text: str, *, one_product: bool = False) -> tuple[_Found | set[Composition] | str, DrugText | None]:
        self._learn(text)
        return super()._from_text(text, one_product=one_product)

    def _is_sold(self, ingredients: Composition) -> bool:
        return super()._is_sold(ingredients) or self._loaded.holds(ingredients)

    def _learn(self, text: str) -> None:
        """Takes the loaded names that occur in a text into memory; a name that hand-kept terms or labels have stays theirs."""
        key = phrase_key(without_suffix(plain_text(text)))[:_MOST_TOKENS]
        found: dict[Key, set[Composition]] = {}
        unknown = [run for run in self._loaded.runs_of(key) if run not in self._names.meanings]
        for name, composition, brand in self._loaded.names_among(unknown) if unknown else ():
            found.setdefault(name, set()).add(composition)
            if brand:
                self._names.brands.add(name)
        for name, compositions in found.items():
            self._names.meanings[name] = compositions
            self._reader.add_name(name)


class LoadedConceptIndex(ConceptIndex):
    """Conditions and other concepts over hand-kept terms and loaded ones."""

    def __init__(self, data: TermData, loaded: LoadedTerms) -> None:
        super().__init__(data)
        self._loaded = loaded

    def match_conditions(self, codes: Sequence[Code], text: str | None) -> tuple[ConceptMatch, ...]:
        """The concepts a coded or worded problem stands for, a site's own codes read as the standard codes they mean."""
        return super().match_conditions([*codes, *(c for code in codes for key in code_keys(code) for c in self._loaded.codes_of(key))], text)

    def name(self, entity: EntityId, default: str | None = None) -> str:
        """The preferred name; without one the default, else the id as text."""
        known = None if self.entity(entity) else self._loaded.ingredient(entity)
        return known[0] if known else super().name(entity, default)

    def _by_condition_code(self, code: Code) -> list[EntityId]:
        return super()._by_condition_code(code) or [e for e in self.meant(code) if e.type == EntityType.CONDITION]

    def _by_condition_text(self, text: str) -> dict[EntityId, ConceptMatch]:
        found = super()._by_condition_text(text)
        if found:
            return found
        return {i: ConceptMatch(i, self.name(i, text), "name", text) for i in self._loaded.concepts_named(singular_key(name_key(text)))}

    def meant(self, code: Code, types: Collection[EntityType] | None = None) -> tuple[EntityId, ...]:
        """The entities that a loaded code means, in the given types."""
        entities = (e for key in code_keys(code) for e in self._loaded.entities_of(key))
        return tuple(e for e in entities if types is None or e.type in types)
