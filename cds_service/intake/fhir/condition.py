"""Conditions and order reasons to condition facts."""

from __future__ import annotations

from datetime import date
from functools import cache

from cds_service.intake.fhir.concepts import code_words, codes_of, concept_of, words_of
from cds_service.intake.fhir.reading import Reading, Unreadable, reference_to, require_known_modifiers
from cds_service.intake.fhir.values import Resource, first_day, items, mapping, text
from cds_service.intake.prescription import ConditionFact, Source
from cds_service.intake.tables import table
from ontology.model.identifiers import Code

HISTORICAL = frozenset({"inactive", "remission", "resolved"})
UNCONFIRMED = frozenset({"unconfirmed", "provisional", "differential"})
_SEPARATORS = " ,;:-–()[]"


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
    status = _status(resource, verification, words, codes)
    matches = reading.names.match_conditions(codes, words)
    if words is not None and status == "active":
        placed, bare = _placed(words)
        if bare != words and all(m.how == "text" for m in matches):
            matches = reading.names.match_conditions(codes, bare)
            status = placed
        elif not any(w in m.name.casefold() for m in matches for w in _words("history", "itself")):
            status = placed
    return ConditionFact(matches, words or codes[0].value, codes, status, source, onset)


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


def _status(resource: Resource, verification: tuple[str, ...], words: str | None, codes: tuple[Code, ...]) -> str:
    clinical = code_words(resource.get("clinicalStatus"))
    if "refuted" in verification or "refuted" in clinical:
        return "refuted"
    if (words is not None and words.casefold().startswith(_words("family", "start"))) or any(
        c.system == "icd10cm" and c.value.startswith(_words("family", "icd10cm")) for c in codes
    ):
        return "family"
    if HISTORICAL & set(clinical):
        return "historical"
    if UNCONFIRMED & set(verification):
        return "unconfirmed"
    if not clinical and any(k.startswith("abatement") and v is not False for k, v in resource.items()):
        return "historical"
    return "active"


def _placed(words: str) -> tuple[str, str]:
    """Where a problem's own title places it (`historical`, `unconfirmed`, `refuted` or `active`), and the title without the words that do."""
    said = words.casefold()
    for section, side, status in (
        ("history", "start", "historical"),
        ("after", "start", "active"),
        ("doubt", "start", "unconfirmed"),
        ("doubt", "end", "unconfirmed"),
        ("away", "end", "refuted"),
        ("gone", "end", "historical"),
    ):
        for word in _words(section, side):
            found = said.startswith(word) if side == "start" else said.rstrip(_SEPARATORS).endswith(word)
            if not found or (side == "start" and word[-1].isalpha() and said[len(word) : len(word) + 1].isalpha() and word.isascii()):
                continue
            bare = words[len(word) :] if side == "start" else words.rstrip(_SEPARATORS)[: -len(word)]
            return status, bare.strip(_SEPARATORS) or words
    return "active", words


@cache
def _words(section: str, key: str) -> tuple[str, ...]:
    return tuple(w if key == "icd10cm" else w.casefold() for w in table("condition_words")[section][key])
