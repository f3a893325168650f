"""The sections of an SPL document: every coded section under its key, with the subsections it holds; the Highlights apart.

A subsection of known meaning appears both inside its parent's text and as a section of its own, as openFDA has it; an unclassified one only in
its parent. Sections of one key are one section, joined by a newline, as openFDA joins them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lxml import etree

from kb_builder.ingest.fields import loinc_of, state_of, title_of
from kb_builder.ingest.spl_keys import UNCLASSIFIED, Reading, belongs, is_chapter, is_emphasised, known_heading, read_key
from kb_builder.ingest.spl_products import LISTED, Note
from kb_builder.ingest.spl_text import FlatText, outer_tables
from kb_builder.ingest.spl_xml import child, children, local_name, words_of
from ontology.text.document import Section, SectionState

_REPEATABLE = frozenset({UNCLASSIFIED, "package_label_principal_display_panel", "boxed_warning"})
"""Keys that come several times in any label; nothing is said of that."""


_DEEPEST = 6
"""Real labels nest three fields at most; every level repeats the text of those in it."""


@dataclass(slots=True)
class _Field:
    """What one key holds, piece by piece in document order."""

    title: str
    code: str | None
    texts: list[str] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)

    def add(self, text: str, tables: Iterable[str]) -> None:
        self.texts.append(text)
        self.tables += tables

    def joined(self, other: _Field) -> _Field:
        return _Field(self.title, self.code, self.texts + other.texts, self.tables + other.tables)

    def text(self) -> str:
        return "\n\n".join(text for text in self.texts if text)


class SectionReader:
    """Walks a document's sections once."""

    def __init__(self, notes: list[Note]) -> None:
        self._notes = notes
        self._full: dict[str, _Field] = {}
        self._highlights: dict[str, _Field] = {}

    def read(self, root: etree._Element) -> tuple[Section, ...]:
        """All sections in the order their keys first come, the Highlights behind them."""
        for body in _bodies(root):
            if local_name(body) == "structuredBody":
                for section in _sections_in(body):
                    self._visit(section, (), 1)
            else:
                self._notes.append((None, "a part of the label is a file inside the XML (nonXMLBody): it is not read; give it as a file of its own", True))
        for key, count in ((key, len(held.texts)) for key, held in self._full.items() if key not in _REPEATABLE):
            if count > 1:
                self._notes.append((key, f"{count} sections have this meaning: joined in the order they stand", False))
        return (*self._full_sections(), *self._highlight_sections())

    def _visit(self, section: etree._Element, above: tuple[str, ...], depth: int) -> None:
        """Reads a section and those in it; `above` are the keys of the fields that hold its text already, the outermost first."""
        home = next((key for key in reversed(above) if key != UNCLASSIFIED), None)
        reading = read_key(section, home, depth)
        key = reading.key if len(above) < _DEEPEST else None
        if reading.note:
            self._notes.append((key or next(reversed(above), None), reading.note, False))
        if key is not None and key not in (*above, LISTED):
            self._open(key, reading).add(section_text(section), section_tables(section))
            above = (*above, key)
        for excerpt in children(section, "excerpt"):
            self._excerpt(excerpt, above[-1] if above else UNCLASSIFIED, reading)
        if all(held == UNCLASSIFIED for held in above):
            self._printed_headings(section)
        for inner in _sections_in(section):
            self._visit(inner, above, depth + 1)

    def _open(self, key: str, reading: Reading) -> _Field:
        return self._full.setdefault(key, _Field(reading.title, reading.code))

    def _excerpt(self, excerpt: etree._Element, holder: str, reading: Reading) -> None:
        flat, tables = FlatText(), list[str]()
        for highlight in children(excerpt, "highlight"):
            for text in children(highlight, "text"):
                flat.add(text)
                tables += outer_tables(text)
        self._highlights.setdefault(holder, _Field(reading.title, reading.code)).add(str(flat), tables)

    def _printed_headings(self, section: etree._Element) -> None:
        """The parts of an unclassified text that printed headings of known meaning open; a chapter's part holds those of its sub-headings too."""
        text = child(section, "text")
        blocks = list(text) if text is not None else []
        opened = _openings(blocks)
        for n, (start, key, whole) in enumerate(opened):
            end = next((later for later, _, chapter in opened[n + 1 :] if chapter or not whole), len(blocks))
            flat = FlatText()
            for block in blocks[start:end]:
                flat.add(block)
                flat.write(block.tail)
            tables = [table for block in blocks[start:end] for table in outer_tables(block)]
            self._full.setdefault(key, _Field(words_of(blocks[start]), None)).add(str(flat), tables)

    def _full_sections(self) -> Iterator[Section]:
        for key, held in self._full.items():
            yield _section(key, key, held if not self._stands_alone(key) else held.joined(self._highlights[key]))
        for key, held in self._highlights.items():
            if key not in self._full:
                yield _section(key, key, held)

    def _highlight_sections(self) -> Iterator[Section]:
        for key, held in self._highlights.items():
            if key in self._full and not self._stands_alone(key):
                yield _section(f"highlights.{key}", key, held, repeats=key)

    def _stands_alone(self, key: str) -> bool:
        """True for Highlights whose full section has a heading at most."""
        return key in self._highlights and state_of(key, self._full[key].text()) in (SectionState.EMPTY, SectionState.STUB)


def _openings(blocks: list[etree._Element]) -> list[tuple[int, str, bool]]:
    """Where headings of known meaning stand: the block, the key, and whether it is a chapter rather than a part of the chapter before it."""
    found: list[tuple[int, str, bool]] = []
    chapter: str | None = None
    for n, block in enumerate(blocks):
        key = known_heading(words_of(block)) if local_name(block) == "paragraph" and is_emphasised(block) else None
        if key is None:
            continue
        if chapter is not None and belongs(key, chapter):
            found.append((n, key, False))
        elif chapter is None or is_chapter(key):
            chapter = key
            found.append((n, key, True))
    return found


def _section(key: str, full_key: str, held: _Field, repeats: str | None = None) -> Section:
    text = held.text()
    return Section(
        key=key,
        text=text,
        title=held.title or title_of(full_key),
        loinc=held.code or loinc_of(full_key),
        state=state_of(full_key, text),
        tables=tuple(held.tables),
        repeats=repeats,
    )


def section_text(section: etree._Element) -> str:
    """The flat text of a section: its title, its own text and its subsections in document order, without the Highlights."""
    flat = FlatText()
    for element in _own(section):
        flat.add(element)
    return str(flat)


def section_tables(section: etree._Element) -> Iterator[str]:
    """The tables of a section and its subsections in document order."""
    for element in _own(section):
        yield from outer_tables(element)


def _own(section: etree._Element) -> Iterator[etree._Element]:
    """The title and text elements of a section and its subsections, in document order."""
    for element in children(section, "title", "text", "component"):
        if local_name(element) != "component":
            yield element
        else:
            for inner in children(element, "section"):
                yield from _own(inner)


def _bodies(root: etree._Element) -> Iterator[etree._Element]:
    for component in children(root, "component"):
        yield from children(component, "structuredBody", "nonXMLBody")


def _sections_in(element: etree._Element) -> Iterator[etree._Element]:
    for component in children(element, "component"):
        yield from children(component, "section")
