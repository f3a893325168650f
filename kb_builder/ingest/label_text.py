"""A label without a metadata block to a document: its outline, and the identity that its own words give.

The seam for everything that ends in one canonical text: Markdown made from prints, plain text, Chinese inserts, converted PDFs.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import NamedTuple

from kb_builder.ingest.label_identity import Identity, read_identity
from kb_builder.ingest.outline import Outline, outline_of
from kb_builder.ingest.outline_heads import NoOutline
from ontology.model.identifiers import Code, content_hash
from ontology.text.document import Document, DocumentVersion, ProductInfo, Section, SectionState

MAX_LABEL = 8_000_000
"""Longest text of one label; the longest of 1,075 real ones has 1.1 million characters."""
LOOKED_FOR = "indications, dosage, contraindications, warnings or interactions (适应症, 用法用量, 禁忌, 注意事项)"
_MEANINGFUL = frozenset(
    {
        "indications_and_usage",
        "dosage_and_administration",
        "contraindications",
        "warnings",
        "precautions",
        "warnings_and_cautions",
        "adverse_reactions",
        "drug_interactions",
        "boxed_warning",
        "use_in_specific_populations",
        "pregnancy",
        "do_not_use",
    }
)


class Note(NamedTuple):
    """What is said of a field: `lost` tells something that was left out from a reservation."""

    field: str | None
    reason: str
    lost: bool = False


class NotALabel(Exception):
    """A text no document can be made of; carries the reason."""


def read_label_text(text: str, kind: str, pages: tuple[tuple[int, int], ...] = ()) -> tuple[Document, tuple[Note, ...]]:
    """The document of a label's canonical text, and a note a reservation or loss. Raises NotALabel.

    `pages` are (offset in the text, page number) pairs in rising order.
    """
    if not text.strip():
        raise NotALabel("the file is empty")
    if len(text) > MAX_LABEL:
        raise NotALabel(f"{len(text):,} characters, more than the {MAX_LABEL:,} that one label may have; split the file")
    try:
        outline = outline_of(text)
    except NoOutline as e:
        raise NotALabel(str(e)) from e
    said = {p.section.key for p in outline.placed if p.section.state is not SectionState.EMPTY}
    if not said & _MEANINGFUL:
        raise NotALabel(f"no section of a label found: looked for headings on {LOOKED_FOR}" if not said else f"no section holds text on {LOOKED_FOR}")
    identity = read_identity(text, outline)
    notes = [*(Note(where, reason) for where, reason in identity.notes), *_outline_notes(text, outline)]
    digest = content_hash(text)
    set_id = identity.set_id
    if set_id is None:
        set_id = f"text-{digest[:16]}"
        notes.append(Note("set_id", f"the label names no set id: kept as {set_id}, after its content"))
    document = Document(
        set_id=set_id,
        version=DocumentVersion(identity.version, identity.effective, digest),
        title=identity.title or set_id,
        kind=kind,
        language=identity.language,
        sections=tuple(_with_pages(p.section, p.start, pages) for p in outline.placed),
        products=_coded(set_id, identity),
        product_type=identity.product_type,
        publisher=identity.publisher,
    )
    return document, tuple(notes)


def _coded(set_id: str, identity: Identity) -> tuple[ProductInfo, ...]:
    return tuple(replace(p, codes=tuple(dict.fromkeys((Code("setid", set_id), *p.codes)))) for p in identity.products)


def _outline_notes(text: str, outline: Outline) -> list[Note]:
    notes = [Note(key, f"the heading {title!r} comes more than once: kept as section {key}") for key, title in outline.renamed]
    start, end = outline.contents
    if text[start:end].strip():
        first, last = text.count("\n", 0, start) + 1, text.count("\n", 0, start + len(text[start:end].rstrip())) + 1
        notes.append(Note(None, f"lines {first} to {last} are a table of contents: left out"))
    return notes


def _with_pages(section: Section, start: int, pages: tuple[tuple[int, int], ...]) -> Section:
    """The section with the pages that its text stands on, offsets counted in the section."""
    if not pages or not section.text:
        return section
    at = max(bisect_right(pages, start, key=lambda page: page[0]) - 1, 0)
    end = start + len(section.text)
    inside = tuple((offset - start, number) for offset, number in pages[at + 1 :] if offset < end)
    return replace(section, pages=((0, pages[at][1]), *inside))
