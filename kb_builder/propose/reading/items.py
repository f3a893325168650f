"""Items of a list that lost its layout: "Taking inhibitors of CYP3A Taking inducers of CYP3A With liver cirrhosis"."""

from __future__ import annotations

import re

from kb_builder.propose.reading.wording import wording

_ITEM_BREAK = re.compile(
    rf"(?<=[a-z0-9)%.\]])\s+-\s+(?=[A-Z])|:\s+-\s+(?=[A-Z])|;\s+|,\s+(?:or\s+|and\s+)?in\s+(?=(?:those|patients|persons|individuals|women)\s+(?:with|who|whom|whose)\b)|(?<=[a-z)])\.\s+(?=(?:with|who|whose)\s+[a-z])|,?\s+(?:and|or),?\s+(?:because of [^,;.]{{3,80}},\s+)?in\s+(?=(?:p(?:a)?ediatric patients|children|infants|neonates)\s+(?:under|below|less|younger|aged|up to|\d)\b)|\x01\s+(?=[a-z])(?!(?:and|or|in|for|because|due|as|when|but|to|that|which|should|is|are|was|were|may|can|unless|if)\b)|(?<=[a-z)\]])\s+(?=(?:an?) (?:history|baseline)\b)|(?<=[a-z)\]\x01])\s+(?=[A-Z][a-z]+\b)(?!(?:{wording().pattern('proper')})\b)"
)
_LEAD_IN = re.compile(r"(?::|\bfollowing(?: \w+){0,3}|\bin|\bwith|\bwho|\bpatients|\bhave)\s*:?\s*$", re.IGNORECASE)
_DANGLING = re.compile(r"\b(?:associated with|following|such as|of|with)\s*:?\s*$", re.IGNORECASE)
NO_BREAK_BEFORE = re.compile(
    r"(?:\b[A-Z][\w'-]*|\b(?:of|to|with|in|and|or|the|a|an|for|by|from|on|than|as|any|other|taking|receiving|using|including|like|have|has|had|is|are|without|despite|who|whom|if|either|e\.g\.,?|i\.e\.,?)|,)\s*$"
)


def split_items(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The items of a flattened list: cut at dashes, semicolons, and capitals that follow a word in lower case without a joining word."""
    cuts: list[tuple[int, int]] = []
    for m in _ITEM_BREAK.finditer(text, start, end):
        if m[0].strip() in (";", "-", ": -") or m[0].strip().endswith("in") or not NO_BREAK_BEFORE.search(text[max(start, m.start() - 24) : m.end()]):
            cuts.append(m.span())
    out: list[tuple[int, int]] = []
    at = start
    for s, e in cuts:
        out.append((at, s))
        at = e
    out.append((at, end))
    return [(s, e) for s, e in out if text[s:e].strip(" .,;:-\n") and _DANGLING.search(text[s:e]) is None]


def leads_list(text: str) -> bool:
    """True for a sentence that says "contraindicated" of what follows it: "... is contraindicated in patients with:"."""
    return "contraindicat" in text.lower() and _LEAD_IN.search(text) is not None
