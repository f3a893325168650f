"""What an order is for, and which of a label's dose rules are for that use."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from cds_service.audit.named_conditions import expanded, grades, kinds_named, named_concepts
from cds_service.audit.profile import PatientProfile
from cds_service.audit.profile.record import content_words, specific_words, words_together
from cds_service.audit.roster import Medication
from cds_service.intake.prescription import ConditionFact, Retrieval
from ontology.model.entities import EntityType
from ontology.model.guards import Truth
from ontology.model.identifiers import EntityId
from ontology.store.records import Rule

STATED, LISTED = "stated", "listed"
_NEED = frozenset({"indication"})


@dataclass(frozen=True)
class Uses:
    """The uses of one order. `how` is `stated` (the order's reason), `listed` (the problem list) or empty when nothing tells.

    `open_` is True when no indication of the rules asked about is surely meant, so that every one of them stays possible; `ambiguous` when the
    problem list meets several of the label's; `graded` when the label doses several degrees of a disease.
    """

    profile: PatientProfile
    facts: tuple[ConditionFact, ...]
    how: str
    open_: bool
    ambiguous: bool = False
    graded: bool = False
    _seen: dict[tuple[EntityId, str], Truth] = field(default_factory=dict)

    def truth(self, rule: Rule) -> Truth:
        """Whether the order is for the rule's indication; UNKNOWN where it may be."""
        if rule.object.type == EntityType.POPULATION:
            return Truth.TRUE
        met = self.match(rule)
        return Truth.UNKNOWN if (met is Truth.FALSE and self.open_) or (met is Truth.TRUE and self.ambiguous) else met

    def match(self, rule: Rule) -> Truth:
        """TRUE when a use of the order equals or descends from the rule's indication by code, or one holds the other's specific words."""
        named = rule.words or rule.object_name
        key = (rule.object, named)
        if key not in self._seen:
            self._seen[key] = self._match(rule.object, named)
        return self._seen[key]

    def _match(self, concept: EntityId, named: str) -> Truth:
        found = Truth.FALSE
        terms = self.profile.knowledge.terminology
        specific = specific_words(named)
        asked = specific or words_together(named)
        concepts = ((concept, ""),) if concept.system != "uncoded" else kinds_named(terms, named)
        degrees = grades() & content_words(named) if self.graded else frozenset()
        for fact in self.facts:
            own = tuple(m.id for m in fact.concepts) or named_concepts(terms, fact.text)
            said = expanded(fact.text)
            of_degree = not degrees or bool(degrees & said)
            met = [_met(terms.covers(c, mine), of_kind=of_degree and (not kind or kind in said)) for c, kind in concepts for mine in own]
            if Truth.TRUE in met or (asked and asked <= said):
                return Truth.TRUE
            if Truth.UNKNOWN in met or len(specific & said) * 2 > len(specific) > 0:
                found = Truth.UNKNOWN
        return found

    @property
    def needs(self) -> frozenset[str]:
        """What would tell the use."""
        listed = self.profile.retrieval("conditions")
        return _NEED | ({"conditions"} if listed in (Retrieval.NOT_RETRIEVED, Retrieval.INCOMPLETE) else set())


def uses_of(profile: PatientProfile, medication: Medication, rules: tuple[Rule, ...], labelled: tuple[Rule, ...] = ()) -> Uses:
    """The uses of an order, as far as they meet the indications of these rules.

    `labelled` are all indications of the label: where the problem list meets one that no dose rule is for, that may be what the order is for.
    """
    graded = _is_graded(rules)
    conditions = profile.prescription.patient.conditions
    stated = tuple(c for c in conditions if c.source.reference == medication.reference and c.status == "active")
    listed = tuple(c for c in conditions if c.source.kind == "conditions" and c.status == "active")
    for facts, how in ((stated, STATED), (listed, LISTED)):
        uses = Uses(profile, facts, how, open_=False, graded=graded)
        met = {rule.object for rule in rules if rule.object.type != EntityType.POPULATION and uses.match(rule) is Truth.TRUE} if facts else set()
        if met:
            other = how == LISTED and any(uses.match(r) is Truth.TRUE and not _related(profile, r.object, met) for r in labelled)
            return replace(uses, open_=True, ambiguous=True) if other else uses
    facts = stated or listed
    return Uses(profile, facts, STATED if stated else LISTED if listed else "", open_=True, graded=graded)


def _is_graded(rules: tuple[Rule, ...]) -> bool:
    """True where the rules are for several degrees of a disease."""
    return len({g for rule in rules for g in grades() & content_words(rule.words or rule.object_name)}) > 1


def _met(covered: Truth, *, of_kind: bool) -> Truth:
    """Whether a use is met; where its words name one kind of a disease and the order's reason names no such kind, it may be."""
    return Truth.UNKNOWN if covered is Truth.TRUE and not of_kind else covered


def _related(profile: PatientProfile, concept: EntityId, met: set[EntityId]) -> bool:
    """True when one of the concepts is, or descends from, the other."""
    terms = profile.knowledge.terminology
    return any(concept == m or Truth.TRUE in (terms.covers(m, concept), terms.covers(concept, m)) for m in met)
