"""A run that is stopped, or finds no room, leaves nothing half-written: no release, no working files, no processes, the old release intact."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kb_builder.errors import OutputError
from kb_builder.publish.compile import check_output

Make = Callable[..., dict[str, Any]]

COMMAND = [sys.executable, "-c", "from kb_builder.cli import main; main()"]
SENTENCE = "Avoid concomitant use of warfarin with aspirin. Monitor the INR when ibuprofen is started. "


def start(source: Path, out: Path, *options: str, limit: int | None = None) -> subprocess.Popen[str]:
    def restrict() -> None:
        os.setsid()
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    repository = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(repository)}
    return subprocess.Popen(
        [*COMMAND, "build", "--source", str(source), "--out", str(out), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        preexec_fn=restrict,
    )


def wait_for_stage(process: subprocess.Popen[str], stage: str) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith(stage):
            return
    pytest.fail(f"the build ended before it had finished the stage {stage}")


def members_of_group(leader: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == leader and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def wait_until_gone(leader: int) -> None:
    """Workers are ended by the build; Python's own helper process notices a moment later that its parent is gone."""
    until = time.monotonic() + 10
    while members_of_group(leader):
        assert time.monotonic() < until, f"processes left: {members_of_group(leader)}"
        time.sleep(0.05)


@pytest.fixture
def labels(record: Make, bulk_file: Callable[..., Path]) -> Path:
    """Enough text that the second pass takes seconds."""
    return bulk_file([record(f"a-{n:03}", drug_interactions=["7 DRUG INTERACTIONS " + SENTENCE * 150]) for n in range(64)], "labels.json.zip")


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_signal_stops_a_build_and_leaves_nothing(labels: Path, number: signal.Signals, code: int, jobs: str) -> None:
    process = start(labels, labels.parent / "out", "--jobs", jobs)
    wait_for_stage(process, "terms")
    time.sleep(1)
    if number is signal.SIGINT:
        os.killpg(process.pid, number)  # as a terminal does it
    else:
        process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code, err
    assert "nothing was written" in err
    assert "Traceback" not in err
    assert [p.name for p in labels.parent.iterdir()] == [labels.name]
    wait_until_gone(process.pid)
    assert out == ""


@pytest.mark.slow
def test_what_a_killed_build_left_is_removed_by_the_next(labels: Path, monograph: str) -> None:
    process = start(labels, labels.parent / "out", "--jobs", "1")
    wait_for_stage(process, "terms")
    process.kill()
    process.communicate(timeout=60)
    assert [p.name for p in labels.parent.glob(".out.building-*")]
    small = labels.parent / "small.md"
    small.write_text(monograph)
    following = start(small, labels.parent / "out")
    _, err = following.communicate(timeout=120)
    assert following.returncode == 0, err
    assert sorted(p.name for p in labels.parent.iterdir()) == [labels.name, "out", "small.md"]


@pytest.mark.slow
@pytest.mark.parametrize("limit", [50_000, 1_000_000])
def test_a_full_disk_is_said_and_leaves_nothing(labels: Path, limit: int) -> None:
    process = start(labels, labels.parent / "out", "--jobs", "1", limit=limit)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 5, err
    assert "make room" in err
    assert "Traceback" not in err
    assert [p.name for p in labels.parent.iterdir()] == [labels.name]


def test_a_folder_without_permission_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(OutputError, match="no permission to write in"):
        check_output(tmp_path / "out")
