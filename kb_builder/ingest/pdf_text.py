"""The canonical text of a PDF: headings, paragraphs, items and tables in Markdown shape, with the page on which each piece begins."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from kb_builder.ingest.pdf_blocks import Prose, gather_blocks
from kb_builder.ingest.pdf_grid import write_table
from kb_builder.ingest.pdf_joining import document_words, is_item
from kb_builder.ingest.pdf_page import Page, without_lines
from kb_builder.ingest.pdf_paged import NoText, PagedText, Told
from kb_builder.ingest.pdf_running import find_running, running_words
from kb_builder.ingest.pdf_tables import Table

_TOO_UNREADABLE = 0.2
_LONGEST_TOLD = 80
_INDENT = 8.0


def write_text(pages: Sequence[Page]) -> PagedText:
    """The text of the pages. Raises NoText for a document without a text layer, or with fonts that give no characters."""
    glyphs, unreadable = sum(p.glyphs for p in pages), sum(p.unreadable for p in pages)
    if not glyphs:
        raise NoText("no text layer; run OCR first")
    if unreadable > _TOO_UNREADABLE * glyphs:
        raise NoText(f"{unreadable / glyphs:.0%} of the characters have no character code in their font; run OCR first")
    running = find_running(pages)
    kept = [without_lines(page, running.get(page.number, set())) for page in pages]
    words = document_words(line.text for page in kept for line in page.lines)
    gathered = gather_blocks(kept, words)
    text, starts = _write(gathered.blocks, words)
    if not text.strip():
        raise NoText("no text layer; run OCR first")
    return PagedText(text, starts, tuple(Told(note) for note in _notes(pages, running, gathered.repeated_headers, unreadable, glyphs)))


def _write(blocks: Sequence[Prose | tuple[Table, int]], words: frozenset[str]) -> tuple[str, tuple[tuple[int, int], ...]]:
    prose = [b for b in blocks if isinstance(b, Prose)]
    usual = median(b.stroke for b in prose) if prose else 10.0
    parts: list[str] = []
    starts: list[tuple[int, int]] = []
    length = 0
    item_before = False
    margin = 0.0
    for block in blocks:
        item = isinstance(block, Prose) and is_item(block.text)
        if isinstance(block, Prose):
            level = block.level(usual)
            margin = block.x0 if item and not item_before else margin
            depth = min(int(max(block.x0 - margin, 0) / _INDENT), 3) if item else 0
            lead = "#" * level + " " if level else "  " * depth
            body, pages = block.text, block.pages
        else:
            lead = ""
            body, begins = write_table(block[0], words)
            pages = list(begins)
        gap = "" if not parts else "\n" if item and item_before else "\n\n"
        begin = length + len(gap)
        starts += [(begin + (len(lead) + offset if offset else 0), page) for offset, page in pages if not starts or page > starts[-1][1]]
        parts += [gap, lead, body]
        length = begin + len(lead) + len(body)
        item_before = item
    text = "".join(parts) + "\n"
    return text, ((0, starts[0][1]), *starts[1:]) if starts else ()


def _notes(pages: Sequence[Page], running: dict[int, set[int]], repeated: int, unreadable: int, glyphs: int) -> list[str]:
    notes = [f"left out on {count} pages: the running line {words[:_LONGEST_TOLD]!r}" for words, count in running_words(pages, running)]
    if repeated:
        notes.append(f"left out: the table header that {repeated} pages repeat")
    silent = [page.number for page in pages if not page.has_text and page.images]
    if silent:
        notes.append(f"no text layer on page {_listed(silent)}: an image that was not read; run OCR first")
    sideways = [page.number for page in pages if page.sideways]
    if sideways:
        notes.append(f"text printed sideways on page {_listed(sideways)}: read line by line after the rest of the page")
    if unreadable:
        notes.append(f"{unreadable} of {glyphs} characters ({unreadable / glyphs:.2%}) have no character code in their font: they stand as U+FFFD")
    return notes


def _listed(numbers: Sequence[int]) -> str:
    shown = ", ".join(str(n) for n in numbers[:10])
    return shown if len(numbers) <= 10 else f"{shown} and {len(numbers) - 10} more"
