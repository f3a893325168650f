"""The sections of a label whose text is all there is: Markdown made from prints, plain text, Chinese inserts.

A section is everything under its heading up to the next of its rank, character for character. Highlights become `highlights.<key>`, the
table of contents is passed over, coded subsections stand within their parent and once more on their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from kb_builder.ingest.fields import loinc_of, state_of
from kb_builder.ingest.outline_heads import Head, NoOutline, find_heads
from kb_builder.ingest.outline_parts import Parts, find_parts
from kb_builder.ingest.outline_rank import Opening, open_highlights, open_sections
from kb_builder.ingest.tables import tables_of
from ontology.text.document import Section, SectionState

PREAMBLE = "preamble"
HIGHLIGHTS = "highlights"
MAX_SECTIONS = 5_000
_COMPLETE_BOX = re.compile(r"\s*see full prescribing information for complete boxed warning", re.IGNORECASE)
"""What stands below the title of a boxed warning in the Highlights, whatever that title is."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A section and where its text begins in the label's text."""

    section: Section
    start: int

    @property
    def end(self) -> int:
        """Where the section's text ends."""
        return self.start + len(self.section.text)


@dataclass(frozen=True, slots=True)
class Outline:
    """The sections in printed order, subsections behind their parents; the place of the table of contents; headings kept under another key."""

    placed: tuple[Placed, ...]
    contents: tuple[int, int]
    renamed: tuple[tuple[str, str], ...]


def read_outline(text: str) -> tuple[Placed, ...]:
    """The sections of a label's text with their places; empty when no known heading stands in it. Raises NoOutline."""
    return outline_of(text).placed


def outline_of(text: str) -> Outline:
    """The sections, and what of the text is a table of contents. Raises NoOutline when there are too many headings."""
    heads = find_heads(text)
    parts = find_parts(text, heads)
    full = list(open_sections(tuple(h for h in heads if h.start >= parts.full), len(text)))
    if len(full) > MAX_SECTIONS:
        raise NoOutline(f"{len(full):,} headings that open sections, more than {MAX_SECTIONS:,}")
    named, renamed = _named(text, full)
    upper = list(_highlights(text, heads, parts, frozenset(key for key, _ in named)))
    if not any(o.head.key for o in full) and not any(p.section.loinc for p in upper):
        return Outline((), parts.contents, ())
    first = upper[0].start if upper else parts.contents[0] if parts.contents[1] else min(o.head.start for o in full)
    placed = [*_preamble(text, parts, first), *upper, *_between(text, parts, full)]
    placed += [Placed(_section(key, text, o), o.head.body) for key, o in named]
    return Outline(tuple(placed), parts.contents, tuple(renamed))


def _section(key: str, text: str, opening: Opening, repeats: str | None = None) -> Section:
    body = text[opening.head.body : opening.end]
    known = opening.head.key or key
    return Section(key, body, opening.head.title, loinc_of(known), state_of(known, body), tables_of(body), repeats=repeats)


def _named(text: str, openings: Iterable[Opening]) -> tuple[list[tuple[str, Opening]], list[tuple[str, str]]]:
    """The keys of the openings: the first with text of its own takes the plain key, others are numbered; empty repeats fall away."""
    kept = list(openings)
    filled = {o.key for o in kept if _says(text, o)}
    named: list[tuple[str, Opening]] = []
    renamed: list[tuple[str, str]] = []
    taken: dict[str, int] = {}
    for opening in kept:
        if opening.key in filled and not _says(text, opening):
            continue
        taken[opening.key] = taken.get(opening.key, 0) + 1
        if taken[opening.key] == 1:
            named.append((opening.key, opening))
        else:
            own = f"{opening.key}.{taken[opening.key]}"
            named.append((own, opening))
            renamed.append((own, opening.head.title))
    return named, renamed


def _says(text: str, opening: Opening) -> bool:
    return state_of(opening.key, text[opening.head.body : opening.end]) is not SectionState.EMPTY


def _preamble(text: str, parts: Parts, first: int) -> Iterator[Placed]:
    start = parts.highlights[0] if parts.highlights[1] else first
    body = text[:start]
    if body.strip():
        yield Placed(Section(PREAMBLE, body, "Preamble", tables=tables_of(body)), 0)


def _between(text: str, parts: Parts, full: list[Opening]) -> Iterator[Placed]:
    """What stands between the mark of the full text and its first section."""
    if not parts.full:
        return
    body = text[parts.full : min((o.head.start for o in full), default=len(text))]
    lines = body.strip().splitlines()
    if len(lines) > 1 or (lines and "full prescribing information" not in lines[0].casefold()):
        yield Placed(Section("full_prescribing_information", body, "Full prescribing information", tables=tables_of(body)), parts.full)


def _highlights(text: str, heads: tuple[Head, ...], parts: Parts, full: frozenset[str]) -> Iterator[Placed]:
    start, end = parts.highlights
    inside = tuple(replace(h, key="boxed_warning") if _COMPLETE_BOX.match(text, h.body) else h for h in heads if start <= h.start < end)
    if not inside:
        return
    openings = list(open_highlights(inside, end))
    lead = inside[0]
    head_end = openings[0].head.start if openings else end
    if lead.marker:
        yield Placed(_section(HIGHLIGHTS, text, Opening(replace(lead, key=None), HIGHLIGHTS, head_end)), lead.body)
    taken: set[str] = set()
    for opening in openings:
        plain = opening.key not in full
        key = opening.key if plain else f"{HIGHLIGHTS}.{opening.key}"
        if key in taken:
            key = f"{key}.{sum(1 for t in taken if t.startswith(key)) + 1}"
        taken.add(key)
        yield Placed(_section(key, text, opening, None if plain else opening.key), opening.head.body)
