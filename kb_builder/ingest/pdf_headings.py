"""Which paragraphs are headings, and of what level: by weight, height, numbering and capitals."""

from __future__ import annotations

import re

LONGEST = 100
LONGEST_NUMBERED = 200
_NUMBER = re.compile(r"(\d{1,2})((?:\.\d{1,2}){0,3})\.?\s+(?=\S)")
_CHINESE = re.compile(r"【[^【】]{1,30}】$|[\[〖][\u3400-\u9fff\s]{2,20}[\]〗]$")
_CAPTION = re.compile(r"(?:table|figure|表|图)\s*\d", re.IGNORECASE)
_NO_HEADING = re.compile(r"www\.|@|https?:|\d{3}-\d{4}|^(?:Initial|Revised|Issued|To report)\b|[.;,。；，]$")
_LETTERS = re.compile(r"[A-Za-z\u3400-\u9fff]")


def is_caption(text: str) -> bool:
    """Whether a paragraph is the caption of a table or figure."""
    return _CAPTION.match(text) is not None


def heading_level(text: str, *, bold: bool, large: bool) -> int | None:
    """The level, 1 to 4, of a paragraph that is a heading; None for any other. `large` is set well above the text's height."""
    if not _LETTERS.search(text) or is_caption(text):
        return None
    if _CHINESE.match(text):
        return 1
    numbered = _NUMBER.match(text)
    if numbered and int(numbered[1]) <= 20 and len(text) <= LONGEST_NUMBERED:
        rest = text[numbered.end() :]
        if (bold or large or rest.isupper()) and _LETTERS.match(rest) and not rest.endswith((";", ",")):
            return min(1 + numbered[2].count("."), 4)
    if not (bold or large) or len(text) > LONGEST or _NO_HEADING.search(text):
        return None
    if text.isupper():
        return 1
    return None if ":" in text[:-1] else 1 if large else 3
