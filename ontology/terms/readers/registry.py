"""The readers by the name of their option, in the order they are run; each with what its licence asks of a site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ontology.terms.readers.atc import read_atc
from ontology.terms.readers.ndc import read_ndc
from ontology.terms.readers.records import Item
from ontology.terms.readers.rxnorm import read_rxnorm
from ontology.terms.readers.site_codes import read_site_codes
from ontology.terms.readers.snomed import SnomedReader
from ontology.terms.shipped import shipped_data


@dataclass(frozen=True, slots=True)
class SourceKind:
    """A kind of source: its option, what it is called, how it is read, and what its licence asks."""

    key: str
    title: str
    reader: Callable[[], Callable[[Path], Iterator[Item]]]
    licence: str


def condition_anchors() -> frozenset[int]:
    """The SNOMED CT codes of the shipped conditions: what loaded codes are said to be a kind of."""
    return frozenset(int(c.value) for e in shipped_data().entities if e.id.type == "Condition" for c in e.codes if c.system == "snomed")


SOURCE_KINDS: tuple[SourceKind, ...] = (
    SourceKind(
        "rxnorm",
        "RxNorm",
        lambda: read_rxnorm,
        "UMLS licence of the National Library of Medicine; rows of source RXNORM are free to use with attribution, other sources are not read",
    ),
    SourceKind("ndc", "NDC directory", lambda: read_ndc, "U.S. Food and Drug Administration, public domain"),
    SourceKind("atc", "ATC", lambda: read_atc, "WHO Collaborating Centre for Drug Statistics Methodology: use inside the site; not to be passed on or sold"),
    SourceKind(
        "snomed",
        "SNOMED CT",
        lambda: SnomedReader(condition_anchors()),
        "SNOMED CT affiliate or member licence of the site; files made from it stay with those who hold one",
    ),
    SourceKind("codes", "Site code map", lambda: read_site_codes, "the site's own"),
)
"""RxNorm first: product files and the site's codes name its ingredients."""
