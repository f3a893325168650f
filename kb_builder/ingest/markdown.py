"""Markdown labels: a metadata block, then sections under `##` headings.

A section's text is everything under its heading up to the next one, character for character. Metadata claims stand on the section
`metadata`, which is the block verbatim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb_builder.ingest.fields import key_of_heading, loinc_of, normal_heading, state_of
from kb_builder.ingest.front_matter import FrontMatter, FrontMatterError, read_front_matter
from kb_builder.ingest.reader import Damaged, Item, Refused, SourceFile
from kb_builder.ingest.tables import tables_of
from ontology.model.identifiers import content_hash
from ontology.text.document import Document, DocumentVersion, Section, SectionState

METADATA = "metadata"
_HEADING = re.compile(r"^##[ \t]+(?P<title>.+?)[ \t#]*\r?$\n?", re.MULTILINE)
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


class MarkdownReader:
    """Reads one Markdown label a file."""

    kind = "markdown"
    suffixes = (".md", ".markdown")

    def read(self, source: SourceFile) -> Iterator[Item]:
        """The file's document, or why there is none; and what of it was left out."""
        try:
            with source.open() as stream:
                data = stream.read()
            text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
            document, notes = read_markdown(text)
        except Damaged as e:
            yield Refused(source.name, None, None, str(e))
        except UnicodeDecodeError as e:
            yield Refused(source.name, None, None, f"the text is not UTF-8: byte {e.start} is 0x{data[e.start]:02x}")
        except FrontMatterError as e:
            yield Refused(source.name, None, e.where, e.reason)
        else:
            yield document
            yield from (Refused(source.name, None, where, reason) for where, reason in notes)


def read_markdown(text: str) -> tuple[Document, list[tuple[str, str]]]:
    """The document of a Markdown label, and a note a thing left out. Raises FrontMatterError, also for a label without text."""
    front = read_front_matter(text)
    notes = [(key, "left out: not a key of the metadata block") for key in front.unknown]
    if not front.products:
        notes.append(("products", "missing: which drug the label covers is unknown"))
    sections = _sections(text[front.body_start :], notes)
    if all(s.state is SectionState.EMPTY for s in sections):
        raise FrontMatterError("sections", f"the label {front.set_id} is empty: no `##` section holds text")
    return _document(front, sections, text), notes


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


def _sections(body: str, notes: list[tuple[str, str]]) -> list[Section]:
    fenced = [(m.start(), m.end()) for m in _FENCE.finditer(body)]
    heads = [m for m in _HEADING.finditer(body) if not any(a <= m.start() < b for a, b in fenced)]
    preamble = body[: heads[0].start()] if heads else body
    sections = [Section("preamble", preamble, "Preamble")] if re.search(r"^(?!#)\s*\S", preamble, re.MULTILINE) else []
    taken: dict[str, int] = {}
    for n, head in enumerate(heads):
        text = body[head.end() : heads[n + 1].start() if n + 1 < len(heads) else len(body)]
        title = head["title"].strip()
        key = key_of_heading(title)
        taken[key] = taken.get(key, 0) + 1
        if taken[key] > 1:
            notes.append((key, f"heading {normal_heading(title)!r} comes {taken[key]} times: kept as section {key}.{taken[key]}"))
        own = key if taken[key] == 1 else f"{key}.{taken[key]}"
        sections.append(Section(own, text, title, loinc_of(key), state_of(key, text), tables_of(text)))
    return sections
