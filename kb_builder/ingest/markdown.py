"""Markdown labels: with a metadata block, sections under `##` headings; without one, the outline that the text itself has.

A `#` heading of known meaning opens a section too; where no such heading is known, the sections are those of the outline.
A section's text is everything under its heading up to the next one, character for character. Metadata claims of a block stand on the
section `metadata`, which is the block verbatim.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from kb_builder.ingest.encodings import Undecodable, decode_text
from kb_builder.ingest.fields import key_of_heading, known_key, loinc_of, normal_heading, state_of
from kb_builder.ingest.front_matter import FrontMatter, FrontMatterError, read_front_matter
from kb_builder.ingest.label_text import MAX_LABEL, NotALabel, Note, read_label_text
from kb_builder.ingest.outline import MAX_SECTIONS, outline_of
from kb_builder.ingest.outline_heads import NoOutline
from kb_builder.ingest.reader import Damaged, Item, Noted, Refused, SourceFile
from kb_builder.ingest.tables import tables_of
from ontology.model.identifiers import content_hash
from ontology.text.document import Document, DocumentVersion, Section, SectionState

METADATA = "metadata"
_HEADING = re.compile(r"^[\u200b-\u200f\u202a-\u202e\u2060\ufeff]*(?P<mark>##?)[ \t]+(?P<title>\S[^\r\n]*)\r?$\n?", re.MULTILINE)
_FENCE = re.compile(r"^(```|~~~)[^\n]*$", re.MULTILINE)


class MarkdownReader:
    """Reads one Markdown label a file."""

    kind = "markdown"
    suffixes = (".md", ".markdown")

    def read(self, source: SourceFile) -> Iterator[Item]:
        """The file's document, or why there is none; and what of it was left out or guessed."""
        yield from read_text_file(source, self.kind)


def read_text_file(source: SourceFile, kind: str) -> Iterator[Item]:
    """The label in a file of text, whatever its encoding, or why there is none; and what of it was left out or guessed."""
    try:
        with source.open() as stream:
            data = stream.read()
        decoded = decode_text(data)
        document, notes = read_label(decoded.text, kind)
    except (Damaged, Undecodable, NotALabel) as e:
        yield Refused(source.name, None, None, str(e))
    except FrontMatterError as e:
        yield Refused(source.name, None, e.where, e.reason)
    else:
        yield document
        if decoded.guessed:
            yield Noted(source.name, None, None, f"the text is not UTF-8: read as {decoded.encoding}, which is a guess")
        for note in notes:
            yield (Refused if note.lost else Noted)(source.name, None, note.field, note.reason)


def read_label(text: str, kind: str) -> tuple[Document, tuple[Note, ...]]:
    """The document of a label with or without a metadata block. Raises FrontMatterError or NotALabel."""
    if re.match(r"\s*---[ \t]*\r?\n", text) and re.search(r"^set_id[ \t]*:|^products[ \t]*:", text[:20_000], re.MULTILINE):
        return read_markdown(text)
    return read_label_text(text, kind)


def read_markdown(text: str) -> tuple[Document, tuple[Note, ...]]:
    """The document of a label with a metadata block, and a note a thing left out. Raises FrontMatterError, also for a label without text."""
    front = read_front_matter(text)
    notes = [Note(key, "left out: not a key of the metadata block", lost=True) for key in front.unknown]
    if not front.products:
        notes.append(Note("products", "missing: which drug the label covers is unknown"))
    if len(text) > MAX_LABEL:
        raise FrontMatterError("sections", f"{len(text):,} characters, more than the {MAX_LABEL:,} that one label may have; split the file")
    sections = _sections(text[front.body_start :], notes)
    if all(s.state is SectionState.EMPTY for s in sections):
        raise FrontMatterError("sections", f"the label {front.set_id} is empty: no `##` section holds text")
    return _document(front, sections, text), tuple(notes)


def _document(front: FrontMatter, sections: list[Section], text: str) -> Document:
    return Document(
        set_id=front.set_id,
        version=DocumentVersion(front.version, front.effective, content_hash(text)),
        title=front.title,
        kind="markdown",
        language=front.language,
        sections=(*sections, Section(METADATA, front.text, "Metadata")),
        products=front.products,
        product_type=front.product_type,
        publisher=front.publisher,
        url=front.url,
    )


def _sections(body: str, notes: list[Note]) -> list[Section]:
    fenced = _fenced(body)
    starts = [start for start, _ in fenced]
    heads = [m for m in _HEADING.finditer(body) if (m["mark"] == "##" or known_key(m["title"])) and not _inside(fenced, starts, m.start())]
    if len(heads) > MAX_SECTIONS:
        raise FrontMatterError("sections", f"{len(heads):,} `##` headings, more than {MAX_SECTIONS:,}")
    if not any(known_key(head["title"]) for head in heads):
        outlined = _outlined(body, notes)
        if outlined:
            return outlined
    preamble = body[: heads[0].start()] if heads else body
    sections = [Section("preamble", preamble, "Preamble")] if re.search(r"^(?!#)\s*\S", preamble, re.MULTILINE) else []
    taken: dict[str, int] = {}
    for n, head in enumerate(heads):
        text = body[head.end() : heads[n + 1].start() if n + 1 < len(heads) else len(body)]
        title = head["title"].rstrip(" \t#")
        key = key_of_heading(title)
        taken[key] = taken.get(key, 0) + 1
        if taken[key] > 1:
            notes.append(Note(key, f"heading {normal_heading(title)!r} comes {taken[key]} times: kept as section {key}.{taken[key]}"))
        own = key if taken[key] == 1 else f"{key}.{taken[key]}"
        sections.append(Section(own, text, title, loinc_of(key), state_of(key, text), tables_of(text)))
    return sections


def _outlined(body: str, notes: list[Note]) -> list[Section]:
    """The sections by the outline of a text whose `##` headings, if any, are of no known meaning; none where it has no known heading either."""
    try:
        outline = outline_of(body)
    except NoOutline as e:
        raise FrontMatterError("sections", str(e)) from e
    if outline.placed:
        notes.append(Note("sections", "no `##` heading of known meaning: the sections are those of the text's own outline"))
    return [placed.section for placed in outline.placed]


def _fenced(body: str) -> list[tuple[int, int]]:
    """The fenced blocks in order; one that is never closed hides nothing."""
    blocks: list[tuple[int, int]] = []
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(body):
        if opened is None:
            opened = fence
        elif fence[1] == opened[1]:
            blocks.append((opened.start(), fence.end()))
            opened = None
    return blocks


def _inside(spans: list[tuple[int, int]], starts: list[int], at: int) -> bool:
    n = bisect_right(starts, at) - 1
    return n >= 0 and at < spans[n][1]
