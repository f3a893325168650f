"""Words for machine values, read once from `data/wording.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Need:
    """A missing datum: its name for people, and how the caller can supply it."""

    code: str
    title: str
    supply: str


def words_for(group: str, value: str) -> str:
    """The words for a value of a group; the value itself, dashes as spaces, where the table has none."""
    found = _tables().get(group, {}).get(value)
    return found if isinstance(found, str) else value.replace("-", " ").replace("_", " ")


def need_for(code: str) -> Need:
    """The need with this code; `lab:<name>` takes the words of `lab` and the analyte's name."""
    table: Mapping[str, Any] = _tables()["need"]
    base, _, detail = code.partition(":")
    row = table.get(base)
    if row is None:
        return Need(code, words_for("need", code).capitalize(), "Not stated.")
    return Need(code, f"{row['title']}: {detail}" if detail else row["title"], row["supply"])


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(files("cds_service.web").joinpath("data/wording.toml").read_text(encoding="utf-8"))
