"""A release in memory, made of the labels in `knowledge/*.yaml`: what the clinical cases and the tests of the audit run against.

Sentences are quoted from the label's own text, terminology and closures are the shipped ones; only extraction is left out, so that a case says
what the audit does with a statement and not whether it was found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from case_rules import KINDS, POPULATIONS, kind_of, payload_of

from kb_builder.assemble.edges import claim_of
from ontology.model.claims import Approval, Basis, Claim, ClaimStatus, Edge, Polarity, Provenance, Scope, Strength, rule_key
from ontology.model.entities import EntityType
from ontology.model.facts import Axis, ConditionState, DoseBounds, ExposureState, Whose
from ontology.model.guards import AllOf, AnyOf, Category, Exposure, Guard, HasCondition, Interval, Not, Opaque
from ontology.model.identifiers import Code, EntityId, mint, mint_uncoded
from ontology.model.spans import Span, SpanRole
from ontology.store.closure import ReachedEdge, close
from ontology.store.records import ClaimRecord, ClosureRow, Dossier, LabelSet, Rule, SectionRecord
from ontology.terms.entries import ProductRow
from ontology.terms.identity import DrugIdentity
from ontology.terms.terminology import Terminology

FOLDER = Path(__file__).parent / "knowledge"
_VERSION = "1"
_PARTNERS = (EntityType.INGREDIENT, EntityType.DRUG_CLASS, EntityType.ENZYME_ROLE)
_ALLERGENS = (EntityType.INGREDIENT, EntityType.DRUG_CLASS, EntityType.ALLERGEN, EntityType.FOOD)
_STATES = (EntityType.CONDITION, EntityType.POPULATION, EntityType.PROCEDURE)
_OBJECTS = {
    "interacts_with": (EntityType.FOOD, EntityType.LIFESTYLE, *_PARTNERS, EntityType.HERB),
    "incompatible_with": (EntityType.INGREDIENT, EntityType.DRUG_CLASS),
    "allergy_to": _ALLERGENS,
    "contraindicated_in": _STATES,
    "doses": _STATES,
    "limits": _STATES,
    "advises": (EntityType.POPULATION,),
    "requires": (EntityType.LAB_TEST, EntityType.PROCEDURE, EntityType.CONDITION),
    "indicated_for": (EntityType.CONDITION, EntityType.PROCEDURE),
    "contains": (EntityType.ALLERGEN,),
}
_UNCODED = {"contraindicated_in": "Condition", "indicated_for": "Condition", "doses": "Condition", "requires": "LabTest"}
"""What a name that the terminology does not know becomes, by the kind of rule; the others must be known."""
_RELATION = {
    "belongs_to": "class",
    "subclass_of": "class",
    "has_role": "role",
    "is_a": "is-a",
    "cross_reacts_with": "cross-reacts",
    "has_ingredient": "ingredient",
}


class Dossiers(Mapping[EntityId, Dossier]):
    """Dossiers by subject, each made when it is first asked for."""

    def __init__(self, subjects: frozenset[EntityId], make: Callable[[EntityId], Dossier]) -> None:
        self._subjects, self._make = subjects, make
        self._made: dict[EntityId, Dossier] = {}

    def __getitem__(self, subject: EntityId) -> Dossier:
        if subject not in self._made:
            if subject not in self._subjects:
                raise KeyError(subject)
            self._made[subject] = self._make(subject)
        return self._made[subject]

    def __iter__(self) -> Iterator[EntityId]:
        return iter(self._subjects)

    def __len__(self) -> int:
        return len(self._subjects)


@dataclass(frozen=True)
class World:
    """`Knowledge` in memory."""

    id: str
    terminology: Terminology
    dossiers: Mapping[EntityId, Dossier]
    sections: Mapping[tuple[str, str, str], SectionRecord]
    claims: Mapping[str, Claim]

    def dossier(self, subject: EntityId, /) -> Dossier | None:
        """The dossier, or None."""
        return self.dossiers.get(subject)

    def section(self, set_id: str, version: str, key: str, /) -> SectionRecord | None:
        """The section, or None."""
        return self.sections.get((set_id, version, key))

    def document(self, set_id: str, version: str | None = None, /) -> None:
        """No document records: titles are the label sets'."""

    def claim(self, claim_id: str, /) -> Claim | None:
        """The claim, or None."""
        return self.claims.get(claim_id)


