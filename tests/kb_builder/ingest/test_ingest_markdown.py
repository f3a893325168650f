"""Markdown labels: the metadata block, sections verbatim, Chinese headings, tables; and what is refused."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_builder.ingest.classes import classes_of
from kb_builder.ingest.front_matter import FrontMatterError, read_front_matter
from kb_builder.ingest.markdown import MarkdownReader, read_markdown
from kb_builder.ingest.reader import Refused
from kb_builder.ingest.sources import DiskFile
from kb_builder.ingest.tables import tables_of
from ontology.model.identifiers import Code
from ontology.text.document import Document, SectionState

HEAD = "---\nset_id: a-1\nproducts: [{substances: [x]}]\n---\n"


def refusals(path: Path) -> list[Refused]:
    found = list(MarkdownReader().read(DiskFile(path)))
    assert not any(isinstance(item, Document) for item in found)
    return [item for item in found if isinstance(item, Refused)]


def test_identity_products_and_version_come_from_the_block(monograph: str) -> None:
    document, notes = read_markdown(monograph)
    (product,) = document.products
    assert (document.set_id, document.version.number, document.version.effective) == ("test-warfarin", "2", date(2026, 1, 31))
    assert (product.generic_name, product.form, product.routes, product.brand_names) == ("warfarin sodium", "tablet", ("oral",), ("Coumadin",))
    assert Code("rxnorm", "855332") in product.codes
    assert product.substances[0].rxcui == "11289"
    assert notes == ()


def test_a_section_is_everything_under_its_heading_verbatim(monograph: str) -> None:
    document, _ = read_markdown(monograph)
    section = document.section("indications_and_usage")
    assert section is not None
    assert section.text == "\nWarfarin is used for venous thrombosis.\n\n"
    assert section.title == "Indications and usage"
    none = document.section("contraindications")
    assert none is not None
    assert none.state is SectionState.NONE


def test_windows_line_ends_stay(monograph: str) -> None:
    document, _ = read_markdown(monograph.replace("\n", "\r\n"))
    section = document.section("indications_and_usage")
    assert section is not None
    assert section.text == "\r\nWarfarin is used for venous thrombosis.\r\n\r\n"


def test_the_metadata_section_is_the_block_verbatim_and_classes_stand_in_it(monograph: str) -> None:
    document, _ = read_markdown(monograph)
    section = document.section("metadata")
    assert section is not None
    assert monograph.startswith(f"---\n{section.text}---\n")
    (stated,) = classes_of(document)
    assert section.text[stated.start : stated.end] == stated.name == "Vitamin K Antagonist [EPC]"


def test_chinese_headings_lead_to_the_same_keys() -> None:
    body = "## 【适应症】\n用于感染。\n## 【用法用量】\n口服。\n## 【禁忌】\n无。\n## 【药物相互作用】\n华法林。\n## 孕妇及哺乳期妇女用药：\n禁用。\n"
    document, notes = read_markdown(HEAD + body)
    keys = [s.key for s in document.sections if s.key != "metadata"]
    assert keys == ["indications_and_usage", "dosage_and_administration", "contraindications", "drug_interactions", "pregnancy"]
    none = document.section("contraindications")
    assert none is not None
    assert none.state is SectionState.NONE
    assert notes == ()


def test_numbered_unknown_repeated_and_fenced_headings() -> None:
    body = "## 4 Contraindications\nA.\n## Our own heading\nB.\n## Contraindications ##\nC.\n```\n## not a heading\n```\n"
    document, notes = read_markdown(HEAD + body)
    assert [s.key for s in document.sections] == ["contraindications", "our_own_heading", "contraindications.2", "metadata"]
    second = document.section("contraindications.2")
    assert second is not None
    assert "## not a heading" in second.text
    assert [note.field for note in notes] == ["contraindications"]


def test_text_before_the_first_heading_is_kept_and_a_title_alone_is_not() -> None:
    with_text, _ = read_markdown(HEAD + "# Title\nA sentence.\n## Warnings\nx.\n")
    without, _ = read_markdown(HEAD + "# Title\n\n## Warnings\nx.\n")
    assert with_text.section("preamble") is not None
    assert without.section("preamble") is None


def test_tables_of_both_kinds_are_found() -> None:
    text = "| a | b |\n|---|:--|\n| 1 | x<y |\n| 2 \\| 3 | |\n\ntext | no table\n\n<table><tr><td>c | d</td></tr>\n</table>\n"
    pipe, html = tables_of(text)
    assert pipe == "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>x&lt;y</td></tr><tr><td>2 | 3</td><td></td></tr></table>"
    assert html.startswith("<table><tr><td>c | d</td>")


def test_scalars_stay_as_written(monograph: str) -> None:
    front = read_front_matter(monograph.replace('version: "2"', "version: 1.10"))
    assert front.version == "1.10"


@pytest.mark.parametrize(
    ("old", "new", "where", "reason"),
    [
        ("---\nset_id", "set_id", "metadata block", "missing"),
        ("set_id: test-warfarin\n", "", "set_id", "without a set id"),
        ("set_id: test-warfarin", "set_id: a b", "set_id", "is not a set id"),
        ("effective: 2026-01-31", "effective: 31.1.2026", "effective", "not a date YYYY-MM-DD"),
        ("title: Warfarin tablets", "title: [a]", "title", "expected text, found a list"),
        ("rxnorm:855332", "855332", r"products\[0\].codes", "is not system:code"),
        ("rxnorm:855332", "umls:855332", r"products\[0\].codes", "is not system:code"),
        ("    routes: [oral]", "    routes: oral", r"products\[0\].routes", "expected a list"),
        ("    substances: [{name: warfarin sodium, unii: 6153CWM0CL, rxcui: \"11289\"}]", "", r"products\[0\].substances", "missing"),
        ("{name: warfarin sodium, ", "{", r"products\[0\].substances\[0\].name", "missing"),
        ("title: Warfarin tablets", "title: 'open", "metadata block", "not YAML"),
        ("title: Warfarin tablets", "title: &a x\npublisher: *a", "metadata block", "aliases"),
    ],
)  # fmt: skip
def test_a_block_that_cannot_be_read_says_where_and_why(monograph: str, old: str, new: str, where: str, reason: str) -> None:
    assert old in monograph
    with pytest.raises(FrontMatterError, match=reason) as caught:
        read_front_matter(monograph.replace(old, new, 1))
    assert caught.value.where == where.replace("\\", "")


def test_unknown_keys_and_missing_products_are_told(monograph: str) -> None:
    _, notes = read_markdown(monograph.replace("sources:", "sorces:").replace("products:", "product:"))
    assert {(note.field, note.lost) for note in notes} == {("sorces", True), ("product", True), ("products", False)}


def test_files_that_are_no_labels_are_refused(tmp_path: Path, monograph: str) -> None:
    path = tmp_path / "a.md"
    for data, reason in (
        (b"# Readme\n", "no section of a label found"),
        (monograph.encode("utf-16")[2:], "byte 1 is 0x00"),
        (monograph[: monograph.index("## ")].encode(), "is empty"),
        (b"", "the file is empty"),
    ):
        path.write_bytes(data)
        (refusal,) = refusals(path)
        assert refusal.source == str(path)
        assert reason in refusal.reason


@given(body=st.text(st.characters(blacklist_categories=("Cs",)), max_size=200))
def test_sections_are_slices_of_the_text(body: str) -> None:
    text = HEAD + "## Warnings\n" + body + "\n## Pregnancy\nend\n"
    document, _ = read_markdown(text)
    assert all(s.text in text for s in document.sections)


@given(data=st.binary(max_size=200))
def test_no_bytes_at_all_raise_in_a_markdown_file(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("any") / "a.md"
    path.write_bytes(data)
    assert list(MarkdownReader().read(DiskFile(path)))
