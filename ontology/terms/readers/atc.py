"""ATC: classes by code, and the substances in them, from a table of the WHO or a national authority, or from RxNorm's rows of source ATC."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ontology.model.errors import TerminologyError
from ontology.terms.readers.delimited import read_delimited
from ontology.terms.readers.records import ClassRecord, DrugRecord, Item, LeftOut, LineRefused, MemberRecord
from ontology.terms.readers.streams import Member, find_members, read_columns, the_member

_CODE = re.compile(r"[A-Z](?:\d{2}(?:[A-Z](?:[A-Z](?:\d{2})?)?)?)?")
_LENGTHS = (1, 3, 4, 5)
SUBSTANCE_LENGTH = 7
_SPELLINGS = {
    "code": ("code", "atc code", "atc", "atccode"),
    "name": ("name", "atc level name", "atc name", "level name", "description", "ingredient", "substance", "active ingredient"),
}
_SEVERAL = re.compile(r"\bcombinations?\b|\bcomb\.|\bvarious\b|\bother\b|\bexcl\.|\bcombinations\b|,\s*(?:incl|excl)\b", re.IGNORECASE)
"""Words of substance-level names that stand for no single composition."""


def read_atc(path: Path) -> Iterator[Item]:
    """Classes and members. Raises TerminologyError when the file has neither the columns nor rows of source ATC."""
    if any(m.name.upper() == "RXNCONSO.RRF" for m in find_members(path, r"(^|/)RXNCONSO\.RRF$")):
        yield from _of_rxnorm(the_member(path, r"(^|/)RXNCONSO\.RRF$", "RXNCONSO.RRF"))
        return
    seen: dict[str, str] = {}
    for row in read_delimited(the_member(path, r"\.(csv|tsv|txt)$", "table of codes and names"), _SPELLINGS, ("code", "name")):
        if isinstance(row, LineRefused):
            yield row
        else:
            yield from _row(row.cells["code"].upper(), row.cells["name"], None, row.place, seen)


def _of_rxnorm(member: Member) -> Iterator[Item]:
    seen: dict[str, str] = {}
    for row in read_columns(member, "|", 18):
        if isinstance(row, LineRefused):
            yield row
        elif row[1][11] == "ATC" and row[1][16] in ("N", ""):
            rxcui = row[1][0] if row[1][0].isdigit() else None
            yield from _row(row[1][13].upper(), row[1][14].strip(), rxcui, f"{member.name}, line {row[0]}", seen)
    if not seen:
        raise TerminologyError(f"{member.name}: holds no rows of source ATC; take the full release, or give a table of ATC codes and names")


def _row(code: str, name: str, rxcui: str | None, place: str, seen: dict[str, str]) -> Iterator[Item]:
    if not _CODE.fullmatch(code) or not name:
        yield LineRefused(place, f"{code[:20]!r} with the name {name[:40]!r} is no ATC row")
        return
    known = seen.setdefault(code, name)
    if len(code) == SUBSTANCE_LENGTH:
        if _SEVERAL.search(name):
            yield LeftOut("stands for several compositions")
        else:
            yield MemberRecord("atc", code[:5], name, rxcui)
            yield DrugRecord("atc", code, ((name, None, rxcui),))
    elif known == name:
        parent = next((code[:n] for n in reversed(_LENGTHS) if n < len(code)), "")
        yield ClassRecord("atc", code, name, parent)
    else:
        yield LineRefused(place, f"{code} is named {known[:40]!r} before and {name[:40]!r} here")
