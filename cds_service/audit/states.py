"""The state of the patient that a label's rule is about: what the record says of the rule's object, beside the rule's guard.

An object can be a condition of the record, a measured value (its guard's number then decides alone), or a group of people (decided by age, sex,
pregnancy or lactation where its words name one).
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache

from cds_service.audit.clinical import table, words
from cds_service.audit.outcomes import Certainty
from cds_service.audit.profile import PatientProfile
from cds_service.audit.profile.lab_limits import analytes_meant
from cds_service.audit.profile.numeric_states import asks_beside, match_numbers
from cds_service.audit.profile.record import RecordMatch, specific_words
from cds_service.audit.roster import Medication
from ontology.model.entities import EntityType
from ontology.model.facts import Axis, ConditionState, Known, UnknownReason, needs_of
from ontology.model.guards import Category, HasCondition, Interval, Opaque, Truth, leaves
from ontology.model.quantities import Quantity, Unit
from ontology.store.records import Rule

_RECORDED = frozenset({EntityType.CONDITION, EntityType.SYMPTOM, EntityType.PROCEDURE})
_RENAL = frozenset({Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR, Axis.SCR, Axis.RENAL, Axis.DIALYSIS})
_HEPATIC = frozenset({Axis.HEPATIC, Axis.CHILD_PUGH})
_YEARS = Unit.of("a")
_NEAR = 30
_SENTENCES = 8192
"""Readings of sentences of labels that are kept."""


@dataclass(frozen=True, slots=True)
class People:
    """A row of the data file: words for a group of people, and what makes a patient one of them."""

    words: tuple[str, ...]
    axis: Axis
    below: Decimal | None
    since: Decimal | None
    value: str | None
    record: tuple[str, ...]


def state_of(profile: PatientProfile, medication: Medication, rule: Rule) -> RecordMatch | None:
    """What the patient's data say of the rule's object; None when nothing in a prescription can say it."""
    named = rule.words or rule.object_name
    if _decided_by_guard(profile, rule, named):
        return RecordMatch(Truth.TRUE, rule.object_name)
    kind = rule.object.type
    if kind in _RECORDED:
        found = _recorded(profile, medication, rule, named)
        names_people = rule.object.system == "uncoded" and found.truth is not Truth.TRUE and _row_of(named) is not None
        return _people(profile, rule, named) if names_people else found
    if kind == EntityType.POPULATION:
        return _people(profile, rule, named)
    if kind == EntityType.ROUTE:
        return RecordMatch(Truth.TRUE if medication.route and medication.route == rule.object_name.casefold() else Truth.FALSE, rule.object_name)
    return None


def _recorded(profile: PatientProfile, medication: Medication, rule: Rule, named: str) -> RecordMatch:
    """What the record says of a condition: its entries, else the numbers that the label's words state for it."""
    past = (
        any(w in named.casefold() for w in words("history")) or _told_before(rule, named, words("history", "before")) or _says(rule, words("history", "either"))
    )
    concept = rule.object
    if concept.system == "uncoded" and (head := _before_own_drug(named, medication)) is not None:
        concept = next(iter(profile.knowledge.terminology.lookup(head, (EntityType.CONDITION,))), concept)
        past = True
    doubted = concept.system != "uncoded" and _told_before(rule, named, words("doubt"))
    found = profile.has(concept, ConditionState.HISTORY if past else ConditionState.ACTIVE, f"suspected {named}" if doubted else named)
    if found.truth is Truth.TRUE or past:
        return found
    measured = match_numbers(named, profile.at(medication))
    if measured is None or (concept.system != "uncoded" and measured.truth is not Truth.TRUE):
        return found
    beside = asks_beside(named) if measured.truth is not Truth.FALSE and concept.system == "uncoded" else frozenset()
    if beside and profile.problems.entry_with(beside) is None:
        # A number that is met leaves the rest to a person; one that nobody measured is not asked for where nothing bears out the rest.
        return (
            RecordMatch(Truth.UNKNOWN, named, reason=UnknownReason.JUDGEMENT, needs=frozenset()) if measured.truth is Truth.TRUE else RecordMatch(Truth.FALSE)
        )
    return measured


def _told_before(rule: Rule, named: str, wanted: tuple[str, ...]) -> bool:
    """True when one of the words stands right before the condition in the label's sentence ("who have experienced ...", "known or suspected ...")."""
    return any(_stands_before(span.quote, named, wanted) for span in (rule.claims[0].evidence if rule.claims else ()))


@lru_cache(maxsize=_SENTENCES)
def _stands_before(quote: str, named: str, wanted: tuple[str, ...]) -> bool:
    said = quote.casefold()
    at = said.find(named.casefold())
    return at > 0 and any(w in said[max(0, at - _NEAR) : at] for w in wanted)


def _says(rule: Rule, wanted: tuple[str, ...]) -> bool:
    """True when the label's sentence has one of the words."""
    return any(_has_one(span.quote, wanted) for span in (rule.claims[0].evidence[:1] if rule.claims else ()))


@lru_cache(maxsize=_SENTENCES)
def _has_one(quote: str, wanted: tuple[str, ...]) -> bool:
    said = quote.casefold()
    return any(w in said for w in wanted)


def _before_own_drug(named: str, medication: Medication) -> str | None:
    """The condition in words such as "hepatitis after taking DRUG", where the drug is the order's own; None elsewhere."""
    said = named.casefold()
    for link in words("history", "after_drug"):
        head, found, tail = said.partition(f" {link} ")
        if found and any(i.name.casefold() in tail for i in medication.drug.ingredients):
            return head.strip()
    return None


