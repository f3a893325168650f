"""The command line with an environment of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cds_service.cli import main

sys.path[:0] = [str(Path(__file__).parent)]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs `cds-service` with these arguments."""
    for name in ("RELEASE", "STATE", "PORT", "SITE_KEY", "SETTINGS"):
        monkeypatch.delenv(f"PHARMGRAPH_{name}", raising=False)

    def call(*arguments: Any, **options: Any) -> Result:
        return CliRunner().invoke(main, [str(a) for a in arguments], **options)

    return call
