"""The parts of an indication phrase: where a purpose, an aim, the people or a restriction begins, and where it ends."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb_builder.propose.indicated_book import indication_book
from kb_builder.propose.indicated_names import clean_name

OPEN_END = re.compile(r"(?:[,;:(\x01.•–—-]|\b(?:and|or|and/or|the|with|either|both|for|in|as|is|are|also))\s*$", re.IGNORECASE)
ALSO = re.compile(r"(?:,|;|\band|\bor)\s*$", re.IGNORECASE)
HALF = 3  # a restriction of so few words is only the beginning of the next one ("who are", "at high risk")
_JOINED = re.compile(r"(?:and|or|and/or)\b", re.IGNORECASE)
_CLAUSAL = re.compile(
    r"(?:and\s+|or\s+|but\s+)?(?:who|whose|which|that|in\s+whom|for\s+whom|during|after|following|with|previously|despite|because|undergoing|receiving|requiring|treated|not|if|when)\b",
    re.IGNORECASE,
)
_ADJUNCT = re.compile(r"(?:for\s+)?(?:use\s+)?(?:as\s+)?(?:an?\s+)?(?:adjunct|add-on)", re.IGNORECASE)
_CANDIDATES = re.compile(r"\b(?:candidates?|eligible|ineligible|suitable|appropriate|scheduled|indicated|at risk)\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """One part: `kind` names its sign, `word` is what the sign says, `body` is where what stands behind the sign begins."""

    kind: str
    start: int
    body: int
    end: int
    word: str


def cut_phrase(text: str, start: int, end: int) -> list[Part]:
    """The parts of a phrase, the first one of the kind `bare` where words stand before any sign."""
    plain = _mask(text, start, end)
    found: list[tuple[str, int, int]] = []
    kind, at, body = "bare", start, start
    named = False
    for m in indication_book().starts.finditer(plain, start, end):
        group = m.lastgroup or ""
        before = plain[body : m.start()]
        if group == "toward":
            if not before.strip(" ,:;-–(") and kind == "bare" and not found:
                at = body = m.end()
                continue
            adjunct = kind == "context" and _ADJUNCT.match(plain, at) is not None and m[0].lower().startswith("in")
            if kind not in ("context", "people") or named or not (m[0].lower().startswith("for") or adjunct):
                continue
            if _CANDIDATES.search(before):
                continue  # "who are candidates for phototherapy"
        elif kind == "context" and named and group in ("purpose", "gerund", "aim") and _CLAUSAL.match(plain, at) and ALSO.search(before) is None:
            continue  # "who have received two regimens for the treatment of metastatic disease"
        elif (
            group == "purpose"
            and m.start("purpose") == m.start()
            and before.strip()
            and not (OPEN_END.search(before) or _JOINED.match(m[0]) or _is_title(before, m[0]))
        ):
            continue
        if before.strip(" ,:;-–(") or kind != "bare":
            found.append((kind, at, m.start()))
            named = named or (kind in ("bare", "purpose", "gerund") and clean_name(before) != "")
        kind, at, body = group, m.start(), m.end()
    found.append((kind, at, end))
    return [_part(plain, *f) for f in found]


def _is_title(before: str, then: str) -> bool:
    """True for words in title case before a phrase in small letters."""
    words = [w for w in re.findall(r"[A-Za-z]\S*", before) if len(w) > HALF]
    return bool(words) and all(w[0].isupper() for w in words) and then.strip()[:1].islower()


def _part(plain: str, kind: str, start: int, end: int) -> Part:
    m = indication_book().starts.match(plain, start, end) if kind != "bare" else None
    return Part(kind, start, m.end() if m else start, end, m[kind] if m and kind in m.groupdict() and m[kind] else "")


def _mask(text: str, start: int, end: int) -> str:
    """The text with what stands in brackets made unreadable, offsets kept."""
    inner = re.sub(r"\([^()]*\)|\[[^\[\]]*\]", lambda m: "(" + "_" * (len(m[0]) - 2) + ")", text[start:end])
    return text[:start] + inner + text[end:]
