"""What stands around a statement and changes what it says: cross-references, negation, hedges, trial and animal narrative.

All functions read folded text (`offsets.Shadow.text`) and answer with its offsets.
"""

from __future__ import annotations

import re

from ontology.text.sought import sought

REFERENCE = "\x01"
"""First character of a blanked cross-reference: where a label's flattened text often ends a list item."""

_SECTION_NUMBERS = r"\d{1,2}(?:\.\d{1,2}){0,2}"
_BRACKETED = (
    rf"[(\[](?:(?<=\[)\s*(?:also\s+)?see\b[^\[\]]{{0,400}}\]"
    rf"|(?<=\()\s*(?:also\s+)?see\b(?:[^()]|\([^()]*\)){{0,400}}\)"
    rf"|\s*{_SECTION_NUMBERS}(?:\s*(?:,|;|and|to|-)\s*{_SECTION_NUMBERS})*\s*[)\]]"
    rf"|(?<=\()\s*{_SECTION_NUMBERS}\s*,\s*Error! Hyperlink reference not valid\.?"
    rf"|\s*(?:see\s+)?(?:boxed warning|warnings?|precautions?|contraindications?|clinical pharmacology|dosage and administration|adverse reactions|drug interactions)"
    rf"(?:\s*[,;:]\s*[^()\[\]]{{0,120}})?\s*(?:\(\s*[\d.,\s]*\))?\s*[)\]])"
)
"""Begins with the bracket, so that all other characters are passed over at once."""

_CROSS_REFERENCE = re.compile(_BRACKETED, re.IGNORECASE)
_BROKEN_REFERENCE = re.compile(rf"{_BRACKETED}|Error! Hyperlink reference not valid\.?", re.IGNORECASE)
_SHORT_REFERENCE = re.compile(rf"\(\s*{_SECTION_NUMBERS}(?:\s*(?:,|;|and|to|-)\s*{_SECTION_NUMBERS})*\s*\)")

_NEGATION = re.compile(
    r"\b(?:no|not|without|neither|nor|never|cannot|can't|isn't|aren't|does not|do not|did not|has not|have not|had no|lack of|absence of|unlikely|rather than)\b"
    r"|\bn't\b|未|无|不|非|没有",
    re.IGNORECASE,
)
_HEDGE = sought(
    r"\b(?:may|might|could|possib(?:le|ly|ility)|potential(?:ly)?|theoretical(?:ly)?|suggest(?:s|ed)?|appears?|unlikely|in vitro|not established|unknown|cannot be (?:ruled out|excluded))\b|可能|尚不明确",
    re.IGNORECASE,
)
_NARRATIVE = sought(
    r"\b(?:healthy (?:\w+ )?(?:subjects?|volunteers?|adults?|males?|men|women|participants)|clinical (?:stud(?:y|ies)|trials?)|controlled (?:stud(?:y|ies)|trials?)|(?:drug|pharmacokinetic|crossover|cohort|observational|epidemiologic\w*) (?:interaction )?stud(?:y|ies)"
    r"|in a (?:\w+ ){0,3}(?:study|trial)|were randomi[sz]ed|placebo|post-?marketing|case reports?)\b",
    re.IGNORECASE,
)
_ANIMAL = sought(
    r"\b(?:rats?|mice|mouse|rabbits?|dogs?|monkeys?|hamsters?|guinea pigs?|animal (?:stud(?:y|ies)|data|models?)|animals?)\b|动物|大鼠|小鼠", re.IGNORECASE
)


def cross_references(text: str) -> list[tuple[int, int]]:
    """The places of cross-references ("[see Warnings (5.1)]", "( 7.1 )") in folded text."""
    return [m.span() for m in _references_in(text).finditer(text)]


def blank_references(text: str) -> str:
    """The text with every cross-reference blanked: REFERENCE and spaces, so that offsets stay."""
    return _references_in(text).sub(lambda m: REFERENCE + " " * (len(m[0]) - 1), text)


def _references_in(text: str) -> re.Pattern[str]:
    """The pattern of cross-references that the text may hold."""
    return _BROKEN_REFERENCE if "hyperlink reference" in text.lower() else _CROSS_REFERENCE


def is_short_reference(text: str, start: int) -> bool:
    """True where a bare section number in brackets starts, which is how the Highlights end their items."""
    return _SHORT_REFERENCE.match(text, start) is not None


def is_negated(text: str, start: int, *, window: int = 40) -> bool:
    """True when a negating word stands within `window` characters before `start`, in the same clause."""
    clause = re.split(r"[.;:,\x01]|\bbut\b|\bhowever\b", text[max(0, start - window) : start])[-1]
    return _NEGATION.search(clause) is not None


def is_hedged(text: str) -> bool:
    """True when the words state a possibility."""
    return _HEDGE.search(text) is not None


def is_narrative(text: str) -> bool:
    """True when the words tell of a study or a report, not of what to do."""
    return _NARRATIVE.search(text) is not None


def is_animal(text: str) -> bool:
    """True when the words are about animals."""
    return _ANIMAL.search(text) is not None
