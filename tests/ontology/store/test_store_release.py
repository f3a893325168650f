"""A release gives back what was put in, whatever the order, and refuses what is damaged."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from small_release import (
    AMOXICILLIN,
    AUGMENTIN,
    BLEEDING,
    CLAVULANATE,
    CONTRAINDICATIONS,
    IBUPROFEN,
    LABEL_A,
    LABEL_B,
    NSAIDS,
    WARFARIN,
    fill,
    make_claims,
    make_entities,
)

from ontology.model.claims import ClaimStatus
from ontology.model.errors import ReleaseDamaged, StoreError
from ontology.model.identifiers import EntityId
from ontology.store.release import Release
from ontology.store.writer import ReleaseWriter


def test_claims_come_back_as_they_were_added(release: Release) -> None:
    assert sorted(release.claims(), key=lambda c: c.id) == sorted(make_claims(), key=lambda c: c.id)


def test_a_claim_is_found_by_its_id_whatever_its_status(release: Release) -> None:
    rejected = next(c for c in make_claims() if c.status is ClaimStatus.REJECTED)
    assert release.claim(rejected.id) == rejected
    assert release.claim("c0") is None


def test_of_claim_ids_those_of_any_status_are_known(release: Release) -> None:
    asked = {c.id for c in make_claims()}
    assert release.known_claims([*asked, "c0", ""]) == asked
    assert release.known_claims([]) == frozenset()


def test_claims_are_filtered_by_status_and_members(release: Release) -> None:
    assert {c.status for c in release.claims(ClaimStatus.CONFLICTED)} == {ClaimStatus.CONFLICTED}
    assert {c.object for c in release.claims(subject=WARFARIN, predicate="interacts_with")} == {NSAIDS, IBUPROFEN, CLAVULANATE}
    assert {c.object for c in release.claims([ClaimStatus.APPROVED], subject=WARFARIN, predicate="interacts_with")} == {NSAIDS, IBUPROFEN}
    assert {c.document for c in release.claims(document="label-c")} == {"label-c"}
    assert list(release.claims([])) == []


def test_a_section_comes_back_code_point_for_code_point(release: Release) -> None:
    section = release.section("label-a", LABEL_A.version.key, "contraindications")
    assert section is not None
    assert section.text == CONTRAINDICATIONS
    assert release.section("label-a", LABEL_A.version.key, "nothing") is None


def test_documents_and_entities_come_back(release: Release) -> None:
    assert [d.set_id for d in release.documents()] == ["label-a", "label-b", "label-c", "terms"]
    record = release.document("label-b")
    assert record is not None
    assert (record.version, record.effective, record.url) == (LABEL_B.version.key, LABEL_B.version.effective, LABEL_B.url)
    assert release.document("label-b", "no such version") is None
    assert [release.entity(e.id) for e in make_entities()] == make_entities()
    assert release.entity(EntityId("Drug", "rxnorm", "0")) is None


def test_subjects_are_label_subjects_their_ingredients_and_whatever_a_released_claim_speaks_of(release: Release) -> None:
    assert set(release.subjects()) == {WARFARIN, AUGMENTIN, AMOXICILLIN, CLAVULANATE, IBUPROFEN}
    assert release.dossier(BLEEDING) is None


def test_the_same_content_has_the_same_id_whatever_the_order_and_time(release: Release, tmp_path: Path) -> None:
    with ReleaseWriter(tmp_path / "other") as writer:
        fill(writer, backwards=True)
        writer.finish({"builder": "another", "created": "1970-01-01T00:00:00+00:00"})
    with Release.open(tmp_path / "other") as other:
        assert other.id == release.id
        assert [other.stored_dossier(s) for s in other.subjects()] == [release.stored_dossier(s) for s in release.subjects()]


def test_another_claim_gives_another_id(release: Release, build: Callable[..., Path]) -> None:
    with Release.open(build(make_claims()[1:])) as other:
        assert other.id != release.id


def test_the_manifest_counts_and_names_files_and_keeps_what_the_builder_says(release: Release) -> None:
    manifest = release.manifest
    assert manifest["builder"] == "test"
    assert manifest["counts"]["claims"] == len(make_claims())
    assert manifest["counts"]["released"] == len(make_claims()) - 1
    assert manifest["counts"]["dossiers"] == 5
    assert sorted(manifest["files"]) == sorted(p.name for p in release.path.iterdir() if p.name != "manifest.json")


def test_dossiers_in_memory_are_bounded(release_folder: Path) -> None:
    with Release.open(release_folder, keep=2) as release:
        for subject in release.subjects():
            release.dossier(subject)
        assert len(release._dossiers) == 2
        assert release.dossier(WARFARIN) is release.dossier(WARFARIN)


def _truncate(folder: Path) -> str:
    path = folder / "release.sqlite"
    with path.open("r+b") as handle:
        handle.truncate(path.stat().st_size // 2)
    return f"release.sqlite has {path.stat().st_size} bytes, the manifest says"


def _drop_graph(folder: Path) -> str:
    path = next(folder.glob("*.lbug"))
    path.unlink()
    return path.name


def _other_format(folder: Path) -> str:
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": "pharmgraph-release/0"}))
    return "pharmgraph-release/0"


def _no_manifest(folder: Path) -> str:
    (folder / "manifest.json").unlink()
    return "manifest.json"


def _broken_manifest(folder: Path) -> str:
    (folder / "manifest.json").write_text('{"format": ')
    return "manifest.json"


def _escaping_file(folder: Path) -> str:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["files"]["../elsewhere"] = {"bytes": 0, "sha256": ""}
    path.write_text(json.dumps(manifest))
    return "outside"


@pytest.mark.parametrize("damage", [_truncate, _drop_graph, _other_format, _no_manifest, _broken_manifest, _escaping_file])
def test_a_damaged_release_is_refused_with_the_file_and_what_to_do(release_folder: Path, tmp_path: Path, damage: Callable[[Path], str]) -> None:
    folder = shutil.copytree(release_folder, tmp_path / "copy")
    told = damage(folder)
    with pytest.raises(ReleaseDamaged, match="again") as refusal:
        Release.open(folder)
    assert told in str(refusal.value)


def test_a_folder_that_is_no_release_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReleaseDamaged, match="is not a folder"):
        Release.open(tmp_path / "absent")


def test_an_altered_byte_is_found_when_asked_to_verify(release_folder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(release_folder, tmp_path / "copy")
    path = folder / "release.sqlite"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    Release.open(folder).close()
    with pytest.raises(ReleaseDamaged, match="SHA-256"):
        Release.open(folder, verify=True)


def test_a_database_of_another_release_is_refused(release_folder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(release_folder, tmp_path / "copy")
    path = folder / "release.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM dossier WHERE subject = ?", (str(WARFARIN),))
    db.close()
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"]["release.sqlite"]["bytes"] = path.stat().st_size
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(StoreError, match="does not hold"):
        Release.open(folder)
