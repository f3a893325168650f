"""Hostile and broken XML and archives: refused with what and where, quickly, and the labels beside them land."""

from __future__ import annotations

import contextlib
import io
import os
import struct
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb_builder.ingest import archives
from kb_builder.ingest.reader import Refused
from kb_builder.ingest.registry import read_sources
from kb_builder.ingest.spl import read_spl
from kb_builder.ingest.spl_xml import SplRefused, parse_spl
from ontology.text.document import Document

Make = Callable[..., str]
MakeSpl = Callable[..., bytes]

OPEN = '<document xmlns="urn:hl7-org:v3">'
SECONDS = 10.0
"""Far more than any of these takes; a bomb that went off would take longer."""


@pytest.fixture
def label(spl: MakeSpl, section: Make) -> bytes:
    return spl(section("34070-3", "4 CONTRAINDICATIONS", "<paragraph>Glaucoma.</paragraph>"))


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def entity_bomb(levels: int) -> str:
    inner = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10 if n else "a" * 1000}">' for n in range(levels))
    return f"<!DOCTYPE document [{inner}]>"


BROKEN: dict[str, tuple[bytes, str]] = {
    "nothing": (b" \n", "the file is empty"),
    "a zip named .xml": (zipped({"a.xml": b"<a/>"}), "a zip archive, not XML"),
    "a gzip named .xml": (b"\x1f\x8b\x08\x00", "a gzip file, not XML"),
    "a page": (b"<html><body>503</body></html>", "no SPL document: its root is <html>"),
    "another HL7 document": (b'<ClinicalDocument xmlns="urn:hl7-org:v3"/>', "no SPL document: its root is <ClinicalDocument>"),
    "no namespace": (b"<document><setId root='a'/></document>", "of the namespace 'none'"),
    "JSON": (b'{"set_id": "a"}', "not well-formed XML at line 1, column 1"),
    "broken off": (f"{OPEN}\n<section><text>Glaucoma".encode(), "the XML breaks off at line 2"),
    "crossed tags": (f"{OPEN}\n<a><b></a></b></document>".encode(), "not well-formed XML at line 2"),
    "two documents": (f"{OPEN}</document>{OPEN}</document>".encode(), "not well-formed XML"),
    "a control character": (f"{OPEN}\x01</document>".encode(), "not well-formed XML"),
    "bytes of another encoding": (
        f'<?xml version="1.0" encoding="UTF-8"?>\n{OPEN}\u00e9</document>'.encode("latin-1"),
        "not in the encoding the XML declares at line 2",
    ),
    "an unknown encoding": (f'<?xml version="1.0" encoding="x-none"?>{OPEN}</document>'.encode(), "not in the encoding the XML declares"),
    "deep nesting": (f"{OPEN}{'<section>' * 5000}{'</section>' * 5000}</document>".encode(), "nests too deeply at line 1"),
    "a text of 11 MB": (f"{OPEN}<title>{'x' * 11_000_000}</title></document>".encode(), "longer than a label's can be"),
    "an entity": (f'<!DOCTYPE document [<!ENTITY drug "X">]>{OPEN}&drug;</document>'.encode(), "declares entities"),
    "an external entity": (f'<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/hostname">]>{OPEN}<title>&x;</title></document>'.encode(), "declares entities"),
    "a parameter entity": (f'<!DOCTYPE d [<!ENTITY % x SYSTEM "file:///etc/hostname"> %x;]>{OPEN}</document>'.encode(), "declares entities"),
    "entities of a file elsewhere": (f'<!DOCTYPE d SYSTEM "http://127.0.0.1:9/x.dtd">{OPEN}&drug;</document>'.encode(), "&drug; is not read"),
    "an undeclared entity": (f"{OPEN}&drug;</document>".encode(), "uses entities"),
    "a bomb of entities": (f"{entity_bomb(9)}{OPEN}<title>&a8;</title></document>".encode(), "entities"),
    "a bomb in an attribute": (f'{entity_bomb(9)}<document xmlns="urn:hl7-org:v3" x="&a8;"/>'.encode(), "uses entities"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_xml_is_refused_with_the_reason_and_the_others_land(tmp_path: Path, label: bytes, name: str) -> None:
    data, reason = BROKEN[name]
    (tmp_path / "a.xml").write_bytes(data)
    (tmp_path / "b.xml").write_bytes(label)
    began = time.monotonic()
    refused, document = [item for _, item in read_sources((tmp_path,))]
    assert time.monotonic() - began < SECONDS
    assert isinstance(refused, Refused)
    assert refused.source == str(tmp_path / "a.xml")
    assert reason in refused.reason
    assert "\n" not in refused.reason
    assert isinstance(document, Document)


@pytest.mark.parametrize("encoding", ["UTF-16", "ISO-8859-1", "windows-1252", "UTF-8", "GB18030"])
def test_declared_encodings_are_read(label: bytes, encoding: str) -> None:
    text = label.decode().replace("Glaucoma.", "Glaucoma caf\u00e9.")
    document, _ = read_spl(f'<?xml version="1.0" encoding="{encoding}"?>{text}'.encode(encoding))
    assert document.sections[0].text == "4 CONTRAINDICATIONS\n\nGlaucoma caf\u00e9."


def test_a_document_type_without_entities_does_no_harm(label: bytes) -> None:
    document, _ = read_spl(b'<!DOCTYPE document SYSTEM "http://127.0.0.1:9/spl.dtd">' + label)
    assert document.set_id == "aaaa-1"


def test_comments_instructions_and_character_data_change_no_text(spl: MakeSpl, section: Make) -> None:
    text = "<paragraph>Avoid <!-- never --><?x y?>it<![CDATA[ & <that>]]>.</paragraph>"
    document, _ = read_spl(b'<?xml-stylesheet href="a.xsl"?>' + spl(section("34070-3", None, text)))
    assert document.sections[0].text == "Avoid it & <that>."


def test_an_xml_of_100_mb_is_refused_without_being_parsed(tmp_path: Path) -> None:
    path = tmp_path / "long.xml"
    with path.open("wb") as out:
        out.write(OPEN.encode())
        for _ in range(100):
            out.write(b"<a>" + b"x" * (1024 * 1024) + b"</a>")
    ((_, refused),) = read_sources((path,))
    assert isinstance(refused, Refused)
    assert "longer than 64 MB" in refused.reason


def test_a_hundred_thousand_small_elements_are_read_in_time(spl: MakeSpl, section: Make) -> None:
    inside = "<paragraph><content styleCode='bold'>A</content></paragraph>" * 30_000 + "<table><tr>" + "<td/>" * 30_000 + "</tr></table>"
    began = time.monotonic()
    document, _ = read_spl(spl(section("42229-5", None, inside)))
    assert time.monotonic() - began < SECONDS
    assert document.sections[0].text.count("A") == 30_000


def test_fields_nested_without_end_do_not_multiply_the_text(spl: MakeSpl, section: Make) -> None:
    codes = ("34070-3", "34073-7", "34084-4", "34088-5", "34089-3", "34090-1", "34092-7", "34093-5", "34076-0", "42228-7", "34081-0", "34082-8")
    nested = section("34067-9", None, "x" * 10_000)
    for code in codes:
        nested = section(code, None, "", nested)
    document, _ = read_spl(spl(nested))
    assert sum(len(s.text) for s in document.sections) < 70_000


@given(st.integers(min_value=0, max_value=1500), st.integers(min_value=0, max_value=255))
@settings(max_examples=60)
def test_a_damaged_byte_gives_a_document_or_a_reason(place: int, byte: int) -> None:
    data = bytearray(SAMPLE)
    data[place % len(data)] = byte
    with contextlib.suppress(SplRefused):
        assert read_spl(bytes(data))[0].sections


@given(st.integers(min_value=1, max_value=2000))
@settings(max_examples=40)
def test_a_truncated_document_is_refused(length: int) -> None:
    with pytest.raises(SplRefused):
        parse_spl(SAMPLE[: min(length, len(SAMPLE) - 1)])


SAMPLE = (
    f'<?xml version="1.0" encoding="UTF-8"?>{OPEN}<setId root="aaaa-1"/><versionNumber value="3"/><effectiveTime value="20240131"/><component><structuredBody>'
    '<component><section><code code="34070-3" codeSystem="2.16.840.1.113883.6.1"/><title>Contraindications</title><text><paragraph>Glaucoma <sup>1</sup>'
    "</paragraph><table><tr><td>a</td></tr></table></text></section></component></structuredBody></component></document>"
).encode()


# -- archives


def walked(path: Path) -> tuple[list[Document], list[Refused]]:
    items = [item for _, item in read_sources((path,))]
    return [i for i in items if isinstance(i, Document)], [i for i in items if isinstance(i, Refused)]


def test_dangerous_members_are_refused_at_both_levels_and_the_others_land(tmp_path: Path, label: bytes) -> None:
    other = label.replace(b"aaaa-1", b"bbbb-2")
    inner = zipped({"../evil.xml": label, "good.xml": other})
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"/etc/evil.xml": label, "inner.zip": inner, "broken.zip": b"PK\x03\x04no", "good.xml": label}))
    documents, refused = walked(path)
    assert [d.set_id for d in documents] == ["bbbb-2", "aaaa-1"]
    assert [(r.source.removeprefix(str(path)), r.reason.split(":")[0]) for r in refused] == [
        ("!/etc/evil.xml", "the member's name leads out of the archive"),
        ("!inner.zip!../evil.xml", "the member's name leads out of the archive"),
        ("!broken.zip", "not a readable zip archive"),
    ]


