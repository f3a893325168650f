"""Files on disk and members of archives, as streams that cannot do harm.

Nothing is ever unpacked to disk. An archive member is refused when its name leaves the archive, when it is a link, encrypted or itself an
archive, and when its size says that it would blow up; what its header hides shows while it is read.
"""

from __future__ import annotations

import hashlib
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from kb_builder.ingest.reader import ByteStream, Damaged, Refused

MAX_RECORD_BYTES = 64 * 1024 * 1024
"""Longest single record; the longest of 1,075 real openFDA records has 1.1 MB."""
MAX_MEMBER_BYTES = 8 * 1024**3
MAX_RATIO = 200
RATIO_FROM_BYTES = 16 * 1024 * 1024
"""Real openFDA archives pack 5 to 8 times; a member above 200 times and above 16 MB is a bomb."""
ARCHIVES = (".zip",)
UNREADABLE = "unreadable"


class BoundedStream:
    """A stream whose records may not be longer than the limit, and whose library errors are Damaged."""

    def __init__(self, raw: IO[bytes], limit: int = MAX_RECORD_BYTES) -> None:
        self._raw = raw
        self._limit = limit
        self._since_mark = 0

    def read(self, size: int = -1) -> bytes:
        """The next bytes. Raises Damaged."""
        try:
            data = self._raw.read(self._limit + 1 if size < 0 else size)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as e:
            raise Damaged(f"the archive is damaged here: {e}") from e
        except OSError as e:
            raise Damaged(f"cannot be read: {e.strerror or e}") from e
        self._since_mark += len(data)
        if self._since_mark > self._limit:
            raise Damaged(f"a record is longer than {self._limit // 1024 // 1024} MB")
        return data

    def mark(self) -> None:
        """Starts the count of the next record."""
        self._since_mark = 0


@dataclass(frozen=True, slots=True)
class DiskFile:
    """A file on disk."""

    path: Path

    @property
    def name(self) -> str:
        """The path as given."""
        return str(self.path)

    @property
    def size(self) -> int:
        """Bytes on disk, 0 when unknown."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0

    @contextmanager
    def open(self) -> Iterator[ByteStream]:
        """The bytes. Raises Damaged."""
        try:
            raw = self.path.open("rb")
        except OSError as e:
            raise Damaged(f"cannot be opened: {e.strerror or e}") from e
        with raw:
            yield BoundedStream(raw)


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """One member of a zip archive."""

    archive: Path
    member: str
    size: int

    @property
    def name(self) -> str:
        """`archive.zip!member`."""
        return f"{self.archive}!{self.member}"

    @contextmanager
    def open(self) -> Iterator[ByteStream]:
        """The uncompressed bytes. Raises Damaged."""
        try:
            archive = zipfile.ZipFile(self.archive)
        except (zipfile.BadZipFile, OSError) as e:
            raise Damaged(f"not a readable zip archive: {e}") from e
        with archive:
            try:
                raw = archive.open(self.member)
            except (zipfile.BadZipFile, NotImplementedError, RuntimeError, KeyError, OSError) as e:
                raise Damaged(f"the archive member cannot be opened: {e}") from e
            with raw:
                yield BoundedStream(raw)


AnyFile = DiskFile | ArchiveMember


def walk(paths: tuple[Path, ...]) -> Iterator[AnyFile | Refused]:
    """Every file of the sources, folders and archives opened, each once, in the order given and sorted within a folder."""
    seen: set[Path] = set()
    for path in paths:
        for file in _files(path):
            real = file.resolve()
            if real in seen:
                continue
            seen.add(real)
            if not file.is_file():
                yield Refused(str(file), None, None, "not a regular file or a folder")
            elif file.suffix.lower() in ARCHIVES:
                yield from _members(file)
            else:
                yield DiskFile(file)


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    inside = (p for p in path.rglob("*") if not any(part.startswith(".") for part in p.relative_to(path).parts))
    yield from sorted(p for p in inside if p.is_file())


def _members(path: Path) -> Iterator[AnyFile | Refused]:
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [i for i in archive.infolist() if not i.is_dir()]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as e:
        yield Refused(str(path), None, None, f"not a readable zip archive: {e}")
        return
    if not infos:
        yield Refused(str(path), None, None, "the archive is empty")
    names: set[str] = set()
    for info in infos:
        reason = _danger(info) or ("a second member of this name" if info.filename in names else None)
        names.add(info.filename)
        if reason:
            yield Refused(f"{path}!{info.filename[:200]}", None, None, reason)
        elif not _hidden(info.filename):
            yield ArchiveMember(path, info.filename, info.file_size)


def _hidden(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return any(part.startswith(".") or part == "__MACOSX" for part in parts)


def _danger(info: zipfile.ZipInfo) -> str | None:
    """Why a member is not opened, or None."""
    name = info.filename
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if not parts or name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0] or "\x00" in name:
        return "the member's name leads out of the archive"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "the member is a link"
    if info.flag_bits & 0x1:
        return "the member is encrypted"
    if PurePosixPath(name).suffix.lower() in ARCHIVES:
        return "an archive within an archive is not opened; unpack it first"
    if info.file_size > MAX_MEMBER_BYTES:
        return f"the member would unpack to {info.file_size:,} bytes, more than the limit of {MAX_MEMBER_BYTES:,}"
    if info.file_size > RATIO_FROM_BYTES and info.file_size > MAX_RATIO * max(info.compress_size, 1):
        return f"the member would unpack to {info.file_size // max(info.compress_size, 1)} times its size, more than {MAX_RATIO}"
    return None


def file_hash(path: Path) -> str:
    """Hex SHA-256 of a file's bytes; of a folder, of its files' names and hashes; `unreadable` for what cannot be read."""
    if path.is_dir():
        rows = (f"{p.relative_to(path).as_posix()} {file_hash(p)}" for p in _files(path))
        return hashlib.sha256("\n".join(rows).encode()).hexdigest()
    if not path.is_file():
        return UNREADABLE
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return UNREADABLE
