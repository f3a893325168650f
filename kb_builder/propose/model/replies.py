"""The items of a reply, as far as they can be read. What cannot be read is counted with a reason; nothing raises."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from kb_builder.propose.model.exchange import Answer, Unanswered
from kb_builder.propose.model.schema import MOST_ITEMS

M = TypeVar("M", bound=BaseModel)

_LONGEST = 400_000
"""Characters of a reply that are read; a model that writes more has lost its way."""
_DECODER = json.JSONDecoder(strict=False, parse_float=Decimal, parse_int=Decimal)
_BETWEEN = re.compile(r"[\s,]*")


@dataclass(slots=True)
class Items:
    """The items that were read, and how many were not, by reason."""

    read: list[dict[str, Any]] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)


def read_items(answer: Answer, name: str) -> Items:
    """The objects of the list `name` in a reply: of its JSON, of JSON inside other words, or, where it breaks off, the whole ones before the break."""
    if isinstance(answer, Unanswered):
        return Items(dropped=Counter({answer.reason: 1}))
    text = answer.content[:_LONGEST]
    out = Items()
    if answer.cut:
        out.dropped["reply cut at the limit of tokens"] += 1
    found = _listed(text, name)
    if found is None:
        found = _before_the_break(text, name)
        if found is None:
            out.dropped["reply without JSON" if "{" not in text else f"reply without a list of {name}"] += 1
            return out
        if not answer.cut:
            out.dropped["reply with broken JSON"] += 1
    if len(found) > MOST_ITEMS:
        out.dropped[f"{name}: more than {MOST_ITEMS} in one reply"] += len(found) - MOST_ITEMS
    for item in found[:MOST_ITEMS]:
        if isinstance(item, dict):
            out.read.append(item)
        else:
            out.dropped[f"{name}: no object"] += 1
    return out


def read_as(kind: type[M], item: dict[str, Any], what: str, dropped: Counter[str]) -> M | None:
    """An item as a typed value; None where a member is missing, of the wrong type or an invented word, counted by member."""
    try:
        return kind.model_validate(item)
    except (ValidationError, RecursionError) as e:
        first = e.errors()[0] if isinstance(e, ValidationError) else None
        member = next((str(part) for part in first["loc"]), "") if first else ""
        kinds = {"missing": "missing", "enum": "not a word of the schema", "literal_error": "not a word of the schema"}
        dropped[f"{what}: {member or 'item'} {kinds.get(first['type'], 'of the wrong type') if first else 'of the wrong type'}"] += 1
        return None


def _listed(text: str, name: str) -> list[Any] | None:
    """The list of the first JSON object that has it; a list that stands before any object counts as well."""
    tries = 0
    for m in re.finditer(r"[{\[]", text):
        tries += 1
        if tries > 3:
            return None
        try:
            value, _ = _DECODER.raw_decode(text, m.start())
        except (ValueError, RecursionError, ArithmeticError):
            continue
        if isinstance(value, dict) and isinstance(value.get(name), list):
            return list(value[name])
        if isinstance(value, list) and tries == 1:
            return value
    return None


def _before_the_break(text: str, name: str) -> list[Any] | None:
    opening = re.search(rf'"{re.escape(name)}"\s*:\s*\[', text)
    if opening is None:
        return None
    out: list[Any] = []
    at = opening.end()
    while len(out) <= MOST_ITEMS:
        between = _BETWEEN.match(text, at)
        at = between.end() if between else at
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError, ArithmeticError):
            return out
        out.append(value)
    return out