@cache
def case_world() -> World:
    """The world of all knowledge files, made once."""
    labels = [label for file in sorted(FOLDER.glob("*.yaml")) for label in yaml.safe_load(file.read_text("utf-8"))["labels"]]
    return make_world(labels)


def make_world(labels: Iterable[Mapping[str, Any]]) -> World:
    """A world of the given labels. Raises ValueError for a set id that two labels have: one would be judged by the other's text."""
    listed = list(labels)
    if twice := sorted(i for i, n in Counter(label["set_id"] for label in listed).items() if n > 1):
        raise ValueError(f"labels have one set id: {', '.join(twice)}; write their rules under one of them or rename the other")
    terminology = Terminology.shipped().with_products([_product(label) for label in listed])
    texts = {(label["set_id"], key): text for label in listed for key, text in _sections(label).items()}
    claims: list[Claim] = [_edge_claim(row, terminology) for row in terminology.edge_rows()]
    subjects: dict[str, tuple[EntityId, tuple[EntityId, ...]]] = {}
    for label in listed:
        subject, ingredients = terminology.subject_of([(s, None, None) for s in _substances(label)])
        subjects[label["set_id"]] = subject, tuple(i.id for i in ingredients)
        claims.extend(_label_claims(label, subject, tuple(i.id for i in ingredients), texts, terminology))
    edges = [ReachedEdge(_RELATION[c.predicate], str(c.subject), str(c.object), c.id) for c in claims if c.predicate in _RELATION]
    edges += [replace(e, source=e.target, target=e.source) for e in edges if e.relation == "cross-reacts"]
    known = (
        {s for s, _ in subjects.values()}
        | {i for _, group in subjects.values() for i in group}
        | {c.subject for c in claims if c.subject.type in ("Ingredient", "Herb")}
    )
    by_subject: dict[EntityId, list[Claim]] = {}
    for claim in claims:
        by_subject.setdefault(claim.subject, []).append(claim)

    def dossier_of(subject: EntityId) -> Dossier:
        own = [label for label in listed if subjects[label["set_id"]][0] == subject]
        ingredients = next((i for s, i in subjects.values() if s == subject), (subject,))
        closure = [ClosureRow(rel, EntityId.parse(t), terminology.name(EntityId.parse(t)), path) for (rel, t), path in close(str(subject), edges).items()]
        closure += [r for row in closure if (r := _ungraded(row)) is not None and all(r.target != c.target for c in closure)]
        inside = [replace(r, subject=subject) for label in own for r in _rules(by_subject.get(_product_of(label["set_id"]), ()), terminology)]
        rules = (*_rules(by_subject.get(subject, ()), terminology), *inside)
        return Dossier(subject, terminology.name(subject), ingredients, tuple(map(_label_set, own)), rules, tuple(closure))

    dossiers = Dossiers(frozenset(known), dossier_of)
    sections = {(d, _VERSION, k): SectionRecord(k, k, None, "text", text) for (d, k), text in texts.items()}
    return World("case-world", terminology, dossiers, sections, {c.id: c for c in claims})


def _product_of(set_id: str) -> EntityId:
    """The product that a label describes."""
    return mint(EntityType.DRUG.value, "setid", set_id)


def _ungraded(row: ClosureRow) -> ClosureRow | None:
    """A graded enzyme role as the role without its grade, which it is a kind of; None for any other row."""
    base = row.target.code.removesuffix("-strong").removesuffix("-moderate").removesuffix("-weak").removesuffix("-sensitive")
    if row.target.type != EntityType.ENZYME_ROLE or base == row.target.code:
        return None
    target = row.target._replace(code=base)
    return replace(row, target=target, target_name=base.replace("-", " "))


def _substances(label: Mapping[str, Any]) -> list[str]:
    return [part.strip() for part in str(label["drug"]).split("/")]


