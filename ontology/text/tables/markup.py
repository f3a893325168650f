"""What the markup of a table says: rows of cells as runs of text in the order of the document.

Reads HTML, and the HTML-like tables of openFDA and structured product labels (`<paragraph>`, `<list><item>`, `<content styleCode>`, `<footnote>`).
Forgiving and bounded: unclosed tags close with their parent, spans are limited, nothing is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from lxml import etree

MAX_MARKUP = 4_000_000
MAX_SPAN = 100
"""Columns that one cell may cover; wider claims are errors."""
MAX_ROWSPAN = 10_000

_BREAKING = frozenset({"paragraph", "item", "li", "p", "br", "div", "list", "ul", "ol", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6"})
_BOLD = frozenset({"b", "strong"})
_NO_TEXT = frozenset({"script", "style", "head", "title"})
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


class Part(StrEnum):
    """The group of rows a row belongs to."""

    HEAD = "thead"
    BODY = "tbody"
    FOOT = "tfoot"


@dataclass(slots=True)
class Run:
    """Text that stands together; `raised` for a superscript."""

    text: str
    raised: bool = False


@dataclass(slots=True)
class MarkedNote:
    """A footnote that the markup itself holds: its id and its runs."""

    id: str
    runs: list[int] = field(default_factory=list)


@dataclass(slots=True)
class MarkedCell:
    """One cell: runs by paragraph, spans as given, whether it is a header cell, how much of it is bold, whether a rule is
    drawn below it, the ids of the footnotes it calls.
    """

    header: bool
    rowspan: int
    colspan: int
    pieces: list[list[int]] = field(default_factory=lambda: [[]])
    bold: int = 0
    size: int = 0
    ruled: bool = False
    calls: list[str] = field(default_factory=list)


@dataclass(slots=True)
class MarkedTable:
    """One table: rows with the part they belong to, caption and footnotes. `runs` is shared with the tables nested in it."""

    runs: list[Run]
    nested: bool
    rows: list[tuple[Part, list[MarkedCell]]] = field(default_factory=list)
    caption: list[int] = field(default_factory=list)
    caption_calls: list[str] = field(default_factory=list)
    notes: list[MarkedNote] = field(default_factory=list)
    inner: list[MarkedTable] = field(default_factory=list)

    def own_runs(self) -> list[int]:
        """The runs of its caption, cells and footnotes, in order, without those of tables nested in it."""
        cells = (i for _, row in self.rows for cell in row for piece in cell.pieces for i in piece)
        return sorted([*self.caption, *cells, *(i for note in self.notes for i in note.runs)])


def read_markup(markup: str) -> list[MarkedTable]:
    """The outermost tables of some markup, each with those nested in it. Raises ValueError for markup longer than MAX_MARKUP or nested too deep."""
    if len(markup) > MAX_MARKUP:
        raise ValueError(f"{len(markup):,} characters of table markup, more than {MAX_MARKUP:,}")
    clean = _CONTROL.sub(" ", markup)
    parser = etree.HTMLParser(recover=True, no_network=True, remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        root = etree.fromstring(f"<html><body>{clean}</body></html>", parser)
    except etree.XMLSyntaxError:
        return []
    if any(error.level_name == "FATAL" for error in parser.error_log):
        raise ValueError(f"table markup that cannot be read to its end: {parser.error_log.last_error.message}")
    if root is None:
        return []
    walker = _Walker()
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            walker.start(element)
        else:
            walker.end(element)
    return walker.found


@dataclass(slots=True)
class _Open:
    """A table being read."""

    table: MarkedTable
    part: Part = Part.BODY
    row: list[MarkedCell] | None = None
    cell: MarkedCell | None = None
    caption: bool = False
    note: MarkedNote | None = None


class _Walker:
    """Collects tables from the events of a tree."""

    def __init__(self) -> None:
        self.found: list[MarkedTable] = []
        self._open: list[_Open] = []
        self._raised = 0
        self._bold = 0
        self._mute = 0

    def start(self, element: etree._Element) -> None:
        tag = _tag(element)
        now = self._open[-1] if self._open else None
        if tag == "table":
            runs = self._open[0].table.runs if self._open else []
            self._open.append(_Open(MarkedTable(runs, nested=bool(self._open))))
        elif tag in _NO_TEXT:
            self._mute += 1
        elif now is not None:
            self._inside(tag, element, now)
        self._text(element.text)

    def end(self, element: etree._Element) -> None:
        tag = _tag(element)
        now = self._open[-1] if self._open else None
        if tag in _NO_TEXT:
            self._mute -= 1
        elif now is not None:
            if tag == "table":
                _end_row(now)
                self._open.pop()
                (self._open[0].table.inner if self._open else self.found).append(now.table)
            elif tag in ("thead", "tbody", "tfoot"):
                _end_row(now)
                now.part = Part.BODY
            elif tag == "tr":
                _end_row(now)
            elif tag in ("td", "th"):
                now.cell = None
            elif tag == "caption":
                now.caption = False
            elif tag == "footnote":
                now.note = None
            elif tag in _BREAKING and now.cell is not None:
                now.cell.pieces.append([])
            self._raised -= tag == "sup"
            self._bold -= _is_bold(tag, element)
        self._text(element.tail)

    def _inside(self, tag: str, element: etree._Element, now: _Open) -> None:
        if tag in ("thead", "tbody", "tfoot"):
            _end_row(now)
            now.part = Part(tag)
        elif tag == "tr":
            _end_row(now)
            now.row = []
        elif tag in ("td", "th"):
            now.cell = MarkedCell(tag == "th", _span(element, "rowspan", MAX_ROWSPAN), _span(element, "colspan", MAX_SPAN))
            now.row = [] if now.row is None else now.row
            now.row.append(now.cell)
            parent = element.getparent()
            now.cell.ruled = _has_style(element, "botrule") or (parent is not None and _has_style(parent, "botrule"))
        elif tag == "caption" and now.cell is None:
            now.caption = True
        elif tag == "footnote":
            now.note = MarkedNote(element.get("id") or f"\0{len(now.table.notes)}")
            now.table.notes.append(now.note)
            _call(now, now.note.id)
        elif tag == "footnoteref":
            _call(now, element.get("idref") or "")
        elif tag in _BREAKING and now.cell is not None:
            now.cell.pieces.append([])
        self._raised += tag == "sup"
        self._bold += _is_bold(tag, element)

    def _text(self, text: str | None) -> None:
        if not text or not self._open or self._mute > 0:
            return
        now = self._open[-1]
        runs = now.table.runs
        runs.append(Run(text, self._raised > 0))
        at = len(runs) - 1
        if now.note is not None:
            now.note.runs.append(at)
        elif now.cell is not None:
            size = len(text.strip())
            now.cell.pieces[-1].append(at)
            now.cell.size += size
            now.cell.bold += size if self._bold else 0
        elif now.caption:
            now.table.caption.append(at)


def _tag(element: etree._Element) -> str:
    return element.tag.lower() if isinstance(element.tag, str) else ""


def _is_bold(tag: str, element: etree._Element) -> bool:
    return tag in _BOLD or (tag == "content" and _has_style(element, "bold"))


def _has_style(element: etree._Element, style: str) -> bool:
    return style in (element.get("stylecode") or "").lower()


def _call(now: _Open, note: str) -> None:
    if now.cell is not None:
        now.cell.calls.append(note)
    elif now.caption:
        now.table.caption_calls.append(note)


def _end_row(now: _Open) -> None:
    if now.row is not None:
        now.table.rows.append((now.part, now.row))
    now.row = now.cell = None


def _span(element: etree._Element, name: str, most: int) -> int:
    """The span as given, 1 where it is no number, 0 for a rowspan that reaches down to the end of its group."""
    value = (element.get(name) or "1").strip()
    if not re.fullmatch(r"\d{1,9}", value):
        return 1
    return min(int(value), most) if int(value) or name == "rowspan" else 1


def tables_in_order(outer: MarkedTable) -> Iterator[MarkedTable]:
    """A table and those nested in it."""
    yield outer
    yield from outer.inner
