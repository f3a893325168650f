"""The name of a state inside the words of a label: what says nothing of it stripped, and what a concept of the name does not hold kept apart."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SAYS_NOTHING = re.compile(
    r"^(?:(?:clinical|biochemical|laboratory|objective|radiologic)\s+evidence\s+of\s+|(?:any\s+)?degree\s+of\s+|either\s+|states\s+of\s+|(?:current|existing|established|pre-?existing|rare|documented|unexplained|certain|other|known|relevant|most)\s+"
    r"|(?:rare,?\s+)?hereditary\s+problems\s+of\s+|a\s+diagnosis\s+of\s+|diagnosis\s+of\s+|presence\s+of\s+|(?:known\s+or\s+)?suspected\s+of\s+having\s+(?:an?\s+)?|development\s+of\s+)+",
    re.IGNORECASE,
)
_ANY = re.compile(
    r"\s+(?:of\s+(?:any|unknown|whatever)\s+(?:type|types|etiology|etiologies|severity|cause|kind|degree|origin|form)|(?:due|from)\s+(?:to\s+)?any\s+cause|in\s+any\s+form|with\s+any\s+drug|at\s+initiation|in\s+an\s+attempt\s+to\s+.*|until\s+the\s+condition\s+is\s+\w+|before\s+initiating\s+treatment)$",
    re.IGNORECASE,
)
"""Behind a state: every form of it, or why and when it is looked at."""
_TAIL = re.compile(
    r",?\s+(?=(?:(?:related|secondary|attributable)\s+to|associated\s+with|accompanied\s+by|complicated\s+by|due\s+to|(?:caused|evidenced|manifested)\s+by|resulting\s+from|requiring|leading\s+to|following|with|(?:which|that)\s+(?:is|are|has|have))\s+(?!(?:or|and|without)\b)|within\s+(?:the\s+)?(?:(?:last|past|previous|preceding)\s+)?(?:\d+\s+)?(?:hours?|days?|weeks?|months?|years?)\b|[<>≤≥]\s*\d)",
    re.IGNORECASE,
)
_NAMELESS = re.compile(r"\b(?:these|this|such|those|certain)\b", re.IGNORECASE)
_BROAD = frozenset(
    {"disease", "diseases", "disorder", "disorders", "condition", "conditions", "symptoms", "signs", "infection", "infections", "pain", "surgery", "toxicity"}
)
"""Names that say too little of a state for its tail to be left to a person."""
_AND_DEGREES = re.compile(r"\b(second|2nd)(?:[- ]degree|-)?\s*(?:and|or|,)\s*(third|3rd)([- ]degree)", re.IGNORECASE)


def plain_names(words: str) -> Iterator[str]:
    """Other names of the very state of the words, none that is broader or narrower."""
    plain = _ANY.sub("", words)
    for one in dict.fromkeys((_AND_DEGREES.sub(r"\1- or \2\3", words), words.replace("/", " or "), plain, _SAYS_NOTHING.sub("", plain))):
        if one and one != words:
            yield one


def head_and_tail(words: str) -> tuple[str, str] | None:
    """A state and what the label says of its cause or company ("angioedema", "related to an ACE inhibitor"); None where the words have no such tail.

    The tail restricts: the head alone is a broader state.
    """
    m = _TAIL.search(words)
    if m is None:
        return None
    head, tail = words[: m.start()].strip(" ,"), words[m.end() :].strip(" ,.")
    return None if head.lower() in _BROAD or not tail or _NAMELESS.search(tail) is not None else (head, tail)
