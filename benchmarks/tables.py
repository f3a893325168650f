#!/usr/bin/env python3
"""How many tables of real labels find their place in the flat text, how many cells, how many stand wrongly, and what it costs.

    python benchmarks/tables.py LABELS...

Cells are counted and compared by the standard library's HTML reader, not by the aligner: letters and digits of each cell, in the order of the
markup, against the text at the places the aligner gives. Prints, never asserts.
"""

from __future__ import annotations

import argparse
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from kb_builder.ingest.registry import read_sources
from ontology.text.document import Document, Section
from ontology.text.offsets import fold
from ontology.text.tables import Table, survey_tables


def main() -> None:
    """Prints one line a kind of document."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", nargs="+", type=Path)
    counts: dict[str, Counter[str]] = {}
    for _, item in read_sources(tuple(parser.parse_args().labels)):
        if isinstance(item, Document):
            count = counts.setdefault(item.kind, Counter())
            count["documents"] += 1
            for section in item.sections:
                measure(section, count)
    for kind, count in counts.items():
        print(kind)
        for name, value in count.items():
            print(f"  {name:36} {value:>12,}" if name != "microseconds" else f"  {'seconds':36} {value / 1e6:>12.2f}")


def measure(section: Section, count: Counter[str]) -> None:
    """Adds one section's tables to the counts."""
    folded = fold(section.text).text
    began = time.perf_counter()
    survey = survey_tables(folded, section.tables)
    count["microseconds"] += int((time.perf_counter() - began) * 1e6)
    if not survey.placed and not survey.unplaced:
        return
    count["sections with tables"] += 1
    count["tables placed"] += len(survey.placed)
    count["tables not in the text"] += len(survey.unplaced)
    for table in survey.placed:
        count[f"placed {table.placement}"] += 1
        count["with a caption"] += table.caption is not None
        count["with names of columns"] += table.header
        count["footnotes"] += len(table.notes)
        count["calls of footnotes"] += sum(len(c.notes) for c in table.cells)
        count["cells"] += len(table.cells)
        count["cells without a place"] += sum(bool(c.text) and not c.placed for c in table.cells)
    expected = sorted(cells for markup in section.tables for cells in readings(markup))
    found = sorted(cells for t in survey.placed if (cells := [w for text in texts(folded, t) if (w := plain(text))]))
    count["tables, read independently"] += len(expected)
    count["cells, read independently"] += sum(map(len, expected))
    if found != expected:
        count["sections that differ"] += 1
        missing = Counter(c for cells in expected for c in cells) - Counter(c for cells in found for c in cells)
        count["cells that stand elsewhere or nowhere"] += missing.total()


def texts(folded: str, table: Table) -> Iterator[str]:
    """The words at the places of a table's cells, in the order they stand in the text."""
    for cell in sorted((c for c in table.cells if c.placed), key=lambda c: c.start):
        yield "".join(folded[start:end] for start, end in cell.pieces)


def readings(markup: str) -> Iterator[list[str]]:
    """For each table of some markup the letters and digits of its cells in order, those of its footnotes and of cells without any left out."""
    reader = CellReader()
    reader.feed(markup)
    reader.close()
    for cells in reader.tables:
        words = [w for c in cells if (w := plain("".join(c)))]
        if words:
            yield words


class CellReader(HTMLParser):
    """Collects the text of cells, each inner table apart from the outer one."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self.open: list[list[list[str]]] = []
        self.inside: list[bool] = []
        self.footnotes = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Opens a table, a cell or a footnote."""
        if tag == "table":
            self.open.append([])
            self.inside.append(False)
        elif tag in ("td", "th") and self.open:
            self.open[-1].append([])
            self.inside[-1] = True
        elif tag == "footnote":
            self.footnotes += 1

    def handle_endtag(self, tag: str) -> None:
        """Closes a table, a cell or a footnote."""
        if tag == "table" and self.open:
            self.tables.append(self.open.pop())
            self.inside.pop()
        elif tag in ("td", "th", "tr") and self.open:
            self.inside[-1] = False
        elif tag == "footnote":
            self.footnotes -= 1

    def handle_data(self, data: str) -> None:
        """Adds text to the open cell."""
        if self.inside and self.inside[-1] and not self.footnotes:
            self.open[-1][-1].append(data)


def plain(text: str) -> str:
    """Letters and digits only, without trademark signs."""
    return "".join(c for c in unicodedata.normalize("NFKC", text.replace("\u2122", "").replace("\u2120", "")) if c.isalnum())


if __name__ == "__main__":
    main()
