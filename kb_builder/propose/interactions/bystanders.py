"""Drugs that a sentence names beside the product without saying that both are taken: told by the words before them (`bystanders.toml`).

Also those that stand in one list with the product ("treated with X, Y or the product"), and the groups by which a bracket explains a drug.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from kb_builder.propose.reading.things import Thing
from ontology.model.entities import EntityType

_PEERS = re.compile(r"(?:(?!\b(?:with|and|plus|is|are|was|were|may|can|should|must|to|by|in|than)\b)[\w\s,()/-]){0,80}(?:,|\s|\))or (?:the )?", re.IGNORECASE)
_APPOSITION = re.compile(r"\s?\((?:also |itself |which is )?(?:an?|the)\s(?:[^()]*\s)?", re.IGNORECASE)
_COMMA = re.compile(r",\san?\s(?:[\w-]+\s){0,4}", re.IGNORECASE)
_IS_A = re.compile(r"\W{1,4}(?:is|was)\s+(?:also\s+|itself\s+)?(?:an?|the)\s+(?:[\w-]+\s+){0,2}", re.IGNORECASE)
_SUCH_AS = re.compile(r"\s*[,(]?\s*(?:such as|including|like|e\.g\.,?)\s+", re.IGNORECASE)
_GROUPS = (EntityType.DRUG_CLASS, EntityType.ENZYME_ROLE)


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(files("kb_builder.propose.interactions").joinpath("bystanders.toml").read_text(encoding="utf-8"))


@cache
def _book() -> tuple[str, re.Pattern[str]]:
    data = _data()
    return data["version"], re.compile("|".join(row["pattern"] for row in data["bystander"]), re.IGNORECASE)


@cache
def boosters() -> frozenset[str]:
    """The names of drugs that are given to raise the concentration of another, lower case."""
    return frozenset(str(name) for name in _data()["boosters"]["names"])


@cache
def told_apart() -> frozenset[str]:
    """Those of the boosters that a statement on the drug before them depends on."""
    return frozenset(str(name) for name in _data()["boosters"]["told_apart"])


def version() -> str:
    """The version of the wordings."""
    return _book()[0]


def is_bystander(before: str) -> bool:
    """True when the words of a sentence before a drug show that it is not taken beside the product."""
    return _book()[1].search(before) is not None


def is_peer(text: str, thing: Thing, things: Sequence[Thing]) -> bool:
    """True for a drug in one list with the product, joined by "or": patients take one of them."""
    own = next((t for t in things if t.own and t.start >= thing.end and t.type == EntityType.INGREDIENT), None)
    return own is not None and _PEERS.fullmatch(text, thing.end, own.start) is not None


def is_explanation(text: str, thing: Thing, things: Sequence[Thing]) -> bool:
    """True for a group that says what a drug is: in a bracket behind it ("isoniazid (an antibacterial which is a weak ... inhibitor)").

    Also for one that says what the product is ("ZEBREX is a weak ... inhibitor", "a ... inhibitor such as ZEBREX").
    """
    if thing.type not in _GROUPS:
        return False
    beside = next((t for t in reversed(things) if t.end <= thing.start and t.type == EntityType.INGREDIENT), None)
    if thing.type == EntityType.ENZYME_ROLE and beside is not None and text[beside.end : thing.start] in (" (", "(") and text[thing.end : thing.end + 1] == ")":
        return True
    if any(t.own and t.type != EntityType.DRUG_CLASS and t.start >= thing.end and _SUCH_AS.fullmatch(text, thing.end, t.start) for t in things):
        return True
    own = next((t for t in reversed(things) if t.end <= thing.start), None)
    if (
        own is not None
        and own.own
        and (_IS_A.fullmatch(text, own.end, thing.start) or (text[own.end : thing.start] == ", " and text[thing.end : thing.end + 1] == ","))
    ):
        return True
    drug = next((t for t in reversed(things) if t.end <= thing.start and t.type == EntityType.INGREDIENT), None)
    if drug is None:
        return False
    named_in_words = thing.type == EntityType.DRUG_CLASS and not text[thing.start : thing.end].endswith("s")
    return any(p.fullmatch(text, drug.end, thing.start) for p in ((_APPOSITION, _COMMA) if named_in_words else (_APPOSITION,)))
