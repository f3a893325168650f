"""Sources: what is opened, what is refused, and that nothing a file holds can do harm."""

from __future__ import annotations

import os
import stat
import zipfile
from pathlib import Path

import pytest

from kb_builder.ingest import archives, sources
from kb_builder.ingest.archives import ArchiveMember
from kb_builder.ingest.reader import Damaged, Refused
from kb_builder.ingest.sources import DiskFile, walk


def archive(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members.items():
            made.writestr(name, data)
    return path


def only_refusal(path: Path) -> Refused:
    (found,) = walk((path,))
    assert isinstance(found, Refused)
    return found


def test_a_folder_gives_its_files_sorted_and_leaves_hidden_ones_out(tmp_path: Path) -> None:
    for name in ("b.json", "a.md", ".hidden.md", "deep/c.json", ".git/d.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    found = [f.name for f in walk((tmp_path,)) if isinstance(f, DiskFile)]
    assert found == [str(tmp_path / name) for name in ("a.md", "b.json", "deep/c.json")]


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")
    assert len(list(walk((path, tmp_path, path)))) == 1


def test_members_of_an_archive_are_streamed(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.json.zip", {"a.json": b"[1]", "__MACOSX/._a.json": b"x"})
    (member,) = walk((path,))
    assert isinstance(member, ArchiveMember)
    assert member.name == f"{path}!a.json"
    with member.open() as stream:
        assert stream.read() == b"[1]"


@pytest.mark.parametrize("name", ["../evil.json", "/etc/evil.json", "a/../../evil.json", "..\\evil.json", "C:\\evil.json"])
def test_a_member_that_leads_out_of_the_archive_is_refused(tmp_path: Path, name: str) -> None:
    assert "leads out of the archive" in only_refusal(archive(tmp_path / "a.zip", {name: b"[]"})).reason


def test_a_link_in_an_archive_is_refused(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("link.json")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as made:
        made.writestr(info, "/etc/passwd")
    assert "link" in only_refusal(tmp_path / "a.zip").reason


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", {"a.json": b"[]"})
    data = bytearray(path.read_bytes())
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + flags] |= 1
    path.write_bytes(data)
    assert "encrypted" in only_refusal(path).reason


def test_an_archive_in_an_archive_is_walked_and_one_deeper_is_refused(tmp_path: Path) -> None:
    deepest = archive(tmp_path / "deepest.zip", {"b.json": b"[2]"})
    inner = archive(tmp_path / "inner.zip", {"a.json": b"[1]", "deepest.zip": deepest.read_bytes()})
    outer = archive(tmp_path / "outer.zip", {"prescription/inner.zip": inner.read_bytes()})
    member, refusal = walk((outer,))
    assert isinstance(member, ArchiveMember)
    assert member.name == f"{outer}!prescription/inner.zip!a.json"
    with member.open() as stream:
        assert stream.read() == b"[1]"
    assert isinstance(refusal, Refused)
    assert refusal.source == f"{outer}!prescription/inner.zip!deepest.zip"
    assert "two levels deep" in refusal.reason


def test_a_bomb_is_refused_by_what_its_header_says(tmp_path: Path) -> None:
    path = archive(tmp_path / "bomb.zip", {"a.json": b" " * (archives.RATIO_FROM_BYTES + 1)})
    assert "times its size" in only_refusal(path).reason


def test_a_member_over_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_MEMBER_BYTES", 10)
    assert "more than the limit of 10" in only_refusal(archive(tmp_path / "a.zip", {"a.json": b"[" + b" " * 20 + b"]"})).reason


def test_a_truncated_archive_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", {"a.json": os.urandom(5000)})
    path.write_bytes(path.read_bytes()[:3000])
    refusal = only_refusal(path)
    assert refusal.source == str(path)
    assert "not a readable zip archive" in refusal.reason


def test_a_flipped_byte_inside_an_archive_breaks_off_with_the_reason(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", {"a.json": os.urandom(5000)})
    data = bytearray(path.read_bytes())
    data[2500] ^= 0xFF
    path.write_bytes(data)
    (member,) = walk((path,))
    assert isinstance(member, ArchiveMember)
    with member.open() as stream, pytest.raises(Damaged, match="damaged"):
        stream.read()


def test_an_empty_archive_and_an_unreadable_file_say_so(tmp_path: Path) -> None:
    assert "empty" in only_refusal(archive(tmp_path / "a.zip", {})).reason
    with pytest.raises(Damaged, match="cannot be opened"), DiskFile(tmp_path / "absent.json").open():
        pass


def test_a_record_over_the_limit_breaks_off(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    path.write_bytes(b"x" * 200)
    with path.open("rb") as raw:
        stream = sources.BoundedStream(raw, limit=60)
        assert stream.read(50)
        stream.mark()
        assert stream.read(40)
        with pytest.raises(Damaged, match="longer than"):
            stream.read(50)


def test_the_hash_of_a_folder_depends_on_names_and_content(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("one")
    first = sources.file_hash(tmp_path)
    (tmp_path / "a.md").write_text("two")
    second = sources.file_hash(tmp_path)
    (tmp_path / "a.md").rename(tmp_path / "b.md")
    assert len({first, second, sources.file_hash(tmp_path)}) == 3


def test_a_pipe_or_device_is_refused_without_being_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    for path in (tmp_path / "pipe.json", Path("/dev/zero")):
        assert "not a regular file" in only_refusal(path).reason
        assert sources.file_hash(path) == sources.UNREADABLE
    (told,) = walk((tmp_path,))
    assert isinstance(told, Refused)
    assert told.source == str(tmp_path / "pipe.json")
