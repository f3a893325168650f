"""What of an instruction nothing accounts for, in the words as they were received."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cds_service.intake.sigs.expand import Expanded
from cds_service.intake.sigs.lexicon import SECTIONS

Spans = Sequence[tuple[int, int]]

_HAN_FIRST = "一"
_NOTHING_MORE = (*SECTIONS["plain"]["words"], *SECTIONS["links"]["then"], *SECTIONS["links"]["beside"])
_PLAIN = frozenset(_NOTHING_MORE) | {c for word in _NOTHING_MORE if word[0] >= _HAN_FIRST for c in word}


def unread_words(plain: Expanded, read: Spans, elsewhere: Spans) -> Iterator[str]:
    """The stretches of words that were not read, or that speak of another order, as received; words that add nothing do not count."""
    run: tuple[int, int] | None = None
    for start, end, word in plain.tokens:
        ours = not elsewhere or not meets(start, end, elsewhere)
        told = ours and meets(start, end, read)
        if told or (ours and word in _PLAIN) or not word[0].isalnum():
            if told and run is not None and word[0].isalnum():
                yield _received(plain, run)
                run = None
            continue
        run = (start if run is None else run[0], end)
    if run is not None:
        yield _received(plain, run)


def meets(start: int, end: int, spans: Spans) -> bool:
    """True when `[start, end)` overlaps one of the spans."""
    return any(start < b and end > a for a, b in spans)


def _received(plain: Expanded, span: tuple[int, int]) -> str:
    low, high = plain.raw_span(*span)
    return plain.folded.raw[low:high]
