"""Typed identifiers: codes, entity ids, claim ids.

An entity id is minted from a code and reads `Type:system:code`, for example `Ingredient:rxnorm:11289` (RxCUI of warfarin). A
concept that a label names and no code covers is `Type:uncoded:<hash of its normalised words>`.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from typing import NamedTuple

from ontology.model.errors import InvalidIdentifier

SYSTEMS: tuple[str, ...] = (
    "rxnorm",  # RxCUI
    "unii",  # FDA Unique Ingredient Identifier
    "ndc",  # National Drug Code
    "setid",  # SPL set id (a product known only by its label)
    "nmpa",  # Chinese approval number
    "icd10cm",
    "snomed",
    "loinc",
    "atc",
    "epc",  # NDF-RT / MED-RT class NUI
    "moa",
    "pharmgraph",  # hand-kept concepts of this project, each with a source
    "uncoded",
)

URL_OF_SYSTEM: dict[str, str] = {
    "rxnorm": "http://www.nlm.nih.gov/research/umls/rxnorm",
    "unii": "http://fdasis.nlm.nih.gov",
    "ndc": "http://hl7.org/fhir/sid/ndc",
    "icd10cm": "http://hl7.org/fhir/sid/icd-10-cm",
    "snomed": "http://snomed.info/sct",
    "loinc": "http://loinc.org",
    "atc": "http://www.whocc.no/atc",
}


class Code(NamedTuple):
    """A code in a code system; `system` is one of SYSTEMS, or a URL the project has no short name for."""

    system: str
    value: str


class EntityId(NamedTuple):
    """`Type:system:code`. Ordered and hashable, so closures are plain sorted tuples; a tuple, because an audit hashes thousands of them."""

    type: str
    system: str
    code: str

    def __str__(self) -> str:
        return f"{self.type}:{self.system}:{self.code}"

    @classmethod
    def parse(cls, text: str) -> EntityId:
        """The id written as text. Raises InvalidIdentifier when it does not have three parts."""
        parts = text.split(":", 2)
        if len(parts) != 3 or not all(parts):
            raise InvalidIdentifier(f"entity id {text!r}: expected Type:system:code")
        return cls(*parts)


def normal_words(text: str) -> str:
    """The words of a name in the form that names are compared in: NFKC, lower case, single spaces, no punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[^\w%+/.-]+", " ", folded).strip()


def mint(entity_type: str, system: str, code: str) -> EntityId:
    """The id of a coded entity. Raises InvalidIdentifier on an unknown system or an empty code."""
    if system not in SYSTEMS:
        raise InvalidIdentifier(f"code system {system!r} is not one of {', '.join(SYSTEMS)}")
    if not code:
        raise InvalidIdentifier(f"empty code in system {system!r}")
    return EntityId(entity_type, system, code)


def mint_uncoded(entity_type: str, words: str) -> EntityId:
    """The id of a concept known only by its words; equal words (after normalisation) give an equal id."""
    normal = normal_words(words)
    if not normal:
        raise InvalidIdentifier(f"uncoded {entity_type} without words")
    return EntityId(entity_type, "uncoded", hashlib.sha256(normal.encode()).hexdigest()[:16])


def content_hash(value: object) -> str:
    """Hex SHA-256 of a value's canonical JSON (sorted keys, no spaces, UTF-8)."""
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()
