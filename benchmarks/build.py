#!/usr/bin/env python3
"""What a build costs: labels a second and core, peak memory of all its processes, seconds a stage.

    python benchmarks/build.py --source LABELS... [--jobs N] [--times N]

`--times N` builds from N copies of every label under new set ids (same ingredients, more labels). Prints, never asserts.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from pathlib import Path
from typing import Any

COMMAND = [sys.executable, "-c", "from kb_builder.cli import main; main()"]
SAMPLE_SECONDS = 0.2


def main() -> None:
    """Builds into a temporary folder and prints what it cost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", nargs="+", type=Path, required=True)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--times", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = arguments.source if arguments.times == 1 else multiply(arguments.source, arguments.times, folder)
        jobs = ["--jobs", str(arguments.jobs)] if arguments.jobs else []
        command = [*COMMAND, "build", "--source", *map(str, sources), "--out", str(folder / "release"), "--json", *jobs]
        show(*measure(command), arguments.jobs)


def measure(command: list[str]) -> tuple[dict[str, Any], float, float, float]:
    """The build's summary, its seconds, its processor seconds, and the peak of its processes' summed PSS in MB."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    peak = [0.0]
    watcher = threading.Thread(target=watch, args=(process, peak), daemon=True)
    watcher.start()
    out, _ = process.communicate()
    watcher.join()
    if process.returncode:
        sys.exit(process.returncode)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(out), time.monotonic() - began, used.ru_utime + used.ru_stime, peak[0]


def watch(process: subprocess.Popen[str], peak: list[float]) -> None:
    """Samples the memory of a process and its children until it ends; the peak stands in `peak[0]`."""
    while process.poll() is None:
        peak[0] = max(peak[0], sum(pss(pid) for pid in family(process.pid)) / 1024)
        time.sleep(SAMPLE_SECONDS)


def family(root: int) -> list[int]:
    """The process and everything it started."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found = [root]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def pss(pid: int) -> float:
    """Proportional set size in kB, 0 for a process that is gone."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next((float(line.split()[1]) for line in lines if line.startswith("Pss:")), 0.0)


def multiply(sources: list[Path], times: int, folder: Path) -> list[Path]:
    """One bulk file with N copies of every openFDA record of the sources, each under its own set id."""
    records = []
    for source in sources:
        for path in sorted(source.glob("*.zip")) if source.is_dir() else [source]:
            with zipfile.ZipFile(path) as archive:
                records += [r for name in archive.namelist() for r in json.loads(archive.read(name))["results"]]
    target = folder / "multiplied.json"
    with target.open("w") as out:
        out.write('{"results": [')
        for n in range(times):
            for k, record in enumerate(records):
                out.write(("," if n or k else "") + json.dumps({**record, "set_id": f"{record['set_id']}-{n}"}))
        out.write("]}")
    return [target]


def show(report: dict[str, Any], seconds: float, cpu: float, peak: float, jobs: int | None) -> None:
    """Prints the figures."""
    stages, took = report["stages"], report["seconds"]
    labels = stages["propose"]["labels"]
    print(f"labels {labels:,}; claims {stages['assemble']['claims']:,}; jobs {jobs or 'all cores'}")
    print(f"whole build    {seconds:8.1f} s   {labels / seconds:8.1f} labels/s   {labels / cpu:8.1f} labels/s a core (processor time {cpu:.1f} s)")
    for stage, value in took.items():
        print(f"  {stage:12} {value:8.1f} s   {labels / max(value, 1e-9):8.1f} labels/s")
    print(f"peak memory    {peak:8.0f} MB (PSS of all processes)")


if __name__ == "__main__":
    main()
