"""PDF labels: one label a file. The text that is kept is the converted one, with its pages."""

from __future__ import annotations

from collections.abc import Iterator

from kb_builder.ingest.label_text import NotALabel, read_label_text
from kb_builder.ingest.pdf_convert import convert_pdf
from kb_builder.ingest.pdf_paged import NoText
from kb_builder.ingest.reader import Damaged, Item, Noted, Refused, SourceFile


class PdfReader:
    """Reads one PDF label a file."""

    kind = "pdf"
    suffixes = (".pdf",)

    def read(self, source: SourceFile) -> Iterator[Item]:
        """The file's document, or why there is none; and what of it was left out or read with a reservation."""
        try:
            with source.open() as stream:
                data = stream.read()
            paged = convert_pdf(data)
            document, notes = read_label_text(paged.text, self.kind, paged.pages)
        except (Damaged, NoText, NotALabel) as e:
            yield Refused(source.name, None, None, str(e))
            return
        yield document
        for told in paged.notes:
            yield (Refused if told.lost else Noted)(source.name, None, None, told.reason)
        for note in notes:
            yield (Refused if note.lost else Noted)(source.name, None, note.field, note.reason)
