"""Which drug a medication resource names: coded, referenced (contained, in a bundle, in prefetch), or by display alone."""

from __future__ import annotations

from msgspec import Struct

from cds_service.intake.fhir.concepts import codes_of, words_of
from cds_service.intake.fhir.reading import Reading
from cds_service.intake.fhir.values import Resource, mapping, objects, text
from ontology.model.identifiers import Code
from ontology.terms.identity import DrugIdentity, UnidentifiedDrug

UNNAMED = "medication without a name"


class NamedDrug(Struct, frozen=True):
    """What the resource says of its drug, and what the terminology made of it."""

    identity: DrugIdentity | UnidentifiedDrug
    text: str
    form: str | None


def read_drug(resource: Resource, reading: Reading) -> NamedDrug:
    """The drug of an order or other medication resource. Codes and words of a referenced Medication add to those of the resource."""
    codes, words, form = _named(resource, reading)
    if not codes and words is None:
        return NamedDrug(UnidentifiedDrug(UNNAMED, "no-name"), UNNAMED, None)
    identity = reading.names.identify_drug(codes, words)
    canonical = reading.names.form(form) if form else None
    return NamedDrug(identity, words or identity_text(identity), canonical or getattr(identity, "form", None))


def identity_text(identity: DrugIdentity | UnidentifiedDrug) -> str:
    """A text for an order that has codes and no words."""
    return identity.name if isinstance(identity, DrugIdentity) else identity.text


def _named(resource: Resource, reading: Reading) -> tuple[tuple[Code, ...], str | None, str | None]:
    concept = resource.get("medicationCodeableConcept") or resource.get("medication")
    reference = resource.get("medicationReference") or resource.get("medication")
    codes, words, form = codes_of(concept), words_of(concept), None
    medication = reading.index.resolve(reference, resource)
    if medication is not None and text(medication.get("resourceType")) == "Medication":
        own, ingredients = codes_of(medication.get("code")), _ingredients(medication)
        codes = tuple(dict.fromkeys((*codes, *own)))
        words = words or words_of(medication.get("code"))
        form = words_of(medication.get("form")) or words_of(medication.get("doseForm")) or words_of(mapping(medication.get("product")).get("form"))
        if not codes and words is None:
            words = " / ".join(w for _, w in ingredients if w) or None
            codes = ingredients[0][0] if len(ingredients) == 1 else ()
    if words is None:
        words = text(mapping(reference).get("display")) or text(mapping(mapping(reference).get("reference")).get("display"))
    return codes, words, form


def _ingredients(medication: Resource) -> list[tuple[tuple[Code, ...], str | None]]:
    rows = objects(medication.get("ingredient")) or objects(mapping(medication.get("product")).get("ingredient"))
    concepts = [r.get("itemCodeableConcept") or r.get("item") or r.get("itemReference") for r in rows]
    return [(codes_of(c), words_of(c) or text(mapping(c).get("display"))) for c in concepts]
