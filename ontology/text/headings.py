"""Where a printed heading ends that flattened text runs into the sentence behind it.

"Allopurinol Concomitant use with allopurinol may ..." is the heading "Allopurinol" and a sentence. Headings are in title case; the sentence
begins at the last capitalised word before the first word in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_TOKEN = re.compile(r"[^\s]+")
_SMALL = frozenset(
    [
        "a",
        "an",
        "and",
        "or",
        "of",
        "the",
        "to",
        "for",
        "in",
        "on",
        "with",
        "during",
        "by",
        "from",
        "that",
        "than",
        "as",
        "at",
        "vs",
        "&",
        "/",
        "-",
        "via",
        "who",
        "which",
        "not",
        "other",
    ]
)
_ACRONYM = re.compile(r"[(\"]*(?:[A-Z0-9][A-Z0-9/+.-]*[0-9A-Z]|[A-Z]{1,2}|[A-Z]{2,}s|P-gp|mTOR)[)\",.;:s]*$")
_ORDERS = frozenset({"Avoid", "Discontinue", "Withhold", "Reduce", "Administer", "Monitor", "Do"})
"""Imperatives: the sentence behind a heading begins with them, whatever capitals follow ("Thiazide Diuretics Avoid BRAND in ...")."""
_DOSAGE_OF = re.compile(
    r"(?:\d+(?:\.\d+)* )?(?:Recommended )?(?:Adults?|Pa?ediatric|Geriatric) (?:Dosage|Dosing) (?=[A-Z])(?!(?:Modification|Table|Chart|Range|Guide|Adjustment|Information|Regimen|Recommendation|Form|Schedule|Guideline|Consideration)s?\b|The\b)"
)
"""A title of a numbered part that says whose doses follow: capitals behind it are the first heading within the part ("2.2 Adult Dosage Abdominal Surgery The ...")."""
_EITHER_WAY = re.compile(r"\s+with\s+or\s+without\s+(?:[a-z-]+\s*){1,4}[\s:.\x01]*$", re.IGNORECASE)
_LONGEST = 200
_SHOUTED = 4  # so many words in capitals behind a title are a sentence in capitals
_FULL_STOP = re.compile(r"[\w/-]{3,}\.$")  # "INR." ends a sentence, "St." does not


def heading_end(text: str, start: int, end: int, protected: Sequence[tuple[int, int]], starters: Sequence[int]) -> int:
    """The offset at which the sentence behind a heading begins; `start` when there is no heading.

    `protected` are spans that no boundary may cut (mentions); `starters` are offsets at which a sentence is likely to begin although the word
    is all capitals (the product's own name). A line break ends a heading, and so does a colon within it.
    """
    words = _title_words(text, start, min(end, start + _LONGEST), protected)
    if not words:
        return start
    whose = _DOSAGE_OF.match(text, start, words[-1].end())
    if whose is not None:
        return whose.end()
    begin = set(starters)
    at = _colon(text, words)
    if at is not None:
        return at
    shout = _shout(words)
    if shout is not None:
        return words[shout].start()
    index = len(words) - 1
    while index > 0 and words[index].start() not in begin and (not _opens_sentence(words[index][0]) or _cuts(words[index].start(), protected)):
        index -= 1
    order = next((i for i in range(1, index) if words[i][0] in _ORDERS and words[i - 1][0] not in _SMALL and not _cuts(words[i].start(), protected)), None)
    if order is not None:
        return words[order].start()
    if index and _FULL_STOP.match(words[index][0]) and words[index].end() >= words[-1].end():
        return start
    if index >= _SHOUTED and all(w[0].isupper() for w in words[:index]):
        return start
    return words[index].start() if index > 0 else start


def certain_end(text: str, start: int, end: int) -> int:
    """Where a heading ends without what may be there or not ("Treatment of Deep Vein Thrombosis with or without Pulmonary Embolism")."""
    either = _EITHER_WAY.search(text[start:end])
    return end if either is None else start + either.start()


def _shout(words: list[re.Match[str]]) -> int | None:
    """The index at which a sentence in capitals begins behind a title, or None."""
    for i in range(1, len(words) - _SHOUTED + 1):
        run = words[i : i + _SHOUTED]
        if all(w[0].isupper() for w in run) and not words[i - 1][0].isupper() and any(len(w[0]) > _SHOUTED for w in run):
            return i
    return None


def _opens_sentence(word: str) -> bool:
    """True for a capitalised word that may begin a sentence: no acronym, no number, no small word of a title."""
    return word[0].isupper() and (word == "A" or _ACRONYM.match(word) is None)


def _title_words(text: str, start: int, end: int, protected: Sequence[tuple[int, int]]) -> list[re.Match[str]]:
    """The words before the first one that no heading in title case holds; words in brackets may be in lower case. None where all may be of a heading."""
    words: list[re.Match[str]] = []
    depth = 0
    for i, word in enumerate(_TOKEN.finditer(text, start, end)):
        words.append(word)
        if i and _FULL_STOP.match(word[0]):
            return words
        inside = depth > 0
        depth += word[0].count("(") - word[0].count(")")
        bare = word[0].lstrip("(\"'[")
        if inside or word[0].startswith("(") or not bare or not bare[0].isalpha() or bare[0].isupper() or bare.strip(",;:)") in _SMALL:
            continue
        if i and any(s < word.start() < e for s, e in protected):
            continue
        if bare == "without" and words[-2][0] == "or":
            continue
        return words[:-1]
    return []


def _colon(text: str, words: list[re.Match[str]]) -> int | None:
    """The offset behind a colon that closes the heading, if all before it is title case."""
    for word in words:
        if word[0].endswith(":"):
            after = word.end()
            while after < len(text) and text[after].isspace():
                after += 1
            return after
    return None


def _cuts(position: int, protected: Sequence[tuple[int, int]]) -> bool:
    """True when a boundary at the position would cut a mention."""
    return any(s < position < e for s, e in protected)
