"""Tables whose columns are the bands of patients and whose rows are what such a patient gets, turned so that each band is a row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb_builder.propose.dosage.table_bands import read_band
from kb_builder.propose.dosage.table_doses import doses_of_words
from kb_builder.propose.dosage.table_words import ColumnKind, table_words
from ontology.text.tables import Cell, RowKind, Table

_MOST = 6  # rows of such a table
_FEWEST = 2  # bands
_DEGREE = re.compile(r"(?:(?:degree|severity) of\b.*|normal|mild|moderate|severe|)", re.IGNORECASE)
"""What names of columns may say that the bands below them say in numbers."""


def turned(table: Table) -> Table:
    """The table with its columns as rows where one of its rows holds bands of weight, age or kidney function and another one doses; else the table."""
    body = [table.rows[r] for r, kind in enumerate(table.kinds) if kind is RowKind.BODY and table.rows[r]]
    if not _FEWEST <= len(body) <= _MOST or table.width <= _FEWEST or any(len(row) != table.width or any(c.rowspan > 1 for c in row) for row in body):
        return table
    heads = [c for _, block in table.heads for c in block if c.colspan < table.width]
    if not all(_DEGREE.fullmatch(c.text.strip()) for c in heads) or not any(map(_is_bands, body)) or not any(map(_is_doses, body)):
        return table
    names = tuple(replace(row[0], row=0, column=i, colspan=1, rowspan=1, header=True) for i, row in enumerate(body))
    lines = [tuple(replace(row[n], row=n, column=i, header=False) for i, row in enumerate(body)) for n in range(1, table.width)]
    rows = (names, *lines)
    return replace(
        table,
        rows=rows,
        kinds=(RowKind.HEAD, *(RowKind.BODY for _ in lines)),
        width=len(body),
        stubs=1,
        heads=((1, names),),
        groups=tuple(() for _ in rows),
        stub_cells=((), *((line[0],) for line in lines)),
    )


def _is_bands(row: Sequence[Cell]) -> bool:
    """True for a row that is named by a measure of the patient and holds its bands."""
    meant = table_words().column(row[0].text.lower())
    axis = meant.axis if meant is not None and meant.kind is ColumnKind.CONDITION else None
    return axis is not None and len(row) > _FEWEST and all(read_band(c.text, axis, row[0].text) is not None for c in row[1:])


def _is_doses(row: Sequence[Cell]) -> bool:
    return all(any(p.amounts for p in doses_of_words(c.text)) for c in row[1:])