def _product(label: Mapping[str, Any]) -> ProductRow:
    codes = tuple(Code(*str(c).split(":", 1)) for c in label.get("codes", []))
    return ProductRow(
        document=label["set_id"],
        generic_name=label["drug"],
        brand_names=tuple(label.get("brands", ())),
        substances=tuple((s, None, None) for s in _substances(label)),
        codes=codes,
        routes=tuple(label.get("routes", ("oral",))),
        form=next(iter(label.get("forms", ("tablet",))), None),
        classes=tuple((name, "EPC", None) for name in label.get("classes", ())),
    )


def _label_set(label: Mapping[str, Any]) -> LabelSet:
    return LabelSet(
        document=label["set_id"],
        version=_VERSION,
        effective=label.get("effective", date(2026, 10, 1)),
        title=label.get("title", f"{label['drug']} label"),
        routes=tuple(label.get("routes", ("oral",))),
        forms=tuple(label.get("forms", ("tablet",))),
        product_type="HUMAN PRESCRIPTION DRUG",
        product_codes=frozenset(label.get("codes", ())),
        sections=tuple(label.get("states", {"contraindications": "text", "drug_interactions": "text"}).items()),
        url=f"https://labels.example/{label['set_id']}",
    )


def _sections(label: Mapping[str, Any]) -> dict[str, str]:
    texts: dict[str, list[str]] = {"openfda.substance_name": _substances(label), "openfda.pharm_class_epc": list(label.get("classes", ()))}
    for rule in label.get("rules", ()):
        texts.setdefault(rule.get("section", KINDS[kind_of(rule)][1]), []).extend([*([rule["under"]] if "under" in rule else ()), rule["says"]])
    return {key: "\n".join(lines) for key, lines in texts.items() if lines}


def _span(set_id: str, key: str, quote: str, texts: Mapping[tuple[str, str], str]) -> Span:
    start = texts[set_id, key].index(quote)
    return Span(set_id, _VERSION, key, start, start + len(quote), quote)


def _label_claims(
    label: Mapping[str, Any], subject: EntityId, ingredients: tuple[EntityId, ...], texts: Mapping[tuple[str, str], str], terms: Terminology
) -> Iterable[Claim]:
    made, set_id = Provenance("case", "1"), label["set_id"]
    approval = Approval("policy:case@1", "rule")
    common: dict[str, Any] = {
        "provenance": made,
        "status": ClaimStatus.APPROVED,
        "approval": approval,
        "scope": Scope(routes=tuple(label.get("routes", ("oral",)))),
    }
    if subject.type == EntityType.DRUG:
        for name, ingredient in zip(_substances(label), ingredients, strict=False):
            yield Claim("has_ingredient", subject, ingredient, Edge(), (_span(set_id, "openfda.substance_name", name, texts),), **common)
    for name in label.get("classes", ()):
        target = terms.class_of(name)
        if target is not None and target.type == EntityType.DRUG_CLASS:
            for ingredient in ingredients:
                yield Claim("belongs_to", ingredient, target, Edge(), (_span(set_id, "openfda.pharm_class_epc", name, texts),), **common)
    for rule in label.get("rules", ()):
        own = {"scope": Scope(routes=tuple(rule["routes"]))} if "routes" in rule else {}
        yield _rule_claim(rule, set_id, subject, texts, terms, {**common, **own})


def _rule_claim(
    rule: Mapping[str, Any], set_id: str, subject: EntityId, texts: Mapping[tuple[str, str], str], terms: Terminology, common: Mapping[str, Any]
) -> Claim:
    kind = kind_of(rule)
    predicate, section = KINDS[kind]
    words = rule[kind]
    target = _named(words, _OBJECTS[kind], terms, uncoded=_UNCODED.get(kind))
    key = rule.get("section", section)
    heading = (replace(_span(set_id, key, rule["under"], texts), role=SpanRole.HEADING),) if "under" in rule else ()
    status = ClaimStatus.CONFLICTED if rule.get("labels_differ") else ClaimStatus.APPROVED
    given = {**common, "status": status, "reason": f"labels differ: {rule['labels_differ']}" if rule.get("labels_differ") else None}
    return Claim(
        predicate,
        _product_of(set_id) if kind == "contains" else subject,
        target,
        payload_of(rule),
        (_span(set_id, key, rule["says"], texts), *heading),
        guard=read_guard(rule["when"], terms) if "when" in rule else None,
        polarity=Polarity.NEGATIVE if rule.get("denies") else Polarity.POSITIVE,
        strength=Strength(rule.get("strength", "must")),
        basis=Basis(rule.get("basis", "established")),
        words=rule.get("called", words),
        **given,
    )


