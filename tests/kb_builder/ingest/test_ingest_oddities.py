"""Oddities of real and hostile sources: what is read in spite of them, and what is told of the rest."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from kb_builder.ingest.encodings import Undecodable, decode_text
from kb_builder.ingest.fields import known_key
from kb_builder.ingest.front_matter import FrontMatterError
from kb_builder.ingest.markdown import read_markdown
from kb_builder.ingest.reader import Item, Noted, Refused
from kb_builder.ingest.registry import read_sources
from kb_builder.ingest.spl import read_spl
from ontology.text.document import Document

MakeSpl = Callable[..., bytes]
Make = Callable[..., str]

GUID = "aabbccdd-1111-2222-3333-444455556666"
BLOCK = "---\nset_id: m-1\nproducts:\n  - substances: [calmazine]\n---\n"
KOREAN = "이 약은 불안의 치료에 사용한다. 성인의 경우 하루에 두 번 복용한다. 다음 환자에는 투여하지 말 것. 이 약의 성분에 과민반응의 병력이 있는 환자. "
JAPANESE = "本剤は不安の治療に用いる。通常、成人には一回十ミリグラムを一日二回経口投与する。本剤の成分に対し過敏症の既往歴のある患者には投与しないこと。"
CHINESE = "用于焦虑。成人一次十毫克，一日二次，口服。对本品过敏者禁用。重度肝功能不全患者应慎用。与其他药物合用时，作用可能增强。"


def items(path: Path) -> list[Item]:
    return [item for _, item in read_sources((path,))]


def texts(body: str) -> dict[str, str]:
    document, _ = read_markdown(BLOCK + body)
    return {section.key: section.text.strip() for section in document.sections}


# -- headings


@pytest.mark.parametrize(
    "heading",
    [
        "Contra\u00adindications",
        "\ufeffContraindications",
        "CONTRA\u200bINDICATIONS\u200b",
        "<b>Contra</b>indications <a name='x'></a>",
        "\u202e4 Contraindications\u202c",
    ],
)
def test_what_nobody_sees_in_a_heading_does_not_change_it(heading: str) -> None:
    assert known_key(heading) == "contraindications"


def test_a_heading_behind_a_byte_order_mark_in_the_middle_opens_its_section() -> None:
    assert texts("\n## Indications\n\nUnrest.\n\ufeff## Contraindications\n\nGlaucoma.\n")["contraindications"] == "Glaucoma."


@pytest.mark.parametrize("mark", ["# {}\n", "### {}\n", "**{}**\n"])
def test_a_label_with_headings_of_another_level_keeps_its_sections(mark: str) -> None:
    body = "\n" + mark.format("Indications") + "\nUnrest.\n\n" + mark.format("Contraindications") + "\nGlaucoma.\n"
    assert texts(body)["contraindications"] == "Glaucoma."


def test_a_known_heading_of_the_first_level_ends_the_section_above_it() -> None:
    found = texts("\n## Indications\n\nUnrest.\n\n# Contraindications\n\nGlaucoma.\n")
    assert (found["indications_and_usage"], found["contraindications"]) == ("Unrest.", "Glaucoma.")


def test_a_title_of_the_first_level_opens_no_section() -> None:
    assert "calmazine" not in texts("\n# Calmazine\n\n## Indications\n\nUnrest.\n")


# -- metadata


def test_blank_lines_before_the_metadata_block_do_not_hide_it(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("\n \n" + BLOCK + "\n## Indications\n\nUnrest.\n")
    (document,) = items(path)
    assert isinstance(document, Document)
    assert document.set_id == "m-1"
    assert document.products


def test_a_key_that_comes_twice_is_refused_with_its_line() -> None:
    with pytest.raises(FrontMatterError, match="line 3: set_id comes twice"):
        read_markdown(BLOCK.replace("set_id: m-1\n", "set_id: m-1\nset_id: m-2\n") + "\n## Indications\n\nUnrest.\n")


@pytest.mark.parametrize("written", [GUID, GUID.upper(), "{" + GUID + "}"])
def test_versions_of_one_label_meet_under_one_set_id(spl: MakeSpl, spl_head: str, section: Make, written: str) -> None:
    document, _ = read_spl(spl(section("34067-9", "INDICATIONS", "<paragraph>Unrest.</paragraph>"), head=spl_head.replace("aaaa-1", written)))
    assert document.set_id == GUID


@pytest.mark.parametrize(("value", "effective"), [("29991231", None), ("19000101", None), ("19620312", date(1962, 3, 12)), ("20260101", date(2026, 1, 1))])
def test_a_date_that_no_label_bears_decides_nothing(spl: MakeSpl, spl_head: str, section: Make, value: str, effective: date | None) -> None:
    head = spl_head.replace('effectiveTime value="20240131"', f'effectiveTime value="{value}"')
    document, notes = read_spl(spl(section("34067-9", "INDICATIONS", "<paragraph>Unrest.</paragraph>"), head=head))
    assert document.version.effective == effective
    assert [lost for field, _, lost in notes if field == "effectiveTime"] == ([True] if effective is None else [])


# -- parts of an SPL document


def test_all_bodies_of_a_document_are_read_and_a_file_inside_it_is_told(spl: MakeSpl, section: Make) -> None:
    first = section("34067-9", "INDICATIONS", "<paragraph>Unrest.</paragraph>")
    second = section("34070-3", "CONTRAINDICATIONS", "<paragraph>Glaucoma.</paragraph>")
    more = f"<component><structuredBody><component>{second}</component></structuredBody></component>"
    file = "<component><nonXMLBody><text>AAAA</text></nonXMLBody></component>"
    data = (
        spl(first).replace(b"<component><structuredBody>", f"{file}<component><structuredBody>".encode()).replace(b"</document>", f"{more}</document>".encode())
    )
    document, notes = read_spl(data)
    assert {"indications_and_usage", "contraindications"} <= {s.key for s in document.sections}
    assert [lost for _, reason, lost in notes if "nonXMLBody" in reason] == [True]


# -- records


def test_a_number_of_endless_digits_is_refused_and_ends_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"results": [{"set_id": "b1", "version": ' + "9" * 200_000 + "}]}")
    (tmp_path / "b.md").write_text(BLOCK + "\n## Indications\n\nUnrest.\n")
    refused, document = items(tmp_path)
    assert isinstance(refused, Refused)
    assert "digits" in refused.reason
    assert isinstance(document, Document)


def test_a_list_of_a_million_other_things_is_told_in_bounds(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[" + "0," * 1_000_000 + "0]")
    found = items(tmp_path)
    assert len(found) < 200
    assert "no records" in str(found[-1])


# -- files


def test_what_a_folder_holds_and_nobody_can_read_is_told(tmp_path: Path) -> None:
    inside, beside = tmp_path / "labels", tmp_path / "beside"
    inside.mkdir()
    beside.mkdir()
    (inside / "nowhere.md").symlink_to("missing.md")
    (inside / "self.md").symlink_to(inside / "self.md")
    (inside / "linked").symlink_to(beside)
    (inside / "zero.md").symlink_to("/dev/zero")
    os.mkfifo(inside / "pipe.md")
    (inside / ".hidden.md").write_text("x")
    told = {Path(item.source).name: item.reason for item in items(inside) if isinstance(item, Refused)}
    assert set(told) == {"nowhere.md", "self.md", "linked", "zero.md", "pipe.md"}
    assert "name that folder as a source" in told["linked"]


def test_a_name_cannot_break_the_line_it_is_told_on() -> None:
    told = str(Noted("a\nrefused: 0\x1b[2J\u202eb.md", None, None, "why"))
    assert told == "a\\nrefused: 0\\x1b[2J\\u202eb.md: why"


# -- encodings


@pytest.mark.parametrize(("text", "codec"), [(KOREAN, "euc-kr"), (KOREAN, "cp949"), (JAPANESE, "euc-jp"), (JAPANESE, "cp932")])
def test_korean_and_japanese_bytes_are_never_read_as_chinese(text: str, codec: str) -> None:
    with pytest.raises(Undecodable):
        decode_text(text.encode(codec))


def test_chinese_bytes_still_are() -> None:
    assert decode_text(CHINESE.encode("gb18030")).text == CHINESE


@pytest.mark.parametrize("text", ["Überempfindlichkeit, Müdigkeit, Größe. Ärzte müssen prüfen.", "Hypersensibilité sévère; âgés, déjà, où, çà."])
def test_german_and_french_bytes_are_read_as_what_they_are(text: str) -> None:
    assert decode_text(text.encode("latin-1")).text == text
