"""Released claims as flat facts, one JSON object each, in the shape that the benchmark and other readers use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Protocol

import msgspec

from kb_builder.assemble.edges import EXTRACTOR
from kb_builder.publish.conditions import conditions_of
from kb_builder.publish.doses import doses_of
from kb_builder.publish.organ_states import with_organ_states
from ontology.model.advice import Action, Advice
from ontology.model.claims import Claim, ClaimStatus, Polarity
from ontology.model.dosing import Limit, Regimen
from ontology.model.entities import Entity, EntityType
from ontology.model.identifiers import EntityId
from ontology.store.release import Release
from ontology.text.mentions import singular, words_key

Fact = dict[str, Any]

_KINDS = {
    "indicated_for": "indication",
    "contraindicated_in": "contraindication",
    "interacts_with": "interaction",
    "population_advice": "population",
    "has_dose_rule": "dosage",
    "has_limit": "dosage",
}
_ACTIONS = {Action.STOP: "avoid", Action.NO_RECOMMENDATION: "not-established", Action.NOT_STUDIED: "not-established"}
_AXES = {"neonate": "pediatric"}
_TARGETS = {
    EntityType.INGREDIENT: "drug",
    EntityType.DRUG: "drug",
    EntityType.BRAND: "drug",
    EntityType.HERB: "drug",
    EntityType.DRUG_CLASS: "class",
    EntityType.ENZYME_ROLE: "class",
    EntityType.ALLERGEN: "allergen",
    EntityType.FOOD: "food",
    EntityType.LIFESTYLE: "food",
    EntityType.PROCEDURE: "procedure",
    EntityType.LAB_TEST: "procedure",
}
_HYPERSENSITIVITY = frozenset({EntityType.INGREDIENT, EntityType.DRUG, EntityType.DRUG_CLASS, EntityType.ALLERGEN})
_ABBREVIATED = frozenset({EntityType.DRUG_CLASS, EntityType.INGREDIENT})
_ABBREVIATION = re.compile(r"[A-Z][A-Z0-9-]{1,5}s?")
_RELEASED = (ClaimStatus.APPROVED, ClaimStatus.CONFLICTED)
_ENCODER = msgspec.json.Encoder(decimal_format="number")


def export_facts(release: Release) -> Iterator[bytes]:
    """Every released statement of the labels as one line of JSON, numbers as printed; what hand-kept tables state is not a label's."""
    writer = FactWriter(release, printed_substances(release))
    for claim in release.claims(_RELEASED):
        if claim.provenance.extractor == EXTRACTOR:
            continue
        for fact in writer.facts(claim):
            yield _ENCODER.encode(fact)


def printed_substances(release: Release) -> dict[tuple[str, EntityId], str]:
    """The names under which each label's metadata print its ingredients, lower case."""
    rows = release.query("SELECT document, object, words FROM claim WHERE predicate = 'has_ingredient' AND released = 1 AND words IS NOT NULL")
    return {(row["document"], EntityId.parse(row["object"])): row["words"].casefold() for row in rows}


class Named(Protocol):
    """What has the names of entities: a release, a terminology."""

    def entity(self, entity: EntityId, /) -> Entity | None:
        """The entity, or None."""
        ...


