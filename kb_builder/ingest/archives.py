"""Zip archives, and the zip archives in them one level deep, as streams of their members that cannot do harm.

Nothing is ever unpacked to disk. A member is refused when its name leaves the archive, when it is a link, encrypted, shares its bytes with
another or lies an archive too deep, and when its size says that it would blow up; what its header hides shows while it is read. What only
accompanies a label (images, stylesheets) is passed over and counted in one line an archive.
"""

from __future__ import annotations

import contextlib
import io
import stat
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from kb_builder.ingest.bounded import BoundedStream
from kb_builder.ingest.reader import ByteStream, Damaged, Noted, Refused

ARCHIVES = (".zip",)
MAX_MEMBER_BYTES = 8 * 1024**3
MAX_INNER_BYTES = 256 * 1024**2
"""Largest archive within an archive; it is held in memory while its members are read. The zip of one label has a few megabytes."""
MAX_MEMBERS = 200_000
MAX_RATIO = 200
RATIO_FROM_BYTES = 16 * 1024 * 1024
"""Real archives of labels pack 5 to 12 times; a member or an archive above 200 times and above 16 MB is a bomb."""
_LOCAL_HEADER = 30
_IMAGES = (".jpg", ".jpeg", ".png", ".gif", ".bmp", ".tif", ".tiff", ".svg")
_STYLES = (".xsl", ".xslt", ".css")
_BESIDE = {".txt": "text", ".pdf": "PDF"}

PASSED_OVER = dict.fromkeys(_IMAGES, "image") | dict.fromkeys(_STYLES, "stylesheet")
"""Endings of what accompanies labels and holds none, and what it is called."""


class OpenArchive:
    """An archive that stays open while its members are walked, and opens itself again for a member read later."""

    def __init__(self, source: Path | bytes) -> None:
        self._source = source
        self._shared: zipfile.ZipFile | None = None

    def open(self) -> list[zipfile.ZipInfo]:
        """Opens it for all members; what its directory lists. Raises what zipfile raises."""
        self._shared = self._archive()
        return self._shared.infolist()

    def close(self) -> None:
        """Ends the walk; members read later open the archive themselves."""
        shared, self._shared = self._shared, None
        if shared is not None:
            shared.close()

    @contextmanager
    def reading(self) -> Iterator[zipfile.ZipFile]:
        """The archive, open. Raises what zipfile raises."""
        if self._shared is not None:
            yield self._shared
        else:
            with self._archive() as own:
                yield own

    def _archive(self) -> zipfile.ZipFile:
        return zipfile.ZipFile(self._source if isinstance(self._source, Path) else io.BytesIO(self._source))


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """One member of a zip archive; `archive` is the name to show, with the outer archive before `!`."""

    archive: str
    member: str
    size: int
    opened: OpenArchive = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        """`archive.zip!member`, or `archive.zip!inner.zip!member`."""
        return f"{self.archive}!{self.member}"

    @contextmanager
    def open(self) -> Iterator[ByteStream]:
        """The uncompressed bytes. Raises Damaged."""
        with _translated("the archive member cannot be opened"), self.opened.reading() as archive:
            raw = archive.open(self.member)
        with raw:
            yield BoundedStream(raw)

    def content(self, limit: int) -> bytes:
        """All bytes. Raises Damaged, also when there are more than the limit."""
        with _translated("the archive member cannot be opened"), self.opened.reading() as archive:
            raw = archive.open(self.member)
        with raw:
            return BoundedStream(raw, limit).read()


@contextmanager
def _translated(what: str) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, KeyError, ValueError, OSError) as e:
        raise Damaged(f"{what}: {e}") from e


def walk_archive(path: Path) -> Iterator[ArchiveMember | Refused | Noted]:
    """Every member of the archive that may hold labels, in its own order; every refusal; and one line on what was passed over."""
    passed: Counter[str] = Counter()
    yield from _walk(path, str(path), path.stat().st_size, passed, inner=False)
    if passed:
        yield Noted(str(path), None, None, told_passed(passed))


def told_passed(passed: Counter[str]) -> str:
    """`passed over: 12 images, 1 stylesheet`."""
    return "passed over: " + ", ".join(f"{count} {what}{'s' if count > 1 else ''}" for what, count in sorted(passed.items()))


