r"""Tables that Markdown draws with pipes, read from folded text with the place of every word.

A rule row (`|---|:-:|`) below the first row makes it the header; without a rule every line must begin and end with a pipe. Rows may be ragged;
`\|` is a pipe inside a cell, `<br>` a line break inside one.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ontology.text.offsets import LINE, PARAGRAPH
from ontology.text.tables.markup import MarkedCell, MarkedTable, Part, Run
from ontology.text.tables.model import Place

MAX_ROWS = 20_000
MAX_PIPES = 1_000
"""Rows of a table and pipes of a row beyond which drawn lines are no table of a label; the longest real one has some hundreds and twenty."""
_LINE = re.compile(f"[^{LINE}{PARAGRAPH}]+")
_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_PIPE = re.compile(r"(?<!\\)\|")
_PART_OF_CELL = re.compile(r"(?P<break><br\s*/?>)|(?P<tag></?[A-Za-z][^<>]*>)|(?P<bold>\*\*)|(?:(?!\*\*)[^<]|<(?!/?[A-Za-z][^<>]*>))+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A table drawn in the text: its cells and runs, the place of each run, where each cell lies between its pipes, and the lines it takes."""

    table: MarkedTable
    places: list[Place | None]
    rows: list[tuple[Part, list[Place]]]
    start: int
    end: int


def read_pipes(text: str) -> Iterator[DrawnTable]:
    """The pipe tables of folded text, in order."""
    if "|" not in text:
        return
    block: list[Place] = []
    for m in _LINE.finditer(text):
        piped = _PIPE.search(text, m.start(), m.end()) is not None and text.count("|", m.start(), m.end()) <= MAX_PIPES
        if block and (not piped or m.start() != block[-1][1] + 1 or text[m.start() - 1] != LINE):
            yield from _block(text, block)
            block = []
        if piped:
            block.append(m.span())
    yield from _block(text, block)


def _block(text: str, lines: list[Place]) -> Iterator[DrawnTable]:
    if len(lines) > MAX_ROWS:
        return
    rule = next((i for i, (a, b) in enumerate(lines) if _RULE.fullmatch(text, a, b) and "-" in text[a:b]), None)
    if rule is None:
        lines = [line for line in lines if _is_framed(text, *line)]
    elif rule > 1:
        lines, rule = lines[rule - 1 :], 1
    rows = [(i, a, b) for i, (a, b) in enumerate(lines) if not (_RULE.fullmatch(text, a, b) and "-" in text[a:b])]
    if not rows or (rule is None and len(_PIPE.findall(text, *lines[0])) < 3):
        return
    drawn = MarkedTable([], nested=False)
    places: list[Place | None] = []
    lying: list[tuple[Part, list[Place]]] = []
    for i, start, end in rows:
        part = Part.HEAD if rule is not None and i < rule else Part.BODY
        between = list(_cells(text, start, end))
        lying.append((part, between))
        drawn.rows.append((part, [_cell(text, a, b, drawn, places) for a, b in between]))
    yield DrawnTable(drawn, places, lying, lines[0][0], lines[-1][1])


def _is_framed(text: str, start: int, end: int) -> bool:
    line = text[start:end].strip()
    return len(line) > 1 and line[0] == line[-1] == "|"


def _cells(text: str, start: int, end: int) -> Iterator[Place]:
    cuts = [m.start() for m in _PIPE.finditer(text, start, end)]
    first = cuts.pop(0) + 1 if cuts and not text[start : cuts[0]].strip() else start
    last = cuts.pop() if cuts and not text[cuts[-1] + 1 : end].strip() else end
    for cut in cuts:
        yield first, cut
        first = cut + 1
    yield first, last


def _cell(text: str, start: int, end: int, drawn: MarkedTable, places: list[Place | None]) -> MarkedCell:
    cell = MarkedCell(header=False, rowspan=1, colspan=1)
    raised = bold = False
    for m in _PART_OF_CELL.finditer(text, start, end):
        if m["break"]:
            cell.pieces.append([])
        elif m["bold"]:
            bold = not bold
        elif m["tag"]:
            name = m["tag"].lower()
            raised = name.startswith("<sup") or (raised and not name.startswith("</sup"))
        elif m[0].strip():
            at = m.start() + len(m[0]) - len(m[0].lstrip())
            words = html.unescape(m[0].replace("\\|", "|"))
            cell.pieces[-1].append(len(drawn.runs))
            cell.size += len(words.strip())
            cell.bold += len(words.strip()) if bold else 0
            drawn.runs.append(Run(words, raised))
            places.append((at, at + len(m[0].strip())))
    return cell