def _named(name: str, types: tuple[EntityType, ...], terms: Terminology, *, uncoded: str | None = None) -> EntityId:
    if EntityType.POPULATION in types and name in POPULATIONS:
        return EntityId(EntityType.POPULATION, "pharmgraph", name)
    found = terms.lookup(name, types)
    if not found and EntityType.INGREDIENT in types:
        drug = terms.identify_drug([], name)
        found = (drug.subject,) if isinstance(drug, DrugIdentity) else ()
    if not found and uncoded:
        return mint_uncoded(uncoded, name)
    if not found:
        raise LookupError(f"knowledge files name {name!r}, which the terminology does not know among {[str(t) for t in types]}")
    return found[0]


def read_guard(plain: Any, terms: Terminology) -> Guard:
    """A guard from its YAML form: a mapping is one leaf, `all`, `any` and `not` combine."""
    if "all" in plain:
        return AllOf(tuple(read_guard(p, terms) for p in plain["all"]))
    if "any" in plain:
        return AnyOf(tuple(read_guard(p, terms) for p in plain["any"]))
    if "not" in plain:
        return Not(read_guard(plain["not"], terms))
    if "judge" in plain:
        return Opaque(plain["judge"])
    if "has" in plain:
        concept, window = _named(plain["has"], _STATES, terms, uncoded="Condition"), plain.get("within_days")
        return HasCondition(concept, plain["has"], ConditionState(plain.get("state", "active")), None if window is None else Decimal(window))
    if "exposed_to" in plain:
        return _exposure(plain, terms)
    axis = Axis(plain["axis"])
    if "is" in plain:
        return Category(axis, tuple(plain["is"]), plain.get("detail"))
    low, high = plain.get("at_least", plain.get("above")), plain.get("at_most", plain.get("below"))
    return Interval(
        axis,
        None if low is None else Decimal(str(low)),
        None if high is None else Decimal(str(high)),
        plain["unit"],
        "above" in plain,
        "below" in plain,
        plain.get("detail"),
    )


def _exposure(plain: Mapping[str, Any], terms: Terminology) -> Exposure:
    days = plain.get("within_days")
    dose = plain.get("dose_above")
    return Exposure(
        _named(plain["exposed_to"], _PARTNERS, terms),
        tuple(_named(m, _PARTNERS, terms) for m in plain.get("minus", ())),
        Whose(plain.get("whose", "partner")),
        ExposureState(plain.get("state", "current")),
        None if days is None else Decimal(days),
        DoseBounds(Decimal(str(dose["value"])), None, dose["unit"], low_open=True) if dose else None,
        plain.get("route"),
    )


def _edge_claim(row: Any, terms: Terminology) -> Claim:
    text = next(f.text for f in terms.files() if f.key == row.file)
    span = Span(f"terms.{row.file}", _VERSION, row.file, row.start, row.end, text[row.start : row.end])
    return replace(claim_of(row, span, Provenance("terms", "1")), status=ClaimStatus.APPROVED)


def _rules(claims: Iterable[Claim], terms: Terminology) -> tuple[Rule, ...]:
    groups: dict[str, list[Claim]] = {}
    for claim in claims:
        groups.setdefault(rule_key(claim), []).append(claim)
    rules = []
    for key, group in sorted(groups.items()):
        c = group[0]
        records = tuple(ClaimRecord(g.id, g.document, _VERSION, g.evidence, g.scope.routes, g.scope.forms, g.status, g.reason, g.approval) for g in group)
        name = (c.words or "") if c.object.system == "uncoded" else terms.name(c.object)
        rules.append(Rule(key, c.predicate, c.subject, c.object, name, c.words, c.guard, c.payload, c.polarity, c.strength, c.basis, records))
    return tuple(rules)
