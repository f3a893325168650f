"""Conditions and order reasons to condition facts."""

from __future__ import annotations

from datetime import date

from cds_service.intake.fhir.concepts import code_words, codes_of, concept_of, words_of
from cds_service.intake.fhir.reading import Reading, Unreadable, reference_to, require_known_modifiers
from cds_service.intake.fhir.values import Resource, first_day, items, mapping, text
from cds_service.intake.prescription import ConditionFact, Source

HISTORICAL = frozenset({"inactive", "remission", "resolved"})
UNCONFIRMED = frozenset({"unconfirmed", "provisional", "differential"})
FAMILY = ("family history of", "fh:", "家族史")


def read_condition(resource: Resource, reading: Reading) -> ConditionFact | None:
    """The condition, or None for one that was entered in error. Raises Unreadable without a code and words."""
    verification = code_words(resource.get("verificationStatus"))
    if "entered-in-error" in verification or "entered-in-error" in code_words(resource.get("status")):
        return None
    require_known_modifiers(resource)
    codes, words = codes_of(resource.get("code")), words_of(resource.get("code"))
    if not codes and words is None:
        raise Unreadable("has neither a code nor a text")
    onset = first_day(resource, "onsetDateTime", "onsetPeriod")
    recorded = first_day(resource, "recordedDate", "assertedDate", "dateRecorded", "dateAsserted") or onset
    source = Source(reference_to(resource) or "Condition", recorded, "conditions")
    return ConditionFact(reading.names.match_conditions(codes, words), words or codes[0].value, codes, _status(resource, verification, words), source, onset)


def read_reasons(resource: Resource, reading: Reading, order: str, day: date | None, *, ended: bool) -> tuple[ConditionFact, ...]:
    """The reasons an order gives, coded, in words or by reference, as facts whose source is the order itself."""
    concepts = [concept_of(r) for m in ("reasonCode", "reasonCodeableConcept", "reason", "reasonForUseCodeableConcept") for r in items(resource.get(m))]
    references = [r for m in ("reasonReference", "reason", "reasonForUseReference") for r in items(resource.get(m))]
    for reference in references:
        target = reading.index.resolve(reference, resource)
        if target is not None and target.get("resourceType") == "Condition" and reading.same_patient(target, "subject", "patient"):
            concepts.append(concept_of(target.get("code")))
        elif display := text(mapping(reference).get("display")):
            concepts.append({"text": display})
    source = Source(order, day, "medications")
    facts: dict[tuple[object, ...], ConditionFact] = {}
    for concept in concepts:
        codes, words = codes_of(concept), words_of(concept)
        if codes or words:
            said = words or codes[0].value
            facts.setdefault(
                (codes, said), ConditionFact(reading.names.match_conditions(codes, words), said, codes, "historical" if ended else "active", source)
            )
    return tuple(facts.values())


def _status(resource: Resource, verification: tuple[str, ...], words: str | None) -> str:
    clinical = code_words(resource.get("clinicalStatus"))
    if "refuted" in verification or "refuted" in clinical:
        return "refuted"
    if words is not None and words.lower().startswith(FAMILY):
        return "family"
    if HISTORICAL & set(clinical):
        return "historical"
    if UNCONFIRMED & set(verification):
        return "unconfirmed"
    if not clinical and any(k.startswith("abatement") and v is not False for k, v in resource.items()):
        return "historical"
    return "active"