def _decided_by_guard(profile: PatientProfile, rule: Rule, named: str) -> bool:
    """True when the guard states the object again in measurable terms, or places the object in time itself."""
    said = named.casefold()
    for leaf in leaves(rule.guard):
        if isinstance(leaf, HasCondition) and leaf.concept == rule.object:
            return True
        if not isinstance(leaf, Interval | Category):
            continue
        if leaf.axis in _RENAL and any(w in said for w in words("measured", "renal")):
            return True
        if leaf.axis in _HEPATIC and any(w in said for w in words("measured", "hepatic")):
            return True
        if leaf.axis is Axis.GENOTYPE and rule.object.system == "uncoded":
            return True
        if leaf.axis in (Axis.WEIGHT, Axis.BMI, Axis.BSA) and any(w in said for w in words("measured", "weight")):
            return True
        if leaf.axis is Axis.LAB and (rule.object.system == "uncoded" or rule.object.type == EntityType.LAB_TEST) and _names_analyte(said, leaf):
            return True
        if isinstance(leaf, Interval) and leaf.axis is Axis.LAB and (profile.problems.means_value(rule.object, leaf) or _is_level(said, leaf)):
            return True
    return False


def _is_level(said: str, leaf: Interval) -> bool:
    """True for words that call the state a low or high level of the very test that the number is of ("low lymphocyte count")."""
    return said.startswith(words("measured", "levels")) and any(name in said for test in analytes_meant(leaf.detail or "")[0] for name in test.names)


def _names_analyte(said: str, leaf: Interval | Category) -> bool:
    return any(w in said for w in (leaf.detail or "").casefold().split()) or any(c.isdigit() for c in said)


def _people(profile: PatientProfile, rule: Rule, named: str) -> RecordMatch | None:
    """A group of people: by the guard where it is more than the words again, by what the words mean on an axis, and by what else they ask for."""
    if rule.object in profile.status_axes:
        return profile.has(rule.object, ConditionState.ACTIVE, named)
    group = _group(profile, named)
    if group is not None and group.truth is not Truth.TRUE:
        return group
    if group is None and not any(not isinstance(leaf, Opaque) for leaf in leaves(rule.guard)):
        return None
    return _asked_beside(profile, named) or group or RecordMatch(Truth.TRUE, rule.object_name)


def _asked_beside(profile: PatientProfile, named: str) -> RecordMatch | None:
    """What the words ask for beside the group: the entry that bears it out, else a person's judgement; None where they ask for nothing else."""
    asked = frozenset(w for w in specific_words(named) - frozenset(words("people", "neutral")) if not any(c.isdigit() for c in w))
    if not asked:
        return None
    entry = profile.problems.entry_with(asked)
    if entry is None:
        return RecordMatch(Truth.UNKNOWN, named, reason=UnknownReason.JUDGEMENT, needs=frozenset())
    return RecordMatch(Truth.TRUE, entry.text, entry.source, Certainty.STATED, from_notes=entry.source.kind == "notes")


def _row_of(named: str) -> People | None:
    said = f" {named.casefold()} "
    return next((r for r in populations() if any(w in said for w in r.words)), None)


def _group(profile: PatientProfile, named: str) -> RecordMatch | None:
    """Whether the patient is one of the people that the words name by age, sex, pregnancy or lactation; None when they name none."""
    row = _row_of(named)
    if row is None:
        return None
    if row.axis is Axis.SEX:
        fact = profile.who.sex()
    elif row.axis is Axis.AGE:
        fact = profile.who.age(_YEARS)
    else:
        fact = profile.maternity.pregnant_in(named) if row.axis is Axis.PREGNANCY else profile.maternity.lactation
    if not isinstance(fact, Known):
        return RecordMatch(Truth.UNKNOWN, reason=fact.reason, needs=fact.needs or needs_of(row.axis))
    if not _belongs(fact, row):
        return RecordMatch(Truth.FALSE, named)
    if not row.record:
        source = profile.sources.get(fact.reference or "")
        told = source if source is not None and source.kind != "patient" else None
        return RecordMatch(Truth.TRUE, named, told, from_notes=told is not None and told.kind == "notes")
    entry = next((c for c in profile.prescription.patient.conditions if c.status == "active" and any(w in c.text.casefold() for w in row.record)), None)
    return RecordMatch(Truth.TRUE, entry.text, entry.source, Certainty.STATED) if entry else RecordMatch(Truth.FALSE, named)


def _belongs(fact: Known, row: People) -> bool:
    if isinstance(fact.value, Quantity):
        return (row.below is None or fact.value.value < row.below) and (row.since is None or fact.value.value >= row.since)
    return fact.value == row.value if row.value else fact.value != "no"


@cache
def populations() -> tuple[People, ...]:
    """The groups of people that labels name, in the order of the data file."""
    return tuple(
        People(
            tuple(w.casefold() for w in row["words"]),
            Axis(row["axis"]),
            Decimal(str(row["age_below"])) if "age_below" in row else None,
            Decimal(str(row["age_from"])) if "age_from" in row else None,
            row.get("value"),
            tuple(w.casefold() for w in row.get("record", ())),
        )
        for row in table("clinical")["population"]
    )


UNDECIDED = frozenset({UnknownReason.NOT_RETRIEVED, UnknownReason.INCOMPLETE})
"""Reasons of an UNKNOWN that one missing list explains, whatever the rule."""
