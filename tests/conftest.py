"""Shared ground of the tests: where the repository and the shared data are, and what a skip means.

On a developer's machine a test that needs something absent is skipped and says what; in CI (`CI` set) every skip is a failure.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared"


@pytest.fixture(scope="session")
def repository() -> Path:
    """The top folder of the repository."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with real labels and requests beside the repository; the test is skipped, saying so, when it is absent."""
    if not (SHARED / "data").is_dir():
        pytest.skip(f"absent: the shared data folder ({SHARED.name}/data beside the repository)")
    return SHARED


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """In CI a skipped test is a failed run."""
    if not os.environ.get("CI"):
        return
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped and exitstatus == pytest.ExitCode.OK:
        reporter.write_line(f"{len(skipped)} tests were skipped because something is absent; in CI that is a failure", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
