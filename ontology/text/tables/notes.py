"""Footnotes and captions of tables: where they stand, and which cells call them.

Footnotes stand in the table's foot, in its last rows, in the markup's own `<footnote>` elements, or in the text behind the table. A mark counts only
when a footnote of the table carries it: an exponent or a lone asterisk calls nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from ontology.text.offsets import LINE, PARAGRAPH
from ontology.text.sentences import split_units
from ontology.text.tables.model import Caption, Footnote, Place
from ontology.text.tables.roles import CAPTION_START

SYMBOLS = "*†‡§¶‖#"
MAX_NOTE = 1_500
MAX_CAPTION = 400
_SYMBOL_RUN = re.compile(rf"[{SYMBOLS}]+")
_POWER = re.compile(r"\^\s?\{?\s?([a-z0-9*†‡§¶‖#](?:,[a-z0-9*†‡§¶‖#]){0,3})\s?\}?")
_RAISED_MARK = re.compile(r"[a-z0-9]{1,2}|\[[a-z0-9]{1,2}\]|\([a-z0-9]{1,2}\)")
_UNIT_BEFORE = re.compile(r"(?:\b[cmkd]?m|10|P2Y|HT|CO|SpO|H|O)\s*$")
_NOTE_MARK = re.compile(
    rf"(?:</?[a-z][^<>]*>\s*)*(?P<mark>[{SYMBOLS}]+|[\[(]?[a-z0-9]{{1,2}}[\])]|(?:[a-z]|\d{{1,2}})(?=\s*(?:</?[a-z][^<>]*>|[.:=、])|\s+[\"'A-Z<>≤≥一-鿿\d]))\s?[.:=、]?\s*(?:</?[a-z][^<>]*>\s*)*",
)
_NOTE_LEAD = re.compile(r"\s*(?:</?[a-z][^<>]*>\s*)*(?:(?:Foot)?notes?\s*:|[注註]\s*[::]?)?\s*", re.IGNORECASE)
_CAPTION = re.compile(rf"(?:^|(?<=[\s*#>]))(?:{CAPTION_START.pattern})", re.IGNORECASE)
_REFERENCE_BEFORE = re.compile(r"(?:\b(?:in|see|and|or|to|of|from|by|per|with|the|also|following|shown|refer)|[(\[,;/见如按参据])\s*$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.。;!?](?=\s+[A-Z(\[]|\s*[一-鿿])")
_TAGS = re.compile(r"</?[A-Za-z][^<>]*>|\*\*|#{1,6} ")


def marks_in(text: str, raised: Iterable[str], before: Sequence[str]) -> list[str]:
    """The marks that a cell may carry: superscripts (unless they are exponents of what stands before them), powers, and symbols in the text."""
    out: list[str] = []
    for words, lead in zip(raised, before, strict=True):
        for mark in (m for m in re.split(r"[,\s]+", words.strip()) if m):
            if _RAISED_MARK.fullmatch(mark) and not (mark.isdigit() and _UNIT_BEFORE.search(lead)):
                out.append(bare_mark(mark))
            elif _SYMBOL_RUN.fullmatch(mark):
                out.append(mark)
    out += [mark for m in _POWER.finditer(text) if not _UNIT_BEFORE.search(text[: m.start()].rstrip("$ {}")) for mark in m[1].split(",")]
    return [*out, *(m[0] for m in _SYMBOL_RUN.finditer(text))]


def bare_mark(mark: str) -> str:
    """A mark without its brackets."""
    return mark.strip("[]()")


def called_notes(marks: Iterable[str], known: Mapping[str, int]) -> tuple[int, ...]:
    """The indexes of the notes that the marks call; of several symbols in a row first all together, then one by one."""
    out: dict[int, None] = {}
    for mark in marks:
        if mark in known:
            out[known[mark]] = None
        elif _SYMBOL_RUN.fullmatch(mark):
            out.update((known[m], None) for m in mark if m in known)
    return tuple(out)


def notes_in(text: str, start: int, end: int, raised: Sequence[Place]) -> Iterator[Footnote]:
    """The footnotes of a stretch of flat text, one a mark. A stretch without any mark is one note without a mark."""
    cuts = sorted({*_raised_cuts(text, start, end, raised), *_leading_cut(text, start, end), *_symbol_cuts(text, start, end)})
    cuts = [c for i, c in enumerate(cuts) if i == 0 or c[0] >= cuts[i - 1][1]]
    lead = _trimmed(text, start, cuts[0][0] if cuts else end)
    if lead[1] > lead[0] and not (cuts and _NOTE_LEAD.fullmatch(text, *lead)):
        yield Footnote("", text[slice(*lead)], *lead)
    stops = [c[0] for c in cuts[1:]] + [end]
    for (_, at, mark), stop in zip(cuts, stops, strict=False):
        place = _trimmed(text, at, stop)
        if place[1] > place[0]:
            yield Footnote(mark, text[slice(*place)], *place)


Cut = tuple[int, int, str]
"""A mark that opens a footnote: where it begins, where the note's own text begins, the mark."""


