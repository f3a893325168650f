"""The closed registry of predicates: what may be said of what, and which store answers first.

Each entry gives domain, range, cardinality, stratum, risk tier, the sentence it verbalises to, and its version. A proposer that wants
a predicate the registry lacks goes to the governance queue, not into a release.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ontology.model.entities import EntityType as E


class Stratum(StrEnum):
    """The engine that answers first: relational for constraints, graph for topology."""

    RELATIONAL = "R"
    GRAPH = "G"


class RiskTier(StrEnum):
    """How much harm a false claim of this predicate can do."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class PayloadKind(StrEnum):
    """The payload a predicate carries."""

    ADVICE = "advice"
    REGIMEN = "regimen"
    LIMIT = "limit"
    EDGE = "edge"


@dataclass(frozen=True, slots=True)
class PredicateSpec:
    """One row of the registry. `single` is True where a subject has at most one object."""

    name: str
    domain: frozenset[E]
    range: frozenset[E]
    stratum: Stratum
    tier: RiskTier
    payloads: frozenset[PayloadKind]
    template: str
    single: bool = False
    version: int = 1


_SUBJECT = frozenset({E.INGREDIENT, E.DRUG})
_PARTNER = frozenset({E.INGREDIENT, E.DRUG, E.DRUG_CLASS, E.ENZYME_ROLE, E.FOOD, E.HERB, E.LIFESTYLE, E.LAB_TEST, E.PROCEDURE})
_STATE = frozenset(
    {E.CONDITION, E.SYMPTOM, E.ALLERGEN, E.POPULATION, E.INGREDIENT, E.HERB, E.DRUG, E.DRUG_CLASS, E.ENZYME_ROLE, E.PROCEDURE, E.ROUTE, E.LAB_TEST, E.FOOD, E.LIFESTYLE}
)  # fmt: skip
_EDGE = frozenset({PayloadKind.EDGE})
_ADVICE = frozenset({PayloadKind.ADVICE})


def _relational(name: str, range_: frozenset[E], tier: RiskTier, payload: PayloadKind, template: str) -> PredicateSpec:
    return PredicateSpec(name, _SUBJECT, range_, Stratum.RELATIONAL, tier, frozenset({payload}), template)


def _graph(name: str, domain: set[E], range_: set[E], tier: RiskTier, template: str) -> PredicateSpec:
    return PredicateSpec(name, frozenset(domain), frozenset(range_), Stratum.GRAPH, tier, _EDGE, template)


REGISTRY: tuple[PredicateSpec, ...] = (
    # relational: constraints on one drug
    _relational("indicated_for", frozenset({E.CONDITION, E.SYMPTOM, E.PROCEDURE}), RiskTier.MEDIUM, PayloadKind.ADVICE, "{subject} is indicated for {object}"),
    _relational("contraindicated_in", _STATE, RiskTier.HIGH, PayloadKind.ADVICE, "{subject} is contraindicated in {object}"),
    _relational("has_dose_rule", frozenset({E.CONDITION, E.POPULATION, E.ROUTE}), RiskTier.HIGH, PayloadKind.REGIMEN, "{subject} is dosed in {object}"),
    _relational("has_limit", frozenset({E.POPULATION, E.CONDITION, E.ROUTE}), RiskTier.HIGH, PayloadKind.LIMIT, "{subject} has a limit in {object}"),
    _relational("population_advice", frozenset({E.POPULATION}), RiskTier.HIGH, PayloadKind.ADVICE, "for {object}, {subject} is advised on"),
    _relational("requires_monitoring", frozenset({E.LAB_TEST, E.SYMPTOM, E.EFFECT, E.CONDITION}), RiskTier.MEDIUM, PayloadKind.ADVICE, "{subject} requires monitoring of {object}"),
    _relational("has_prerequisite", frozenset({E.LAB_TEST, E.PROCEDURE, E.CONDITION}), RiskTier.MEDIUM, PayloadKind.ADVICE, "{subject} requires {object} first"),
    _relational("has_boxed_warning", frozenset({E.CONDITION, E.SYMPTOM, E.EFFECT}), RiskTier.MEDIUM, PayloadKind.ADVICE, "{subject} has a boxed warning of {object}"),
    # graph: topology
    _graph("has_ingredient", {E.DRUG}, {E.INGREDIENT, E.HERB}, RiskTier.HIGH, "{subject} contains {object}"),
    _graph("has_excipient", {E.DRUG}, {E.INGREDIENT, E.ALLERGEN}, RiskTier.MEDIUM, "{subject} contains the excipient {object}"),
    _graph("has_brand", {E.DRUG, E.INGREDIENT}, {E.BRAND}, RiskTier.LOW, "{subject} is sold as {object}"),
    _graph("belongs_to", {E.INGREDIENT}, {E.DRUG_CLASS}, RiskTier.MEDIUM, "{subject} belongs to {object}"),
    _graph("subclass_of", {E.DRUG_CLASS}, {E.DRUG_CLASS}, RiskTier.MEDIUM, "{subject} is a subclass of {object}"),
    PredicateSpec("interacts_with", _SUBJECT | {E.HERB}, _PARTNER, Stratum.GRAPH, RiskTier.HIGH, _ADVICE, "{subject} interacts with {object}"),
    _graph("has_role", {E.INGREDIENT}, {E.ENZYME_ROLE}, RiskTier.HIGH, "{subject} is a {object}"),
    _graph("cross_reacts_with", {E.ALLERGEN, E.DRUG_CLASS, E.INGREDIENT}, {E.ALLERGEN, E.DRUG_CLASS, E.INGREDIENT}, RiskTier.HIGH, "{subject} cross-reacts with {object}"),
    PredicateSpec("incompatible_with", _SUBJECT, frozenset({E.INGREDIENT, E.DRUG, E.DRUG_CLASS, E.HERB}), Stratum.GRAPH, RiskTier.HIGH, _ADVICE, "{subject} is physically incompatible with {object}"),
    _graph("has_effect", {E.INGREDIENT, E.DRUG_CLASS}, {E.EFFECT}, RiskTier.MEDIUM, "{subject} has the effect {object}"),
    _graph("antidote_of", {E.INGREDIENT}, {E.INGREDIENT, E.DRUG_CLASS}, RiskTier.MEDIUM, "{subject} is given against {object}"),
    _graph("opposes", {E.EFFECT}, {E.EFFECT}, RiskTier.MEDIUM, "{subject} opposes {object}"),
    _graph("is_a", {E.CONDITION, E.ALLERGEN, E.INGREDIENT, E.ENZYME_ROLE}, {E.CONDITION, E.ALLERGEN, E.INGREDIENT, E.ENZYME_ROLE}, RiskTier.MEDIUM, "{subject} is a kind of {object}"),
)  # fmt: skip

PREDICATES: dict[str, PredicateSpec] = {spec.name: spec for spec in REGISTRY}
