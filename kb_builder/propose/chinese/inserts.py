"""Chinese inserts: contraindications (【禁忌】) and interactions (【药物相互作用】) as sentences, numbered items and tables give them.

"对A或其他B类药物过敏者禁用", "C、D患者禁用", "孕妇及哺乳期妇女禁用", "禁止与E合用", "与F合用时应监测G". The language has no word gaps: clauses are
cut at stops and commas, names are found by the vocabulary, and what it does not know is taken from the list positions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb_builder.propose.chinese.book import book
from kb_builder.propose.chinese.pairs import ChinesePairs
from kb_builder.propose.chinese.patients import ChinesePatients
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Target

_HAN = re.compile(r"[一-鿿]")
_TAG = re.compile(r"<[^<>]*>")


def version() -> str:
    """The version of the Chinese wording: part of a proposer's own."""
    return book().version


def is_chinese(text: str) -> bool:
    """True when a third of the text's letters, markup left out, are Chinese characters."""
    if _HAN.search(text) is None:
        return False
    plain = _TAG.sub("", text)
    letters = sum(c.isalpha() for c in plain)
    return letters > 0 and len(_HAN.findall(plain)) * 3 >= letters


def contraindications(reading: Reading, own: Sequence[Target], lexicon: Lexicon, *, own_section: bool) -> Iterator[Draft]:
    """In whom the insert forbids its product, advises against it, or asks for caution."""
    return ChinesePatients(reading, own, lexicon, own_section=own_section).drafts()


def interactions(reading: Reading, lexicon: Lexicon) -> Iterator[Draft]:
    """What the insert says of taking its product together with another drug or food."""
    return ChinesePairs(reading, lexicon).own_section()


def interactions_elsewhere(reading: Reading, lexicon: Lexicon) -> Iterator[Draft]:
    """The same of another section: only sentences that speak of taking two things together and say what to do."""
    return ChinesePairs(reading, lexicon).other_section()
