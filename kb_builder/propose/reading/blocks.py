"""One section as a proposer reads it: folded text, things named in it, and blocks of sentences under their headings.

A block is a numbered subsection, a stretch under an inline heading ("Warfarin Changes in INR have ..."), or a row of a table under its row
header. Blocks carry scope: what a heading names is what the sentences below speak of when they name nothing themselves.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from kb_builder.propose.reading.glued import glued_end
from kb_builder.propose.reading.row_labels import INLINE_LABEL, title_behind_examples
from kb_builder.propose.reading.statements import Block, Statement
from kb_builder.propose.reading.table_rows import RowReader
from kb_builder.propose.reading.things import Thing, ThingFinder
from ontology.model.entities import EntityType
from ontology.text.context import blank_references
from ontology.text.document import HIGHLIGHTS, Document, Section, SectionState
from ontology.text.drug_facts import cut_directions, is_drug_facts
from ontology.text.headings import heading_end
from ontology.text.offsets import Shadow, fold
from ontology.text.sections import Part, Zone, is_highlight, split_parts
from ontology.text.sentences import Unit, split_units
from ontology.text.tables import Survey, Table, survey_tables

__all__ = ["Block", "Reading", "Statement", "read_section", "sections_of"]

_MARKUP = re.compile(r"</?(?:table|tr|td|th|caption|tbody|thead|col|colgroup|br|p|sup|sub|b|i|em|strong|span)\b[^<>]*>|(?<=[\n\u2029])#{1,6}(?= )|\*\*")
_LONGEST_HEADING = 240
_DRUG_FACTS = ("warnings", "do_not_use", "ask_doctor", "ask_doctor_or_pharmacist", "pregnancy_or_breast_feeding")
_OPEN = re.compile(r"\([^()]*$")  # no heading ends inside a bracket: "(less than 90 mm Hg)" goes on
_ROLE_NOUN = re.compile(r"(?:inhibitor|inducer|substrate)s?$", re.IGNORECASE)
_DRUGS = frozenset({EntityType.INGREDIENT, EntityType.DRUG, EntityType.HERB})


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


def _is_box(table: Table) -> bool:
    """True for a frame around prose: one cell, and no columns to read it by."""
    return table.width == 1 and sum(1 for row in table.lines for cell in row if cell.start < cell.end) == 1


class _Reader:
    """Cuts one section into blocks."""

    def __init__(self, shadow: Shadow, blank: str, things: tuple[Thing, ...], survey: Survey, *, highlights: bool) -> None:
        self._text = shadow.text
        self._blank = blank
        self._things = things
        self._starts = tuple(t.start for t in things)
        self._survey = survey
        self._highlights = highlights
        self._rows = RowReader(blank, self._inside, self._named, self._units)

    def blocks(self) -> Iterator[Block]:
        tables = [t for t in self._survey.placed if t.lines and not _is_box(t)]
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
            yield from self._rows.blocks(table, part, heading, topics)
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

    def _units(self, block: Block, part: Part, start: int, end: int) -> None:
        for unit in split_units(self._blank, start, end):
            self._add(block, part, unit)

    def _add(self, block: Block, part: Part, unit: Unit) -> None:
        if unit.end > unit.start:
            block.statements.append(Statement(unit.start, unit.end, self._inside(unit.start, unit.end), is_highlight(self._text, part, unit), unit.item))

    def _heading_end(self, start: int, end: int) -> int:
        near = _inside(self._things, self._starts, start, min(end, start + _LONGEST_HEADING))
        found = heading_end(self._blank, start, end, [(t.start, t.end) for t in near], [t.start for t in near if t.own])
        return start if _OPEN.search(self._blank, start, found) is not None else found

    def _named(self, start: int, end: int) -> tuple[Thing, ...]:
        """What a heading is about: in "Tizanidine (CYP1A2 substrate)" the drug, not every drug with the role that explains it.

        Nor what a footnote names that is printed right behind it.
        """
        things = self._inside(start, glued_end(self._blank, start, end))
        explained: set[int] = set()
        for before, t in pairwise(things):
            opened = before.type in _DRUGS and self._opens(before.end, t.start)
            role = t.type == EntityType.ENZYME_ROLE or _ROLE_NOUN.search(self._blank, t.start, t.end) is not None
            if role and (opened or (id(before) in explained and ")" not in self._blank[before.end : t.start])):
                explained.add(id(t))
        return tuple(t for t in things if id(t) not in explained)

    def _opens(self, start: int, end: int) -> bool:
        return re.fullmatch(r"\s*\((?:an?\s+|which is an?\s+)?", self._text[start:end]) is not None

    def _inside(self, start: int, end: int) -> tuple[Thing, ...]:
        return _inside(self._things, self._starts, start, end)


def _inside(things: Sequence[Thing], starts: Sequence[int], start: int, end: int) -> tuple[Thing, ...]:
    """The things that lie wholly within the offsets; `things` are sorted and apart."""
    return tuple(t for t in things[bisect_left(starts, start) : bisect_left(starts, end)] if t.end <= end)


def _blank_markup(text: str) -> str:
    marked = "<" in text or "#" in text or "**" in text
    return _MARKUP.sub(lambda m: " " * len(m[0]), text) if marked else text
