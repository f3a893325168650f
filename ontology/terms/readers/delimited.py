"""Tables with a header line, separated by commas, semicolons or tabs, as spreadsheets and authorities write them."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ontology.model.errors import TerminologyError
from ontology.terms.readers.records import LineRefused
from ontology.terms.readers.streams import Member, read_lines

_SEPARATORS = ("\t", ";", ",")


@dataclass(frozen=True, slots=True)
class DelimitedRow:
    """The wanted cells of a line by column, and its place."""

    place: str
    cells: Mapping[str, str]


def read_delimited(member: Member, spellings: Mapping[str, tuple[str, ...]], needed: tuple[str, ...]) -> Iterator[DelimitedRow | LineRefused]:
    """The rows of a table, columns found by any of their spellings. Raises TerminologyError when a needed column is missing.

    A quoted cell may not hold a line end: every row is one line, so that a wrong quote spoils no other row.
    """
    columns: dict[str, int] = {}
    separator = ","
    width = 0
    for line in read_lines(member, ("utf-8", "cp1252")):
        if isinstance(line, LineRefused):
            yield line
            continue
        number, text = line
        place = f"{member.name}, line {number}"
        if not columns:
            separator = max(_SEPARATORS, key=text.count)
            cells = _cells(text, separator) or []
            columns, width = _header(cells, spellings, needed, member.name), len(cells)
            continue
        row = _cells(text, separator)
        if row is None:
            yield LineRefused(place, "a quotation mark is never closed")
        elif any(row[width:]) or any(columns[name] >= len(row) for name in needed):
            yield LineRefused(place, f"{len(row)} columns instead of {width}")
        elif any(row):
            yield DelimitedRow(place, {name: row[at].strip() if at < len(row) else "" for name, at in columns.items()})
    if not columns:
        raise TerminologyError(f"{member.name}: is empty; it begins with a line of column names, {', '.join(needed)}")


def _cells(text: str, separator: str) -> list[str] | None:
    try:
        return [cell.strip() for cell in next(csv.reader([text], delimiter=separator, strict=True))]
    except (csv.Error, StopIteration):
        return None


def _header(cells: list[str], spellings: Mapping[str, tuple[str, ...]], needed: tuple[str, ...], name: str) -> dict[str, int]:
    said = {cell.strip().casefold().replace("_", " "): at for at, cell in reversed(list(enumerate(cells)))}
    found = {column: said[s] for column, words in spellings.items() for s in words if s in said}
    if missing := [column for column in needed if column not in found]:
        wanted = "; ".join(f"{column} (or {', '.join(w for w in spellings[column] if w != column)})" for column in missing)
        raise TerminologyError(f"{name}, line 1: no column {wanted}; the first line names the columns")
    return found
