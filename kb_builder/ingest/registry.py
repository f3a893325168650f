"""The readers, tried in this order by file name: the kinds that hold most labels first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from kb_builder.ingest.markdown import MarkdownReader
from kb_builder.ingest.openfda import OpenFdaReader
from kb_builder.ingest.pdf import PdfReader
from kb_builder.ingest.plain_text import TextReader
from kb_builder.ingest.reader import Item, Noted, Reader, Refused, SourceFile
from kb_builder.ingest.sources import walk
from kb_builder.ingest.spl import SplReader

READERS: tuple[Reader, ...] = (OpenFdaReader(), SplReader(), MarkdownReader(), TextReader(), PdfReader())


def reader_of(name: str) -> Reader | None:
    """The reader for a file of this name, or None."""
    suffix = PurePosixPath(name).suffix.lower()
    return next((reader for reader in READERS if suffix in reader.suffixes), None)


def read_sources(paths: tuple[Path, ...]) -> Iterator[tuple[str, Item]]:
    """Every document, everything refused and every reservation, each with the name of its file; one bad file or record never stops the others."""
    for item in walk(paths):
        if isinstance(item, Refused | Noted):
            yield item.source, item
        else:
            for found in _read(item):
                yield item.name, found


def _read(source: SourceFile) -> Iterator[Item]:
    reader = reader_of(source.name)
    if reader is None:
        kinds = ", ".join(suffix for r in READERS for suffix in r.suffixes)
        yield Refused(source.name, None, None, f"unknown kind of file; kinds that are read: {kinds}, and .zip archives of them")
        return
    yield from reader.read(source)
