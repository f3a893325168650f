"""Headings, paragraphs, items and tables of a document, put together from the lines of its pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median

from kb_builder.ingest.pdf_headings import heading_level, is_caption
from kb_builder.ingest.pdf_joining import ends_sentence, glue, goes_on, is_enumerated, is_item, is_unfinished, is_wrapped
from kb_builder.ingest.pdf_lines import Line
from kb_builder.ingest.pdf_page import Page, Region
from kb_builder.ingest.pdf_tables import Table, continues, joined

_OPENS = re.compile(r"[\s_=*.·…—–-]{3,}(?=\w)")
_CLOSES = re.compile(r"(?<=\w)[\s_=*.·…—–-]{3,}$")
_APART = 1.25
_FAR = 2.4
"""A line this many times further away than its neighbours begins a paragraph, and so does one this many heights away."""
_MARK = re.compile(r"[*†‡§¶‖#]{1,3}")
_RULE = re.compile(r"[\s_=*.·…—–-]{2,}")
_EMPTY_ITEMS = re.compile(r"^(?:[•●▪◦·■○]\s*)+(?=[•●▪◦·■○])")


@dataclass(slots=True)
class Prose:
    """A paragraph, item or heading: its text, where pages begin in it, and what its lines looked like."""

    text: str
    pages: list[tuple[int, int]]
    bold: bool
    stroke: float
    x0: float
    last: Line
    right: float
    frame: str = ""
    step: float = 0.0

    def level(self, usual: float) -> int | None:
        """Its level as a heading; None for text."""
        if is_item(self.text):
            return None
        return heading_level(self.text, bold=self.bold or bool(self.frame), large=self.stroke > 1.15 * usual)


@dataclass(slots=True)
class Gathered:
    """The blocks of a document, and how many table headers were left out because a page repeats them."""

    blocks: list[Prose | tuple[Table, int]] = field(default_factory=list)
    repeated_headers: int = 0


def gather_blocks(pages: Sequence[Page], words: frozenset[str]) -> Gathered:
    """The blocks of the pages in reading order; paragraphs and tables go on over columns and pages."""
    gathered = Gathered()
    for page in pages:
        for region in page.regions:
            _gather_region(gathered, region, page.number, words)
        for line in page.sideways:
            gathered.blocks.append(_opened(line, page.number, line.x1))
    return gathered


def _gather_region(gathered: Gathered, region: Region, number: int, words: frozenset[str]) -> None:
    usual = _usual_ratio(region)
    above: Line | None = None
    for at, item in enumerate(region.items):
        before = gathered.blocks[-1] if gathered.blocks else None
        if isinstance(item, Table):
            if at == 0 and isinstance(before, tuple) and before[1] < number and continues(before[0], item):
                table, repeated = joined(before[0], item)
                gathered.blocks[-1] = (table, number)
                gathered.repeated_headers += repeated
            else:
                gathered.blocks.append((item, number))
            above = None
            continue
        line, frame = _plain(item)
        below = region.items[at + 1] if at + 1 < len(region.items) else None
        if not line.text:
            above = None
            continue
        if isinstance(before, Prose) and before.frame == "opened" and frame == "closed":
            _extend(before, line, number, region.right, words)
            before.frame = "whole"
        elif isinstance(before, Prose) and not (frame or before.frame or _names_product(gathered, line)) and _belongs(before, line, above, below, usual):
            _extend(before, line, number, region.right, words)
        else:
            gathered.blocks.append(_opened(line, number, region.right, frame))
        above = line


def _names_product(gathered: Gathered, line: Line) -> bool:
    """Whether the block before is the first of the document, which names the product on a line of its own, with the labeler on the next."""
    return len(gathered.blocks) == 1 and line.bold and not goes_on(line.text)


def _plain(line: Line) -> tuple[Line, str]:
    """The line without rules of dashes or dots around its words, and whether these open a frame, close one, or are whole."""
    text = "" if _RULE.fullmatch(line.text) else line.text
    opens, closes = _OPENS.match(text), _CLOSES.search(text)
    frame = "whole" if opens and closes else "opened" if opens else "closed" if closes and line.bold else ""
    if frame:
        text = text[opens.end() if opens else 0 : closes.start() if closes else None].strip()
    return replace(line, text=_EMPTY_ITEMS.sub("", text)), frame


def _opened(line: Line, number: int, right: float, frame: str = "") -> Prose:
    return Prose(line.text, [(0, number)], line.bold, line.stroke, line.x0, line, right, frame)


def _extend(block: Prose, line: Line, number: int, right: float, words: frozenset[str]) -> None:
    before, between = glue(block.text, line.text, words)
    block.text = before + between
    if number > block.pages[-1][1]:
        block.pages.append((len(block.text), number))
    block.text += line.text
    block.bold = block.bold and line.bold
    step = line.bottom - block.last.bottom
    if number == block.pages[-1][1] and not block.step and step > 0.9 * line.stroke:
        block.step = step
    block.last, block.right = line, right


def _belongs(block: Prose, line: Line, above: Line | None, below: Line | Table | None, usual: float) -> bool:
    """Whether a line goes on with the block before it. `above` is the line over it in the same column, None at the column's top."""
    step = line.bottom - above.bottom if above is not None else 0.0
    if _MARK.fullmatch(block.text) and above is not None:
        return step < 1.8 * line.stroke
    if is_item(line.text) or abs(line.stroke - block.last.stroke) > 0.12 * block.last.stroke:
        return False
    ended = ends_sentence(block.text)
    on = goes_on(line.text) or (not ended and is_unfinished(block.text))
    if line.bold and ((_is_numbered(line.text) and not is_caption(block.text)) or (block.bold != line.bold and line.text.isupper())):
        return False
    if block.bold and not line.bold and (not on or ended or _is_numbered(block.text) or block.text.isupper()):
        return False
    wrapped = is_wrapped(block.last, line, block.right)
    if is_enumerated(line.text) and (not wrapped or ended):
        return False
    if above is None:
        return not ended and (on or (wrapped and not block.bold))
    if step > _FAR * line.stroke or step > _APART * _usual_step(block, line, step, below, usual):
        return False
    if line.bold and not block.bold and ended:
        return False
    if block.bold and line.bold and not ended and (is_caption(block.text) or _is_centred(block.last, line)):
        return block.text.isupper() == line.text.isupper()
    indented = line.x0 > block.last.x0 + 1.2 * line.stroke and ended
    return (wrapped or on) and not indented


def _usual_ratio(region: Region) -> float:
    """The usual distance of base lines in a column, in heights of a character, wide gaps left out."""
    lines = [item for item in region.items if isinstance(item, Line)]
    ratios = [(b.bottom - a.bottom) / a.stroke for a, b in pairwise(lines)]
    return median([r for r in ratios if 0.9 < r < 1.6] or [1.6])


def _usual_step(block: Prose, line: Line, step: float, below: Line | Table | None, usual: float) -> float:
    """The distance of base lines around a line: that inside the block, else the smallest of the column's usual one and those above and below the line."""
    if block.step:
        return block.step
    after = below.bottom - line.bottom if isinstance(below, Line) else step
    return min(step, usual * line.stroke, after if after > 0.8 * line.stroke else step)


def _is_centred(one: Line, other: Line) -> bool:
    """Whether two lines have one middle and different beginnings."""
    return abs((one.x0 + one.x1) - (other.x0 + other.x1)) < 6.0 and abs(one.x0 - other.x0) > other.stroke


def _is_numbered(text: str) -> bool:
    return re.match(r"\d{1,2}(?:\.\d{1,2})*\.?\s+[A-Z]", text) is not None
