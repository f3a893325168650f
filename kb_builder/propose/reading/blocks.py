"""One section as a proposer reads it: folded text, things named in it, and blocks of sentences under their headings.

A block is a numbered subsection, a stretch under an inline heading ("Warfarin Changes in INR have ..."), or a row of a table under its row
header. Blocks carry scope: what a heading names is what the sentences below speak of when they name nothing themselves.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from kb_builder.propose.reading.row_labels import CELL_LABEL, INLINE_LABEL, label_inside, title_behind_examples
from kb_builder.propose.reading.things import Thing, ThingFinder
from ontology.model.entities import EntityType
from ontology.text.context import blank_references
from ontology.text.document import HIGHLIGHTS, Document, Section, SectionState
from ontology.text.drug_facts import cut_directions, is_drug_facts
from ontology.text.headings import heading_end
from ontology.text.offsets import Shadow, fold
from ontology.text.sections import Part, Zone, is_highlight, split_parts
from ontology.text.sentences import Unit, split_units
from ontology.text.tables import Cell, Footnote, RowKind, Survey, Table, survey_tables

_MARKUP = re.compile(r"</?(?:table|tr|td|th|caption|tbody|thead|col|colgroup|br|p|sup|sub|b|i|em|strong|span)\b[^<>]*>|(?<=[\n\u2029])#{1,6}(?= )|\*\*")
_EXAMPLES = re.compile(r"(?:\w+ )?examples?\b", re.IGNORECASE)
_LONGEST_HEADING = 240
_DRUG_FACTS = ("warnings", "do_not_use", "ask_doctor", "ask_doctor_or_pharmacist", "pregnancy_or_breast_feeding")
_DRUGS = frozenset({EntityType.INGREDIENT, EntityType.DRUG, EntityType.HERB})
_HEADER_WORDS = re.compile(
    r"^(?:concomitant |interacting |specific |co-?administered )*(?:drugs?|agents?|medications?|interactants?|enzymes?|factors?|class(?:es)?|names?|groups?|examples?|effects?|clinical|recommendations?|comments?|inhibitors?|inducers?|substrates?|implications?|or|and|of|on|the|/|:|,|\s|"
    r"impact|management|concentrations?|rationale|interaction|product|dosage|adjustments?|prevention|type|category|\(s\)|s)+$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or item: offsets in the folded text, the things named in it, and whether the Highlights hold it."""

    start: int
    end: int
    things: tuple[Thing, ...]
    highlight: bool
    item: bool


