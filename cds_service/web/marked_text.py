"""A section's text cut into pieces, so that a page can mark the quoted places without changing a character."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ontology.model.spans import Span, SpanRole

CJK_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text: plain (`role` None), the statement, or another part of the evidence. `anchor` marks where a statement begins."""

    text: str
    role: SpanRole | None = None
    anchor: str | None = None


def cut(text: str, spans: Sequence[Span], anchors: Sequence[str | None] = ()) -> tuple[Piece, ...]:
    """The pieces of `text`, which joined give it back. `anchors` name the spans' beginnings, one a span.

    Where spans overlap the statement wins over the other roles. A span that does not quote the text at its place is left out: a page shows
    it apart (see `stands`).
    """
    named = list(anchors) + [None] * (len(spans) - len(anchors))
    sound = [(span, name) for span, name in zip(spans, named, strict=True) if stands(text, span)]
    edges = sorted({0, len(text)} | {e for span, _ in sound for e in (span.start, span.end)})
    pieces: list[Piece] = []
    for start, end in pairwise(edges):
        over = [(span, name) for span, name in sound if span.start <= start and end <= span.end]
        role = min((s.role for s, _ in over), key=_rank, default=None)
        anchor = next((name for span, name in over if span.start == start and name), None)
        if pieces and pieces[-1].role is role and not anchor:
            last = pieces[-1]
            pieces[-1] = Piece(last.text + text[start:end], last.role, last.anchor)
        else:
            pieces.append(Piece(text[start:end], role, anchor))
    return tuple(pieces)


def stands(text: str, span: Span) -> bool:
    """True when the text at the span's offsets is its quote, character for character."""
    return text[span.start : span.end] == span.quote


def language_of(text: str, fallback: str = "en") -> str:
    """`zh` for text that is largely Chinese, else the fallback: the `lang` of a quote."""
    letters = [c for c in text if unicodedata.category(c).startswith("L")]
    han = sum(1 for c in letters if re.match(r"[㐀-鿿]", c))
    return "zh" if letters and han / len(letters) >= CJK_SHARE else fallback


def _rank(role: SpanRole) -> int:
    return 0 if role is SpanRole.STATEMENT else 1
