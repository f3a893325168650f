"""Conditions that a sentence leaves to the list below it: "2.5 mg twice a day to patients with two or more of these: ..."."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from kb_builder.propose.conditions.lists import any_of, every_of
from kb_builder.propose.conditions.reader import read_label_conditions
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.standing import Passage
from kb_builder.propose.reading.lexicon import Lexicon
from ontology.model.guards import Opaque

_LEAD = re.compile(
    r"\b(?:(?:in|to|for)\s+)?(?:(?:patients|adults|children|those)\s+(?:with|who have|who meet)\s+)?(?P<many>any|one or more|at least one|either|two or more|at least two|all|both)\s+of\s+(?:these|the following)(?:\s+[\w-]+){0,3}\s*:?\s*$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\s*[(]?\d{1,2}[.)]?\s*$")
_EXAMPLE = re.compile(r",?\s*\b(?:for instance|for example|such as|e\.g\.)", re.IGNORECASE)
_CASE = re.compile(r"\W*(?:for|after|in|if|when|with|patients|upon|grade|re-?occurr\w*|recurr\w*|occurr\w*|first|second|third|any|following)\b", re.IGNORECASE)
_LONGEST = 400
_MOST = 8  # members
_MOST_PAIRED = 5


def leads_to_list(blank: str, start: int, end: int) -> re.Match[str] | None:
    """The words by which a sentence leaves its condition to the list below it."""
    return _LEAD.search(blank, start, end)


def listed(blank: str, lead: re.Match[str], below: Sequence[Passage], lexicon: Lexicon) -> list[Restriction]:
    """The condition that the list makes with the sentence's words; the words alone where there is no list or it cannot be counted."""
    items = _items(blank, below)
    read = [every_of(parts) for p in items if (parts := read_label_conditions(blank, p.start, _without_example(blank, p), p.statement.things, lexicon))]
    many = lead["many"].lower()
    whole = bool(read) and len(read) == len(items)
    if whole and many in ("all", "both"):
        return [every_of(read)]
    if whole and many in ("two or more", "at least two") and 1 < len(read) <= _MOST_PAIRED:
        return list(any_of([every_of(pair) for pair in combinations(read, 2)], start=read[0].start, end=read[-1].end))
    if whole and many in ("any", "one or more", "at least one", "either"):
        return list(any_of(read, start=read[0].start, end=read[-1].end))
    words = "; ".join(" ".join(blank[p.start : p.end].split()) for p in items)
    return [Restriction(Opaque(" ".join(f"{lead[0].strip(' :')}: {words}".split()).strip(" :")), lead.start(), lead.end())]


def cases_below(blank: str, dose_end: int, passage: Passage, below: Sequence[Passage]) -> Restriction | None:
    """The cases that a list gives for the dose its lead ends in ("Reduce the dose to 120 mg: for the first occurrence of ...; after ...")."""
    items = _items(blank, below)
    if blank[dose_end : passage.end].strip() != ":" or not items or _CASE.match(blank, items[0].start, items[0].end) is None:
        return None
    words = "; ".join(" ".join(blank[p.start : p.end].split()) for p in items)
    return Restriction(Opaque(words[:_LONGEST]), items[0].start, items[-1].end)


def _without_example(blank: str, item: Passage) -> int:
    """Where an item ends without the examples behind it."""
    example = _EXAMPLE.search(blank, item.start, item.end)
    return item.end if example is None else example.start()


def _items(blank: str, below: Sequence[Passage]) -> list[Passage]:
    """The items right below a sentence: marked as such, or behind a number that stands alone."""
    out: list[Passage] = []
    numbered = False
    for passage in below[: 2 * _MOST]:
        if _NUMBER.match(blank, passage.start, passage.end):
            numbered = True
            continue
        if not (passage.statement.item or numbered):
            break
        numbered = False
        out.append(passage)
    return out[:_MOST]
