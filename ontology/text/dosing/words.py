"""The word lists of the dose grammar, read from `words.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from decimal import Decimal
from importlib import resources

_TABLE = tomllib.loads(resources.files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))


def _inverted(table: dict[str, list[str]]) -> dict[str, str]:
    return {word.lower(): code for code, words in table.items() for word in words}


def alternatives(words: Iterable[str], *, loose: bool = True) -> str:
    """A group that matches any of the words, the longest first; with `loose` a space matches white space or a hyphen."""
    ordered = sorted(set(words), key=lambda w: (-len(w), w))
    return "(?:" + "|".join(re.escape(w).replace(r"\ ", r"[\s-]+" if loose else " ") for w in ordered) + ")"


def squeezed(printed: str) -> str:
    """Printed words as the lists hold them: lower case, single spaces."""
    return " ".join(printed.lower().split())


UNITS: dict[str, str] = _inverted(_TABLE["units"])
HAN_UNITS: dict[str, str] = _inverted(_TABLE["han_units"])
SCALES: dict[str, Decimal] = {word: Decimal(factor) for word, factor in _TABLE["scales"].items()}
ROUTES: dict[str, str] = _inverted(_TABLE["routes"])
HAN_ROUTES: dict[str, str] = _inverted(_TABLE["han_routes"])
PHASES: dict[str, str] = _inverted(_TABLE["phases"])
HAN_PHASES: dict[str, str] = _inverted(_TABLE["han_phases"])
FORMS_ONE: tuple[str, ...] = tuple(_TABLE["forms"]["one"])
FORMS_MANY: tuple[str, ...] = tuple(_TABLE["forms"]["many"])
FORM_WORDS: tuple[str, ...] = tuple(_TABLE["forms"]["words"])
