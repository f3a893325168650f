"""Loaded concepts and a site's own codes as rows of the table: what each code means."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import TYPE_CHECKING

from ontology.model.entities import EntityType
from ontology.model.identifiers import EntityId
from ontology.terms.drug_names import Composition
from ontology.terms.known import ALLERGEN_TYPES, keys_of
from ontology.terms.names import name_key, singular_key
from ontology.terms.readers.records import ConceptRecord, SiteCodeRecord

if TYPE_CHECKING:
    from ontology.terms.additions import Additions

SHORTEST_CONCEPT_NAME = 5
"""Shorter names are abbreviations that mean several things in practice."""
_CONDITION = (EntityType.CONDITION,)


def add_concepts(additions: Additions, records: Iterable[ConceptRecord]) -> None:
    """Conditions as kinds of known ones, allergies and substances as the known substances they mean; what nothing known covers is counted."""
    for record in records:
        types = _CONDITION if record.kind == "condition" else ALLERGEN_TYPES
        keys = keys_of(record.system, record.code)
        known = additions.known.concept((f"{record.system}:{record.code}",), types)
        found = [e for e in (known or _substance(additions, means.split("|"), types) for means in record.means) if e]
        if len(found) < len(record.means):
            additions.report.counts[f"{record.kind} codes that mean nothing known"] += 1
            continue
        for entity in dict.fromkeys(found):
            if not known:
                additions.put_meaning(keys, str(entity))
        if record.kind == "condition":
            _put_names(additions, record, tuple(dict.fromkeys(found)))
        if record.kind == "substance" and not known and all(e.type == EntityType.INGREDIENT for e in found):
            additions.put_drug(keys, tuple(sorted(set(found))))


def _substance(additions: Additions, alternatives: list[str], types: tuple[EntityType, ...]) -> EntityId | None:
    """The concept of the alternatives; a substance may also be an ingredient that only loaded terms know."""
    if (found := additions.known.concept(alternatives, types)) or types == _CONDITION:
        return found
    compositions = (additions.composition_named(a.removeprefix("name:")) for a in alternatives if a.startswith("name:"))
    return next((c[0] for c in compositions if len(c) == 1), None)


def _put_names(additions: Additions, record: ConceptRecord, entities: tuple[EntityId, ...]) -> None:
    keys = {key for text in record.names if len(key := singular_key(name_key(text))) >= SHORTEST_CONCEPT_NAME}
    own = sorted(key for key in keys if not additions.known.names_concept(key))
    additions.report.counts["condition names"] += len(own)
    rows = ((key, str(entity), record.code) for key in own for entity in entities)
    additions.db.executemany("INSERT OR IGNORE INTO concept_name VALUES (?, ?, ?)", rows)


def add_site_codes(additions: Additions, records: Iterable[SiteCodeRecord]) -> None:
    """The site's codes; a row whose target nothing knows is refused with its place."""
    for record in records:
        reason = {"drug": _drug, "condition": _condition, "allergen": _allergen, "lab": _lab}[record.kind](additions, record)
        if reason:
            additions.report.refuse(record.place, f"{record.system} {record.code}: {reason}")
        else:
            additions.report.counts["site codes"] += 1


def _drug(additions: Additions, record: SiteCodeRecord) -> str | None:
    parts: list[list[tuple[Composition, str | None, str | None, str | None]]] = []
    for target in record.means:
        system, _, value = target.partition(":")
        if system == "name":
            named = additions.composition_named(value)
            options = [(named, *_said(additions, value))] if named else []
        else:
            options = [o for key in keys_of(system, value) for o in additions.compositions_coded(key)]
        if not options:
            return f"{target!r} is known neither to the terms, nor to a label of this release, nor to what was loaded"
        parts.append(options)
    for choice in product(*parts):
        composition = tuple(sorted({i for part in choice for i in part[0]}))
        form, route, strength = choice[0][1:] if len(choice) == 1 else (None, None, None)
        additions.put_drug(keys_of(record.system, record.code), composition, form, route, strength)
    return None


def _said(additions: Additions, name: str) -> tuple[str | None, str | None, str | None]:
    """Form, route and strength that a name says."""
    drug = additions.known.identify([], name)
    return (getattr(drug, "form", None), getattr(drug, "route", None), getattr(drug, "strength", None))


def _condition(additions: Additions, record: SiteCodeRecord) -> str | None:
    keys = keys_of(record.system, record.code)
    values: list[str] = []
    for target in record.means:
        system, _, value = target.partition(":")
        if system == "icd10cm":
            values.append(f"code:icd10cm:{value}")
            continue
        entity = additions.known.concept((target,), _CONDITION)
        loaded = [row[0] for row in additions.db.execute("SELECT value FROM meaning WHERE key = ?", (target,)) if row[0].startswith("Condition:")]
        if not entity and not loaded:
            return f"{target!r} is no condition that the terms or what was loaded know"
        values += [str(entity)] if entity else loaded
    for value in values:
        additions.put_meaning(keys, value)
    return None


def _allergen(additions: Additions, record: SiteCodeRecord) -> str | None:
    values: list[str] = []
    for target in record.means:
        entity = _substance(additions, [target], ALLERGEN_TYPES)
        loaded = [row[0] for row in additions.db.execute("SELECT value FROM meaning WHERE key = ?", (target,))]
        coded = [str(i) for composition, *_ in additions.compositions_coded(target) for i in composition]
        if not entity and not loaded and not coded:
            return f"{target!r} is no allergen, ingredient or class that the terms or what was loaded know"
        values += [str(entity)] if entity else loaded or coded
    for value in values:
        additions.put_meaning(keys_of(record.system, record.code), value)
    return None


def _lab(additions: Additions, record: SiteCodeRecord) -> str | None:
    additions.put_meaning(keys_of(record.system, record.code), f"code:{record.means[0]}")
    return None
