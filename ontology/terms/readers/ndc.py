"""The product file of the FDA's NDC directory: tab-separated, one marketed product a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ontology.model.errors import TerminologyError
from ontology.terms.codes import ndc_products
from ontology.terms.readers.records import BrandRecord, DrugRecord, Item, LeftOut, LineRefused
from ontology.terms.readers.streams import read_lines, the_member

_NEEDED = ("PRODUCTNDC", "PROPRIETARYNAME", "DOSAGEFORMNAME", "ROUTENAME", "SUBSTANCENAME")
_OPTIONAL = ("ACTIVE_NUMERATOR_STRENGTH", "ACTIVE_INGRED_UNIT", "NDC_EXCLUDE_FLAG")
_EXCLUDED = frozenset({"Y", "E", "I"})


def read_ndc(path: Path) -> Iterator[Item]:
    """The products of `product.txt`, or of the zip archive that holds it, in UTF-8 or Windows-1252. Raises TerminologyError without its columns."""
    member = the_member(path, r"(^|/)product\.txt$", "product.txt")
    columns: dict[str, int] = {}
    width = 0
    for line in read_lines(member, ("utf-8", "cp1252")):
        if isinstance(line, LineRefused):
            yield line
            continue
        number, text = line
        cells = text.split("\t")
        if not columns:
            columns, width = _header(cells, member.name), len(cells)
            continue
        if len(cells) != width:
            yield LineRefused(f"{member.name}, line {number}", f"{len(cells)} columns instead of {width}")
            continue
        yield from _product({name: cells[at].strip() for name, at in columns.items()}, f"{member.name}, line {number}")
    if not columns:
        raise TerminologyError(f"{path}: {member.name} is empty; get the file again")


def _header(cells: list[str], name: str) -> dict[str, int]:
    found = {cell.strip().upper(): at for at, cell in enumerate(cells)}
    if missing := [column for column in _NEEDED if column not in found]:
        raise TerminologyError(f"{name}: lacks the columns {', '.join(missing)}; it begins as the NDC directory's product file does not")
    return {column: found[column] for column in (*_NEEDED, *_OPTIONAL) if column in found}


def _product(row: dict[str, str], place: str) -> Iterator[Item]:
    code = row["PRODUCTNDC"]
    if row.get("NDC_EXCLUDE_FLAG", "") in _EXCLUDED:
        yield LeftOut("excluded by its own flag")
        return
    if len(ndc_products(code)) != 1:
        yield LineRefused(place, f"{code[:30]!r} is no product NDC of the form 12345-6789")
        return
    names = tuple(dict.fromkeys(n for n in (part.strip() for part in row["SUBSTANCENAME"].split(";")) if n))
    if not names:
        yield LeftOut("names no substance")
        return
    substances = tuple((n, None, None) for n in names)
    routes = tuple(dict.fromkeys(r for r in (part.strip() for part in row["ROUTENAME"].split(";")) if r))
    yield DrugRecord("ndc", code, substances, row["DOSAGEFORMNAME"], routes, _strength(row) if len(names) == 1 else "")
    if row["PROPRIETARYNAME"]:
        yield BrandRecord(row["PROPRIETARYNAME"], substances)


def _strength(row: dict[str, str]) -> str:
    amount, unit = row.get("ACTIVE_NUMERATOR_STRENGTH", ""), row.get("ACTIVE_INGRED_UNIT", "")
    return f"{amount} {unit.removesuffix('/1')}" if amount and unit and ";" not in amount + unit else ""
