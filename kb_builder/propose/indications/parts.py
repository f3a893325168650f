"""The parts of an indication phrase: where a purpose, an aim, the people or a restriction begins, and where it ends."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from kb_builder.propose.indications.book import indication_book
from kb_builder.propose.indications.names import clean_name

OPEN_END = re.compile(r"(?:[,;:(\x01.•–—-]|\b(?:and|or|and/or|the|with|either|both|for|in|as|is|are|also))\s*$", re.IGNORECASE)
ALSO = re.compile(r"(?:,|;|\band|\bor)\s*$", re.IGNORECASE)
HALF = 3  # a restriction of so few words is only the beginning of the next one ("who are", "at high risk")
_JOINED = re.compile(r"(?:and|or|and/or)\b", re.IGNORECASE)
_CLAUSAL = re.compile(
    r"(?:and\s+|or\s+|but\s+)?(?:who|whose|which|that|in\s+whom|for\s+whom|during|after|following|with|previously|despite|because|undergoing|receiving|requiring|treated|not|if|when)\b",
    re.IGNORECASE,
)
_ADJUNCT = re.compile(r"(?:for\s+)?(?:use\s+)?(?:as\s+)?(?:an?\s+)?(?:adjunct|add-on)", re.IGNORECASE)
MODE = re.compile(
    r"(?:and\s+|or\s+)?(?:used\s+)?(?:as\s+(?:mono|sole|an?\s+adjunct|adjunct)|adjunctively\b|alone\b|in\s+(?:combination|conjunction))", re.IGNORECASE
)
_HAVE = re.compile(
    r"who\s+(?:have|has)\s+(?!\w+ly\b|(?!relapsed\s+(?:or|and)\b)\w+ed\b|(?:been|had|not|received|progress\w*|failed|no|experienced|undergone|previously|already|never|either|risk|or|achieved|shown|responded|low|high|at|one|two|three|comorbid\w*|taken|used|demonstrated|tried|normal|evidence|symptoms?|recurred|developed|completed|met|multiple|documented|intoleran\w*|contraindicat\w*|inadequate\w*|difficulty|insufficient\w*|tumou?rs?|specific|significant|known|limited)\b|(?:an?|the)\s+(?:history|inadequate|insufficient|known|high|low|risk|body|BMI|prior|documented|need|complete|partial|response|contraindication|intolerance))",
    re.IGNORECASE,
)
_TREATED = re.compile(r"(?:previously|recently|treated)", re.IGNORECASE)
_OPEN_STATE = re.compile(r"(?:\b(?:with|having)(?:\s+(?:previously|relapsed|newly)(?:\s+or)?)?|^\s*(?:previously)?)\s*$", re.IGNORECASE)
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
    return list(_cut(text, start, end))


@lru_cache(maxsize=64)
def _cut(text: str, start: int, end: int) -> tuple[Part, ...]:
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
            mode = kind == "context" and MODE.match(plain, at) is not None and ALSO.search(plain[:at].rstrip()) is not None
            if kind not in ("context", "people") or (named and not mode) or not (m[0].lower().startswith("for") or adjunct):
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
        if group == "context" and kind == "people" and not before.strip() and _HAVE.match(plain, m.start()):
            continue  # "patients who have relapsed acute myeloid leukemia"
        if group == "context" and _TREATED.match(m[0]) and _OPEN_STATE.search(plain, body, m.start()):
            continue  # "patients with previously treated, unresectable ..."
        if before.strip(" ,:;-–(") or kind != "bare":
            found.append((kind, at, m.start()))
            named = named or (kind in ("bare", "purpose", "gerund", "toward") and clean_name(before) != "") or (kind == "people" and _has_state(before))
        kind, at, body = group, m.start(), m.end()
    found.append((kind, at, end))
    return tuple(_part(plain, *f) for f in found)


def _has_state(words: str) -> bool:
    """True for words behind people that say what they have."""
    link = indication_book().links.search(words)
    return link is not None and clean_name(words[link.end() :]) != ""


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
