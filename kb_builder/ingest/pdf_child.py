"""The converter as a program of its own: a PDF on standard input, its text as JSON on standard output.

It sets its own limits before it reads a byte, so that a hostile file can take no more than them.
"""

from __future__ import annotations

import io
import logging
import resource
import sys
from typing import BinaryIO

import msgspec
import pdfplumber
import pdfplumber.page
from pdfminer.pdfdocument import PDFEncryptionError, PDFPasswordIncorrect
from pdfminer.pdfpage import PDFPage
from pdfminer.pdftypes import resolve_all
from pdfplumber.pdf import PDF
from pdfplumber.utils.exceptions import PdfminerException

from kb_builder.ingest.pdf_limits import CPU_SECONDS, MAX_PAGES, MEMORY_BYTES, TOO_LARGE, Answer
from kb_builder.ingest.pdf_page import Page, read_page
from kb_builder.ingest.pdf_paged import NoText, PagedText, Told
from kb_builder.ingest.pdf_text import write_text

_LETTER = (0.0, 0.0, 612.0, 792.0)


def main(source: BinaryIO, target: BinaryIO) -> None:
    """Converts under the limits and answers."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    logging.disable(logging.CRITICAL)
    try:
        answer = Answer(paged=convert_here(source.read()))
    except NoText as e:
        answer = Answer(refused=str(e))
    except MemoryError:
        answer = Answer(refused=TOO_LARGE)
    target.write(msgspec.json.encode(answer))


def convert_here(data: bytes) -> PagedText:
    """The text of a PDF, converted in this process without limits. Raises NoText."""
    read: list[Page] = []
    failed: list[Told] = []
    try:
        _read_pages(pdfplumber.open(io.BytesIO(data)), read, failed)
    except (MemoryError, NoText):
        raise
    except Exception as e:  # the library raises what the damage leads it to
        raise NoText(_reason(e)) from e
    if not read:
        raise NoText(f"no page could be read; {failed[0].reason}" if failed else "not a readable PDF: it has no pages")
    paged = write_text(read)
    return PagedText(paged.text, paged.pages, (*paged.notes, *failed))


def _read_pages(document: PDF, read: list[Page], failed: list[Told]) -> None:
    """Reads page after page; a damaged page never costs those before and, where the page tree goes on, those behind it."""
    found = PDFPage.create_pages(document.doc)
    for number in range(1, MAX_PAGES + 2):
        try:
            page = next(found, None)
        except Exception as e:
            if not read:
                raise
            failed.append(Told(f"the pages from {number} on could not be read: {_said(e)}", lost=True))
            return
        if page is None:
            return
        if number > MAX_PAGES:
            raise NoText(f"more than {MAX_PAGES:,} pages; split the file")
        try:
            read.append(_read_page(document, page, number))
        except MemoryError:
            raise
        except Exception as e:
            failed.append(Told(f"page {number} could not be read: {_said(e)}", lost=True))


def _read_page(document: PDF, found: PDFPage, number: int) -> Page:
    found.mediabox = _paper(found.attrs.get("MediaBox"))
    found.attrs["MediaBox"] = list(found.mediabox)
    page = pdfplumber.page.Page(document, found, page_number=number)
    try:
        return read_page(page, number)
    finally:
        page.close()


def _paper(box: object) -> tuple[float, float, float, float]:
    """The page's box with its lower left corner first; that of a letter sheet, as viewers take it, where the box is missing or no box."""
    numbers = resolve_all(box)
    if not isinstance(numbers, list) or len(numbers) != 4 or not all(isinstance(n, int | float) for n in numbers):
        return _LETTER
    (x0, x1), (y0, y1) = sorted(numbers[0::2]), sorted(numbers[1::2])
    return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else _LETTER


def _reason(error: Exception) -> str:
    cause = error.args[0] if isinstance(error, PdfminerException) and error.args else error
    if isinstance(cause, PDFPasswordIncorrect | PDFEncryptionError):
        return "encrypted: it opens with a password only; save it without one"
    return f"not a readable PDF: {_said(cause)}"


def _said(error: object) -> str:
    """An error in one short line, its kind where it says nothing."""
    text = " ".join(str(error).split())[:160]
    return text if text and text != "None" else type(error).__name__


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
