"""The overlay: what document metadata adds to the hand-kept terms.

Substances of labels become base ingredients (salts and hydrates share one), product codes and names become products, established
pharmacologic classes become classes or join the hand-kept ones of the same name. A product with too many substances is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from ontology.model.entities import Entity, EntityType, Label
from ontology.model.identifiers import Code, EntityId, mint, mint_uncoded
from ontology.terms.codes import code_keys
from ontology.terms.drug_names import Composition
from ontology.terms.drug_text import strength_in
from ontology.terms.drugs import SUBSTANCES, DrugIndex, composition_id
from ontology.terms.entries import ProductRow, ProductTerm, TermData
from ontology.terms.names import name_key, singular_key, slug
from ontology.terms.vocabulary import Vocabulary

MAX_SUBSTANCES = 12
MAX_PIECES = 40
"""Formulas of Chinese medicine hold more pieces than other products hold substances; the gate on compositions allows as many."""

METADATA = "document metadata"

Substance = tuple[str, str | None, str | None]


@dataclass(slots=True)
class _Group:
    """Substances that share a base name: their names, and the UNIIs and RxCUIs seen with them."""

    base: str
    names: set[str] = field(default_factory=set)
    sure: dict[str, str] = field(default_factory=dict)
    likely: dict[str, str] = field(default_factory=dict)
    rxcuis: set[str] = field(default_factory=set)


def compile_overlay(data: TermData, rows: Iterable[ProductRow]) -> TermData:
    """The content with the products' ingredients, classes, names and codes added; equal rows in any order give equal content."""
    ordered = sorted(set(rows), key=lambda r: (r.document, r.generic_name, repr(r)))
    accepted = [r for r in ordered if _acceptable(r)]
    vocabulary = Vocabulary(data.words)
    index = DrugIndex(data, vocabulary)
    groups, known = _group(accepted, index)
    entities = {e.id: e for e in data.entities}
    ingredient_of: dict[str, EntityId] = {}
    owners = {code: e.id for e in data.entities if e.id.type in SUBSTANCES for code in e.codes}
    for target, group in known.items():
        entities[target] = _with_labels(entities[target], group, owners)
        ingredient_of.update(dict.fromkeys(group.names, target))
    for group in sorted(groups.values(), key=lambda g: g.base):
        entity = _new_ingredient(group)
        entities[entity.id] = _with_labels(entities.get(entity.id, entity), group, owners)
        ingredient_of.update(dict.fromkeys(group.names, entity.id))
    _add_classes(accepted, entities)
    grown = replace(data, entities=tuple(entities.values()))
    products = _products(accepted, ingredient_of, DrugIndex(grown, vocabulary), vocabulary)
    for product in products:
        _add_combination(product.ingredients, entities)
    return replace(data, entities=tuple(entities.values()), products=tuple(dict.fromkeys((*data.products, *products))))


def _acceptable(row: ProductRow) -> bool:
    """Whether a product has no more substances than a product can have; those written in Chinese are pieces of a formula."""
    return len(row.substances) <= MAX_PIECES and sum(name.isascii() for name, _, _ in row.substances) <= MAX_SUBSTANCES


def resolve_substances(substances: Sequence[Substance], index: DrugIndex) -> Composition:
    """The base ingredients of substances: by name with or without salt words, by RxCUI, by UNII, else a new id."""
    return tuple(sorted({_known(s, index, sure=len(substances) == 1) or _fresh_id(index.base_key(s[0]), s) for s in substances}))


def _known(substance: Substance, index: DrugIndex, *, sure: bool) -> EntityId | None:
    name, unii, rxcui = substance
    return index.by_name(name) or index.by_code("rxnorm", rxcui) or (index.by_code("unii", unii) if sure else None)


def _fresh_id(base: tuple[str, ...], substance: Substance) -> EntityId:
    name, unii, rxcui = substance
    if rxcui:
        return mint(EntityType.INGREDIENT, "rxnorm", rxcui)
    if unii:
        return mint(EntityType.INGREDIENT, "unii", unii)
    return mint_uncoded(EntityType.INGREDIENT, " ".join(base) or name)


def _group(rows: Sequence[ProductRow], index: DrugIndex) -> tuple[dict[tuple[str, ...], _Group], dict[EntityId, _Group]]:
    groups: dict[tuple[str, ...], _Group] = {}
    known: dict[EntityId, _Group] = {}
    for row in rows:
        sure = len(row.substances) == 1
        for substance in row.substances:
            name, unii, rxcui = substance
            base = index.base_key(name)
            if not base:
                continue
            found = _known(substance, index, sure=sure)
            group = known.setdefault(found, _Group(" ".join(base))) if found else groups.setdefault(base, _Group(" ".join(base)))
            group.names.add(name)
            if unii:
                (group.sure if sure else group.likely)[unii] = name
            if rxcui:
                group.rxcuis.add(rxcui)
    taken = {unii for g in (*groups.values(), *known.values()) for unii in g.sure}
    for group in (*groups.values(), *known.values()):
        group.likely = {} if group.sure else {u: n for u, n in group.likely.items() if u not in taken}
    return groups, known


