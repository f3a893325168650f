"""The seam between sources and readers: what a reader is given, and what it gives back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from ontology.text.document import Document

_UNPRINTED = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def shown(text: str) -> str:
    """A message on one line: what a name or a label could break a line with, turn the direction or steer a terminal by, is written out."""
    return _UNPRINTED.sub(lambda m: m.group().encode("unicode_escape").decode("ascii"), text)


@dataclass(frozen=True, slots=True, order=True)
class Refused:
    """Something that was not taken: the file, the record in it (from 0) and the field where they apply, and why."""

    source: str
    record: int | None
    field: str | None
    reason: str

    def __str__(self) -> str:
        record = "" if self.record is None else f", record {self.record}"
        field = "" if self.field is None else f", {self.field}"
        return shown(f"{self.source}{record}{field}: {self.reason}")


@dataclass(frozen=True, slots=True, order=True)
class Noted:
    """Something that was read with a reservation; nothing of it was lost: a code that disagrees with its title, an encoding that was guessed."""

    source: str
    record: int | None
    field: str | None
    reason: str

    def __str__(self) -> str:
        return str(Refused(self.source, self.record, self.field, self.reason))


Item = Document | Refused | Noted
"""What reading gives: a document, something that was not taken, or a reservation."""


class Damaged(Exception):
    """Bytes that cannot be read further; carries the reason for a `Refused`."""


class ByteStream(Protocol):
    """A stream of a source's bytes. `read` raises Damaged, never the error of a library."""

    def read(self, size: int = -1) -> bytes:
        """The next bytes, empty at the end."""
        ...

    def mark(self) -> None:
        """Starts the count of the next record; a record longer than the limit raises Damaged."""
        ...


class SourceFile(Protocol):
    """One file of a source: a file on disk, or a member of an archive."""

    @property
    def name(self) -> str:
        """The name to show: the path, and the member after `!` in an archive."""
        ...

    @property
    def size(self) -> int:
        """Uncompressed bytes, as far as known before reading."""
        ...

    def open(self) -> AbstractContextManager[ByteStream]:
        """The bytes from the start. Raises Damaged."""
        ...


class Reader(Protocol):
    """Reads one kind of source."""

    @property
    def kind(self) -> str:
        """The name of the kind; documents carry it."""
        ...

    @property
    def suffixes(self) -> tuple[str, ...]:
        """File name endings, lower case, that this reader takes."""
        ...

    def read(self, source: SourceFile) -> Iterator[Item]:
        """Every document of the file, every record or field that was refused, every reservation. A file that breaks off ends with a Refused."""
        ...
