"""Tables inside a section's text, as HTML: HTML tables as they stand, tables drawn with pipes or spaces rendered."""

from __future__ import annotations

import re

from kb_builder.ingest.drawn_tables import drawn_tables
from ontology.text.tables.flat import table_regions
from ontology.text.tables.markup import Part
from ontology.text.tables.pipes import DrawnTable, read_pipes

_LESS = re.compile(r"<(?!/?[A-Za-z][^<>]*>)")
_BOLD = re.compile(r"\*\*(.+?)\*\*")
FULL_WIDTH_PIPE = "\uff5c"


def tables_of(text: str) -> tuple[str, ...]:
    """All tables of a section, in the order they stand; a table inside another one comes with it."""
    regions = list(table_regions(text))
    plain = text.replace(FULL_WIDTH_PIPE, "|")
    found = [(start, text[start:end]) for start, end in regions]
    found += [(drawn.start, _rendered(plain, drawn)) for drawn in read_pipes(plain) if not _meets(regions, drawn.start, drawn.end)]
    found += [(start, table) for start, end, table in drawn_tables(text) if not _meets(regions, start, end)]
    return tuple(table for _, table in sorted(found))


def _meets(regions: list[tuple[int, int]], start: int, end: int) -> bool:
    return any(a < end and start < b for a, b in regions)


def _rendered(text: str, drawn: DrawnTable) -> str:
    rows = []
    for part, cells in drawn.rows:
        tag = "th" if part is Part.HEAD else "td"
        rows.append("<tr>" + "".join(f"<{tag}>{_cell(text[start:end])}</{tag}>" for start, end in cells) + "</tr>")
    return "<table>" + "".join(rows) + "</table>"


def _cell(words: str) -> str:
    """A cell's Markdown as HTML: its tags and character references stay."""
    return _BOLD.sub(r"<b>\1</b>", _LESS.sub("&lt;", words.strip().replace(r"\|", "|")))
