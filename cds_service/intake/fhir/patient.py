"""Demographics of a Patient resource."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cds_service.intake.fhir.concepts import code_words, words_of
from cds_service.intake.fhir.reading import require_known_modifiers
from cds_service.intake.fhir.values import Resource, choice, day, mapping, objects, text

BIRTH_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")

CLINICAL_USE = ("patient-sexParameterForClinicalUse", "sex-for-clinical-use")
ANCESTRY = ("us-core-race", "us-core-ethnicity", "patient-race", "patient-ethnicity", "ethnicity", "race")
BIRTH_SEX = ("us-core-birthsex", "patient-birthSex", "birthsex", "us-core-sex")

SEX_CODES: dict[str, str] = {
    "female": "female", "F": "female", "female-typical": "female", "248152002": "female",
    "male": "male", "M": "male", "male-typical": "male", "248153007": "male",
}  # fmt: skip
"""Codes of administrative gender, US Core birth sex, sex parameter for clinical use and SNOMED CT; others decide nothing."""


IDENTITY = ("patient-genderIdentity", "individual-genderIdentity", "us-core-genderIdentity")
UNLIKE_BIRTH = frozenset({"407376001", "407377005", "407375002", "446131000124102", "446141000124107", "transgender-male", "transgender-female"})
"""Gender identities (SNOMED CT, HL7) that say of themselves that they differ from the sex at birth."""


@dataclass(frozen=True, slots=True)
class Demographics:
    """Birth date as received, sex and what it was taken from; `unread` names members that were present and unusable.

    `ancestry` are the codes and words of recorded race or ethnicity.
    """

    birth_date: str | None
    sex: str | None
    sex_source: str | None
    unread: tuple[str, ...] = ()
    ancestry: tuple[str, ...] = ()


def read_demographics(resource: Resource) -> Demographics:
    """The demographics. Sex for clinical use goes before sex at birth, and that before administrative gender, which a gender identity may unsettle."""
    require_known_modifiers(resource)
    unread: list[str] = []
    birth = text(resource.get("birthDate"))
    birth = birth[:10] if birth is not None else None
    if birth is not None and (not BIRTH_DATE.fullmatch(birth) or (len(birth) == 10 and day(birth) is None)):
        birth = None
    if birth is None and resource.get("birthDate") is not None:
        unread.append("birthDate")
    for names, source in ((CLINICAL_USE, "sex for clinical use"), (BIRTH_SEX, "sex at birth")):
        sex = _from_extensions(resource, names)
        if sex is not None:
            return Demographics(birth, sex, source, tuple(unread), _ancestry(resource))
    sex = None if _unlike_birth(resource) else SEX_CODES.get(text(resource.get("gender")) or "")
    return Demographics(birth, sex, "administrative gender" if sex else None, tuple(unread), _ancestry(resource))


def _unlike_birth(resource: Resource) -> bool:
    """True when a gender identity is recorded that differs from the sex at birth: administrative gender then tells no sex."""
    found = [e for e in objects(resource.get("extension")) if (text(e.get("url")) or "").rstrip("/").endswith(IDENTITY)]
    values = [choice(e, "value") for e in (*found, *(part for e in found for part in objects(e.get("extension"))))]
    return any(code in UNLIKE_BIRTH for v in values if isinstance(v, dict) for code in code_words(v))


def _ancestry(resource: Resource) -> tuple[str, ...]:
    """The codes and words of the race and ethnicity extensions, in received order."""
    found: list[str] = []
    for extension in objects(resource.get("extension")):
        if not (text(extension.get("url")) or "").rstrip("/").lower().endswith(ANCESTRY):
            continue
        for part in (extension, *objects(extension.get("extension"))):
            value = choice(part, "value")
            words = text(value) if isinstance(value, str) else words_of(value) if value is not None else None
            found += [w for w in (*(code_words(value) if isinstance(value, dict) else ()), words) if w]
    return tuple(dict.fromkeys(found))


def _from_extensions(resource: Resource, names: tuple[str, ...]) -> str | None:
    for extension in objects(resource.get("extension")):
        if not (text(extension.get("url")) or "").rstrip("/").endswith(names):
            continue
        values = [choice(extension, "value"), *(choice(mapping(e), "value") for e in objects(extension.get("extension")))]
        sexes = {SEX_CODES[c] for v in values for c in code_words(v) if c in SEX_CODES}
        if len(sexes) == 1:
            return sexes.pop()
    return None
