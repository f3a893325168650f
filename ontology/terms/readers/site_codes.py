"""A site's own codes: `system,code,means` and optionally `kind`.

`means` is `rxnorm:...`, `ndc:...`, `unii:...`, `snomed:...`, `icd10:...`, `loinc:...` or a name; what holds together is joined by ` + `.
Whether a target is known is told when a release is built: its labels name drugs too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ontology.terms.codes import short_system
from ontology.terms.readers.delimited import read_delimited
from ontology.terms.readers.records import Item, LineRefused, SiteCodeRecord
from ontology.terms.readers.streams import the_member

KINDS = ("drug", "condition", "allergen", "lab")
_SPELLINGS = {
    "system": ("system", "code system", "codesystem"),
    "code": ("code", "local code"),
    "means": ("means", "meaning", "target"),
    "kind": ("kind", "type"),
}
_TARGET = re.compile(r"(rxnorm|ndc|unii|snomed|icd10cm|icd10|loinc|atc|name):\s*(.+)")
_KIND_OF = {"rxnorm": "drug", "ndc": "drug", "unii": "drug", "icd10cm": "condition", "loinc": "lab", "snomed": "condition"}
_ALLOWED = {
    "drug": frozenset({"rxnorm", "ndc", "unii", "snomed", "atc", "name"}),
    "condition": frozenset({"icd10cm", "snomed", "name"}),
    "allergen": frozenset({"rxnorm", "unii", "snomed", "atc", "name"}),
    "lab": frozenset({"loinc"}),
}


def read_site_codes(path: Path) -> Iterator[Item]:
    """The rows of a code map. Raises TerminologyError when the header lacks a column."""
    for row in read_delimited(the_member(path, r"\.(csv|tsv|txt)$", "CSV file"), _SPELLINGS, ("system", "code", "means")):
        yield row if isinstance(row, LineRefused) else _site_code(row.cells, row.place)


def _site_code(cells: Mapping[str, str], place: str) -> Item:
    system, code, kind = short_system(cells["system"]), cells["code"], cells.get("kind", "").lower()
    means = tuple(t for t in (_target(part) for part in re.split(r"\s\+\s", cells["means"])) if t)
    if not system or not code or not means:
        return LineRefused(place, "system, code or means is empty")
    if kind and kind not in KINDS:
        return LineRefused(place, f"kind {kind[:30]!r} is not one of {', '.join(KINDS)}")
    kind = kind or _KIND_OF.get(means[0].partition(":")[0], "drug")
    for target in means:
        if (target_system := target.partition(":")[0]) not in _ALLOWED[kind]:
            return LineRefused(place, f"{target[:60]!r}: a {kind} is not named by {target_system}; it is by {', '.join(sorted(_ALLOWED[kind]))}")
    if kind == "lab" and len(means) > 1:
        return LineRefused(place, "a laboratory code means one LOINC code")
    return SiteCodeRecord(system, code, kind, means, place)


def _target(text: str) -> str:
    """The target as `system:code`; a bare name as `name:...`."""
    bare = text.strip()
    if not bare:
        return ""
    found = _TARGET.fullmatch(bare)
    if not found:
        return f"name:{bare}"
    system = "icd10cm" if found[1] == "icd10" else found[1]
    return f"{system}:{found[2].strip()}"
