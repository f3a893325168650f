"""The command line: `kb-builder build | check | why | export`. Exit codes are those of `kb_builder.errors`."""

from __future__ import annotations

from kb_builder.cli.main import main

__all__ = ["main"]
