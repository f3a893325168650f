"""The characters of a PDF page with their places, in the form the text is put together from.

Ligatures are written as their letters and characters of symbol fonts as what they show (`data/pdf_symbols.tsv`). What the font gives no
character for is U+FFFD, never a guess, and is counted.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from kb_builder.ingest.fields import table_rows

UNREADABLE = "\ufffd"
BULLET = "•"
_NO_CHARACTER = re.compile(r"\(cid:\d+\)")
_BOLD = re.compile(r"bold|black|heavy|semibold|demi|[-,]bd\b", re.IGNORECASE)
_SPACES = {"\u00a0", "\u2002", "\u2003", "\u2009", "\u202f", "\u3000", "\t", "\r", "\n"}
_DROPPED = {"\u200b", "\ufeff", "\u2060"}
_ONLY_SIGNS = ("wingdings", "zapfdingbats")
"""Fonts without letters: what decoders give as a letter of theirs is a sign."""
_WIN_ANSI_UNUSED = frozenset(f"(cid:{code})" for code in (127, 129, 141, 143, 144, 157))
"""Codes that WinAnsiEncoding leaves free; the PDF standard shows them as bullets."""
_BELOW = 0.22
"""Share of a character's height below the base line; every font is set to it, so that lines of several fonts are one line."""
_DOT_SIZES = (2.0, 8.0)
"""Points; a filled dot of this size before a line is its bullet."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """One character at its place, in points from the upper left corner. `stroke` is its height; `bold` is the font's weight."""

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    stroke: float
    bold: bool


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, with the text of a printed line in it; tables have none."""

    x0: float
    x1: float
    top: float
    bottom: float
    text: str = ""

    @property
    def middle(self) -> float:
        """Half its height."""
        return (self.top + self.bottom) / 2

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies in it."""
        return self.x0 <= x < self.x1 and self.top <= y < self.bottom


@dataclass(frozen=True, slots=True)
class Dot:
    """A small filled shape that may be the bullet of a line."""

    x0: float
    x1: float
    middle: float


def read_glyphs(chars: Sequence[Mapping[str, Any]], paper: Box) -> tuple[list[Glyph], list[Glyph], int]:
    """The upright characters on the page, those that run upwards or downwards (turned upright), and how many have no character of their own."""
    upright: list[Glyph] = []
    turned: list[Glyph] = []
    unreadable = 0
    descents = _descents(chars)
    for char in chars:
        font = str(char.get("fontname", ""))
        text = _character(char["text"], font)
        if not text:
            continue
        unreadable += text.count(UNREADABLE)
        x0, x1, top, bottom = float(char["x0"]), float(char["x1"]), float(char["top"]), float(char["bottom"])
        if x1 < paper.x0 or x0 > paper.x1 or bottom < paper.top or top > paper.bottom or bottom - top <= 0.5:
            continue
        bold, tall = _is_bold(font), bottom - top
        if char.get("upright", True):
            foot = bottom + (descents[font] + _BELOW) * tall
            upright.append(Glyph(text, x0, x1, foot - tall, foot, tall, bold))
        elif char["matrix"][1] > 0:  # reads upwards
            turned.append(Glyph(text, paper.bottom - bottom, paper.bottom - top, x0, x1, x1 - x0, bold))
        else:
            turned.append(Glyph(text, top, bottom, paper.x1 - x1, paper.x1 - x0, x1 - x0, bold))
    return upright, turned, unreadable


def read_dots(shapes: Iterable[Mapping[str, Any]]) -> list[Dot]:
    """The small filled shapes of a page that may be bullets."""
    low, high = _DOT_SIZES
    dots = []
    for shape in shapes:
        wide, tall = float(shape["x1"]) - float(shape["x0"]), float(shape["bottom"]) - float(shape["top"])
        if shape.get("fill") and low <= wide <= high and low <= tall <= high and 0.7 < wide / tall < 1.4:
            dots.append(Dot(float(shape["x0"]), float(shape["x1"]), (float(shape["top"]) + float(shape["bottom"])) / 2))
    return dots


@cache
def _is_bold(font: str) -> bool:
    return _BOLD.search(font) is not None


@cache
def _symbols_of(family: str) -> Mapping[str, str]:
    """What the characters of a symbol font show, by the characters and codes that decoders give for them."""
    signs: dict[str, str] = {}
    for row in table_rows("pdf_symbols.tsv"):
        if row["font"] == family:
            code = int(row["code"], 16)
            for read in (chr(code), f"(cid:{code - 0xF000})", *row["read_as"].split()):
                signs[read] = row["character"]
    return signs


@cache
def _character(text: str, font: str) -> str:
    """The character as text: letters for a ligature, the shown sign for a symbol font, U+FFFD for none, "" for a control character."""
    family = _family(font)
    shown = _symbols_of(family).get(text) if family else None
    if shown is not None:
        return shown
    if family in _ONLY_SIGNS and text.strip():
        return UNREADABLE
    if _NO_CHARACTER.search(text):
        return BULLET if text in _WIN_ANSI_UNUSED and "+" not in font else UNREADABLE
    if text in _SPACES or (text and not text.strip()):
        return " "
    out = []
    for char in text:
        if char in _DROPPED:
            continue
        if char in _lookalikes():
            out.append(_lookalikes()[char])
        elif "\ufb00" <= char <= "\ufb06" or "\u2f00" <= char <= "\u2fdf":  # ligatures; Kangxi radicals, which CJK fonts give for the ideographs
            out.append(unicodedata.normalize("NFKC", char))
        elif "\ue000" <= char <= "\uf8ff":
            out.append(UNREADABLE)
        elif unicodedata.category(char) in ("Cc", "Cs", "Cn"):
            out.append("" if unicodedata.category(char) == "Cc" and char != "\x00" else UNREADABLE)
        else:
            out.append(char)
    return "".join(out)


@cache
def _lookalikes() -> Mapping[str, str]:
    """Characters that PDF writers give for others of the same shape: a radical for an ideograph."""
    return {chr(int(row["code"], 16)): row["character"] for row in table_rows("pdf_lookalikes.tsv")}


@cache
def _family(font: str) -> str:
    name = font.rpartition("+")[2].casefold()
    return next((family for family in ("symbol", *_ONLY_SIGNS) if name.startswith(family)), "")


def _descents(chars: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """How far each font's box reaches below its base line, in heights of a character: the usual value, which raised text does not have."""
    seen: dict[str, Counter[float]] = defaultdict(Counter)
    for char in chars:
        tall = float(char["bottom"]) - float(char["top"])
        if char.get("upright", True) and tall > 0.5:
            seen[str(char.get("fontname", ""))][round((float(char["y0"]) - float(char["matrix"][5])) / tall, 2)] += 1
    return {font: counts.most_common(1)[0][0] for font, counts in seen.items()}
