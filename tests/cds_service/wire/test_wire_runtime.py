from pathlib import Path

import pytest

from cds_service.audit.profile.notes import condition_names
from cds_service.errors import SettingsError, StateBroken
from cds_service.settings import Settings
from cds_service.wire.runtime import open_runtime, warm_up
from ontology.model.errors import StoreError
from ontology.store.release import Release


def test_warming_up_decodes_every_dossier_once_and_no_more_than_time_allows(starter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Release.open(starter) as release:
        subjects = list(release.subjects())
        assert warm_up(release, seconds=0) == 0
        assert warm_up(release) == len(subjects)
        monkeypatch.setattr(release, "stored_dossier", lambda _: pytest.fail("decoded again"))
        assert all(release.dossier(s) is not None for s in subjects)


def test_warming_up_indexes_the_names_that_an_audit_looks_for(starter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Release.open(starter) as release:
        warm_up(release)
        monkeypatch.setattr(type(release.terminology), "mention_names", lambda *_: pytest.fail("indexed again"))
        condition_names(release.terminology)


def test_live_queries_leave_nothing_to_warm_up(starter: Path) -> None:
    with Release.open(starter, live=True) as release:
        assert warm_up(release) == 0


def test_what_cannot_be_opened_is_said(starter: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError):
        open_runtime(Settings(release=tmp_path / "none", state=tmp_path / "s"))
    with pytest.raises(StateBroken):
        open_runtime(Settings(release=starter, state=tmp_path / "file" / "s"))
    with pytest.raises(SettingsError):
        open_runtime(Settings(release=starter, state=tmp_path / "s", policy=tmp_path / "none"))
