"""Where the words of a model stand in the text it was shown. Offsets are never taken from a model; words that do not stand there are dropped."""

from __future__ import annotations

import re

from ontology.text.offsets import fold

LONGEST_MENTION = 200
LONGEST_QUOTE = 1_500


def find_words(words: str, text: str, start: int, end: int, longest: int) -> list[tuple[int, int]]:
    """The places of the words in `[start, end)` of folded text: whole words, in any case and white space. Empty where they do not stand there."""
    if len(words) > longest * 2:
        return []
    parts = fold(words).text.split()
    joined = " ".join(parts)
    if not parts or len(joined) > longest or not any(c.isalnum() for c in joined):
        return []
    before = r"(?<!\w)" if parts[0][0].isalnum() else ""
    after = r"(?!\w)" if parts[-1][-1].isalnum() else ""
    pattern = re.compile(before + r"\s+".join(map(re.escape, parts)) + after, re.IGNORECASE)
    return [m.span() for m in pattern.finditer(text, start, end)]


def find_quote(words: str, text: str, start: int, end: int) -> tuple[int, int] | None:
    """The one place of a quote, its outer quotation marks and dots left aside; None where it does not stand there, or in several places."""
    for tried in (words, words.strip().strip("\"'“”…").strip(), words.strip().strip("\"'“”…. ").strip()):
        found = find_words(tried, text, start, end, LONGEST_QUOTE)
        if found:
            return found[0] if len(found) == 1 else None
    return None
