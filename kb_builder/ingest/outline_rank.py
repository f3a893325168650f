"""Which heads open a section and which stand within one: by number, by the section's place in a label, by how its peers are printed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb_builder.ingest.fields import key_of_heading, outline_place
from kb_builder.ingest.outline_heads import Head
from kb_builder.ingest.outline_numbers import AFTER_THE_TEXT, Ranked, rank_by_number, within

NUMBERED_FROM = 5
"""So many numbered sections of known name make a label of the numbered format."""
_AFTER_MEDICINE = frozenset({"how_supplied", "storage_and_handling", *AFTER_THE_TEXT})
_ANCHORS = frozenset(
    {
        "indications_and_usage",
        "dosage_and_administration",
        "contraindications",
        "warnings",
        "precautions",
        "warnings_and_cautions",
        "adverse_reactions",
        "overdosage",
        "description",
        "clinical_pharmacology",
        "how_supplied",
    }
)
"""Sections that stand within no other: how their headings are printed shows the rank of a heading."""
Style = tuple[int, bool, bool, bool]


@dataclass(frozen=True, slots=True)
class Opening:
    """A head that opens a section, the key it gets, and where the section ends."""

    head: Head
    key: str
    end: int


def open_highlights(heads: tuple[Head, ...], end: int) -> Iterator[Opening]:
    """The sections of the Highlights: known sections of the first rank, each once, up to the next."""
    tops: list[Head] = []
    for head in heads:
        numbered = head.key is not None and (outline_place(head.key)[0] is not None or head.key in ("recent_major_changes", "warnings", "precautions"))
        if numbered and not head.loose and len(head.number) < 2 and (not tops or tops[-1].key != head.key):
            tops.append(head)
    for n, head in enumerate(tops):
        yield Opening(head, head.key or "", tops[n + 1].start if n + 1 < len(tops) else end)


def open_sections(heads: tuple[Head, ...], end: int) -> tuple[Opening, ...]:
    """The sections of the full text in printed order; a subsection with a key of its own follows its parent and ends within it."""
    numbered = {h.number[0] for h in heads if len(h.number) == 1 and h.key and outline_place(h.key)[0] is not None and not h.bracketed}
    ranked = list(rank_by_number(heads) if len(numbered) >= NUMBERED_FROM else _unnumbered(heads))
    return tuple(_ended(ranked, heads, end))


def _ended(ranked: list[Ranked], heads: tuple[Head, ...], end: int) -> Iterator[Opening]:
    tops = [r.head.start for r in ranked if r.top]
    later = iter([*tops[1:], end])
    limit = end
    for n, item in enumerate(ranked):
        if item.top:
            limit = next(later)
            yield Opening(item.head, item.key, limit)
        else:
            sibling = next((h.start for h in heads if h.start > item.head.start and _ends(item.head, h)), limit)
            nested = next((r.head.start for r in ranked[n + 1 :] if not r.top and not r.head.number and not within(r.key, item.key)), limit)
            yield Opening(item.head, item.key, min(limit, sibling if item.head.number else nested))


def _ends(head: Head, other: Head) -> bool:
    """True for the next subsection of the same depth by number."""
    return bool(head.number) and len(other.number) == len(head.number) and other.number > head.number and other.number[0] == head.number[0]


def _unnumbered(heads: tuple[Head, ...]) -> Iterator[Ranked]:
    """Sections by the look of their headings: those printed like the headings of sections that stand within no other."""
    styles = _top_styles(heads)
    ranks = _own_rank(heads, styles)
    key, inner = "", set[str]()
    for head in heads:
        if head.marker:
            continue
        nested = head.key is not None and not head.bracketed and within(head.key, key)
        if head.key is None:
            if head.bracketed or (key and head.level and head.level <= ranks):
                key = key_of_heading(head.title)
                yield Ranked(head, key, top=True)
        elif head.key == "boxed_warning" and (key in _AFTER_MEDICINE or (head.level == 0 and not head.bracketed and head.style not in styles and key)):
            continue
        elif nested:
            if head.key not in inner:
                inner.add(head.key)
                yield Ranked(head, head.key, top=False)
        elif (head.style in styles or head.key in AFTER_THE_TEXT or (head.key == "boxed_warning" and not key)) and head.key != key:
            key, inner = head.key, set()
            yield Ranked(head, key, top=True)


def _top_styles(heads: tuple[Head, ...]) -> frozenset[Style]:
    """How first-rank headings are printed: the looks of the anchors, loose ones only where there are no others."""
    anchors = [h for h in heads if h.key in _ANCHORS]
    firm = [h for h in anchors if not h.loose]
    first: dict[str, Style] = {}
    for head in firm or anchors:
        first.setdefault(head.key or "", head.style)
    return frozenset(first.values())


def _own_rank(heads: tuple[Head, ...], styles: frozenset[Style]) -> int:
    """The level of `#` down to which headings of unknown name open sections; 0 where levels tell nothing."""
    levels = {level for level, _, bracketed, _ in styles if level and not bracketed}
    deeper = {h.level for h in heads if h.level}
    return max(levels) if len(levels) == 1 and len(deeper) > 1 and max(deeper) > max(levels) else 0
