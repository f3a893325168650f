"""Rows of a table as blocks: each under the name that its first cell gives, or that a group of rows or a cell reaching over several rows gives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from kb_builder.propose.reading.row_labels import CELL_LABEL, label_inside
from kb_builder.propose.reading.statements import Block, Statement
from kb_builder.propose.reading.things import Thing
from ontology.model.entities import EntityType
from ontology.text.sections import Part
from ontology.text.tables import Cell, Footnote, RowKind, Table

_EXAMPLES = re.compile(r"(?:\w+ )?examples?\b", re.IGNORECASE)
_HEADER_WORDS = re.compile(
    r"^(?:concomitant |interacting |specific |co-?administered )*(?:drugs?|agents?|medications?|interactants?|enzymes?|factors?|class(?:es)?|names?|groups?|examples?|effects?|clinical|recommendations?|comments?|inhibitors?|inducers?|substrates?|implications?|or|and|of|on|the|/|:|,|\s|"
    r"impact|management|concentrations?|rationale|interaction|product|dosage|adjustments?|prevention|type|category|\(s\)|s)+$",
    re.IGNORECASE,
)

_FOR_EXAMPLE = re.compile(r"\W*(?:e\.\s?g\b|for example|such as|including|like)", re.IGNORECASE)
Named = Callable[[int, int], tuple[Thing, ...]]


class RowReader:
    """Reads the tables of one section."""

    def __init__(self, blank: str, inside: Named, named: Named, add: Callable[[Block, Part, int, int], None]) -> None:
        """`inside` tells what `[start, end)` names, `named` what it is about where it is a heading; `add` puts its sentences into a block."""
        self._blank = blank
        self._inside = inside
        self._named = named
        self._add = add

    def blocks(self, table: Table, part: Part, heading: tuple[int, int] | None, topics: tuple[Thing, ...]) -> Iterator[Block]:
        """One block a row; a row of one cell, or a label's row group, gives its things to the rows below."""
        group: Block | None = None
        asked: list[Statement] = []  # what the name of a group asks for of the rows below it
        last: Block | None = None  # the row before, while rows without a name go on with it
        notes = dict(enumerate(table.notes))
        tall = tuple(c for row in table.lines for c in row if c.rowspan > 1)
        for index, row in enumerate(table.lines):
            first = row[0]
            words = self._blank[first.start : first.end].strip()
            kind = table.kinds[first.row]
            if kind is RowKind.HEAD and len(row) > 1 and not any(self._inside(c.start, c.end) for c in row):
                continue
            if first.column > 0 and kind is RowKind.BODY and (names := self._over(table, first)):
                block = Block(
                    (names[0].start, names[0].end),
                    tuple(t for c in names for t in self._named(c.start, c.end) if not t.own),
                    number=part.number,
                    table=True,
                    row=True,
                )
                self._cells(block, part, row, notes)
                yield block
                continue
            if first.column > 0 and kind is RowKind.BODY and last is not None and not self._is_name(first):
                block = replace(last, statements=[])
                self._cells(block, part, row, notes)
                yield block
                continue
            last = None
            if len(row) == 1 and kind is RowKind.BODY and (reaching := _reaching(tall, first)) and (alone := self._named(first.start, first.end)):
                block = Block((first.start, first.end), alone, number=part.number, table=True, row=True)
                self._cells(block, part, reaching, notes)
                block.statements += asked
                yield block
                continue
            if len(row) == 1:
                if group is not None and group.statements:
                    yield group
                cut = label_inside(self._blank, first.start, first.end)
                if cut is not None and (titled := self._named(first.start, cut[0])):
                    group = Block((first.start, cut[0]), titled, number=part.number, table=True, row=True)
                    self._add(group, part, cut[1], first.end)
                    asked = list(group.statements)
                    continue
                asked = []
                named = self._named(first.start, first.end) if kind is not RowKind.NOTES else ()
                if (named or kind is RowKind.GROUP) and len(words) < 200 and not _is_sentence(words):
                    over = tuple(t for t in named if not t.own) or (topics if named else ())
                    group = Block((first.start, first.end), over, number=part.number, table=True, row=bool(named))
                    self._called_notes(group, part, first, notes)
                else:
                    block = Block(heading, topics, number=part.number, table=True)
                    self._cells(block, part, row, notes)
                    yield block
                continue
            if CELL_LABEL.match(words) and group is not None:
                self._cells(group, part, row[1:], notes)
                continue
            if group is not None and group.statements:
                if not asked:
                    yield group
                group = replace(group, statements=[])
            if _HEADER_WORDS.match(words) and (index == 0 or table.header or len(words) < 40) and not self._inside(first.start, first.end):
                continue
            inside = label_inside(self._blank, first.start, first.end)
            named = tuple(t for t in self._named(first.start, first.end if inside is None else inside[0]) if not t.own or t.type == EntityType.DRUG_CLASS)
            named = self._members_of(first, named)
            above = group.topics if group is not None else ()
            examples = [c for c in row[1:] if self._names_examples(table, c)] if len(row) > 2 else []
            members = tuple(t for c in examples for t in self._inside(c.start, c.end) if not t.own)
            block = Block((first.start, first.end), (*(named or above), *members), number=part.number, table=True, row=True)
            said = [c for c in (row[1:] if named or len(words) < 60 else row) if not members or c not in examples]
            beside = [c for c in _reaching(tall, first) if not c.header] if named else []
            self._cells(block, part, (*said, *beside), notes)
            if inside is not None and named:
                self._add(block, part, inside[1], first.end)
            block.statements += asked if named else ()
            last = block if named else None
            yield block
        if group is not None and group.statements:
            yield group

    def _members_of(self, cell: Cell, named: tuple[Thing, ...]) -> tuple[Thing, ...]:
        """What a cell is about that names a class and behind a colon the members that are meant: the members."""
        colon = self._blank.find(":", cell.start, cell.end)
        if colon < 0:
            return named
        members = tuple(t for t in named if t.start > colon and t.type == EntityType.INGREDIENT)
        classes = any(t.type == EntityType.DRUG_CLASS and t.end <= colon for t in named)
        if not classes or not members or _FOR_EXAMPLE.match(self._blank, colon + 1):
            return named
        return tuple(t for t in named if t.start > colon)

    def _is_name(self, cell: Cell) -> bool:
        """True for a cell that names what a new row is about, with no sentence on it."""
        words = self._blank[cell.start : cell.end].strip()
        return bool(self._named(cell.start, cell.end)) and not _is_sentence(words) and not words.endswith((".", ":"))

    def _names_examples(self, table: Table, cell: Cell) -> bool:
        """True for a cell under the name "Examples": it names members of the class that its row is about."""
        return any(_EXAMPLES.match(h.text) for h in table.column_headers(cell) if h.column <= cell.column < h.column + h.colspan)

    def _over(self, table: Table, cell: Cell) -> tuple[Cell, ...]:
        """The names of a row that reach into it from rows above and name a thing."""
        return tuple(c for c in table.row_headers(cell) if c.row < cell.row and c.rowspan > 1 and self._inside(c.start, c.end))

    def _cells(self, block: Block, part: Part, cells: Iterable[Cell], notes: dict[int, Footnote]) -> None:
        """Adds the cells' sentences, and those of the footnotes they call."""
        for cell in cells:
            for start, end in cell.pieces:
                self._add(block, part, start, end)
            self._called_notes(block, part, cell, notes)

    def _called_notes(self, block: Block, part: Part, cell: Cell, notes: dict[int, Footnote]) -> None:
        """Adds the footnotes printed inside the table that no cell has called before; they leave `notes`."""
        for note in (n for i in cell.notes if (n := notes.pop(i, None)) is not None and not n.mark):
            self._add(block, part, note.start, note.end)


def _reaching(tall: Iterable[Cell], cell: Cell) -> tuple[Cell, ...]:
    """The cells behind a name that reach into its row from rows above."""
    return tuple(c for c in tall if c.column > cell.column and c.row < cell.row < c.row + c.rowspan)


def _is_sentence(words: str) -> bool:
    return re.search(r"\b(?:is|are|was|were|may|should|can|has|have|do|does|did|will|must|avoid|monitor|increases?|decreases?)\b", words) is not None
