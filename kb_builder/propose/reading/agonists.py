"""Kinds of opioids whose noun stands behind the examples of the last one: "mixed agonist/antagonist (e.g., ...) or partial agonist (e.g., ...) analgesics".

Told by the opioids in the bracket, because other drugs are partial agonists too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb_builder.propose.reading.phrases import Phrase

_KIND = re.compile(
    r"\b(?P<kind>(?:mixed\s+)?agonist[/-]\s?antagonist|partial\s+agonist)s?\s*\((?:e\.g\.,?|such as|including|for example,?)\s[^()]{0,120}?\b(?:buprenorphine|butorphanol|nalbuphine|pentazocine)\b[^()]{0,120}\)"
    r"(?:\s+(?P<noun>(?:opioid\s+)?(?:analgesics?|opioids?)\b))?",
    re.IGNORECASE,
)
_NOUN = "opioid analgesics"


def agonist_phrases(blank: str) -> Iterator[Phrase]:
    """The kinds at their own words, each under its name with the noun that they share."""
    if "agonist" not in blank:
        return
    found = list(_KIND.finditer(blank))
    noun = next((m["noun"] for m in found if m["noun"]), _NOUN)
    for m in found:
        yield Phrase(m.start("kind"), m.end("kind"), (f"{' '.join(m['kind'].split())} {noun}",))
