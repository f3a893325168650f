"""The starter knowledge base, built once a run from the repository's monographs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def starter(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("release") / "starter"
    command = [
        sys.executable,
        "-c",
        "from kb_builder.cli import main; main()",
        "build",
        "--source",
        str(repository / "fixtures" / "monographs"),
        "--out",
        str(out),
    ]
    built = subprocess.run(command, capture_output=True, text=True, check=False, cwd=repository)
    assert built.returncode == 0, built.stderr
    return out
