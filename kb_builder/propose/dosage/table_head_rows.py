"""The rows that name the columns of a table: a title over all of it, and leading rows that the markup does not mark as heads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kb_builder.propose.dosage.table_doses import doses_in
from kb_builder.propose.dosage.table_headers import is_number
from ontology.text.tables import Cell, Table

_HEAD_ROWS = 3
_STRENGTH_ROWS = 2
_STRENGTH = re.compile(r"\d[\d.,]*\s?(?:mg|mcg|g|units?)(?:\s?/\s?[\d.]*\s?m?L)?", re.IGNORECASE)
_DOSE_NAME = re.compile(r"\W*(?:(?:daily|total|single)\s+)?dos(?:e|age)\b[^.;]{0,30}", re.IGNORECASE)
_NAME = 16  # words of a cell that may name a column where the markup does not say so


def titles_of(table: Table) -> tuple[Cell, ...]:
    """The head cells of a table whose markup names no columns but all of the table ("Children (6 months to 12 years)")."""
    heads = [c for _, block in table.heads for c in block if c.text]
    return tuple(heads) if len(heads) == 1 and heads[0].colspan == table.width > 1 else ()


def grid_of(table: Table, body: Sequence[int]) -> dict[tuple[int, int], Cell]:
    """The cell that covers each place of the rows of values."""
    out: dict[tuple[int, int], Cell] = {}
    for r in body:
        for cell in table.rows[r]:
            for row in range(cell.row, cell.row + cell.rowspan):
                for column in range(cell.column, cell.column + cell.colspan):
                    out[row, column] = cell
    return out


def head_rows(table: Table, body: Sequence[int], grid: dict[tuple[int, int], Cell], text: str) -> int:
    """How many leading rows of a table without marked heads name its columns."""
    filled = [_filled(grid, r, range(1, table.width)) for r in body]
    brief = [all(len(c.text.split()) <= _NAME for c in _filled(grid, r, range(table.width))) for r in body]
    numbers = [bool(cells) and all(is_number(c.text) for c in cells) for cells in filled]
    for k in range(1, min(_HEAD_ROWS, len(body) - 1) + 1):
        if all(numbers[k:]) and not any(numbers[:k]) and all(brief[:k]):
            return k
    doses = [bool(cells) and any(is_dose(c, text) or is_number(c.text) for c in cells) for cells in filled]
    for k in range(1, min(_HEAD_ROWS, len(body) - 1) + 1):
        if doses[k] and not any(doses[:k]) and all(brief[:k]):
            return k if all(len(filled[i]) or grid.get((body[i], 0)) for i in range(k)) else 0
    return 0


def _filled(grid: dict[tuple[int, int], Cell], row: int, columns: Iterable[int]) -> list[Cell]:
    """The cells with words of a row in some columns, each once."""
    cells = (grid.get((row, column)) for column in columns)
    return list({id(c): c for c in cells if c is not None and c.text}.values())


def is_dose(cell: Cell, text: str) -> bool:
    """True for a cell that holds an amount of a dose and is no long text."""
    return cell.placed and any(p.amounts and p.bound is None for p in doses_in(text, cell.start, cell.end))


def second_heads(table: Table, body: Sequence[int], grid: dict[tuple[int, int], Cell], text: str) -> int:
    """How many leading rows go on naming the columns under marked heads of which one spans several: rows of brief names without a first cell."""
    strengths = _strength_rows(table, body, grid)
    if strengths:
        return strengths
    spans = [h for _, block in table.heads for h in block if h.text and 1 < h.colspan < table.width]
    for k, r in enumerate(body[:-1][:_HEAD_ROWS]):
        first = grid.get((r, 0))
        cells = _filled(grid, r, range(1, table.width))
        under = [c for c in cells if any(h.column <= c.column < h.column + h.colspan for h in spans)]
        named = (first is None or not first.text) and len(cells) > 1 and len(under) == len(cells)
        if not named or any(len(c.text.split()) > _NAME or c.colspan > 1 or c.rowspan > 1 or is_dose(c, text) or re.search(r"\d", c.text) for c in cells):
            return k
    return 0


def _strength_rows(table: Table, body: Sequence[int], grid: dict[tuple[int, int], Cell]) -> int:
    """The two leading rows that give each column its strength and, below that, the name of its doses ("100 mg/5 mL" over "Dose/Day (mL)"); 0 for others."""
    if len(body) <= _STRENGTH_ROWS:
        return 0
    first, second = (_filled(grid, r, range(1, table.width)) for r in body[:_STRENGTH_ROWS])
    below = grid.get((body[1], 0))
    named = len(first) > 1 and len(first) == len(second) and (below is None or not below.text or below is grid.get((body[0], 0)))
    return _STRENGTH_ROWS if named and all(_STRENGTH.fullmatch(c.text.strip()) for c in first) and all(_DOSE_NAME.fullmatch(c.text) for c in second) else 0
