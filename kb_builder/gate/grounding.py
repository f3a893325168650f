"""The grounding gate: every number of a claim and the words for its object stand in the claim's own spans."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from kb_builder.gate.printed_numbers import printed_numbers, prints
from ontology.model.claims import Claim
from ontology.model.dosing import Frequency
from ontology.model.entities import EntityType
from ontology.model.guards import Exposure, Interval, leaves
from ontology.text.mentions import singular, words_key

_PERIOD = Decimal(1)
_BIRTH = "birth"
_ENZYME = re.compile(r"^cyp(?=\d)")


def grounding_fault(claim: Claim) -> str | None:
    """What a claim says that none of its spans does, or None."""
    quotes = tuple(span.quote for span in claim.evidence)
    if absent := unprinted(claim, quotes):
        return f"the number {', '.join(dict.fromkeys(map(str, absent)))} stands in no span"
    if claim.object.type == EntityType.POPULATION and not claim.words:
        return None
    words = stems(claim.words or "")
    if not words or not words <= stems(" ".join(quotes)):
        return f"the object's words {claim.words!r} stand in no span"
    return None


def claim_numbers(claim: Claim) -> Iterator[Decimal]:
    """The numbers of a claim's guard and payload; those of a lexicon's row and the implied single day are left out."""
    for part in (claim.guard, claim.payload):
        yield from _numbers_in(part)


def _numbers_in(value: Any) -> Iterator[Decimal]:
    if isinstance(value, Decimal):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _numbers_in(each)
    elif isinstance(value, Interval | Exposure) and value.term is not None:
        return
    elif is_dataclass(value):
        for member in fields(value):
            if isinstance(value, Frequency) and member.name == "period_days" and value.period_days == _PERIOD:
                continue
            yield from _numbers_in(getattr(value, member.name))


def unprinted(claim: Claim, quotes: Iterable[str]) -> list[Decimal]:
    """The numbers of a claim that none of the quotes prints; those of a lexicon's row are printed where its term is, and "birth" is age 0."""
    quotes = tuple(quotes)
    numbers = list(claim_numbers(claim))
    printed = printed_numbers(quotes) if numbers else frozenset()
    words = stems(" ".join(quotes))
    looked_up = [leaf for leaf in leaves(claim.guard) if isinstance(leaf, Interval | Exposure) and leaf.term is not None and not stems(leaf.term) <= words]
    bounds = [bound for leaf in looked_up for bound in ((leaf.low, leaf.high) if isinstance(leaf, Interval) else (leaf.within_days,)) if bound is not None]
    born = _BIRTH in words
    return [number for number in numbers if not (prints(number, printed) or (born and number == 0))] + bounds


@lru_cache(maxsize=20_000)
def stems(text: str) -> frozenset[str]:
    """The words of a text in the singular; an enzyme's name without what it shares with its list ("CYP2C9, 1A2"); Chinese text by the character."""
    return frozenset(piece for word in words_key(text).split() for piece in (word if "一" <= word[0] <= "鿿" else (singular(_ENZYME.sub("", word)),)))