def test_an_xml_named_zip_and_a_truncated_archive_are_refused(tmp_path: Path, label: bytes) -> None:
    (tmp_path / "a.zip").write_bytes(label)
    (tmp_path / "b.zip").write_bytes(zipped({"b.xml": os.urandom(5000)})[:3000])
    (tmp_path / "c.zip").write_bytes(b"")
    (tmp_path / "d.xml").write_bytes(label)
    documents, refused = walked(tmp_path)
    assert len(documents) == 1
    assert [r.source[-5:] for r in refused if "not a readable zip archive" in r.reason] == ["a.zip", "b.zip", "c.zip"]


def test_a_flipped_byte_in_an_inner_archive_is_refused_where_it_is(tmp_path: Path, label: bytes) -> None:
    data = bytearray(zipped({"one.xml": label}, zipfile.ZIP_STORED))
    data[data.index(b"Glaucoma")] ^= 0xFF
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"inner.zip": bytes(data), "two.xml": label}))
    documents, refused = walked(path)
    assert len(documents) == 1
    assert [(r.source, "damaged" in r.reason) for r in refused] == [(f"{path}!inner.zip!one.xml", True)]


def test_an_archive_of_many_small_bombs_is_refused_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "RATIO_FROM_BYTES", 1024 * 1024)
    blank = b" " * (1024 * 1024)
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({f"{n}.xml": blank for n in range(20)}))
    documents, (refused,) = walked(path)
    assert documents == []
    assert refused.source == str(path)
    assert "times its size" in refused.reason


