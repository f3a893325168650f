"""Codes and words of CodeableConcept, Coding, CodeableReference and bare codes."""

from __future__ import annotations

from collections.abc import Iterator

from cds_service.intake.fhir.values import Resource, items, mapping, objects, text
from cds_service.intake.tables import system_names
from ontology.model.identifiers import Code


def concept_of(value: object) -> Resource:
    """The CodeableConcept in a value: itself, the `concept` of a CodeableReference, a bare Coding, or a bare string as its text."""
    if isinstance(value, str):
        return {"text": value}
    found = mapping(value)
    if "concept" in found:
        return concept_of(found["concept"])
    if "coding" not in found and "text" not in found and "code" in found:
        return {"coding": [found]}
    return found


def codes_of(value: object) -> tuple[Code, ...]:
    """The codes of a concept that name their system, in received order, with the ontology's short system names where it has one."""
    return tuple(dict.fromkeys(Code(short_system(system), code) for system, code, _ in _codings(concept_of(value)) if system and code))


def words_of(value: object) -> str | None:
    """The words of a concept: its text, else the first display."""
    concept = concept_of(value)
    return text(concept.get("text")) or next((display for _, _, display in _codings(concept) if display), None)


def code_words(value: object) -> tuple[str, ...]:
    """Every bare code of a concept, or the string itself where a code was sent as one; for status and category members."""
    if isinstance(value, str):
        return (value.strip(),)
    return tuple(code for item in items(value) for _, code, _ in _codings(concept_of(item)) if code)


def short_system(system: str) -> str:
    """The ontology's name of a code system, or the URL itself."""
    return system_names().get(system.strip().rstrip("/").lower(), system.strip())


def _codings(concept: Resource) -> Iterator[tuple[str | None, str | None, str | None]]:
    for coding in objects(concept.get("coding")):
        code = coding.get("code")
        yield text(coding.get("system")), text(str(code) if isinstance(code, int) and not isinstance(code, bool) else code), text(coding.get("display"))
