"""Plain-text labels: the same outline, from headings in capitals, numbered lines and bracketed Chinese headings."""

from __future__ import annotations

from collections.abc import Iterator

from kb_builder.ingest.markdown import read_text_file
from kb_builder.ingest.reader import Item, SourceFile


class TextReader:
    """Reads one plain-text label a file."""

    kind = "text"
    suffixes = (".txt", ".text")

    def read(self, source: SourceFile) -> Iterator[Item]:
        """The file's document, or why there is none; and what of it was left out or guessed."""
        yield from read_text_file(source, self.kind)
