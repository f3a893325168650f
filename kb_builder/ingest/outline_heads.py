"""Lines of a label that may be headings: Markdown headings, bracketed Chinese ones, numbered lines, known words alone on a line.

Whether such a line opens a section depends on where it stands; the outline decides that.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from kb_builder.ingest.fields import known_key, shouted_headings

LONGEST_HEADING = 160
MAX_HEADS = 50_000
"""More lines that may be headings are no label; the longest of the real ones has some hundreds."""
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_UNSEEN = "\u200b-\u200f\u202a-\u202e\u2060\ufeff"
"""Characters without a width that may stand before a heading's mark, where files were joined or copied from a page."""
_MARKDOWN = re.compile(rf"[ {_UNSEEN}]{{0,8}}(#{{1,6}})[ \t]*(\S.*)")
_BOLD = re.compile(r"(\*\*|__)(?P<title>[^*_]+?)(?P<colon>[:：]?)\1(?P<after>[:：]?)[ \t]*")
_BRACKET = re.compile(rf"[\s*_{_UNSEEN}]*(?P<open>[【〖［\[])(?P<title>[^】〗］\]\n]{{1,30}})[】〗］\]][ \t]*[:：]?[*_]*(?![、项]|部分|内容)")
_NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,2})\.?[ \t]+(?=\D)|(\d{1,2})[.、．][ \t]*(?=[\u4e00-\u9fff])")
_RUN_IN = re.compile(r"(?P<title>[^:：\n]{2,60}?)[ \t]*[:：](?![\d])")
_LIST = re.compile(r"\s*(?:[-*+•·]|\d+[.)])\s")
_PANEL = re.compile(r"(?:PACKAGE LABEL\b.*|PRINCIPAL DISPLAY PANEL\b.*|PACKAGE/LABEL\b.*)", re.IGNORECASE)
_BOXED = re.compile(r"(?:BOXED )?WARNINGS?\s*:\s*[^a-z]+")
MARKERS = (
    ("contents", re.compile(r"(?:full prescribing information\s*:?\s*(?:table of )?contents|(?:table of )?contents|目\s*录)\s*\*?", re.IGNORECASE)),
    ("highlights", re.compile(r"highlights of prescribing information", re.IGNORECASE)),
    ("full", re.compile(r"full prescribing information", re.IGNORECASE)),
)


class NoOutline(Exception):
    """A text whose sections cannot be read; carries the reason."""


@dataclass(frozen=True, slots=True)
class Head:
    """A line that may be a heading.

    `start` is where its line begins, `body` where the text behind it begins (on the same line where text runs on). `level` is the number of
    `#`, 0 without one. `marker` names a boundary of a label's parts (`highlights`, `contents`, `full`). `loose` are plain lines in title
    case, which only the outline's context makes a heading.
    """

    start: int
    body: int
    title: str
    level: int
    number: tuple[int, ...]
    key: str | None
    shouted: bool
    bracketed: bool = False
    loose: bool = False
    marker: str | None = None

    @property
    def style(self) -> tuple[int, bool, bool, bool]:
        """How the heading is printed: headings of one rank look alike."""
        return (self.level, self.shouted and not self.bracketed, self.bracketed, bool(self.number))


def find_heads(text: str) -> tuple[Head, ...]:
    """All lines that may be headings, in order; none inside HTML tables and fenced blocks. Raises NoOutline when there are too many."""
    hidden = _hidden(text)
    starts = [start for start, _ in hidden]
    found: list[Head] = []
    after_blank = True
    for line in _LINE.finditer(text):
        blank = not line.group().strip()
        if not blank:
            at = bisect_right(starts, line.start()) - 1
            if not (at >= 0 and line.start() < hidden[at][1]):
                head = _head(line.start(), line.group(), after_blank)
                if head is not None:
                    found.append(head)
                    if len(found) > MAX_HEADS:
                        raise NoOutline(f"more than {MAX_HEADS:,} lines that look like headings")
        after_blank = blank
    return tuple(found)


