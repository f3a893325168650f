"""Genotypes that a label forbids its product in, named as states: a metaboliser type, alleles, or an inherited lack of an enzyme's activity."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb_builder.propose.conditions.genotypes import find_genotypes
from kb_builder.propose.conditions.restrictions import Restriction
from ontology.model.facts import Axis
from ontology.model.guards import Category, leaves

_ENZYME = r"(?:(?:cytochrome\s+)?(?:P450|CYP)\s?-?\s?(?P<gene>2D6|2C19|2C9))"
_LACK = re.compile(
    rf"\b(?:reduced|low|deficient|deficiency|lack|lacking|absent|decreased)\s+(?:(?:levels?|in|of)\s+){{0,2}}(?:(?:the\s+)?activity\s+(?:of|in)\s+)?(?:the\s+)?(?:enzyme\s+)?{_ENZYME}"
    r"(?:\s+(?:iso(?:en)?zyme|enzyme))?(?:\s+activity)?",
    re.IGNORECASE,
)
_POOR = "poor metabolizer"
_GENES = ("CYP", "HLA", "UGT", "NAT")


def genotypes_of(text: str, start: int, end: int) -> Iterator[Restriction]:
    """The genotypes that the words of a state are; people whose enzyme lacks activity by birth are its poor metabolisers."""
    if (lack := _LACK.search(text, start, end)) is not None:
        yield Restriction(Category(Axis.GENOTYPE, (_POOR,), f"CYP{lack['gene'].upper()}"), *lack.span())
        return
    for found in find_genotypes(text, start, end):
        told = [leaf for leaf in leaves(found.guard) if isinstance(leaf, Category)]
        if told and all((leaf.detail or "").startswith(_GENES) for leaf in told):
            yield found
