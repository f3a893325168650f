"""What a product is told not to be for: uses that are denied as prevention, and states that it is said not to control."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from kb_builder.propose.indications.reader import Indication
from kb_builder.propose.reading.things import Thing, uncoded
from ontology.model.entities import EntityType

_PREVENTS = re.compile(
    r"\b(?:(?:prevent(?:ive|ative)|prophylactic)\s+(?:[\w-]+\s+)?(?:treatment|therapy|management|use)|prevention|prophylaxis)\b", re.IGNORECASE
)
_NOT_HELPED = re.compile(
    r"(?P<what>[^.;:]{4,120}?)\s+(?:do(?:es)?|is|are|has|have)\s+not\s+(?:(?:appear|seem)\s+to\s+be\s+|been\s+|usually\s+|generally\s+|adequately\s+){0,2}"
    r"(?:controlled|relieved|helped|improved|affected|respond(?:s|ing)?|benefit(?:s|ed)?)\s+(?:by|to|from|with)\s+(?:treatment\s+with\s+|therapy\s+with\s+)?$",
    re.IGNORECASE,
)
"""All that stands before the product's name."""
_NOT_EFFECTIVE = re.compile(
    r"\s+(?:tablets?\s+|capsules?\s+|injection\s+)?(?:(?:is|are|has been|have been)\s+(?:shown\s+to\s+be\s+|found\s+to\s+be\s+)?(?:not\s+(?:been\s+)?(?:shown\s+to\s+be\s+)?(?:effective|useful|beneficial|of\s+(?:any\s+)?(?:value|benefit))|ineffective))"
    r"\s+(?:in|for|against)\s+(?:the\s+)?(?:(?:treatment|management|control|relief|therapy)\s+of\s+)?(?P<what>[^.;:]{4,120})",
    re.IGNORECASE,
)
"""And behind it."""
_LEADS = re.compile(
    r"\bnot\s+(?:indicated|recommended|approved|intended)(?:\s+for\s+use)?\s+(?:for|in|to)(?:\s+(?:the\s+)?(?:following|any\s+of\s+the\s+following)(?:\s+\w+){0,2})?\s*:",
    re.IGNORECASE,
)
_EITHER = re.compile(
    r"\b(?:treatment|management)\s+(?:or|and|and/or)\s+(?:prevention|prophylaxis)\b|\b(?:prevention|prophylaxis)\s+(?:or|and|and/or)\s+(?:treatment|management)\b",
    re.IGNORECASE,
)
"""Denies the state itself, not only its prevention."""
_PEOPLE = re.compile(r"\b(?:patients?|adults|children|persons|individuals|women|men|when|if|until|after|doses?)\b", re.IGNORECASE)


def not_helped(text: str, start: int, end: int, things: Sequence[Thing]) -> tuple[int, int] | None:
    """Where a sentence names the states that the product does not control ("X does not respond to the product"); None for other sentences."""
    for own in (t for t in things if t.own and start <= t.start < end):
        found = _NOT_HELPED.fullmatch(text, start, own.start) or _NOT_EFFECTIVE.match(text, own.end, end)
        if found is not None:
            return None if _PEOPLE.search(found["what"]) else found.span("what")
    return None


def lists_denied(text: str, start: int, end: int) -> bool:
    """True for a sentence that leads a list of what the product is not for ("X is not approved for: ...")."""
    return _LEADS.search(text, start, end) is not None


def as_denied(text: str, start: int, found: Iterable[Indication]) -> list[Indication]:
    """The uses as they are denied from `start` on: a state that is not to be prevented as its prevention, since the state itself may be treated."""
    out: list[Indication] = []
    for one in found:
        until = max(start, one.start)
        prevents = _PREVENTS.search(text, start, until) if _EITHER.search(text, start, until) is None else None
        told = one.target.words.lower().startswith("prevention")
        out.append(one if prevents is None or told else replace(one, target=uncoded(EntityType(one.target.id.type), f"prevention of {one.target.words}")))
    return out
