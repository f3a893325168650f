"""SPL documents: identity, versions, what is no label for people, and labels of archives in the workspace."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from kb_builder.ingest.reader import Noted, Refused
from kb_builder.ingest.registry import read_sources
from kb_builder.ingest.spl import read_spl
from kb_builder.ingest.spl_xml import SplRefused
from kb_builder.workspace import Workspace
from ontology.text.document import Document

Make = Callable[..., str]
MakeSpl = Callable[..., bytes]


@pytest.fixture
def label(spl: MakeSpl, section: Make, spl_head: str) -> Callable[..., bytes]:
    """An SPL document with one section, with words of its head replaced."""

    def make(*replaced: tuple[str, str], text: str = "Glaucoma.") -> bytes:
        head = spl_head
        for old, new in replaced:
            assert old in head
            head = head.replace(old, new)
        return spl(section("34070-3", "4 CONTRAINDICATIONS", f"<paragraph>{text}</paragraph>"), head=head)

    return make


def test_identity_and_version_come_from_the_document(label: Callable[..., bytes]) -> None:
    document, notes = read_spl(label())
    assert (document.set_id, document.version.number, document.version.effective, document.version.key) == ("aaaa-1", "3", date(2024, 1, 31), "3")
    assert document.version.content_hash == hashlib.sha256(label()).hexdigest()
    assert (document.kind, document.language, document.product_type, document.publisher) == ("spl", "en", "HUMAN PRESCRIPTION DRUG", "A maker")
    assert document.url is not None
    assert document.url.endswith("setid=aaaa-1")
    assert notes == ()


@pytest.mark.parametrize(
    ("element", "effective"),
    [
        ('<effectiveTime value="20240131120000"/>', date(2024, 1, 31)),
        ('<effectiveTime value="20240131120000.000-0500"/>', date(2024, 1, 31)),
        ('<effectiveTime><low value="20240131"/><high value="20250131"/></effectiveTime>', date(2024, 1, 31)),
        ("<effectiveTime/>", None),
        ("", None),
    ],
)
def test_dates_in_all_their_forms(label: Callable[..., bytes], element: str, effective: date | None) -> None:
    document, notes = read_spl(label(('<effectiveTime value="20240131"/>', element)))
    assert document.version.effective == effective
    assert notes == ()


@pytest.mark.parametrize("value", ["20241331", "2024", "31.01.2024", "20240131x"])
def test_a_date_that_is_none_is_refused_and_the_label_lands(label: Callable[..., bytes], value: str) -> None:
    document, notes = read_spl(label(('value="20240131"', f'value="{value}"')))
    assert document.version.effective is None
    assert notes == (("effectiveTime", f"{value!r} is not a date YYYYMMDD of a label: the label's date is unknown", True),)


def test_a_version_that_is_none_is_refused_and_the_label_lands(label: Callable[..., bytes]) -> None:
    document, notes = read_spl(label(('value="3"', 'value="3 or 4"')))
    assert document.version.number is None
    assert notes[0][2] is True


def test_a_label_without_set_id_is_known_by_its_content(label: Callable[..., bytes]) -> None:
    data = label(('<setId root="aaaa-1"/>', ""), ('<versionNumber value="3"/>', ""), ('<effectiveTime value="20240131"/>', ""))
    document, notes = read_spl(data)
    assert document.set_id == f"text-{hashlib.sha256(data).hexdigest()[:16]}"
    assert document.version.key.startswith("unversioned:")
    assert document.url is None
    assert [(field, lost) for field, _, lost in notes] == [("setId", False)]


def test_the_language_is_the_documents(label: Callable[..., bytes]) -> None:
    document, _ = read_spl(label(("<title/>", '<title/><languageCode code="es-US"/>')))
    assert document.language == "es"


@pytest.mark.parametrize(
    ("replaced", "where", "reason"),
    [
        (("aaaa-1", "../../etc/passwd"), "setId", "is not a set id"),
        (("HUMAN PRESCRIPTION DRUG LABEL", "PRESCRIPTION ANIMAL DRUG LABEL"), "code", "a label for animals"),
    ],
)
def test_what_is_no_label_for_people_is_refused(label: Callable[..., bytes], replaced: tuple[str, str], where: str, reason: str) -> None:
    with pytest.raises(SplRefused, match=reason) as caught:
        read_spl(label(replaced))
    assert caught.value.where == where


def test_a_document_without_text_and_product_is_refused_and_one_with_a_product_lands(spl: MakeSpl) -> None:
    with pytest.raises(SplRefused, match="the document aaaa-1 is empty"):
        read_spl(spl("<section/>", product=""))
    document, notes = read_spl(spl("<section/>"))
    assert document.products
    assert "only its products were read" in notes[0][1]


# -- archives


def zipped(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def test_a_bulk_archive_gives_each_label_of_its_archives(label: Callable[..., bytes], tmp_path: Path) -> None:
    bulk = tmp_path / "dm_spl_release.zip"
    one = zipped({"one.xml": label(), "one-01.jpg": b"x", "one-02.jpg": b"x", "notes.txt": b"x", "rems.pdf": b"x"})
    two = zipped({"two.XML": label(("aaaa-1", "bbbb-2")), "spl.xsl": b"x"})
    bulk.write_bytes(zipped({"prescription/one.zip": one, "prescription/two.zip": two, "readme.txt": b"x"}))
    items = [item for _, item in read_sources((bulk,))]
    assert [item.set_id for item in items if isinstance(item, Document)] == ["aaaa-1", "bbbb-2"]
    assert [item for item in items if not isinstance(item, Document)] == [
        Noted(str(bulk), None, None, "passed over: 1 PDF, 2 images, 1 stylesheet, 2 texts"),
    ]


def test_texts_and_pdfs_in_an_archive_of_several_labels_are_not_passed_over(label: Callable[..., bytes], tmp_path: Path) -> None:
    mixed = tmp_path / "mixed.zip"
    mixed.write_bytes(zipped({"a.xml": label(), "b.xml": label(("aaaa-1", "bbbb-2")), "c.pdf": b"x"}))
    assert any(isinstance(item, Refused) and item.source == f"{mixed}!c.pdf" for _, item in read_sources((mixed,)))


def test_images_beside_labels_in_a_folder_are_passed_over_and_one_named_outright_is_refused(label: Callable[..., bytes], tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(label())
    (tmp_path / "a.jpg").write_bytes(b"x")
    _, noted = [item for _, item in read_sources((tmp_path,))]
    assert noted == Noted(str(tmp_path), None, None, "passed over: 1 image")
    ((_, refused),) = read_sources((tmp_path / "a.jpg",))
    assert isinstance(refused, Refused)


def test_versions_and_duplicates_over_several_archives_land_once_each(label: Callable[..., bytes], tmp_path: Path) -> None:
    sources, workspace_folder = tmp_path / "sources", tmp_path / "workspace"
    sources.mkdir()
    workspace_folder.mkdir()
    newer = label(('value="3"', 'value="4"'), ('value="20240131"', 'value="20240601"'), text="Glaucoma and fits.")
    (sources / "a.zip").write_bytes(zipped({"inner.zip": zipped({"one.xml": newer})}))
    (sources / "b.zip").write_bytes(zipped({"same.xml": label()}))
    (sources / "c.xml").write_bytes(label())
    with Workspace(workspace_folder, create=True) as workspace:
        outcomes = [workspace.add(item).outcome for _, item in read_sources((sources,)) if isinstance(item, Document)]
        assert outcomes == ["new", "new", "duplicate"]
        assert workspace.choose_judging() == (1, 1)
        assert workspace.judging("aaaa-1").version.number == "4"
