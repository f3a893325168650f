"""The words of every request, from `prompts.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from kb_builder.propose.model.exchange import Request
from kb_builder.propose.model.schema import mentions_schema, relations_schema, triples_schema
from kb_builder.propose.model.slices import Slice
from ontology.model.predicates import PayloadKind


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(files("kb_builder.propose.model").joinpath("prompts.toml").read_text(encoding="utf-8"))


def prompt_version() -> str:
    """The version of the prompts."""
    return str(_data()["version"])


def ask_mentions(drug: str, place: str, section: str, passage: str, part: Slice, reply_tokens: int) -> Request:
    """The first pass: which things does the passage name."""
    rows = _data()["mentions"]
    user = rows["user"].format(drug=drug, section=section, passage=passage, meanings=_meanings(part), types=_types(part))
    return Request("mentions", place, rows["system"], user, mentions_schema(part), reply_tokens)


def ask_relations(drug: str, place: str, section: str, passage: str, part: Slice, mentions: Sequence[str] | None, reply_tokens: int) -> Request:
    """The second pass: what is said of the things listed; without a list (None) of anything the passage names."""
    rows = _data()["relations"]
    numbered = "\n".join(f"{i}. {words}" for i, words in enumerate(mentions or (), 1))
    user = rows["user"].format(
        drug=drug,
        section=section,
        passage=passage,
        meanings=_meanings(part),
        objects=rows["unlisted"] if mentions is None else rows["listed"].format(mentions=numbered),
        object_member=rows["object_unlisted"].format(types=_types(part)) if mentions is None else rows["object_listed"],
        dose_member=rows["doses"] if part.carries(PayloadKind.REGIMEN, PayloadKind.LIMIT) else "",
    )
    return Request("relations", place, rows["system"], user, relations_schema(part, None if mentions is None else len(mentions)), reply_tokens)


def ask_triples(drug: str, place: str, section: str, passage: str, reply_tokens: int) -> Request:
    """Schema-free extraction: the facts of the passage in the model's own words."""
    rows = _data()["triples"]
    return Request("triples", place, rows["system"], rows["user"].format(drug=drug, section=section, passage=passage), triples_schema(), reply_tokens)


def _meanings(part: Slice) -> str:
    return "\n".join(f"- {spec.name}: {part.meanings[spec.name]}" for spec in part.predicates)


def _types(part: Slice) -> str:
    return ", ".join(t.value for t in part.types)
