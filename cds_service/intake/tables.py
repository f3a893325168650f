"""The hand-kept tables of the intake, read once from package data."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def table(name: str) -> dict[str, Any]:
    """The table file of this name (`orders`, `timing_codes` ...)."""
    return tomllib.loads(files("cds_service.intake").joinpath("data", f"{name}.toml").read_text("utf-8"), parse_float=Decimal)


@cache
def system_names() -> dict[str, str]:
    """URL, OID or short name of a code system, in lower case, to the ontology's short name."""
    return {name.lower(): system for system, row in table("code_systems").items() for name in row["names"]}
