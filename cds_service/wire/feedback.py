"""Feedback on cards: kept once however often it is sent; an override with its reason acknowledges the problem of its card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

import msgspec

from cds_service.answer.policy import OverrideReason
from cds_service.errors import MembersMissing
from cds_service.intake.fhir.values import mapping, text
from cds_service.state.protocol import Feedback

OUTCOMES = ("accepted", "overridden")


def read_feedback(body: Mapping[str, Any], service: str, received: datetime) -> list[Feedback]:
    """The items of a feedback body. Raises MembersMissing naming every member that is absent or wrong; then none is kept."""
    items = body.get("feedback")
    if not isinstance(items, list) or not items:
        raise MembersMissing("missing or of the wrong type: feedback (a list with one object a card)", ("feedback",))
    faults = [fault for i, item in enumerate(items) for fault in _faults(i, item)]
    if faults:
        raise MembersMissing(
            f"missing or of the wrong type: {', '.join(faults[:10])} (card is the card's uuid, outcome is accepted or overridden)", tuple(faults)
        )
    return [Feedback(str(item["card"]).strip(), service, received, _ENCODER.encode(item)) for item in items]


def outcomes_of(items: list[Feedback]) -> list[str]:
    """The outcome of each item, for the metrics."""
    return [str(msgspec.json.decode(f.body)["outcome"]) for f in items]


def acknowledged(items: Iterable[Feedback], reasons: Iterable[OverrideReason]) -> Iterator[tuple[str, str]]:
    """The card and the reason of each override that gives one: in the words of the policy for its code, else as the client wrote it.

    An override without a reason is kept as feedback and acknowledges nothing.
    """
    known = {r.code: r.display for r in reasons}
    for f in items:
        item = msgspec.json.decode(f.body)
        given = mapping(item.get("overrideReason"))
        coded = mapping(given.get("reason"))
        code = text(coded.get("code"))
        reason = known.get(code or "") or text(coded.get("display")) or text(given.get("userComment")) or code
        if item["outcome"] == "overridden" and reason:
            yield f.card, reason


def _faults(i: int, item: object) -> list[str]:
    if not isinstance(item, dict):
        return [f"feedback[{i}]"]
    faults = [f"feedback[{i}].card"] if text(item.get("card")) is None else []
    return faults + ([f"feedback[{i}].outcome"] if item.get("outcome") not in OUTCOMES else [])


_ENCODER = msgspec.json.Encoder(decimal_format="number", order="deterministic")
