"""Printed titles of label sections, read from the release once and kept."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import Protocol

from ontology.model.errors import OntologyError
from ontology.model.spans import Span

MOST_KEPT = 8_000


class Titled(Protocol):
    """A section that knows its title."""

    @property
    def title(self) -> str:
        """The title as printed."""
        ...


class Sections(Protocol):
    """Where sections are read."""

    def section(self, set_id: str, version: str, key: str, /) -> Titled | None:
        """A section of a document version, or None."""
        ...


@dataclass(frozen=True, slots=True)
class SectionTitles:
    """The titles of one release. Safe for threads; a section that cannot be read has no title, and the card is written without it."""

    release: Sections
    _kept: OrderedDict[tuple[str, str, str], str | None] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def of(self, span: Span) -> str | None:
        """The printed title of the section that a span stands in."""
        key = (span.document, span.version, span.section)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        try:
            section = self.release.section(*key)
        except OntologyError:
            return None
        title = (section.title or None) if section is not None else None
        with self._lock:
            self._kept[key] = title
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return title
