"""Printed titles of label sections, with the page where a document has pages; read from the release once and kept."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import Protocol

from cds_service.answer.citations import readable_key
from ontology.model.errors import OntologyError
from ontology.model.spans import Span
from ontology.text.document import page_at

MOST_KEPT = 8_000


class Titled(Protocol):
    """A section that knows its title and where its pages begin."""

    @property
    def title(self) -> str:
        """The title as printed."""
        ...

    @property
    def pages(self) -> tuple[tuple[int, int], ...]:
        """(offset, page number) pairs, empty for a document without pages."""
        ...


class Sections(Protocol):
    """Where sections are read."""

    def section(self, set_id: str, version: str, key: str, /) -> Titled | None:
        """A section of a document version, or None."""
        ...


@dataclass(frozen=True, slots=True)
class _Heading:
    title: str
    pages: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class SectionTitles:
    """The titles of one release. Safe for threads; a section that cannot be read has no title, and the card is written without it."""

    release: Sections
    _kept: OrderedDict[tuple[str, str, str], Titled | None] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def of(self, span: Span) -> str | None:
        """The printed title of the section that a span stands in, and the page it stands on."""
        section = self._section((span.document, span.version, span.section))
        if section is None:
            return None
        page = page_at(section.pages, span.start)
        return section.title or None if page is None else f"{section.title or readable_key(span.section)}, page {page}"

    def _section(self, key: tuple[str, str, str]) -> Titled | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        try:
            section = self.release.section(*key)
        except OntologyError:
            return None
        kept = None if section is None else _Heading(section.title, section.pages)
        with self._lock:
            self._kept[key] = kept
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return kept