def _new_ingredient(group: _Group) -> Entity:
    uniis = group.sure or group.likely
    if group.rxcuis:
        entity_id = mint(EntityType.INGREDIENT, "rxnorm", min(group.rxcuis, key=lambda c: (len(c), c)))
    elif uniis:
        of_base = sorted(u for u, n in uniis.items() if name_key(n) == group.base)
        entity_id = mint(EntityType.INGREDIENT, "unii", of_base[0] if of_base else min(uniis))
    else:
        entity_id = mint_uncoded(EntityType.INGREDIENT, group.base)
    return Entity(entity_id, EntityType.INGREDIENT, group.base, (), (Label(group.base, "en", METADATA, preferred=True),))


def _with_labels(entity: Entity, group: _Group, owners: dict[Code, EntityId]) -> Entity:
    """The entity with the group's names, and with those of its codes that no other entity owns; uncertain UNIIs only where it has none."""
    have = {name_key(label.text) for label in entity.labels}
    labels = [Label(n.lower(), "en" if n.isascii() else "zh", METADATA) for n in sorted(group.names) if name_key(n) not in have]
    likely = () if any(c.system == "unii" for c in entity.codes) else group.likely
    codes = [Code("unii", u) for u in sorted(group.sure or likely)] + [Code("rxnorm", r) for r in sorted(group.rxcuis)]
    owned = [c for c in codes if owners.setdefault(c, entity.id) == entity.id]
    return replace(entity, labels=(*entity.labels, *labels), codes=tuple(dict.fromkeys((*entity.codes, *owned))))


def class_name(name: str) -> str:
    """The class name without its kind in brackets."""
    return name.split("[")[0].strip()


def _add_classes(rows: Sequence[ProductRow], entities: dict[EntityId, Entity]) -> None:
    wanted = (EntityType.DRUG_CLASS.value, EntityType.ENZYME_ROLE.value)
    by_name: dict[str, EntityId] = {}
    for e in entities.values():
        if e.id.type in wanted:
            for text in (e.name, *(label.text for label in e.labels)):
                by_name.setdefault(singular_key(name_key(text)), e.id)
    nuis: dict[str, set[str]] = {}
    kinds: dict[str, str] = {}
    for row in rows:
        for name, kind, nui in row.classes:
            text = class_name(name)
            kinds.setdefault(text, kind.lower())
            nuis.setdefault(text, set()).update({nui} if nui else ())
    shared = [n for found in nuis.values() for n in found]
    for text in sorted(kinds):
        own = sorted(n for n in nuis[text] if shared.count(n) == 1)
        code = Code(kinds[text], own[0]) if len(own) == 1 and len(nuis[text]) == 1 else None
        known = by_name.get(singular_key(name_key(text)))
        if known is None:
            known = mint(EntityType.DRUG_CLASS, kinds[text], code.value) if code else mint(EntityType.DRUG_CLASS, "pharmgraph", f"{kinds[text]}-{slug(text)}")
            entities.setdefault(known, Entity(known, EntityType.DRUG_CLASS, text, (), (Label(text, "en", METADATA, preferred=True),)))
        if code and code not in entities[known].codes:
            entities[known] = replace(entities[known], codes=(*entities[known].codes, code))


def _products(rows: Sequence[ProductRow], ingredient_of: dict[str, EntityId], index: DrugIndex, vocabulary: Vocabulary) -> list[ProductTerm]:
    products = []
    for row in rows:
        composition = tuple(sorted({ingredient_of[n] for n, _, _ in row.substances if n in ingredient_of}))
        composition = composition or index.composition(row.generic_name) or ()
        if not composition:
            continue
        routes = tuple(dict.fromkeys(r for r in (vocabulary.route(text) for text in row.routes) if r))
        brands = tuple(dict.fromkeys(n for name in row.brand_names for n in _brand_forms(name)))
        keys = tuple(dict.fromkeys(key for code in row.codes for key in code_keys(code)))
        strength = strength_in(row.strength) if row.strength else None
        products.append(ProductTerm(row.document, brands, row.generic_name, composition, keys, routes, vocabulary.form(row.form), strength))
    return products


def _brand_forms(name: str) -> tuple[str, ...]:
    """The brand name without trade marks, and its part before a bracket that repeats the generic name."""
    clean = re.sub(r"[®™]", "", name).strip()
    return tuple(n for n in (clean, clean.split("(")[0].strip()) if name_key(n))


def _add_combination(composition: Composition, entities: dict[EntityId, Entity]) -> None:
    if len(composition) > 1 and all(i.type in SUBSTANCES for i in composition):
        subject = composition_id(composition)
        if subject not in entities:
            name = " / ".join(sorted(entities[i].name for i in composition))
            entities[subject] = Entity(subject, EntityType.DRUG, name, (), (Label(name, "en", METADATA, preferred=True),))
