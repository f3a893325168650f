"""Sentences of a Chinese insert: cut at stops, at circled numbers and cells, each with the words that lead its list ("下列患者禁用:").

Chinese text has no word gaps, so a sentence keeps its place in the folded text and everything else is a search within it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from kb_builder.propose.reading.blocks import Reading

_END = re.compile(r"[。;!?\n\u2029]|\s{5,}")
_CIRCLED = re.compile(r"[①-⑳⑴-⒇❶-❿]")
_INLINE = re.compile(r"(?<=[,:])\s*(?=\(\d{1,2}\)|\d{1,2}\))")
_HAN = re.compile(r"[一-鿿]")
_NUMBERING = re.compile(r"[\s\x01]*(?:\x01|\(\d{1,2}\)|\d{1,2}(?:[.)、]|\s(?=[一-鿿]))|[(（]?[一二三四五六七八九十]{1,2}[)、.]|[-•·*●◆■])\s*(?!\d*\s*m?[gl]\b)")
_LEAD = re.compile(r"(?:下列|以下|如下|下述|包括|有以下|见于)[^:]*$|^[^:]{0,6}(?:禁用|忌用|慎用|禁忌)[^:]{0,4}$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """`[start, end)` of the folded text, without its numbering; `lead` is the place of the words that open the list it stands in."""

    start: int
    end: int
    lead: tuple[int, int] | None = None
    numbered: bool = False


def sentences(reading: Reading) -> Iterator[Sentence]:
    """The sentences with Chinese words in them, in order of print."""
    text = reading.blank
    lead: tuple[int, int] | None = None
    style: str | None = None
    in_list = whole = False
    for start, end in _pieces(reading):
        at, until = _trim(text, start, end)
        circled = _CIRCLED.match(reading.shadow.raw, reading.shadow.raw_start(at)) if at < until else None
        numbering = _NUMBERING.match(text, at, until)
        skip = re.compile(r"\(?\d{1,2}\)?\s*").match(text, at, until) if circled else numbering
        numbered = skip is not None
        at, until = _trim(text, skip.end() if skip is not None else at, until)
        if _HAN.search(text, at, until) is None:
            continue
        own = _style(text, start, at) if numbered else None
        if lead is not None and (whole or (own is not None and own == style)):
            lead = None
        colon = text.find(":", at, until)
        if colon >= 0 and _LEAD.search(text[at:colon]):
            lead, in_list, style = (at, colon), False, own
            at, until = _trim(text, colon + 1, until)
            whole = at < until and _ends(text, until) and _NUMBERING.match(text, at, until) is None
            inner = _NUMBERING.match(text, at, until)
            if inner is not None:
                at, in_list = inner.end(), True
            if _HAN.search(text, at, until) is not None:
                yield Sentence(at, until, lead, numbered=True)
            continue
        whole = whole or (lead is not None and not in_list and not numbered and _ends(text, until))
        if lead is not None and in_list and not numbered:
            lead = None
        in_list = in_list or (lead is not None and numbered)
        yield Sentence(at, until, lead, numbered)


def _style(text: str, start: int, at: int) -> str:
    """The numbering before a sentence without its number: an item in the style of its list's own lead is the next item, not one of the list."""
    return re.sub(r"[0-9]+|[一二三四五六七八九十]+", "n", text[start:at]).strip()


def _ends(text: str, end: int) -> bool:
    """True where a full stop ends the words at `end`: what was listed behind a colon on one line ends there."""
    return text[end : end + 1] == "。"


def _pieces(reading: Reading) -> Iterator[tuple[int, int]]:
    text, raw = reading.blank, reading.shadow.raw
    cuts = {m.start(): m.end() for m in _END.finditer(text)}
    cuts |= {m.end(): m.end() for m in _INLINE.finditer(text)}
    if _CIRCLED.search(raw):
        cuts |= {i: i for i in range(1, len(text)) if text[i] in "(0123456789" and _CIRCLED.match(raw, reading.shadow.raw_start(i)) and i not in cuts}
    at = 0
    for cut in sorted(cuts):
        if cut >= at:
            yield at, cut
            at = max(at, cuts[cut])
    yield at, len(text)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and (text[start].isspace() or text[start] in ",、"):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in ",、\x01"):
        end -= 1
    return start, end


def split(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The pieces of `[start, end)` between stops, trimmed."""
    cuts = [start, *(m.end() for m in _END.finditer(text, start, end)), end]
    pieces = (_trim(text, a, b - 1 if b != end and text[b - 1] in "。;!?\n\u2029" else b) for a, b in pairwise(cuts))
    return [p for p in pieces if p[0] < p[1]]


def clauses(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The clauses of `[start, end)`, cut at commas outside brackets, trimmed."""
    out: list[tuple[int, int]] = []
    depth = 0
    at = start
    for i in range(start, end):
        depth += (text[i] == "(") - (text[i] == ")" and depth > 0)
        if text[i] == "," and depth == 0:
            out.append(_trim(text, at, i))
            at = i + 1
    out.append(_trim(text, at, end))
    return [c for c in out if c[0] < c[1]]
