"""The pieces that stand around an amount: how often, how long, how it is divided, where a statement ends."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from ontology.model.dosing import Frequency


class Kind(StrEnum):
    """What a piece says."""

    FREQUENCY = "frequency"
    SPACING = "spacing"
    DIVIDED = "divided"
    DAYS_OF_CYCLE = "days-of-cycle"
    DURATION = "duration"
    UNTIL = "until"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece at `[start, end)` of the folded text. `days_low` and `days_high` are those of a duration; `words` those of an event or an end."""

    start: int
    end: int
    kind: Kind
    frequency: Frequency | None = None
    days_low: Decimal | None = None
    days_high: Decimal | None = None
    words: str | None = None


def apart(pieces: list[Piece]) -> list[Piece]:
    """The pieces in order, none overlapping another: the first, then the longest, wins."""
    out: list[Piece] = []
    for piece in sorted(pieces, key=lambda p: (p.start, -p.end)):
        if not out or piece.start >= out[-1].end:
            out.append(piece)
    return out


def overlaps(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """True when `[start, end)` overlaps one of the spans, which are in order and do not overlap each other."""
    after = bisect_left(spans, (end, 0))
    return after > 0 and spans[after - 1][1] > start
