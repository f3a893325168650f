"""The names of drugs and what each can mean: ingredients, brands, products of labels, and names that mean several.

A name is kept as its tokens. A name with more than one meaning is kept with all of them; nothing here chooses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ontology.model.entities import Entity
from ontology.model.identifiers import EntityId
from ontology.terms.drug_text import BY_WORDS
from ontology.terms.entries import BrandTerm, TermData
from ontology.terms.phrases import Key, phrase_key

Composition = tuple[EntityId, ...]

_PLAIN = BY_WORDS | {"plain"}
"""Tables of words that say nothing of a drug: a product name made of them alone (`Pain Reliever Extra Strength`) identifies none."""

_ALTERNATIVE, _PART = ";", "+"


@dataclass(slots=True)
class DrugNames:
    """The meanings of every name; which names are brands; the form and route that a brand fixes."""

    meanings: dict[Key, set[Composition]] = field(default_factory=dict)
    brands: set[Key] = field(default_factory=set)
    fixed: dict[Key, BrandTerm] = field(default_factory=dict)

    def one(self, name: str) -> Composition | None:
        """The only composition that the whole name means, or None."""
        options = self.meanings.get(phrase_key(name), set())
        return next(iter(options)) if len(options) == 1 else None

    def salts_of(self, data: TermData) -> dict[Key, frozenset[Key]]:
        """For each salt word that could be a drug of its own, the names of the ingredients that have such a salt."""
        bases: dict[Key, set[Composition]] = {}
        for word in data.words:
            if word.table == "salt-of":
                for salt in word.value.split(_ALTERNATIVE):
                    bases.setdefault(phrase_key(salt), set()).update(self.meanings.get(phrase_key(word.text), ()))
        return {salt: frozenset(key for key, options in self.meanings.items() if options <= own) for salt, own in bases.items()}


def collect_names(data: TermData, substances: Mapping[EntityId, Entity]) -> DrugNames:
    """The names of the content. A label's name that is a substance's own adds no meaning; one that differs from a hand-kept brand does."""
    names = DrugNames()
    for e in substances.values():
        for text in {e.name, *(label.text for label in e.labels)}:
            names.meanings.setdefault(phrase_key(text), set()).add((e.id,))
    substance_names = frozenset(names.meanings)
    for brand in data.brands:
        key = phrase_key(brand.name)
        names.meanings.setdefault(key, set()).add(brand.ingredients)
        names.brands.add(key)
        names.fixed[key] = brand
    _add_products(data, names, substance_names)
    _add_shared(data, names)
    return names


def _add_products(data: TermData, names: DrugNames, kept: frozenset[Key]) -> None:
    plain = {token for w in data.words if w.table in _PLAIN for token in phrase_key(w.text)}
    for product in data.products:
        for name in (*product.brands, product.generic):
            key = phrase_key(name)
            if key and key not in kept and not plain.issuperset(key):
                names.meanings.setdefault(key, set()).add(product.ingredients)
                names.brands.add(key)


def _add_shared(data: TermData, names: DrugNames) -> None:
    """Gives a name or abbreviation that stands for several drugs all their compositions, so that it names none alone."""
    for word in data.words:
        if word.table == "several":
            options: set[Composition] = set()
            for meaning in word.value.split(_ALTERNATIVE):
                parts = [names.one(part) for part in meaning.split(_PART)]
                options.add(tuple(sorted({i for part in parts for i in part or ()})) if None not in parts else ())
            names.meanings[phrase_key(word.text)] = options