def _raised_cuts(text: str, start: int, end: int, raised: Sequence[Place]) -> Iterator[Cut]:
    for a, b in raised:
        words = text[a:b].strip()
        if start <= a and b <= end and (_RAISED_MARK.fullmatch(words) or _SYMBOL_RUN.fullmatch(words)) and not _UNIT_BEFORE.search(text, start, a):
            yield a, b, bare_mark(words)


def _leading_cut(text: str, start: int, end: int) -> Iterator[Cut]:
    lead = _NOTE_LEAD.match(text, start, end)
    m = _NOTE_MARK.match(text, lead.end() if lead else start, end)
    if m is not None and m.end() < end:
        yield m.start(), m.end(), bare_mark(m["mark"])


def _symbol_cuts(text: str, start: int, end: int) -> Iterator[Cut]:
    for m in _SYMBOL_RUN.finditer(text, start, end):
        opens = m.start() == start or text[m.start() - 1] in " \n\u2029.;,"
        emphasis = (m[0] == "**" and "**" in text[m.end() : end]) or text.startswith("## ", m.start())
        if opens and m.end() < end and not emphasis:
            yield m.start(), m.end(), m[0]


def notes_after(text: str, start: int, stop: int, called: Collection[str]) -> Iterator[Footnote]:
    """The footnotes that open right behind a table with marks that its cells carry."""
    at = start
    left = set(called)
    while left and at < stop:
        lead = _NOTE_LEAD.match(text, at, stop)
        m = _NOTE_MARK.match(text, lead.end() if lead else at, stop)
        if m is None or bare_mark(m["mark"]) not in left:
            return
        end = _note_end(text, m.end(), min(stop, m.end() + MAX_NOTE), left)
        place = _trimmed(text, m.end(), end)
        if place[1] <= place[0]:
            return
        left.discard(bare_mark(m["mark"]))
        yield Footnote(bare_mark(m["mark"]), text[slice(*place)], *place)
        at = end


def _note_end(text: str, start: int, stop: int, marks: Collection[str]) -> int:
    """The end of a note's line; in text without lines, of its first sentence, or where the next mark opens a note."""
    line = re.compile(f"[{LINE}{PARAGRAPH}]").search(text, start, stop)
    if line is not None:
        stop = line.start()
    symbols = [m.start() for m in _SYMBOL_RUN.finditer(text, start, stop) if m[0] in marks and text[m.start() - 1].isspace()]
    stop = min([stop, *symbols])
    units = split_units(text, start, stop)
    return units[0].end if units and line is None else stop


def caption_before(text: str, start: int, floor: int) -> Caption | None:
    """The caption that stands right before a table: "Table 3: ...", "表1 ...", without a sentence between it and the table."""
    low = max(floor, start - MAX_CAPTION)
    for m in reversed(list(_CAPTION.finditer(text, low, start))):
        words = text[m.start() : start]
        if _REFERENCE_BEFORE.search(text, low, m.start()) or _SENTENCE_END.search(words, m.end() - m.start() + 2):
            continue
        if PARAGRAPH in words.strip() and len(words.strip().split(PARAGRAPH)) > 2:
            return None
        place = _trimmed(text, m.start(), start)
        return Caption(_TAGS.sub("", text[slice(*place)]).strip(), *place)
    return None


def caption_after(text: str, end: int, stop: int) -> Caption | None:
    """The caption on the line below a table."""
    at = end
    while at < stop and text[at].isspace():
        at += 1
    if LINE not in text[end:at] and PARAGRAPH not in text[end:at]:
        return None
    line = re.compile(f"[{LINE}{PARAGRAPH}]|$").search(text, at, stop)
    place = _trimmed(text, at, line.start() if line else stop)
    words = _TAGS.sub("", text[slice(*place)]).strip()
    if not CAPTION_START.match(words) or len(words) > MAX_CAPTION:
        return None
    return Caption(words, *place)


def _trimmed(text: str, start: int, end: int) -> Place:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
