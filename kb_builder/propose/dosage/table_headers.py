"""The columns of a table by their names: what names each of them, and what such a column holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kb_builder.propose.dosage.table_words import ColumnKind, ColumnRow, table_words
from kb_builder.propose.dosage.words import dosage_words
from ontology.model.dosing import PhaseKind
from ontology.model.facts import Axis
from ontology.text.tables import Cell, Table

_NUMBER_ONLY = re.compile(r"(?!\*\d)[\s\d.,%()<>≤≥=±/+-]*\d[\s\d.,%()<>≤≥=±/+-]*(?:to\s+[\d.,]+\s*)?[*†‡§]*")
SHARE = re.compile(r"\b(?:percent(?:age)?|%)\s+(?:\w+ ){0,3}(?:dos(?:e|age)s?\b)|(?:percent(?:age)?|%) of\b|dos(?:e|age)\s*\((?:%|percent)\)", re.IGNORECASE)
"""What the name of a column says whose numbers are shares of another dose."""
_VOLUME_OF = re.compile(r"\b\d[\d.]* ?m?c?g\b[^=|]{0,30}= ?\d[\d.]* ?ml\b(?: (?:suspension|solution))?")
STEPS = "steps"
"""The row of the data on columns of steps: they stay steps whatever stands in them."""
_RUN_ON = re.compile(r"(?<=[a-z]{4})(?=[A-Z][a-z]{3})")  # two words of a name between which print lost the space
_CONTAINER = re.compile(r"\(\s*(?:[\w-]+ ){0,2}(?:syringes?|pens?|vials?|autoinjectors?|auto-injectors?)\s*\)")
_ENDS = frozenset({"from", "to", "low", "high"})  # names of the two ends of a range in columns of their own


@dataclass(frozen=True, slots=True)
class Column:
    """One column: the cells that name it from the top, its name in lower case, and what its cells hold.

    `named` is False where the name is no dose's but the cells are doses: then the name is a condition of them.
    """

    index: int
    kind: ColumnKind
    heads: tuple[Cell, ...]
    words: str
    axis: Axis | None = None
    phase: PhaseKind | None = None
    bound: bool = False
    named: bool = True


def is_number(words: str) -> bool:
    """True for a cell of numbers and signs alone."""
    return _NUMBER_ONLY.fullmatch(words.strip()) is not None


def routes_of(column: Column) -> tuple[str, ...]:
    """The route that one of the names of a column is, none where no name is a route alone."""
    return next((dosage_words().routes_in(h.text) for h in reversed(column.heads) if table_words().is_route(h.text)), ())


def column_of(table: Table, index: int, rows: Sequence[int], grid: dict[tuple[int, int], Cell], heads: Sequence[int]) -> Column:
    """A column by its name."""
    cell = next((c for r in rows if (c := grid.get((r, index))) is not None and c.column == index), None)
    names = _names(table, index, cell, grid, heads)
    words = " ".join(" ".join(_VOLUME_OF.sub(" ", _plain(h.text)).split()) for h in names).strip()
    leaf = _plain(names[-1].text) if names else ""
    row = _meaning(leaf, words)
    if any(_plain(h.text) in _ENDS for h in names):
        return Column(index, ColumnKind.REJECT, names, words)
    if row is None:
        return Column(index, ColumnKind.CONDITION, names, words, named=False)
    book = table_words()
    dose = row.kind is ColumnKind.DOSE
    bound = dose and book.bound.search(words) is not None and book.both.search(words) is None
    return Column(index, row.kind, names, words, row.axis, book.phase(book.beside_name.sub(" ", words)) if dose else None, bound)


def _names(table: Table, index: int, cell: Cell | None, grid: dict[tuple[int, int], Cell], heads: Sequence[int]) -> tuple[Cell, ...]:
    block = table.heads[0][1] if table.heads else ()
    if heads:
        marked = [h for h in block if h.text and h.colspan < table.width and h.column <= index < h.column + h.colspan]
        return tuple(dict.fromkeys([*marked, *(c for r in heads if (c := grid.get((r, index))) is not None and c.text)]))
    if cell is None:
        return tuple(h for h in block if h.column <= index < h.column + h.colspan)
    over = table.column_headers(cell)
    return tuple(h for h in over if h.column <= index < h.column + h.colspan)


def _meaning(leaf: str, words: str) -> ColumnRow | None:
    """What a name means: by its own words, else by those of the headings over it too."""
    book = table_words()
    row = book.column(leaf) if leaf else None
    whole = book.column(words) if words != leaf else row
    if whole is not None and (whole.kind is ColumnKind.REJECT or whole.id == STEPS):
        return whole
    if row is not None and row.axis is not None and not re.search(r"\d", leaf):
        return row
    if row is not None and (row.kind is not ColumnKind.CONDITION or whole is None or whole.kind is not ColumnKind.DOSE):
        return row
    return whole


def _plain(words: str) -> str:
    """A name in lower case without marks of footnotes."""
    return re.sub(
        r"[*†‡§¶‖#^]+|\[see .*?\]|\(\s*\d+(?:\.\d+)?(?:\s*,\s*\d+(?:\.\d+)?)*\s*\)", " ", _CONTAINER.sub(" ", _RUN_ON.sub(" ", words).lower().replace("’", "'"))
    ).strip(" :;.,")
