"""Lines of files and archives that may do harm."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from ontology.model.errors import TerminologyError
from ontology.terms.readers import streams
from ontology.terms.readers.records import LineRefused
from ontology.terms.readers.streams import Member, find_members, read_columns, read_lines


def test_lines_are_numbered_and_empty_ones_left_out(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("\ufeffone\r\n\r\nthree\nfour".encode())
    assert list(read_lines(Member(tmp_path / "a"))) == [(1, "one"), (3, "three"), (4, "four")]


def test_an_endless_line_is_refused_without_being_held(tmp_path: Path) -> None:
    with (tmp_path / "a").open("wb") as stream:
        stream.write(b"first\n")
        stream.seek(1024**3, 1)  # a sparse file: a gigabyte of zero bytes
        stream.write(b"\nlast\n")
    found = list(read_lines(Member(tmp_path / "a")))
    assert found == [(1, "first"), LineRefused("a, line 2", "longer than 1,048,576 bytes"), (3, "last")]


def test_wrong_bytes_are_refused_by_line(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"good\nb\xffd\nz\x00ro\nend\n")
    found = list(read_lines(Member(tmp_path / "a")))
    assert [f.place if isinstance(f, LineRefused) else f for f in found] == [(1, "good"), "a, line 2", "a, line 3", (4, "end")]


def test_a_line_with_another_number_of_cells_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1|2|\n1|2\n1|2|3|4|\n")
    found = list(read_columns(Member(tmp_path / "a"), "|", 2))
    assert found == [(1, ["1", "2"]), (2, ["1", "2"]), LineRefused("a, line 3", "5 columns instead of 2")]


def test_a_bomb_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "RATIO_FROM_BYTES", 1_000)
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.RRF", b"0" * 10_000_000)
    with pytest.raises(TerminologyError, match="would unpack to 10,000,000 bytes"):
        find_members(tmp_path / "a.zip", "RRF")


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.RRF", "line\n" * 50_000)
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + b"\x55" * 40 + whole[140:])
    with pytest.raises(TerminologyError, match="cannot be read"):
        list(read_lines(find_members(path, "RRF")[0]))
    path.write_bytes(b"no archive")
    with pytest.raises(TerminologyError, match="not a readable zip"):
        find_members(path, "RRF")
