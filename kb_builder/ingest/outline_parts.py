"""The parts of a label's text: what stands before it, Highlights, table of contents, full text; each as offsets and the heads within."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb_builder.ingest.fields import outline_place
from kb_builder.ingest.outline_heads import Head

_OMITTED = re.compile(r"sections or subsections omitted[^\n]*\n?", re.IGNORECASE)
_ENTRY = re.compile(r"\s*(?:[-*+•]\s*)?(?:#+\s*)?(?:\d{1,2}(?:\.\d{1,2})*\.?\s+)?\S.{0,150}(?:[.·…\s]{2,}\d+)?\s*")
UNMARKED_FROM = 3
"""So many known sections before a table of contents are Highlights, marked or not."""
_PROSE = 160
"""A line longer than this is no entry of a table of contents."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The offsets of the parts; a part that a label does not have is empty. `full` ends with the text."""

    highlights: tuple[int, int]
    contents: tuple[int, int]
    full: int


def find_parts(text: str, heads: tuple[Head, ...]) -> Parts:
    """Where Highlights, table of contents and full text begin. A label without such marks is full text from the start."""
    highlights = _first(heads, "highlights", 0)
    contents = _first(heads, "contents", highlights.body if highlights else 0)
    full = _first(heads, "full", contents.body if contents else highlights.body if highlights else 0)
    begin = highlights.start if highlights else 0
    if contents is None:
        start = full.start if full else None
        if highlights is None:
            return Parts((0, 0), (0, 0), full.start if full else 0)
        if start is None:
            start = _second_first_section(heads, highlights.body, len(text))
        return Parts((begin, start), (start, start), start)
    end = _contents_end(text, heads, contents, full)
    if highlights is None:
        unmarked = [h for h in heads if h.start < contents.start and h.key and outline_place(h.key)[0] is not None]
        begin = unmarked[0].start if len(unmarked) >= UNMARKED_FROM else contents.start
    before = (begin, contents.start)
    return Parts(before, (contents.start, end), end)


def _first(heads: tuple[Head, ...], marker: str, after: int) -> Head | None:
    return next((h for h in heads if h.marker == marker and h.start >= after), None)


def _second_first_section(heads: tuple[Head, ...], after: int, end: int) -> int:
    """Where a numbered section 1 (or its boxed warning) begins behind the Highlights of a label that marks nothing; the end where none does."""
    numbered = next((h for h in heads if h.start >= after and h.number == (1,) and h.key), None)
    return numbered.start if numbered else end


def _contents_end(text: str, heads: tuple[Head, ...], contents: Head, full: Head | None) -> int:
    omitted = _OMITTED.search(text, contents.body)
    limits = [full.start] if full else []
    again = _repeat(heads, contents)
    if again is not None:
        limits.append(again)
    if omitted and (not limits or omitted.start() < min(limits)):
        return omitted.end()
    prose = _prose(text, contents.body)
    if not limits and prose is not None:
        before = [h for h in heads if contents.body <= h.start < prose and h.key]
        limits.append(before[-1].start if before else prose)
    return min(limits) if limits else contents.body


def _repeat(heads: tuple[Head, ...], contents: Head) -> int | None:
    """Where the numbers of the contents begin again, or a section they have listed comes again; a boxed warning before it belongs to it."""
    seen: set[str] = set()
    highest = 0
    before: Head | None = None
    for head in heads:
        if head.start < contents.body or head.key is None or len(head.number) > 1:
            continue
        number = head.number[0] if head.number else highest
        if head.key in seen or number < highest:
            return before.start if before and before.key == "boxed_warning" else head.start
        seen.add(head.key)
        highest, before = number, head
    return None


def _prose(text: str, start: int) -> int | None:
    """Where the first line of running text begins behind the offset."""
    at = start
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end].strip()
        if len(line) > _PROSE or not (line == "" or _ENTRY.fullmatch(line)):
            return at
        at = end + 1
    return None
