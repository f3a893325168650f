"""Kinds of metabolisers in the rows of a table whose column, or whose caption, names the gene ("CYP2D6 Metabolizer Status": "PMs")."""

from __future__ import annotations

import re

from kb_builder.propose.conditions.reader import read_conditions
from kb_builder.propose.reading.lexicon import Lexicon
from ontology.model.facts import Axis
from ontology.model.guards import Category

GENE = re.compile(r"\b(?:CYP\w+|VKORC1|UGT1A1|TPMT|NUDT15|HLA-[\w*:]+|G6PD|DPYD)\b")
_KIND = re.compile(r"(?:(?:[PIENU]M|URM)s?|(?:[\w-]+ ){1,3}(?:metaboli[sz]ers?|acetylators?)(?: \([A-Z]{2,3}s?\))?)", re.IGNORECASE)


def metaboliser(words: str, names: str, title: str, lexicon: Lexicon) -> Category | None:
    """The kind of metaboliser that a cell is, of the one gene that the name of its column or else the caption names; None for any other cell."""
    genes = set(GENE.findall(names)) or set(GENE.findall(title))
    told = " ".join(words.split()).strip(" .*†‡§")
    if len(genes) != 1 or _KIND.fullmatch(told) is None or GENE.search(told) is not None:
        return None
    gene = next(iter(genes))
    text = f"{gene} {told}"
    found = [r.guard for r in read_conditions(text, 0, len(text), [], lexicon)]
    guard = found[0] if len(found) == 1 else None
    return guard if isinstance(guard, Category) and guard.axis is Axis.GENOTYPE and guard.detail == gene else None
