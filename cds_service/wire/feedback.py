"""Feedback on cards: kept once however often it is sent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from cds_service.errors import MembersMissing
from cds_service.intake.fhir.values import text
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


def _faults(i: int, item: object) -> list[str]:
    if not isinstance(item, dict):
        return [f"feedback[{i}]"]
    faults = [f"feedback[{i}].card"] if text(item.get("card")) is None else []
    return faults + ([f"feedback[{i}].outcome"] if item.get("outcome") not in OUTCOMES else [])


_ENCODER = msgspec.json.Encoder(decimal_format="number", order="deterministic")