def test_a_bomb_in_an_inner_archive_is_refused_and_its_neighbour_lands(tmp_path: Path, label: bytes) -> None:
    inner = zipped({"bomb.xml": b" " * (archives.RATIO_FROM_BYTES + 1), "good.xml": label})
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"inner.zip": inner}))
    documents, (refused,) = walked(path)
    assert len(documents) == 1
    assert refused.source == f"{path}!inner.zip!bomb.xml"


def test_an_inner_archive_over_the_limit_is_refused(tmp_path: Path, label: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_INNER_BYTES", 100)
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"inner.zip": zipped({"a.xml": label}), "b.xml": label}))
    documents, (refused,) = walked(path)
    assert len(documents) == 1
    assert refused.reason.startswith("an archive within an archive is longer than")


def test_members_that_share_their_bytes_are_refused(tmp_path: Path, label: bytes) -> None:
    data = bytearray(zipped({"a.xml": label, "b.xml": label, "c.xml": label}))
    directory = data.index(b"PK\x01\x02")
    second = data.index(b"PK\x01\x02", directory + 4)
    struct.pack_into("<I", data, second + 42, struct.unpack_from("<I", data, directory + 42)[0])
    path = tmp_path / "a.zip"
    path.write_bytes(bytes(data))
    documents, refused = walked(path)
    assert len(documents) == 1
    assert {r.source[-5:] for r in refused if "shares its bytes" in r.reason} == {"a.xml", "b.xml"}


def test_an_archive_with_too_many_members_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_MEMBERS", 3)
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({f"{n}.xml": b"<a/>" for n in range(4)}))
    assert "4 members, more than 3" in walked(path)[1][0].reason


def test_a_size_that_lies_shows_while_it_is_read(tmp_path: Path, label: bytes) -> None:
    data = bytearray(zipped({"a.xml": label}))
    struct.pack_into("<I", data, data.index(b"PK\x01\x02") + 24, 10)
    path = tmp_path / "a.zip"
    path.write_bytes(bytes(data))
    documents, (refused,) = walked(path)
    assert documents == []
    assert refused.reason


def test_a_compression_nobody_reads_is_refused(tmp_path: Path, label: bytes) -> None:
    data = bytearray(zipped({"a.xml": label}))
    struct.pack_into("<H", data, data.index(b"PK\x01\x02") + 10, 9)
    struct.pack_into("<H", data, 8, 9)
    path = tmp_path / "a.zip"
    path.write_bytes(bytes(data))
    assert "cannot be opened" in walked(path)[1][0].reason
