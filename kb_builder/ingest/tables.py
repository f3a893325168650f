"""Tables inside a section's Markdown, as HTML: HTML tables as they stand, pipe tables rendered."""

from __future__ import annotations

import html
import re

_HTML_TABLE = re.compile(r"<table\b.*?</table\s*>", re.IGNORECASE | re.DOTALL)
_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*")


def tables_of(text: str) -> tuple[str, ...]:
    """All tables of a section, in the order they stand."""
    found = [(match.start(), match.group()) for match in _HTML_TABLE.finditer(text)]
    inside = [(match.start(), match.end()) for match in _HTML_TABLE.finditer(text)]
    found += [(start, table) for start, table in _pipe_tables(text) if not any(a <= start < b for a, b in inside)]
    return tuple(table for _, table in sorted(found))


def _pipe_tables(text: str) -> list[tuple[int, str]]:
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    tables = []
    for n in range(1, len(lines)):
        if not (_RULE.fullmatch(lines[n]) and "|" in lines[n] and "|" in lines[n - 1]):
            continue
        end = n + 1
        while end < len(lines) and "|" in lines[end] and lines[end].strip():
            end += 1
        tables.append((starts[n - 1], _rendered(lines[n - 1], lines[n + 1 : end])))
    return tables


def _rendered(head: str, body: list[str]) -> str:
    rows = ["<tr>" + "".join(f"<th>{html.escape(cell)}</th>" for cell in _cells(head)) + "</tr>"]
    rows += ["<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in _cells(line)) + "</tr>" for line in body]
    return "<table>" + "".join(rows) + "</table>"


def _cells(line: str) -> list[str]:
    trimmed = line.strip().removeprefix("|").removesuffix("|")
    return [cell.replace(r"\|", "|").strip() for cell in re.split(r"(?<!\\)\|", trimmed)]