def _head(start: int, line: str, after_blank: bool) -> Head | None:
    stripped = line.rstrip()
    if stripped.startswith(("|", "<")):
        return None
    if len(stripped) > LONGEST_HEADING:
        return _run_in_head(start, line, after_blank)
    marked = _MARKDOWN.fullmatch(stripped)
    level = len(marked[1]) if marked else 0
    inner = re.sub(r"(?:^|(?<=[ \t]))#+$", "", marked[2]).strip() if marked else stripped.strip()
    offset = stripped.find(inner)
    bracket = _BRACKET.match(inner)
    if bracket and (bracket["open"] in "【〖［" or known_key(bracket["title"])):
        rest = inner[bracket.end() :].strip(" \t*")
        body = start + offset + bracket.end() if rest else start + len(line)
        return Head(start, body, inner[: bracket.end()].strip(), level, (), known_key(bracket["title"]), False, bracketed=True)
    bold = _BOLD.fullmatch(inner)
    title = (bold["title"] if bold else inner).strip()
    bare = title.strip(" *_").rstrip()
    marker = next((name for name, pattern in MARKERS if pattern.fullmatch(bare)), None)
    if marker:
        return Head(start, start + len(line), title, level, (), None, True, marker=marker)
    number = _NUMBER.match(title)
    words = title[number.end() :] if number else title
    key = _key(title, words)
    shouted = words.upper() == words and words.lower() != words
    digits = tuple(int(n) for n in (number[1] or number[2]).split(".")) if number else ()
    if level or (key and (digits or shouted) and not _is_list(stripped, shouted)):
        return Head(start, start + len(line), title, level, digits, key, shouted)
    if key and (bold or after_blank) and not _LIST.match(stripped):
        return Head(start, start + len(line), title, 0, digits, key, shouted, loose=True)
    return _run_in_head(start, line, after_blank)


def _is_list(line: str, shouted: bool) -> bool:
    """True for an item of a list that is no heading: bulleted, or numbered without capitals."""
    return bool(re.match(r"\s*[-*+•·]\s", line)) or (bool(_LIST.match(line)) and not shouted)


def _key(title: str, words: str) -> str | None:
    key = known_key(title)
    if key is None and _PANEL.fullmatch(words):
        return "package_label_principal_display_panel"
    return "boxed_warning" if key is None and _BOXED.fullmatch(title) else key


def _run_in_head(start: int, line: str, after_blank: bool) -> Head | None:
    """A known heading that text follows on its line: "CONTRAINDICATIONS: ...", "4 CONTRAINDICATIONS None.", "禁忌：..."."""
    shouted = _shouted_pattern().match(line)
    if shouted:
        digits = tuple(int(n) for n in shouted["number"].split(".")) if shouted["number"] else ()
        if digits or shouted["colon"]:
            return Head(start, start + shouted.end(), shouted.group().strip(" \t:：*"), 0, digits, known_key(shouted["title"]), True)
    match = _RUN_IN.match(line.lstrip(" \t*"))
    if match is None:
        return None
    lead = len(line) - len(line.lstrip(" \t*"))
    title = match["title"].strip(" *")
    chinese = bool(re.search(r"[\u4e00-\u9fff]", title))
    number = _NUMBER.match(title)
    digits = tuple(int(n) for n in (number[1] or number[2]).split(".")) if number else ()
    key = known_key(title)
    if key is None or not (chinese or after_blank) or (not chinese and " " not in title):
        return None
    body = start + lead + match.end() if line[lead + match.end() :].strip(" *\n\r") else start + len(line)
    return Head(start, body, title, 0, digits, key, False, loose=not chinese)


@cache
def _shouted_pattern() -> re.Pattern[str]:
    known = "|".join(re.escape(h).replace(r"\ ", r"[ \t]+") for h in shouted_headings())
    return re.compile(
        rf"[ \t*]*(?:(?P<number>\d{{1,2}}(?:\.\d{{1,2}})?)\.?[ \t]+)?(?P<title>{known})\**(?:(?P<colon>[ \t]*[:：]\**)|(?=[ \t]+[A-Z•(\-]))[ \t]*"
    )


def _hidden(text: str) -> list[tuple[int, int]]:
    """The places of HTML tables and fenced blocks, in order, apart from one another. An open one hides nothing."""
    return sorted(_apart([*_tables(text), *_fences(text)]))


def _tables(text: str) -> Iterator[tuple[int, int]]:
    lowered = text.lower() if "<" in text else ""
    at = lowered.find("<table") if len(lowered) == len(text) else -1
    while at >= 0:
        end = lowered.find("</table", at)
        if end < 0:
            return
        yield (at, end + len("</table>"))
        at = lowered.find("<table", end)


def _fences(text: str) -> Iterator[tuple[int, int]]:
    opened: re.Match[str] | None = None
    for match in re.finditer(r"^(```|~~~)[^\n]*$", text, re.MULTILINE):
        if opened is None:
            opened = match
        elif opened[1] == match[1]:
            yield (opened.start(), match.end())
            opened = None


def _apart(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
