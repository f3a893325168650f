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

from kb_builder.ingest.pdf_text import NoText, PagedText, Told, write_text

MAX_PAGES = 1_000
"""The longest real label, with its medication guide and carton pictures, has about 200 pages."""
MEMORY_BYTES = 1536 * 1024 * 1024
CPU_SECONDS = 240
TOO_LARGE = f"it needs more than {MEMORY_BYTES // 1024 // 1024:,} MB of memory"


class Answer(msgspec.Struct):
    """What the child says: the text, or why there is none."""

    paged: PagedText | None = None
    refused: str | None = None


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
    import pdfplumber
    from pdfminer.pdfdocument import PDFEncryptionError, PDFPasswordIncorrect
    from pdfplumber.utils.exceptions import PdfminerException

    from kb_builder.ingest.pdf_page import Page, read_page

    try:
        opened = pdfplumber.open(io.BytesIO(data), pages=list(range(1, MAX_PAGES + 2)))
        pages = opened.pages
    except PdfminerException as e:
        cause = e.args[0] if e.args else e
        if isinstance(cause, PDFPasswordIncorrect | PDFEncryptionError):
            raise NoText("encrypted: it opens with a password only; save it without one") from e
        raise NoText(f"not a readable PDF: {_said(cause)}") from e
    except (MemoryError, NoText):
        raise
    except Exception as e:  # the library raises what the damage leads it to
        raise NoText(f"not a readable PDF: {_said(e)}") from e
    if not pages:
        raise NoText("not a readable PDF: it has no pages")
    if len(pages) > MAX_PAGES:
        raise NoText(f"more than {MAX_PAGES:,} pages; split the file")
    read: list[Page] = []
    failed: list[Told] = []
    for number, page in enumerate(pages, 1):
        try:
            read.append(read_page(page, number))
        except MemoryError:
            raise
        except Exception as e:  # one damaged page never costs the others
            failed.append(Told(f"page {number} could not be read: {_said(e)}", lost=True))
        page.close()
    if not read:
        raise NoText(f"no page could be read; {failed[0].reason}")
    paged = write_text(read)
    return PagedText(paged.text, paged.pages, (*paged.notes, *failed))


def _said(error: object) -> str:
    """An error in one short line, its kind where it says nothing."""
    text = " ".join(str(error).split())[:160]
    return text if text and text != "None" else type(error).__name__


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
