"""JSON schemas of the replies, made from the predicate registry and the enums of the model: a word that is not theirs is no valid reply."""

from __future__ import annotations

from typing import Any

from kb_builder.propose.model.slices import Slice
from ontology.model.advice import Action
from ontology.model.claims import Polarity, Strength
from ontology.model.dosing import AmountBasis, Measure, PerWhat
from ontology.model.facts import Whose
from ontology.model.predicates import PayloadKind

MOST_ITEMS = 40
"""Items that one reply may list; a passage holds fewer, and a model that repeats itself stops there."""


def mentions_schema(part: Slice) -> dict[str, Any]:
    """The reply to "which things does the passage name"."""
    return _list_of("mentions", {"text": _TEXT, "type": _one_of([t.value for t in part.types]), "sentence": _TEXT})


def relations_schema(part: Slice, mentions: int | None) -> dict[str, Any]:
    """The reply to "what is said of them": objects are numbers of mentions, or words and types where nothing was listed before (None)."""
    named: dict[str, Any] = {"text": _TEXT, "type": _one_of([t.value for t in part.types])} if mentions is None else {"object": _number(mentions)}
    members = {
        "predicate": _one_of([p.name for p in part.predicates]),
        **named,
        "action": _one_of([*(a.value for a in Action), "none"]),
        "whose": _one_of([w.value for w in Whose]),
        "polarity": _one_of([p.value for p in Polarity]),
        "strength": _one_of([s.value for s in Strength]),
        "effect": _TEXT,
        "conditions": {"type": "array", "items": _TEXT, "maxItems": 6},
        "quote": _TEXT,
    }
    if part.carries(PayloadKind.REGIMEN, PayloadKind.LIMIT):
        members["doses"] = {"type": "array", "items": _DOSE, "maxItems": 6}
    return _list_of("relations", members)


def triples_schema() -> dict[str, Any]:
    """The reply of schema-free extraction: whatever words the model likes."""
    return _list_of("triples", {"subject": _TEXT, "relation": _TEXT, "object": _TEXT, "quote": _TEXT})


def _one_of(values: list[str]) -> dict[str, Any]:
    return {"type": "string", "enum": values}


def _number(mentions: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "maximum": mentions}


def _object(members: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}


def _list_of(name: str, members: dict[str, Any]) -> dict[str, Any]:
    return _object({name: {"type": "array", "items": _object(members), "maxItems": MOST_ITEMS}})


_TEXT: dict[str, Any] = {"type": "string"}
_AMOUNT: dict[str, Any] = {"type": ["string", "null"]}
_DOSE = _object(
    {
        "low": _AMOUNT,
        "high": _AMOUNT,
        "unit": _TEXT,
        "basis": _one_of([b.value for b in AmountBasis if b not in (AmountBasis.FORMULA, AmountBasis.AUC)]),
        "per": _one_of([p.value for p in PerWhat]),
        "times_a_day": _AMOUNT,
        "every_hours": _AMOUNT,
        "limits": _one_of([*(m.value for m in Measure if m not in (Measure.DURATION, Measure.MINIMUM_INTERVAL, Measure.RATE)), "none"]),
    }
)
