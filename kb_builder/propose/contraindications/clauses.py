"""Clauses behind or before a state that say more of the same patients: their age, what they did not respond to, why the state is named.

What restricts becomes a restriction; what only explains is left out. The words leave the phrase, so that no conjunct is made of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from kb_builder.propose.conditions.restrictions import Restriction
from ontology.model.facts import Axis
from ontology.model.guards import Interval, Opaque
from ontology.text.bounds import find_bounds

_UNHELPED = re.compile(
    r"\bwho\s+(?P<words>(?:do|does|did|have|has)\s+not\s+respond(?:ed)?\s+to,?\s+(?:or\s+)?(?:who\s+)?(?:cannot|can\s+not|could\s+not)?[^.;()]{0,80}?\b(?:treatments?|therap(?:y|ies)|agents?|drugs?|medications?)\b)",
    re.IGNORECASE,
)
_AGED = re.compile(
    r"(?:(?:women|females|girls|men|males|patients|children|individuals|those)\s+)?(?:(?:who\s+are|aged?)\s+)?(?P<age>(?:over|above|under|below|older\s+than|younger\s+than|less\s+than)\s+(?:the\s+)?(?:age\s+(?:of\s+)?)?\w+(?:\s+(?:years?|months?)(?:\s+(?:of\s+age|old))?)?)\s+"
    r"(?:and|who|that)\s+(?:(?:are|is)\s+)?(?P<what>(?:current(?:ly)?\s+|cigarette\s+)*smok(?:e|ers?|ing)\b(?:\s+cigarettes)?|suspected\s+of\s+having\s+(?:an?\s+)?[^,;()]{4,60})",
    re.IGNORECASE,
)
_SMOKES = re.compile(r"(?:(?:current(?:ly)?|cigarette|heavy)\s+)*smok(?:e|es|ers?|ing)(?:\s+cigarettes)?", re.IGNORECASE)
_IF_AGED = re.compile(
    r"\bif\s+(?:you\s+are\s+|they\s+are\s+)?(?P<age>(?P<way>over|above|under|below|older\s+than|younger\s+than)\s+(?:the\s+)?(?:age\s+(?:of\s+)?)?(?P<number>\d{1,2})(?:\s+years?(?:\s+(?:of\s+age|old))?)?)(?!\s*(?:mg|kg|months?))",
    re.IGNORECASE,
)
_EXPLAINED = re.compile(r"(?<=[a-z]):\s+(?=[A-Z][^:;]{0,120}\b(?:is|are|may|can|was|were|has|have|should|must)\b|May\b|Can\b)[^\x01]*$", re.DOTALL)
"""A sentence behind the colon of an item tells why the item is named."""
_SMOKER = "smoker"


@dataclass(frozen=True, slots=True)
class Told:
    """A phrase, of equal length, without its clauses, and what they restrict, each with the place of a state that it is of."""

    phrase: str
    limits: tuple[tuple[int, Restriction], ...]

    def of(self, start: int, end: int) -> tuple[Restriction, ...]:
        """What is said of the state that stands in `[start, end)` of the text."""
        return tuple(limit for at, limit in self.limits if start <= at < end)


def without_clauses(phrase: str, offset: int) -> Told:
    """The phrase at `offset` of the text with its clauses blanked."""
    limits: list[tuple[int, Restriction]] = []
    explained = _EXPLAINED.search(phrase)
    if explained is not None:
        phrase = phrase[: explained.start()].ljust(len(phrase))
    aged = _AGED.search(phrase)
    found = [b for b in find_bounds(aged["age"]) if b.interval.axis is Axis.AGE] if aged is not None else []
    if aged is not None and found:
        limits.append((offset + aged.start("what"), Restriction(found[0].interval, offset + aged.start("age"), offset + aged.end("age"))))
        phrase = phrase[: aged.start()] + " " * (aged.start("what") - aged.start()) + phrase[aged.start("what") :]
    unit = _IF_AGED.search(phrase)
    if unit is not None:
        limits.append((offset + _before(phrase, unit.start()), Restriction(_age(unit), offset + unit.start("age"), offset + unit.end("age"))))
        phrase = _blanked(phrase, _before(phrase, unit.start()) + 1, unit.end())
    unhelped = _UNHELPED.search(phrase)
    if unhelped is not None:
        words = Opaque(" ".join(unhelped["words"].split()))
        limits.append((offset + _before(phrase, unhelped.start()), Restriction(words, offset + unhelped.start("words"), offset + unhelped.end("words"))))
        phrase = _blanked(phrase, _before(phrase, unhelped.start()) + 1, unhelped.end())
    return Told(phrase, tuple(limits))


def named_habit(words: str) -> str:
    """The name of a habit that words tell as a verb ("smoke"); the words themselves elsewhere."""
    return _SMOKER if _SMOKES.fullmatch(words) else words


def _age(m: re.Match[str]) -> Interval:
    years = Decimal(m["number"])
    if m["way"].lower().startswith(("under", "below", "younger")):
        return Interval(Axis.AGE, None, years, "a", high_open=True)
    return Interval(Axis.AGE, years, None, "a", low_open=True)


def _before(phrase: str, at: int) -> int:
    """The place of the last character of the words before a clause."""
    return max(0, len(phrase[:at].rstrip(" ,")) - 1)


def _blanked(phrase: str, start: int, end: int) -> str:
    return phrase[:start] + " " * (end - start) + phrase[end:]
