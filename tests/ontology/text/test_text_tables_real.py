"""Every table of the real labels stands in its section's text, cell by cell, as a reading of the HTML by other means finds it."""

import unicodedata
from collections import Counter
from html.parser import HTMLParser

import pytest

from kb_builder.ingest.registry import read_sources
from ontology.text.document import Document
from ontology.text.offsets import fold
from ontology.text.tables import Placement, survey_tables

pytestmark = [pytest.mark.shared, pytest.mark.slow]


class Cells(HTMLParser):
    """The text of the cells of each table, footnotes left out, inner tables apart."""

    def __init__(self):
        super().__init__()
        self.tables, self.open, self.inside, self.notes = [], [], [], 0

    def handle_starttag(self, tag, attrs):
        if tag == "table":
            self.open.append([])
            self.inside.append(False)
        elif tag in ("td", "th") and self.open:
            self.open[-1].append("")
            self.inside[-1] = True
        self.notes += tag == "footnote"

    def handle_endtag(self, tag):
        if tag == "table":
            self.tables.append(self.open.pop())
            self.inside.pop()
        elif tag in ("td", "th", "tr") and self.open:
            self.inside[-1] = False
        self.notes -= tag == "footnote"

    def handle_data(self, data):
        if self.inside and self.inside[-1] and not self.notes:
            self.open[-1][-1] += data


def letters(text):
    return "".join(c for c in unicodedata.normalize("NFKC", text.replace("™", "").replace("℠", "")) if c.isalnum())


def by_html(markup):
    reader = Cells()
    reader.feed(markup)
    return [words for cells in reader.tables if (words := [w for c in cells if (w := letters(c))])]


def sections(shared, kind):
    for _, item in read_sources((shared / "data" / "labels" / kind,)):
        if isinstance(item, Document):
            yield from ((item, section) for section in item.sections if section.tables)


@pytest.mark.parametrize(("kind", "least"), [("openfda", 4_700), ("spl", 50), ("markdown", 80)])
def test_every_cell_stands_at_its_place(shared, kind, least):
    tables = turned = 0
    for document, section in sections(shared, kind):
        shadow = fold(section.text)
        survey = survey_tables(shadow.text, section.tables)
        assert survey.unplaced == (), (document.set_id, section.key)
        assert all(t.placement is Placement.WHOLE for t in survey.placed)
        expected = Counter(tuple(words) for markup in section.tables for words in by_html(markup))
        found = Counter()
        for table in survey.placed:
            raw = ["".join(section.text[slice(*shadow.raw_span(*piece))] for piece in c.pieces) for c in _as_placed(table)]
            found[tuple(w for r in raw if (w := letters(_without_markup(r) if kind == "markdown" else r)))] += 1
        order = [words for table in survey.placed if not table.nested and (words := tuple(w for c in _as_placed(table) if (w := letters(c.text))))]
        turned += sorted(order) == sorted(expected.elements()) and order != [tuple(words) for markup in section.tables for words in by_html(markup)]
        found.pop((), None)
        assert set(found) == set(expected), (document.set_id, section.key)
        assert all(found[t] <= expected[t] for t in found)
        tables += found.total()
    assert tables >= least
    assert turned == 0, "tables stand in another order than their markup"


def _as_placed(table):
    return sorted((c for c in table.cells if c.placed), key=lambda c: c.start)


def _without_markup(raw):
    """Received text without the tags and references that Markdown keeps in it."""
    reader = Cells()
    reader.feed(f"<table><tr><td>{raw}</td></tr></table>")
    reader.close()
    return "".join(c for cells in reader.tables for c in cells)
