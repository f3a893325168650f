"""The flat text of SPL elements, and their tables as HTML.

The text is the text nodes in document order. White space folds into one space; a block (paragraph, list, list item, table, caption, title,
footnote) is set apart by a blank line, a line break ends a line; within a table a row or block ends a line and the cells of a row are set
apart by a space. A superscript keeps a space from the letter or digit
before and behind it, except the 2 and 3 of a unit of length (`m2`), so that `14` with the footnote mark 1 never reads 141; a subscript only
where digit would meet digit. Nothing else is added and nothing left out.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator

from lxml import etree

from kb_builder.ingest.spl_xml import H, local_name

_BLOCKS = frozenset({"paragraph", "list", "item", "table", "thead", "tbody", "tfoot", "tr", "caption", "title", "text", "renderMultiMedia"})
_CELLS = frozenset({"td", "th"})
_HARD = frozenset({"footnote"})
_POWERED = re.compile(r"(?<![^\W\d_])[cdkmµμ]?m$")
_NONE, _SPACE, _LINE, _PARAGRAPH, _HARD_LINE = range(5)
_SEPARATORS = {_SPACE: " ", _LINE: "\n", _PARAGRAPH: "\n\n"}
_HTML_NAME = {"paragraph": "p", "item": "li", "renderMultiMedia": "div", "footnote": "div"}
_HTML_KEPT = frozenset({"table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "sup", "sub"})
_SPANS = ("rowspan", "colspan")


class FlatText:
    """Text as it grows; `add` takes elements one behind the other, each with what it holds but without its tail."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._gap = _NONE
        self._cell_is_empty = False
        self._tables = 0
        self._parted_from: Callable[[str], bool] | None = None

    def __str__(self) -> str:
        return "".join(self._parts)

    def add(self, element: etree._Element) -> None:
        """Writes an element's text."""
        name = local_name(element)
        in_item = name == "caption" and _parent_name(element) == "item"
        if name in ("sup", "sub"):
            self._script(element, name)
        elif name == "br":
            self._break(_LINE)
        elif name in _CELLS:
            self._cell(element)
        else:
            gap = _HARD_LINE if name in _HARD else _SPACE if in_item else self._block() if name in _BLOCKS else _NONE
            self._break(gap)
            self._tables += name == "table"
            self._inside(element)
            self._tables -= name == "table"
            self._break(gap)

    def _block(self) -> int:
        return _LINE if self._tables else _PARAGRAPH

    def write(self, text: str | None) -> None:
        """Writes characters."""
        if not text:
            return
        words = text.split()
        if text[0].isspace():
            self._break(_SPACE)
        if not words:
            return
        if self._parted_from and self._gap == _NONE and self._parted_from(words[0][0]):
            self._gap = _SPACE
        if self._parts and self._gap:
            self._parts.append(_SEPARATORS.get(self._gap, "\n" if self._tables else "\n\n"))
        self._parts.append(" ".join(words))
        self._gap, self._cell_is_empty, self._parted_from = _NONE, False, None
        if text[-1].isspace():
            self._break(_SPACE)

    def _inside(self, element: etree._Element) -> None:
        self.write(element.text)
        for inner in element:
            self.add(inner)
            self.write(inner.tail)

    def _cell(self, element: etree._Element) -> None:
        """A cell whose blocks do not end the line of its row at its two ends; they do between them."""
        self._cell_is_empty, before = True, len(self._parts)
        self._inside(element)
        self._cell_is_empty = False
        if len(self._parts) > before:
            self._gap = _SPACE if self._gap == _LINE else max(self._gap, _SPACE)

    def _break(self, gap: int) -> None:
        if not (self._cell_is_empty and gap == _LINE):
            self._gap = max(self._gap, gap)

    def _script(self, element: etree._Element, name: str) -> None:
        content = "".join(str(text) for text in element.itertext()).strip()
        before = self._parts[-1] if self._parts and self._gap == _NONE else ""
        if content and before and not (name == "sup" and content in ("2", "3") and _POWERED.search(before)):
            self._apart(name, before[-1], content)
        self._inside(element)
        if content and self._gap == _NONE:
            self._parted_from = str.isalnum if name == "sup" and content[-1].isalnum() else str.isdigit if content[-1].isdigit() else None

    def _apart(self, name: str, last: str, content: str) -> None:
        digits = last.isdigit() and any(c.isdigit() for c in content)
        if digits or (name == "sup" and last.isalnum() and content[0].isalnum()):
            self._break(_SPACE)


def _parent_name(element: etree._Element) -> str:
    parent = element.getparent()
    return "" if parent is None else local_name(parent)


def outer_tables(element: etree._Element) -> Iterator[str]:
    """The tables within an element as HTML, in document order; a table inside another stays inside it."""
    for table in element.iter(f"{H}table"):
        if next(table.iterancestors(f"{H}table"), None) is None:
            yield table_html(table)


def table_html(table: etree._Element) -> str:
    """One table as HTML: its structure, spans, superscripts, line breaks; a footnote as `div.footnote` with its id, a mark as a link to it."""
    parts: list[str] = []
    _write_html(table, parts)
    return "".join(parts)


def _write_html(element: etree._Element, parts: list[str]) -> None:
    name = local_name(element)
    if name == "br":
        parts.append("<br>")
        return
    if name == "footnoteRef":
        parts.append(f'<a class="footnote" href="#{html.escape(element.get("IDREF") or "")}"></a>')
        return
    shown = _HTML_NAME.get(name) or (name if name in _HTML_KEPT else "")
    if name == "list":
        shown = "ol" if element.get("listType") == "ordered" else "ul"
    if name == "caption" and _parent_name(element) != "table":
        shown = ""
    if shown:
        parts.append(f"<{shown}{_html_attributes(name, element)}>")
    parts.append(_html_text(element.text))
    for inner in element:
        _write_html(inner, parts)
        parts.append(_html_text(inner.tail))
    if shown:
        parts.append(f"</{shown}>")


def _html_attributes(name: str, element: etree._Element) -> str:
    if name == "footnote":
        return f' class="footnote" id="{html.escape(element.get("ID") or "")}"'
    if name not in _CELLS:
        return ""
    return "".join(f' {span}="{value}"' for span in _SPANS if (value := (element.get(span) or "").strip()).isdecimal())


def _html_text(text: str | None) -> str:
    return html.escape(re.sub(r"\s+", " ", text), quote=False) if text else ""
