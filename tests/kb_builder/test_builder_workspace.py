"""The workspace: which record of a label stays, which version judges, and that killed runs leave nothing."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kb_builder.ingest.openfda_record import read_record
from kb_builder.workspace import Workspace, working_folder

Make = Callable[..., dict[str, Any]]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path, create=True) as made:
        yield made


def test_the_same_content_is_taken_once(workspace: Workspace, record: Make) -> None:
    document = read_record(record())[0]
    assert [workspace.add(document).outcome for _ in range(2)] == ["new", "duplicate"]


@pytest.mark.parametrize("rich_first", [True, False])
def test_of_two_records_of_one_version_the_richer_stays_in_any_order(workspace: Workspace, record: Make, rich_first: bool) -> None:
    rich, poor = read_record(record(warnings=["W" * 50]))[0], read_record(record())[0]
    outcomes = [workspace.add(d).outcome for d in ((rich, poor) if rich_first else (poor, rich))]
    assert outcomes == (["new", "poorer"] if rich_first else ["new", "richer"])
    workspace.choose_judging()
    assert workspace.judging("aaaa-1").section("warnings") is not None


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_the_newest_version_judges_and_the_others_are_kept(workspace: Workspace, record: Make, order: tuple[int, ...]) -> None:
    records = [
        record(version="99", effective_time="20200101"),
        record(version="10", effective_time="20240101"),
        record(version="11", effective_time="20240101"),
        record(version=None, effective_time=None, warnings=["much text " * 100]),
    ]
    for n in order:
        workspace.add(read_record(records[n])[0])
    assert workspace.choose_judging() == (1, 3)
    assert workspace.judging("aaaa-1").version.number == "11"
    assert [d.version.number for d in workspace.versions("aaaa-1")] == ["11", "10", "99", None]


def test_terms_and_extractions_come_back(workspace: Workspace) -> None:
    workspace.put_terms([("a", "1"), ("b", "2")])
    workspace.put_terms([("c", "3"), ("d", "4")])
    assert list(workspace.terms()) == [("c", "3"), ("d", "4")]
    assert workspace.extraction("nothing") is None


def test_a_working_folder_is_gone_afterwards_also_after_a_failure(tmp_path: Path) -> None:
    def fail() -> None:
        with working_folder(tmp_path / "out") as folder:
            (folder / "file").write_text("x")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_run_left_is_removed_and_a_running_one_is_left_alone(tmp_path: Path) -> None:
    for name in ("dead", "alive"):
        (tmp_path / f".out.building-{name}").mkdir()
        (tmp_path / f".out.building-{name}" / "lock").touch()
    with (tmp_path / ".out.building-alive" / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with working_folder(tmp_path / "out"):
            pass
    assert [p.name for p in tmp_path.iterdir()] == [".out.building-alive"]
