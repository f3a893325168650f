"""A release in a server: many threads, forked workers, and nothing heavy on the reading side."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from small_release import WARFARIN

from ontology.model.errors import GraphUnavailable, StoreError
from ontology.store.connections import Connections
from ontology.store.graph_ladybug import LadybugGraph
from ontology.store.release import Release


def _in_child(work: object) -> int:
    """The exit code of a forked child that runs the work: 0 when it returns True."""
    pid = os.fork()
    if pid == 0:
        code = 1
        signal.alarm(30)  # a child that hangs is a failure, not a wait
        try:
            code = 0 if work() else 1  # type: ignore[operator]
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_each_thread_has_its_own_connection_and_all_read_the_same(release: Release) -> None:
    connections = release._connections
    barrier = threading.Barrier(4)

    def read(_: int) -> tuple[int, int]:
        barrier.wait(timeout=10)
        return id(connections.connection()), len(list(release.claims()))

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(read, range(4)))
    assert len({connection for connection, _ in found}) == 4
    assert len({count for _, count in found}) == 1


def test_threads_get_equal_dossiers_stored_and_live(release_folder: Path) -> None:
    for live in (False, True):
        with Release.open(release_folder, live=live) as release, ThreadPoolExecutor(4) as pool:
            subjects = list(release.subjects()) * 20
            assert list(pool.map(release.dossier, subjects)) == [release.stored_dossier(s) for s in subjects]


def test_a_forked_worker_reads_through_connections_of_its_own(release: Release) -> None:
    expected = release.live_dossier(WARFARIN) and release.dossier(WARFARIN)
    before = id(release._connections.connection())

    def read() -> bool:
        return id(release._connections.connection()) != before and release.stored_dossier(WARFARIN) == expected

    assert _in_child(read) == 0
    assert id(release._connections.connection()) == before


def test_a_forked_worker_opens_the_graph_itself(release_folder: Path) -> None:
    with Release.open(release_folder, live=True) as release:
        stored = release.stored_dossier(WARFARIN)
        assert _in_child(lambda: release.dossier(WARFARIN) == stored) == 0


def test_a_graph_opened_before_the_fork_says_so_instead_of_hanging(release_folder: Path) -> None:
    graph = LadybugGraph(next(release_folder.glob("*.lbug")))
    graph.open()

    def refuse() -> bool:
        with pytest.raises(GraphUnavailable, match="before it forked"):
            graph.run("MATCH (n:Drug) RETURN n.code AS code", {})
        return True

    assert _in_child(refuse) == 0
    graph.close()


def test_two_processes_read_one_graph_file_at_once(release_folder: Path) -> None:
    with Release.open(release_folder, live=True) as first:
        stored = first.stored_dossier(WARFARIN)
        assert first.dossier(WARFARIN) == stored
        script = "import sys; from pathlib import Path; from ontology.store.release import Release\nfrom ontology.model.identifiers import mint\n"
        script += "print(len(Release.open(Path(sys.argv[1]), live=True).dossier(mint('Ingredient', 'rxnorm', '11289')).rules))"
        done = subprocess.run([sys.executable, "-c", script, str(release_folder)], capture_output=True, text=True, timeout=60, check=True)
    assert stored is not None
    assert int(done.stdout) == len(stored.rules)


def test_a_release_in_a_folder_that_cannot_be_written_is_read(release_folder: Path) -> None:
    before = sorted(p.name for p in release_folder.iterdir())
    modes = {p: p.stat().st_mode for p in [release_folder, *release_folder.iterdir()]}
    try:
        for path in modes:
            path.chmod(0o555 if path.is_dir() else 0o444)
        with Release.open(release_folder, live=True) as release:
            assert release.dossier(WARFARIN) == release.stored_dossier(WARFARIN)
    finally:
        for path, mode in modes.items():
            path.chmod(mode)
    assert sorted(p.name for p in release_folder.iterdir()) == before


def test_nothing_can_be_written_through_a_release(release: Release) -> None:
    with pytest.raises(StoreError, match="readonly"):
        list(release.query("DELETE FROM claim"))


def test_a_closed_release_says_that_it_is_closed(release_folder: Path) -> None:
    release = Release.open(release_folder)
    release.close()
    with pytest.raises(StoreError, match="closed"):
        release.stored_dossier(WARFARIN)


def test_a_connection_goes_with_its_thread(release_folder: Path) -> None:
    connections = Connections(release_folder / "release.sqlite")
    for _ in range(5):
        thread = threading.Thread(target=connections.connection)
        thread.start()
        thread.join()
    gc.collect()
    assert len(connections._opened) == 0
    connections.close()


def test_reading_a_release_loads_no_object_mapper_and_no_graph_engine() -> None:
    script = "import sys, ontology.store.release; print([m for m in ('sqlalchemy', 'sqlmodel', 'pydantic', 'ladybug', 'neo4j') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
