"""Tables that plain text draws with spaces: lines whose columns are kept apart by gutters, as HTML.

Nothing but layout tells such a table, so the rule is narrow: at least three lines (two below a ruled head) of two fields or more, and the same
blank gutters through all of them. Lists, tables of contents, formulas and prose set in
two columns are none.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

_FIELD = re.compile(r"\S+(?: \S+)*")
_RULE = re.compile(r"[\s+]*(?:[-=_─]{2,}[\s+]*)+")
_NUMBERING = re.compile(r"[•●▪◦·■►*+-]|[(]?(?:\d{1,2}(?:\.\d{1,2})*|[a-z]|[ivx]+)[.)]?|[①-⑳]", re.IGNORECASE)
_NO_LINE = re.compile(r"\s*(?:#|<|>|\|)|.*\|")
_SPOKEN = re.compile(r"[a-z]{2}|[一-鿿]")
_GUTTER = 2
_LEAST_LINES = 3
_LONGEST_NAME = 40
"""Characters of the widest cell of the first column: beyond them the lines are prose in columns."""
_TAB = 64
"""Characters of a tab: wider than most cells, so that the fields of all lines begin at the same places."""
_WIDEST = 1_000


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line with its tabs expanded, where it begins and ends in the text, how many fields it has, and whether it is a line of dashes."""

    start: int
    end: int
    words: str
    fields: int
    is_rule: bool


def drawn_tables(text: str) -> Iterator[tuple[int, int, str]]:
    """Each table's begin and end in the text, and its HTML."""
    block: list[DrawnLine] = []
    at = 0
    for line in [*text.split("\n"), ""]:
        words = line.rstrip().expandtabs(_TAB)
        start, at = at, at + len(line) + 1
        if words and len(words) <= _WIDEST and not _NO_LINE.match(line):
            drawn = DrawnLine(start, start + len(line), words, len(_FIELD.findall(words)), _RULE.fullmatch(words) is not None)
            if drawn.fields > 1 or drawn.is_rule or block:
                block.append(drawn)
                continue
        yield from _block(block)
        block = []


def _block(lines: list[DrawnLine]) -> Iterator[tuple[int, int, str]]:
    while lines and lines[-1].fields < 2 and not _continues(lines):
        lines = lines[:-1]
    words = [line for line in lines if not line.is_rule]
    if sum(_SPOKEN.search(line.words) is not None for line in words) * 2 < len(words):
        return
    ruled = next((i for i, line in enumerate(lines) if line.is_rule and i), 0)
    if sum(line.fields > 1 for line in words) < (_LEAST_LINES - 1 if ruled else _LEAST_LINES):
        return
    columns = _columns([line.words for line in words])
    rows = [[line.words[a:b].strip() for a, b in columns] for line in words]
    names = [row[0] for row in rows if row[0]]
    if len(columns) < 2 or not names or max(map(len, names)) > _LONGEST_NAME or all(_NUMBERING.fullmatch(name) for name in names):
        return
    head = sum(not line.is_rule for line in lines[:ruled])
    yield lines[0].start, lines[-1].end, _rendered(rows, head if head <= 2 else 0)


def _continues(lines: list[DrawnLine]) -> bool:
    """True when the last line, of one field, goes on in a column behind the first."""
    indent = len(lines[-1].words) - len(lines[-1].words.lstrip())
    return any(indent >= len(line.words) - len(line.words.lstrip()) + _GUTTER for line in lines[:-1] if line.fields > 1)


def _columns(lines: list[str]) -> list[tuple[int, int]]:
    """The stretches between gutters, blank in every line; the last one reaches to the end of the longest line."""
    width = max(map(len, lines), default=0)
    taken = [False] * width
    for line in lines:
        for m in _FIELD.finditer(line):
            taken[m.start() : m.end()] = [True] * (m.end() - m.start())
    begins = [i for i, full in enumerate(taken) if full and not any(taken[max(0, i - _GUTTER) : i])]
    return [*pairwise(begins), (begins[-1], width)] if begins else []


def _rendered(rows: list[list[str]], head: int) -> str:
    lines = []
    for n, row in enumerate(rows):
        tag = "th" if n < head else "td"
        lines.append("<tr>" + "".join(f"<{tag}>{html.escape(cell, quote=False)}</{tag}>" for cell in row) + "</tr>")
    return "<table>" + "".join(lines) + "</table>"
