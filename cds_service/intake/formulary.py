"""A formulary list as CSV: one drug a line, by name, by code or by both.

The header names the columns; `name` and the code columns (`rxnorm`, `ndc`, `nmpa`, `unii`, or `code` as `system:value`) say which drug,
`route` and `form` how it is given. Other columns are not read and are named.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cds_service.errors import FormularyUnreadable
from ontology.model.identifiers import SYSTEMS, Code

NAMES = ("name", "drug", "description", "药品名称", "通用名", "名称")
CODES: Mapping[str, str] = {"rxnorm": "rxnorm", "rxcui": "rxnorm", "ndc": "ndc", "unii": "unii", "nmpa": "nmpa", "批准文号": "nmpa"}
CODE = ("code",)
ROUTES = ("route", "给药途径")
FORMS = ("form", "剂型")
DELIMITERS = ",;\t"
MAX_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class FormularyLine:
    """One drug of a formulary: the line of the file (the header is 1), its name as written, its codes, route and form."""

    number: int
    name: str
    codes: tuple[Code, ...] = ()
    route: str | None = None
    form: str | None = None


@dataclass(frozen=True, slots=True)
class Formulary:
    """The lines that name a drug, and the columns that were not read."""

    lines: tuple[FormularyLine, ...]
    unread: tuple[str, ...]


def read_formulary(data: bytes) -> Formulary:
    """The formulary in the bytes of a CSV file in UTF-8, its columns separated by comma, semicolon or tab. Raises FormularyUnreadable.

    A first line `sep=;`, which spreadsheets write, is passed over.
    """
    if len(data) > MAX_BYTES:
        raise FormularyUnreadable(f"the file has {len(data):,} bytes, more than {MAX_BYTES:,}: give one drug a line")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        line = data.count(b"\n", 0, e.start) + 1
        raise FormularyUnreadable(f"line {line}: byte 0x{data[e.start]:02x} is not UTF-8; save the file as CSV in UTF-8") from e
    head, _, rest = text.partition("\n")
    before = head.strip().casefold().startswith("sep=")
    text, head = (rest, rest.partition("\n")[0]) if before else (text, head)
    known = (*NAMES, *CODES, *CODE, *ROUTES, *FORMS)
    delimiter = max(DELIMITERS, key=head.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        columns = [cell.strip().casefold() for cell in next(rows, [])]
        if twice := next((c for c in columns if c in known and columns.count(c) > 1), None):
            raise FormularyUnreadable(
                f"line 1: the column {twice!r} stands there {columns.count(twice)} times; keep one of them, or give the others other names"
            )
        if not any(c in (*NAMES, *CODES, *CODE) for c in columns):
            raise FormularyUnreadable(f"line 1: no column names the drug; the header needs one of {', '.join((*NAMES, *CODES, *CODE))}")
        lines = tuple(_lines(rows, columns, first=2 + before))
    except csv.Error as e:
        raise FormularyUnreadable(f"line {rows.line_num + before}: {e}") from e
    if not lines:
        raise FormularyUnreadable("no line names a drug below the header")
    return Formulary(lines, tuple(c for c in columns if c and c not in known))


def _lines(rows: Iterator[list[str]], columns: list[str], first: int) -> Iterator[FormularyLine]:
    last = first - 1
    for row in rows:
        number = last + 1
        last = number + sum(cell.count("\n") for cell in row)
        cells = {column: cell.strip() for column, cell in zip(columns, row, strict=False) if column and cell.strip()}
        if len(row) > len(columns) and any(cell.strip() for cell in row[len(columns) :]):
            raise FormularyUnreadable(f"line {number}: {len(row)} cells under {len(columns)} columns; put a name that holds the separator in quotes")
        name = next((cells[c] for c in NAMES if c in cells), "")
        codes = tuple(_codes(cells, number))
        if name or codes:
            yield FormularyLine(number, name, codes, _first(cells, ROUTES), _first(cells, FORMS))


def _codes(cells: Mapping[str, str], number: int) -> Iterator[Code]:
    pairs = [(CODES[column], value) for column, value in cells.items() if column in CODES]
    for value in (cells[column] for column in CODE if column in cells):
        system, colon, own = value.rpartition(":")
        if not colon or not system:
            raise FormularyUnreadable(f"line {number}, column code: {value!r} is not written system:value, for example rxnorm:11289")
        pairs.append((system, own))
    for system, value in pairs:
        if system not in SYSTEMS and "/" not in system and not system.startswith("urn:"):
            raise FormularyUnreadable(f"line {number}, column code: {system!r} is no code system; known are {', '.join(SYSTEMS)} and URLs")
        yield Code(system, value)


def _first(cells: Mapping[str, str], columns: tuple[str, ...]) -> str | None:
    return next((cells[c] for c in columns if c in cells), None)