@dataclass(slots=True)
class Block:
    """Sentences under one heading. `table` marks what stands in a table, `row` that the topics are of its row header."""

    heading: tuple[int, int] | None
    topics: tuple[Thing, ...]
    statements: list[Statement] = field(default_factory=list)
    number: str | None = None
    table: bool = False
    row: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A section made ready: `text` is folded, `blank` the same without cross-references and markup; `blocks` in order of print.

    `tables` are those of the section, the ones too that do not stand in its text.
    """

    section: Section
    shadow: Shadow
    blank: str
    things: tuple[Thing, ...]
    starts: tuple[int, ...]
    blocks: tuple[Block, ...]
    tables: Survey

    @property
    def key(self) -> str:
        """The key of the section whose matter this is: for one of the Highlights, that of the full section."""
        return self.section.repeats or self.section.key

    def things_in(self, start: int, end: int) -> tuple[Thing, ...]:
        """The things that lie wholly within the offsets."""
        return _inside(self.things, self.starts, start, end)


def sections_of(document: Document, keys: Iterable[str]) -> Iterator[tuple[str, Section]]:
    """The sections with text under these keys in their order, each with its Highlights behind it; not those in the layout of Drug Facts."""
    facts = frozenset(s.key for s in drug_facts_sections(document))
    for key in keys:
        found = (document.section(key), document.section(HIGHLIGHTS + key))
        yield from ((key, section) for section in found if section is not None and section.state is SectionState.TEXT and section.key not in facts)


def drug_facts_sections(document: Document) -> Iterator[Section]:
    """The warnings of an over-the-counter label, whose headings and items have a reader of their own. A label with contraindications is none."""
    if document.section("contraindications") is not None:
        return
    for key in _DRUG_FACTS:
        section = document.section(key)
        if section is not None and section.state is SectionState.TEXT and (key != "warnings" or is_drug_facts(section.text)):
            yield section


@lru_cache(maxsize=32)
def read_section(section: Section, finder: ThingFinder) -> Reading:
    """The section as blocks of statements with the things they name; the last few readings are kept, because every proposer asks for them."""
    shadow = fold(section.text)
    blank = cut_directions(_blank_markup(blank_references(shadow.text)))
    things = tuple(finder.find(shadow, blank))
    survey = survey_tables(shadow.text, section.tables)
    reader = _Reader(shadow, blank, things, survey, highlights=section.repeats is not None)
    return Reading(section, shadow, blank, things, tuple(t.start for t in things), tuple(reader.blocks()), survey)


class _Reader:
    """Cuts one section into blocks."""

    def __init__(self, shadow: Shadow, blank: str, things: tuple[Thing, ...], survey: Survey, *, highlights: bool) -> None:
        self._text = shadow.text
        self._blank = blank
        self._things = things
        self._starts = tuple(t.start for t in things)
        self._survey = survey
        self._highlights = highlights

    def blocks(self) -> Iterator[Block]:
        tables = [t for t in self._survey.placed if t.lines]
        for each in split_parts(self._text, self._blank):
            part = replace(each, zone=Zone.HIGHLIGHTS) if self._highlights else each
            yield from self._part(part, [t for t in tables if part.start <= t.start < part.end])

    def _part(self, part: Part, tables: list[Table]) -> Iterator[Block]:
        start = part.start
        title = self._title(part) if part.number or part.zone is Zone.FULL else part.start
        heading = (part.start, title) if part.number and title > part.start else None
        topics = self._named(*heading) if heading else ()
        at = title if heading else start
        for table in tables:
            yield from self._prose(part, at, max(at, min(c.start for row in table.lines for c in row)), heading, topics)
            yield from self._rows(table, part, heading, topics)
            at = max(at, table.end)
        yield from self._prose(part, at, part.end, heading, topics)

    def _title(self, part: Part) -> int:
        line = re.compile(r"[\n\u2029]").search(self._text, part.start, part.end)
        if line is not None and line.start() - part.start < 160 and self._text[part.start : line.start()].strip():
            return line.end()
        return self._heading_end(part.start, part.end)

    def _prose(self, part: Part, start: int, end: int, heading: tuple[int, int] | None, topics: tuple[Thing, ...]) -> Iterator[Block]:
        """Blocks of running text: a new one at every inline heading that names something."""
        block = Block(heading, topics, number=part.number)
        for unit in split_units(self._blank, start, end):
            for piece, label in self._pieces(unit):
                inline = self._inline_heading(piece)
                if inline > piece.start:
                    named = self._named(piece.start, inline)
                    if block.statements or block.topics:
                        yield block
                    block = Block((piece.start, inline), named or topics, number=part.number)
                    piece = Unit(inline, piece.end, piece.item)
                elif label and block.statements:
                    block.statements[-1:] = [s for s in block.statements[-1:] if s.end > s.start]
                self._add(block, part, piece)
        yield block

    def _pieces(self, unit: Unit) -> Iterator[tuple[Unit, bool]]:
        """A unit cut at the labels of flattened tables ("Clinical Impact:"): what stands before the first label is a heading."""
        at = unit.start
        labelled = False
        for m in INLINE_LABEL.finditer(self._blank, unit.start, unit.end):
            if m.start() > at:
                title = title_behind_examples(self._blank, at, m.start(), self._inside(at, m.start())) if labelled else at
                if title > at:
                    yield Unit(at, title, unit.item), labelled
                yield Unit(title, m.start(), unit.item), labelled and title == at
            at = m.end()
            labelled = True
        if at < unit.end:
            yield Unit(at, unit.end, unit.item), labelled

    def _inline_heading(self, unit: Unit) -> int:
        """The end of a heading at the unit's start that names a thing; its start where there is none."""
        end = self._heading_end(unit.start, unit.end)
        if end >= unit.end:
            return unit.start
        if end > unit.start:
            return end if any(not t.own or t.type == EntityType.DRUG_CLASS for t in self._inside(unit.start, end)) else unit.start
        label = INLINE_LABEL.match(self._blank, unit.end) if unit.end < len(self._blank) else None
        return unit.end if label is not None and self._inside(unit.start, unit.end) else unit.start

    def _rows(self, table: Table, part: Part, heading: tuple[int, int] | None, topics: tuple[Thing, ...]) -> Iterator[Block]:
        """One block a row; a row of one cell, or a label's row group, gives its things to the rows below."""
        group: Block | None = None
        asked: list[Statement] = []  # what the name of a group asks for of the rows below it
        notes = dict(enumerate(table.notes))
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
            if len(row) == 1:
                if group is not None and group.statements:
                    yield group
                cut = label_inside(self._blank, first.start, first.end)
                if cut is not None and (titled := self._named(first.start, cut[0])):
                    group = Block((first.start, cut[0]), titled, number=part.number, table=True, row=True)
                    self._units(group, part, cut[1], first.end)
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
            above = group.topics if group is not None else ()
            examples = [c for c in row[1:] if self._names_examples(table, c)] if len(row) > 2 else []
            members = tuple(t for c in examples for t in self._inside(c.start, c.end) if not t.own)
            block = Block((first.start, first.end), (*(named or above), *members), number=part.number, table=True, row=True)
            self._cells(block, part, [c for c in (row[1:] if named or len(words) < 60 else row) if not members or c not in examples], notes)
            if inside is not None and named:
                self._units(block, part, inside[1], first.end)
            block.statements += asked if named else ()
            yield block
        if group is not None and group.statements:
            yield group

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
                self._units(block, part, start, end)
            self._called_notes(block, part, cell, notes)

    def _called_notes(self, block: Block, part: Part, cell: Cell, notes: dict[int, Footnote]) -> None:
        """Adds the footnotes printed inside the table that no cell has called before; they leave `notes`."""
        for note in (n for i in cell.notes if (n := notes.pop(i, None)) is not None and not n.mark):
            self._units(block, part, note.start, note.end)

    def _units(self, block: Block, part: Part, start: int, end: int) -> None:
        for unit in split_units(self._blank, start, end):
            self._add(block, part, unit)

    def _add(self, block: Block, part: Part, unit: Unit) -> None:
        if unit.end > unit.start:
            block.statements.append(Statement(unit.start, unit.end, self._inside(unit.start, unit.end), is_highlight(self._text, part, unit), unit.item))

    def _heading_end(self, start: int, end: int) -> int:
        near = _inside(self._things, self._starts, start, min(end, start + _LONGEST_HEADING))
        return heading_end(self._blank, start, end, [(t.start, t.end) for t in near], [t.start for t in near if t.own])

    def _named(self, start: int, end: int) -> tuple[Thing, ...]:
        """What a heading is about: in "Tizanidine (CYP1A2 substrate)" the drug, not every drug with the role that explains it."""
        things = self._inside(start, end)
        explained = {id(t) for before, t in pairwise(things) if t.type == EntityType.ENZYME_ROLE and before.type in _DRUGS and self._opens(before.end, t.start)}
        return tuple(t for t in things if id(t) not in explained)

    def _opens(self, start: int, end: int) -> bool:
        return re.fullmatch(r"\s*\((?:an?\s+|which is an?\s+)?", self._text[start:end]) is not None

    def _inside(self, start: int, end: int) -> tuple[Thing, ...]:
        return _inside(self._things, self._starts, start, end)


def _inside(things: Sequence[Thing], starts: Sequence[int], start: int, end: int) -> tuple[Thing, ...]:
    """The things that lie wholly within the offsets; `things` are sorted and apart."""
    return tuple(t for t in things[bisect_left(starts, start) : bisect_left(starts, end)] if t.end <= end)


def _blank_markup(text: str) -> str:
    return _MARKUP.sub(lambda m: " " * len(m[0]), text)


def _is_sentence(words: str) -> bool:
    return re.search(r"\b(?:is|are|was|were|may|should|can|has|have|do|does|did|will|must|avoid|monitor|increases?|decreases?)\b", words) is not None