def _walk(source: Path | bytes, shown: str, size: int, passed: Counter[str], *, inner: bool) -> Iterator[ArchiveMember | Refused]:
    archive = OpenArchive(source)
    with contextlib.closing(archive):
        try:
            infos = [info for info in archive.open() if not info.is_dir()]
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as e:
            yield Refused(shown, None, None, f"not a readable zip archive: {e}")
            return
        whole = _danger_of_all(infos, size)
        if whole:
            yield Refused(shown, None, None, whole)
            return
        yield from _walk_members(archive, infos, shown, passed, inner=inner)


def _walk_members(archive: OpenArchive, infos: list[zipfile.ZipInfo], shown: str, passed: Counter[str], *, inner: bool) -> Iterator[ArchiveMember | Refused]:
    names: set[str] = set()
    overlapping = _overlapping(infos)
    accompanying = _accompanying(infos)
    for info in infos:
        reason = danger(info) or ("a second member of this name" if info.filename in names else None)
        reason = reason or ("the member shares its bytes with another" if info.filename in overlapping else None)
        names.add(info.filename)
        ending = _ending(info.filename)
        member = ArchiveMember(shown, info.filename, info.file_size, archive)
        if reason:
            yield Refused(f"{shown}!{info.filename[:200]}", None, None, reason)
        elif _hidden(info.filename):
            continue
        elif ending in accompanying:
            passed[accompanying[ending]] += 1
        elif ending not in ARCHIVES:
            yield member
        elif inner:
            yield Refused(member.name, None, None, "an archive two levels deep in archives is not opened; unpack the outer one first")
        else:
            yield from _walk_inner(member, passed)


def _walk_inner(member: ArchiveMember, passed: Counter[str]) -> Iterator[ArchiveMember | Refused]:
    try:
        content = member.content(MAX_INNER_BYTES)
    except Damaged as e:
        yield Refused(member.name, None, None, str(e).replace("a record is", "an archive within an archive is"))
        return
    yield from _walk(content, member.name, len(content), passed, inner=True)


def _danger_of_all(infos: list[zipfile.ZipInfo], size: int) -> str | None:
    """Why an archive is not opened at all, or None."""
    if not infos:
        return "the archive is empty"
    if len(infos) > MAX_MEMBERS:
        return f"the archive has {len(infos):,} members, more than {MAX_MEMBERS:,}"
    total = sum(i.file_size for i in infos if danger(i) is None)
    if total > RATIO_FROM_BYTES and total > MAX_RATIO * max(size, 1):
        return f"the archive would unpack to {total // max(size, 1)} times its size, more than {MAX_RATIO}"
    return None


def danger(info: zipfile.ZipInfo) -> str | None:
    """Why a member is not opened, or None."""
    name = info.filename
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if not parts or name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0] or "\x00" in name:
        return "the member's name leads out of the archive"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "the member is a link"
    if info.flag_bits & 0x1:
        return "the member is encrypted"
    if info.file_size > MAX_MEMBER_BYTES:
        return f"the member would unpack to {info.file_size:,} bytes, more than the limit of {MAX_MEMBER_BYTES:,}"
    if info.file_size > RATIO_FROM_BYTES and info.file_size > MAX_RATIO * max(info.compress_size, 1):
        return f"the member would unpack to {info.file_size // max(info.compress_size, 1)} times its size, more than {MAX_RATIO}"
    return None


def _overlapping(infos: list[zipfile.ZipInfo]) -> set[str]:
    """The names of members whose bytes reach into the next one's."""
    placed = sorted(infos, key=lambda info: info.header_offset)
    ends = ((info, info.header_offset + _LOCAL_HEADER + len(info.orig_filename) + info.compress_size) for info in placed[:-1])
    return {name for (info, end), after in zip(ends, placed[1:], strict=True) if end > after.header_offset for name in (info.filename, after.filename)}


def _accompanying(infos: Iterable[zipfile.ZipInfo]) -> dict[str, str]:
    """The endings of what is passed over here: in the zip of one label also the texts and PDFs beside it, among zips of labels the texts."""
    endings = Counter(_ending(info.filename) for info in infos if not _hidden(info.filename))
    if any(ending in ARCHIVES for ending in endings):
        return PASSED_OVER | {".txt": _BESIDE[".txt"]}
    one_label = endings[".xml"] == 1 and set(endings) <= {".xml", *PASSED_OVER, *_BESIDE}
    return PASSED_OVER | _BESIDE if one_label else PASSED_OVER


def _ending(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


def _hidden(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return any(part.startswith(".") or part == "__MACOSX" for part in parts)
