"""Free triples mapped to the registry by plain words (`triples.toml`): the baseline's second step."""

from __future__ import annotations

import tomllib
from collections import Counter
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import BaseModel

from kb_builder.propose.model.passages import Passage
from kb_builder.propose.model.replies import read_as


class TripleItem(BaseModel):
    """A triple as a model writes it."""

    subject: str
    relation: str
    object: str
    quote: str


def as_relation(item: dict[str, Any], passage: Passage, drug: str, dropped: Counter[str]) -> dict[str, Any] | None:
    """The triple in the shape of a relation; None, with the reason counted, for another subject or words that map to nothing."""
    said = read_as(TripleItem, item, "triple", dropped)
    if said is None:
        return None
    if drug.lower() not in said.subject.lower():
        dropped["triple: its subject is not the label's drug"] += 1
        return None
    row = next((r for r in _rows() if any(words in said.relation.lower() for words in r["words"])), None)
    if row is None or not row["predicate"] or not passage.slice.allows(row["predicate"]):
        dropped["triple: its relation maps to nothing"] += 1
        return None
    return {"predicate": row["predicate"], "text": said.object, "type": row["type"], "action": row["action"], "quote": said.quote}


@cache
def _rows() -> tuple[dict[str, Any], ...]:
    return tuple(tomllib.loads(files("kb_builder.propose.model").joinpath("triples.toml").read_text(encoding="utf-8"))["row"])
