"""Text of bytes: what is read as what, which guess is named, and what is refused with byte and place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_builder.ingest.encodings import Undecodable, decode_text
from kb_builder.ingest.markdown import MarkdownReader
from kb_builder.ingest.reader import Noted, Refused
from kb_builder.ingest.sources import DiskFile
from ontology.text.document import Document

CHINESE = "【禁忌】\n对本品过敏者禁用。一日2～3次,每次0.5g(或1g)。\n【用法用量】\n口服。贮藏于25℃以下。\n"
ENGLISH = "CONTRAINDICATIONS\n\nKnown hypersensitivity.\n\nSTORAGE AND HANDLING\n\nStore at 20°–25°C (68°–77°F). Tylenol® 5 µg ± 1 “none”.\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("text", [CHINESE, ENGLISH])
def test_unicode_with_its_mark_is_no_guess(text: str, encoding: str) -> None:
    decoded = decode_text(text.encode(encoding))
    assert (decoded.text, decoded.guessed) == (text, False)


def test_big_endian_with_its_mark() -> None:
    assert decode_text(b"\xfe\xff" + CHINESE.encode("utf-16-be")).text == CHINESE


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        (CHINESE, "gb18030", "GB18030"),
        ("【禁忌】无", "gbk", "GB18030"),
        (ENGLISH, "cp1252", "Windows-1252"),
        ("WARNINGS\nStore at 25°C.", "cp1252", "Windows-1252"),
        ("【用法用量】\n口服,每日三次。對本品過敏者禁用,孕婦禁用,兒童應在醫師指導下使用。" * 5, "big5", "Big5"),
    ],
)
def test_older_encodings_are_guessed_and_named(text: str, codec: str, name: str) -> None:
    decoded = decode_text(text.encode(codec))
    assert (decoded.text, decoded.encoding, decoded.guessed) == (text, name, True)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"WARNINGS\n\x00\x01", "byte 9 is 0x00: a binary file"),
        (b"WARNINGS\n" + "é".encode() * 20 + b"\xff.", "byte 49 is 0xff, line 2"),
        ("丸".encode() * 40 + b"\xb0\xa1", "byte 120 is 0xb0, line 1"),
        (b"\xff\xfea\x00\x00\xd8b\x00", "marked UTF-16-LE and is not: byte 4 is 0x00"),
        (b"abc \xed\xa0\x80 def", "byte 4 is 0xed, line 1"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n\x1fobj", "not UTF-8 and of no encoding"),
        (b"plain \x02 text", "line 1 holds the control character 0x02"),
        (bytes(range(0x80, 0xA0)), "byte 0 is 0x80, line 1"),
    ],
)
def test_what_is_no_text_is_refused_with_byte_and_place(data: bytes, reason: str) -> None:
    with pytest.raises(Undecodable, match=reason):
        decode_text(data)


def test_the_reader_notes_the_guess_and_refuses_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(CHINESE.encode("gb18030"))
    items = list(MarkdownReader().read(DiskFile(path)))
    assert isinstance(items[0], Document)
    assert any(isinstance(i, Noted) and "read as GB18030, which is a guess" in i.reason for i in items)
    path.write_bytes(b"WARNINGS\n\x00")
    (refusal,) = MarkdownReader().read(DiskFile(path))
    assert isinstance(refusal, Refused)


@given(st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=200))
def test_utf8_comes_back_as_it_was(text: str) -> None:
    decoded = decode_text(text.encode())
    assert (decoded.text, decoded.guessed) == (text.removeprefix("\ufeff"), False)


def reason_of(data: bytes) -> str:
    try:
        return decode_text(data).encoding
    except Undecodable as e:
        return str(e)


@given(st.binary(max_size=300))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    assert re.match(r"(?i)utf-|GB18030$|Big5$|Windows-1252$|.*(?:byte|line) \d+", reason_of(data))
