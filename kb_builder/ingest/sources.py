"""Files on disk and members of archives, as streams that cannot do harm."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kb_builder.ingest.archives import ARCHIVES, PASSED_OVER, ArchiveMember, told_passed, walk_archive
from kb_builder.ingest.bounded import BoundedStream
from kb_builder.ingest.reader import ByteStream, Damaged, Noted, Refused

UNREADABLE = "unreadable"


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


AnyFile = DiskFile | ArchiveMember


def walk(paths: tuple[Path, ...]) -> Iterator[AnyFile | Refused | Noted]:
    """Every file of the sources, folders and archives opened, each once, in the order given and sorted within a folder.

    Images and stylesheets in a folder or archive are passed over, with one Noted each that counts them; a file named outright is never passed over.
    """
    seen: set[Path] = set()
    for path in paths:
        passed: Counter[str] = Counter()
        for file in _entries(path):
            if isinstance(file, Refused):
                yield file
                continue
            real = _real(file)
            if real in seen:
                continue
            seen.add(real)
            what = PASSED_OVER.get(file.suffix.lower()) if file != path else None
            if what:
                passed[what] += 1
            else:
                yield from _opened(file)
        if passed:
            yield Noted(str(path), None, None, told_passed(passed))


def _real(file: Path) -> Path:
    try:
        return file.resolve()
    except (OSError, RuntimeError):  # links that go in a circle
        return file.absolute()


def _opened(file: Path) -> Iterator[AnyFile | Refused | Noted]:
    if not file.is_file():
        yield Refused(str(file), None, None, "not a regular file, or gone since the folder was listed")
    elif file.suffix.lower() in ARCHIVES:
        yield from walk_archive(file)
    else:
        yield DiskFile(file)


def _entries(path: Path) -> Iterator[Path | Refused]:
    """The file itself, or what a folder holds at any depth, sorted: hidden names are left out, links to folders and folders that cannot be listed are told."""
    if not path.is_dir():
        yield path
        return
    found: list[Path] = []
    untold: list[Refused] = []

    def unlisted(error: OSError) -> None:
        untold.append(Refused(str(error.filename), None, None, f"the folder cannot be listed: {error.strerror}"))

    for folder, names, files in os.walk(path, onerror=unlisted):
        names[:] = [name for name in names if not name.startswith(".")]
        found += [Path(folder, name) for name in files if not name.startswith(".")]
        links = [link for name in names if (link := Path(folder, name)).is_symlink()]
        untold += [Refused(str(link), None, None, "a link to a folder is not followed; name that folder as a source") for link in links]
    yield from sorted(untold)
    yield from sorted(found)


def _files(path: Path) -> Iterator[Path]:
    return (p for p in _entries(path) if isinstance(p, Path) and p.is_file())


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
