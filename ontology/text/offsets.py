"""Folded text as a shadow of the received text, with a map back to its code points.

Labels arrive with ligatures, full-width digits, four kinds of dash, `m 2`, trademark signs and runs of white space. Patterns read the shadow;
every match maps back to the exact code points of the text as received, which is never changed.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field

LINE = "\n"
PARAGRAPH = "\u2029"

_DASHES = "‐‑‒–—−﹣－"
_SINGLE = "‘’‚‛′`´"
_DOUBLE = "“”„‟″"
_DROPPED = "®™℠\u200b\u200c\u200d\u2060\ufeff\u00ad"
_PLAIN = re.compile(r"[!-~一-鿿]+(?: [!-~一-鿿]+)*")
_SPACED_EXPONENT = re.compile(
    r" (?=[\d^-])(?:(?<=\bm )(?=[23]\b)|(?<=[/ ][mc]m )(?=[23]\b)|(?<=P2Y )(?=12\b)|(?<=[Vv]itamin B )(?=(?:1|2|6|12)\b)|(?<=\bH )(?=2 ?-\w)|(?<=\bH 2 )(?=-\w)|(?<=5-HT )(?=\d)"
    r"|(?<=10 )(?=\^\d))"
)
"""Begins with the space and a look at one character, because few spaces stand before a number."""


_GLUED = re.compile(
    r"[a-z)](?=[A-Z])(?<=[a-z]{2}.)(?=(?:No|Not|Avoid|Do|Reduce|Use|Monitor|Consider|Patients|Administer|Discontinue|Increase|Decrease|Dosage|Contraindicated|Concomitant|Coadministration"
    r"|There|Start|Initiate|Take|Limit|Adjust|Safety) [a-z])"
)
"""The end of a word that the next cell or paragraph is glued to ("CYP3A4 InhibitorsNo dosage adjustment is needed"): a sentence begins there."""


@dataclass(frozen=True, slots=True)
class Shadow:
    """Folded text and where each piece of it stands in the received text."""

    raw: str
    text: str
    _at: tuple[int, ...]  # shadow offset at which a piece starts
    _to: tuple[int, ...]  # raw offset at which it starts
    _raw_length: tuple[int, ...]
    _linear: tuple[bool, ...]  # one shadow character is one raw character
    lower: str = field(default="")  # `text` in lower case, of the same length

    def raw_start(self, position: int) -> int:
        """The raw offset at which the shadow's character at `position` begins."""
        i = bisect_right(self._at, position) - 1
        if i < 0:
            return 0
        return self._to[i] + (position - self._at[i] if self._linear[i] else 0)

    def raw_end(self, position: int) -> int:
        """The raw offset just behind the shadow's character before `position`."""
        last = position - 1
        i = bisect_right(self._at, last) - 1
        if i < 0:
            return 0
        return self._to[i] + (last - self._at[i] + 1 if self._linear[i] else self._raw_length[i])

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """The raw offsets of the shadow's `[start, end)`, without white space at either side. Empty input gives an empty span."""
        while start < end and self.text[start].isspace():
            start += 1
        while end > start and self.text[end - 1].isspace():
            end -= 1
        if start >= end:
            at = self.raw_start(start)
            return at, at
        return self.raw_start(start), self.raw_end(end)


def fold(raw: str) -> Shadow:
    """The shadow of a received text: NFKC, plain dashes and quotes, `m2`, no trademark signs, single white space.

    A run of white space becomes one space, or LINE where it holds one line break, or PARAGRAPH where it holds more. A PARAGRAPH also parts a
    sentence from a word that it is glued to.
    """
    pieces: list[tuple[str, int, int, bool]] = []
    position = 0
    length = len(raw)
    while position < length:
        plain = _PLAIN.match(raw, position)
        if plain is not None and plain.end() > position:
            pieces.append((plain[0], position, plain.end() - position, True))
            position = plain.end()
            if position >= length:
                break
        end, folded = _fold_one(raw, position)
        if folded:
            pieces.append((folded, position, end - position, len(folded) == end - position))
        position = end
    return _assemble(raw, _part_glued(_join_exponents(_single_spaces(pieces))))


def _fold_one(raw: str, position: int) -> tuple[int, str]:
    """The end of the next piece that needs folding, and what it folds to; a fraction behind a digit keeps apart from it (`1½` is `1 1/2`)."""
    char = raw[position]
    if char.isspace():
        end = position
        while end < len(raw) and (raw[end].isspace() or raw[end] in _DROPPED):
            end += 1
        breaks = raw.count("\n", position, end)
        return end, " " if not breaks else LINE if breaks == 1 else PARAGRAPH
    if char in _DROPPED:
        return position + 1, ""
    if char in _DASHES:
        return position + 1, "-"
    if char in _SINGLE:
        return position + 1, "'"
    if char in _DOUBLE:
        return position + 1, '"'
    folded = unicodedata.normalize("NFKC", char).replace("\u2044", "/")
    mixed = len(folded) > 1 and "/" in folded and position > 0 and raw[position - 1].isdigit()
    return position + 1, " " + folded if mixed else folded


def _single_spaces(pieces: list[tuple[str, int, int, bool]]) -> list[tuple[str, int, int, bool]]:
    """The pieces without a space that follows a space."""
    out: list[tuple[str, int, int, bool]] = []
    for piece in pieces:
        if piece[0].isspace() and out and out[-1][0][-1].isspace():
            continue
        out.append(piece)
    return out


def _join_exponents(pieces: list[tuple[str, int, int, bool]]) -> list[tuple[str, int, int, bool]]:
    """The pieces without the spaces that a lost superscript left (`m 2`, `P2Y 12`)."""
    out: list[tuple[str, int, int, bool]] = []
    for text, at, size, linear in pieces:
        if not linear or len(text) < 3:
            out.append((text, at, size, linear))
            continue
        start = 0
        for gap in _SPACED_EXPONENT.finditer(text):
            out.append((text[start : gap.start()], at + start, gap.start() - start, True))
            start = gap.end()
        out.append((text[start:], at + start, size - start, True))
    return out


def _part_glued(pieces: list[tuple[str, int, int, bool]]) -> list[tuple[str, int, int, bool]]:
    """The pieces with a PARAGRAPH, which stands for no character of the text, before a sentence that is glued to the word before it."""
    out: list[tuple[str, int, int, bool]] = []
    for text, at, size, linear in pieces:
        start = 0
        for word in _GLUED.finditer(text) if linear else ():
            out += [(text[start : word.end()], at + start, word.end() - start, True), (PARAGRAPH, at + word.end(), 0, False)]
            start = word.end()
        out.append((text[start:], at + start, size - start, linear) if start else (text, at, size, linear))
    return out


def _assemble(raw: str, pieces: list[tuple[str, int, int, bool]]) -> Shadow:
    at: list[int] = []
    position = 0
    for text, _, _, _ in pieces:
        at.append(position)
        position += len(text)
    text = "".join(p[0] for p in pieces)
    lower = text.lower()
    return Shadow(
        raw=raw,
        text=text,
        lower=lower if len(lower) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text),
        _at=tuple(at),
        _to=tuple(p[1] for p in pieces),
        _raw_length=tuple(p[2] for p in pieces),
        _linear=tuple(p[3] for p in pieces),
    )
