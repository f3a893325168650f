"""Documents as received: versions, sections with their text, and the metadata that identifies products.

Offsets of every span are code points into `Section.text`, which is the field as received and is never rewritten. Document metadata that
claims stand on (composition, classes) is held as sections too, so that metadata claims have verbatim spans like all others.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from ontology.model.errors import InvalidDocument
from ontology.model.identifiers import Code
from ontology.model.spans import Span, SpanRole

HIGHLIGHTS = "highlights."
"""What the key of a Highlights section begins with; the rest is the key of the section it repeats."""


class SectionState(StrEnum):
    """What a section holds: text; the statement "None"; the statement that it is not known (尚不明确); a heading or stub without content;
    nothing at all; text that could not be read for claims.
    """

    TEXT = "text"
    NONE = "none"
    UNKNOWN = "unknown"
    STUB = "stub"
    EMPTY = "empty"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class Section:
    """One field of a document.

    `key` is the field as received, in openFDA's vocabulary (`contraindications`, `drug_interactions`, `openfda.substance_name`);
    `title` the heading as printed, `loinc` the section code as received, else the key's own where known: where code and title disagree,
    `key` follows the title and both are kept. `tables` are the HTML tables that belong to the field. `pages` are (offset, page number)
    pairs in rising order, the first at offset 0, for documents that have pages. `repeats` is the key of the full section that a section
    of the Highlights repeats.
    """

    key: str
    text: str
    title: str = ""
    loinc: str | None = None
    state: SectionState = SectionState.TEXT
    tables: tuple[str, ...] = ()
    pages: tuple[tuple[int, int], ...] = ()
    repeats: str | None = None


def page_at(pages: Sequence[tuple[int, int]], offset: int) -> int | None:
    """The page that the text at an offset of a section stands on; None for a document without pages."""
    at = bisect_right(pages, offset, key=lambda page: page[0]) - 1
    return pages[at][1] if at >= 0 else None


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """Version of a document: the publisher's number, the effective date, and the hash of what was received.

    `key` is `<number>` where the publisher numbers versions, else `<effective date>`, else `unversioned:<hash>`, which loses every
    comparison of precedence and is shown as "label date unknown".
    """

    number: str | None
    effective: date | None
    content_hash: str

    @property
    def key(self) -> str:
        """The version's name in spans and on the wire."""
        if self.number:
            return self.number
        return self.effective.isoformat() if self.effective else f"unversioned:{self.content_hash[:12]}"

    def precedence(self) -> tuple[date, int, str]:
        """Sorts newer versions last; a version without a date sorts before every dated one."""
        number = int(self.number) if self.number and self.number.isdigit() else -1
        return (self.effective or date.min, number, self.content_hash)


@dataclass(frozen=True, slots=True)
class SubstanceInfo:
    """An active substance as the metadata names it."""

    name: str
    unii: str | None = None
    rxcui: str | None = None
    strength: str | None = None


@dataclass(frozen=True, slots=True)
class ProductInfo:
    """A product (or a label's group of products with one composition): names, codes, substances, routes, dose form."""

    generic_name: str
    substances: tuple[SubstanceInfo, ...]
    brand_names: tuple[str, ...] = ()
    codes: tuple[Code, ...] = ()
    routes: tuple[str, ...] = ()
    form: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """One version of one document. `kind` is the reader that made it (`openfda`, `spl`, `markdown`, `pdf`, `text`, `terminology`)."""

    set_id: str
    version: DocumentVersion
    title: str
    kind: str
    language: str
    sections: tuple[Section, ...]
    products: tuple[ProductInfo, ...] = ()
    product_type: str | None = None
    publisher: str | None = None
    url: str | None = None

    def section(self, key: str) -> Section | None:
        """The section with this key, or None."""
        return next((s for s in self.sections if s.key == key), None)

    def span(self, key: str, start: int, end: int, role: SpanRole = SpanRole.STATEMENT) -> Span:
        """The span of a section's text at the offsets. Raises InvalidDocument when the section or the place does not exist."""
        section = self.section(key)
        if section is None:
            raise InvalidDocument(f"document {self.set_id} has no section {key!r}")
        if not 0 <= start < end <= len(section.text):
            raise InvalidDocument(f"document {self.set_id}, section {key}: [{start}, {end}) lies outside its {len(section.text)} code points")
        return Span(self.set_id, self.version.key, key, start, end, section.text[start:end], role)
