"""Allergies and intolerances, and the entries that assert an absence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from cds_service.intake.fhir.concepts import code_words, codes_of, words_of
from cds_service.intake.fhir.reading import Reading, Unreadable, reference_to, require_known_modifiers
from cds_service.intake.fhir.values import Resource, first_day, items, objects, text
from cds_service.intake.prescription import AllergyFact, Source
from cds_service.intake.tables import table
from ontology.model.identifiers import Code, normal_words

ABSENT_UNKNOWN = ("http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips", "http://hl7.org/fhir/uv/ips/ValueSet/absent-or-unknown-allergies-uv-ips")
SEVERITIES = ("severe", "moderate", "mild")
CRITICALITY = {"CRITL": "low", "CRITH": "high", "CRITU": "unable-to-assess"}


@dataclass(frozen=True, slots=True)
class Absence:
    """An entry that says there is none (`drug`: none that an order could meet, `other`: none of another kind) or that nothing is known (`unknown`)."""

    covers: str


def read_allergy(resource: Resource, reading: Reading) -> AllergyFact | Absence | None:
    """The allergy, an asserted absence, or None for an entry made in error. Raises Unreadable without a code and words."""
    verification = (*code_words(resource.get("verificationStatus")), *code_words(resource.get("status")))
    if "entered-in-error" in verification:
        return None
    require_known_modifiers(resource)
    named = resource.get("code") or resource.get("substance")
    codes, words = codes_of(named), words_of(named)
    reacted = [r.get("substance") for r in objects(resource.get("reaction")) if r.get("substance")]
    absence = _absence(codes, words)
    if absence is not None:
        return None if "refuted" in verification else absence
    if not codes and words is None and not reacted:
        raise Unreadable("has neither a code nor a text")
    matches = list(reading.names.match_allergens(codes, words)) if codes or words else []
    for substance in reacted:
        matches += reading.names.match_allergens(codes_of(substance), words_of(substance))
        codes, words = codes or codes_of(substance), words or words_of(substance)
    reactions = objects(resource.get("reaction"))
    return AllergyFact(
        substances=tuple({m.id: m for m in matches}.values()),
        text=words or (codes[0].value if codes else "allergen without a name"),
        codes=codes,
        status=_status(verification, code_words(resource.get("clinicalStatus"))),
        kind=_kind(resource.get("type")),
        criticality=_criticality(resource.get("criticality")),
        reactions=tuple(dict.fromkeys(w for r in reactions for m in items(r.get("manifestation")) if (w := words_of(m)))),
        severity=next((s for s in SEVERITIES if any(s in code_words(r.get("severity")) for r in reactions)), None),
        source=Source(
            reference_to(resource) or "AllergyIntolerance", first_day(resource, "recordedDate", "assertedDate", "lastOccurrence", "onsetDateTime"), "allergies"
        ),
    )


def _absence(codes: tuple[Code, ...], words: str | None) -> Absence | None:
    rows = table("no_known_allergy")["codes"]
    keys = [f"ips:{c.value}" if c.system in ABSENT_UNKNOWN else f"{c.system}:{c.value}" for c in codes]
    covers = next((rows[k] for k in keys if k in rows), None) or (_absent_texts().get(normal_words(words)) if words else None)
    return Absence(covers) if covers else None


@cache
def _absent_texts() -> dict[str, str]:
    return {normal_words(text): covers for text, covers in table("no_known_allergy")["texts"].items()}


def _status(verification: tuple[str, ...], clinical: tuple[str, ...]) -> str:
    """`resolved` is read as refuted; `inactive` without a refutation stays unconfirmed."""
    said = {*verification, *clinical}
    if said & {"refuted", "resolved"}:
        return "refuted"
    return "unconfirmed" if said & {"unconfirmed", "inactive"} else "confirmed"


def _kind(value: object) -> str:
    said = code_words(value)
    return next((k for k in ("allergy", "intolerance") if k in said), "unspecified")


def _criticality(value: object) -> str | None:
    said = text(value)
    return CRITICALITY.get(said, said) if said in (*CRITICALITY, "low", "high", "unable-to-assess") else None