class FactWriter:
    """Turns claims into facts with the names of one release."""

    def __init__(self, release: Named, printed: Mapping[tuple[str, EntityId], str] | None = None) -> None:
        """`printed` are the names that labels print for their ingredients: told where they share no word with the ingredient's own."""
        self._release = release
        self._printed = printed or {}
        self._names: dict[EntityId, str] = {}

    def facts(self, claim: Claim) -> Iterator[Fact]:
        """The facts a claim states, one a disjunct of its guard and, for doses, one an amount. Denials count where "no adjustment" is the statement."""
        kind = _KINDS.get(claim.predicate)
        if kind is None or (claim.polarity is Polarity.NEGATIVE and kind in ("indication", "contraindication", "dosage")):
            return
        statement = claim.statement
        head: Fact = {"doc": claim.document, "section": statement.section, "drug": self._drug(claim.document, claim.subject), "kind": kind}
        place: Fact = {"quote": statement.quote, "start": statement.start, "end": statement.end}
        for conditions in conditions_of(claim.guard, partial(self._called, claim)):
            when = with_organ_states(conditions, claim.object.code) if kind == "population" else conditions
            if kind == "contraindication":
                named = str(self._target(claim)["name"]).lower()
                when = [c for c in when if c["axis"] != "other" or str(c.get("value")).lower() != named]
            for said in self._said(claim, kind):
                yield {**head, **said, **({"when": when} if when else {}), **place}

    def _said(self, claim: Claim, kind: str) -> Iterator[Fact]:
        """What is said beside who, when and where."""
        if isinstance(claim.payload, Regimen | Limit):
            about = self._indication(claim)
            yield from ({"dose": dose, **about} for dose in doses_of(claim.payload))
            return
        said: Fact = {"axis": _AXES.get(claim.object.code, claim.object.code)} if kind == "population" else {"target": self._target(claim)}
        if isinstance(claim.payload, Advice) and kind != "indication":
            yield from ({**said, "action": action} for action in dict.fromkeys(_ACTIONS.get(a, a.value) for a in _asked(claim.payload)))
            return
        yield said

    def _indication(self, claim: Claim) -> Fact:
        about: Fact = {}
        if isinstance(claim.payload, Regimen) and claim.payload.indication is not None:
            about["indication"] = self._name(claim.payload.indication)
        elif claim.object.type == EntityType.CONDITION.value:
            about["indication"] = claim.words or self._name(claim.object)
        if len(claim.scope.routes) == 1:
            about["route"] = claim.scope.routes[0]
        return about

    def _target(self, claim: Claim) -> Fact:
        """The other side, in the label's own words; its name where the label has none, or only an abbreviation ("MAOIs")."""
        entity_type = EntityType(claim.object.type)
        short = entity_type in _ABBREVIATED and claim.words is not None and _ABBREVIATION.fullmatch(claim.words) is not None
        name = self._name(claim.object) if short or not claim.words else claim.words
        allergen = claim.predicate == "contraindicated_in" and entity_type in _HYPERSENSITIVITY
        return {"type": "allergen" if allergen else _TARGETS.get(entity_type, "condition"), "name": name.casefold()}

    def _drug(self, document: str, subject: EntityId) -> str:
        """The ingredients, lower case, sorted, joined by ` / `; one whose label calls it otherwise ("divalproex sodium") by the label's name."""
        name = self._name(subject).casefold()
        printed = self._printed.get((document, subject))
        if printed is not None and not set(words_key(printed).split()) & set(words_key(name).split()):
            return printed
        return " / ".join(sorted(name.split(" / ")))

    def _called(self, claim: Claim, entity: EntityId) -> str:
        """The name of what a condition names; for a class of which the quotes share no word with the name, the label's own ("statins")."""
        name = self._name(entity)
        if entity.type != EntityType.DRUG_CLASS:
            return name
        said = {singular(word) for span in claim.evidence for word in words_key(span.quote).split()}
        known = self._release.entity(entity)
        others = [n.text for n in known.labels if n.language == "en" and not _ABBREVIATION.fullmatch(n.text)] if known is not None else []
        return next((n for n in (name, *others) if {singular(word) for word in words_key(n).split()} <= said), name)

    def _name(self, entity: EntityId) -> str:
        if entity not in self._names:
            found = self._release.entity(entity)
            self._names[entity] = found.name if found else str(entity)
        return self._names[entity]


def _asked(advice: Advice) -> tuple[Action, ...]:
    """The strictest action of a plan, and the watching that the plan asks for beside a change of dose ("monitor the INR and adjust the dose")."""
    strictest = advice.strictest
    both = strictest is Action.ADJUST_DOSE and any(step.action is Action.MONITOR for step in advice.steps)
    return (strictest, Action.MONITOR) if both else (strictest,)
