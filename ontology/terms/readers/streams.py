"""Lines of files in folders and zip archives: streamed, each with its number, none longer than memory allows.

Nothing is unpacked to disk. A line that is too long or not in the encoding is refused by itself; an archive that cannot be read, or whose
member would unpack to an absurd size, is refused as a whole.
"""

from __future__ import annotations

import codecs
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from ontology.model.errors import TerminologyError
from ontology.terms.readers.records import LineRefused

MAX_LINE_BYTES = 1024 * 1024
MAX_MEMBER_BYTES = 32 * 1024**3
MAX_RATIO = 1000
RATIO_FROM_BYTES = 256 * 1024 * 1024
"""Tables of codes pack 5 to 20 times; a member above 1000 times and above 256 MB is a bomb."""
_CHUNK = 64 * 1024
_BROKEN = (OSError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)

Line = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Member:
    """A file on disk, or a member of an archive."""

    path: Path
    inside: str | None = None

    @property
    def name(self) -> str:
        """The file's own name without folders."""
        return PurePosixPath(self.inside).name if self.inside else self.path.name

    @property
    def folder(self) -> str:
        """The folder the file lies in, within the archive where it is in one."""
        return str(PurePosixPath(self.inside).parent if self.inside else self.path.parent)

    @property
    def depth(self) -> int:
        """How many folders deep the file lies."""
        return len(PurePosixPath(self.inside or self.path.as_posix()).parts)

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """The bytes. Raises TerminologyError when they cannot be had."""
        try:
            if self.inside is None:
                with self.path.open("rb") as stream:
                    yield stream
            else:
                with zipfile.ZipFile(self.path) as archive, archive.open(self.inside) as stream:
                    yield stream
        except _BROKEN as e:
            raise TerminologyError(f"{self.path}{'!' + self.inside if self.inside else ''}: cannot be read: {e}; get the file again") from e


def find_members(path: Path, pattern: str) -> list[Member]:
    """The files of a folder or archive whose path matches the pattern, sorted; a plain file is its own only member. Raises TerminologyError."""
    wanted = re.compile(pattern, re.IGNORECASE)
    if path.is_dir():
        return [Member(p) for p in sorted(path.rglob("*")) if p.is_file() and wanted.search(p.relative_to(path).as_posix())]
    if not zipfile.is_zipfile(path):
        if path.suffix.lower() == ".zip":
            raise TerminologyError(f"{path}: not a readable zip archive; get the file again")
        return [Member(path)] if path.is_file() else []
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [i for i in archive.infolist() if not i.is_dir() and wanted.search(i.filename)]
    except _BROKEN as e:
        raise TerminologyError(f"{path}: not a readable zip archive: {e}; get the file again") from e
    for info in infos:
        packed = max(info.compress_size, 1)
        if info.file_size > MAX_MEMBER_BYTES or (info.file_size > RATIO_FROM_BYTES and info.file_size > MAX_RATIO * packed):
            raise TerminologyError(f"{path}!{info.filename[:100]}: would unpack to {info.file_size:,} bytes; not opened")
    return [Member(path, i.filename) for i in sorted(infos, key=lambda i: i.filename)]


def the_member(path: Path, pattern: str, called: str) -> Member:
    """The file that matches and lies highest: releases hold subsets in deeper folders. Raises TerminologyError naming the one that is missing."""
    found = sorted(find_members(path, pattern), key=lambda m: (m.depth, m.folder, m.name))
    if not found:
        raise TerminologyError(f"{path}: holds no {called}; give the folder or the zip archive as it was released")
    return found[0]


def read_lines(member: Member, encodings: tuple[str, ...] = ("utf-8",)) -> Iterator[Line | LineRefused]:
    """The lines with their numbers from 1, without ends of line; empty ones are left out. Raises TerminologyError when the file breaks off."""
    with member.open() as stream:
        number = 0
        while raw := stream.readline(MAX_LINE_BYTES + 1):
            number += 1
            if number == 1:
                raw = raw.removeprefix(codecs.BOM_UTF8)
            if len(raw) > MAX_LINE_BYTES and not raw.endswith(b"\n"):
                _skip_line(stream)
                yield LineRefused(f"{member.name}, line {number}", f"longer than {MAX_LINE_BYTES:,} bytes")
                continue
            text = _decode(raw, encodings)
            if text is None:
                yield LineRefused(f"{member.name}, line {number}", f"not in {' or '.join(encodings)}")
            elif "\x00" in text:
                yield LineRefused(f"{member.name}, line {number}", "holds a zero byte")
            elif stripped := text.rstrip("\r\n"):
                yield number, stripped


def _skip_line(stream: IO[bytes]) -> None:
    while (chunk := stream.readline(_CHUNK)) and not chunk.endswith(b"\n"):
        pass


def _decode(raw: bytes, encodings: tuple[str, ...]) -> str | None:
    for encoding in encodings:
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return None


def read_columns(member: Member, separator: str, count: int) -> Iterator[tuple[int, list[str]] | LineRefused]:
    """The cells of every line that has the number of columns; a final separator is allowed. Other lines are refused."""
    for line in read_lines(member):
        if isinstance(line, LineRefused):
            yield line
            continue
        number, text = line
        cells = text.split(separator)
        if len(cells) == count + 1 and not cells[-1]:
            cells.pop()
        if len(cells) == count:
            yield number, cells
        else:
            yield LineRefused(f"{member.name}, line {number}", f"{len(cells)} columns instead of {count}")
