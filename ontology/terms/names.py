"""The one form in which names are compared, and the plural and singular spellings that count as the same name.

`name_key` maps separators to single spaces, so a text that is normalised the same way can be scanned for keys token by token.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from ontology.terms.tables import read_table

_SEPARATORS = re.compile(r"(?:[^\w%+]|_)+")
_TOKENS = re.compile(r"[㐀-鿿]|[^\W\d_㐀-鿿]+|\d[\d,]*(?:\.\d+)?|[%+/&,;()\[\]{}-]")
_WORDS_OF_FOUR = "zinc|iron|urea|kava|acid|gold|plus|cold|comp|mono|dual|duet|with|drug|base|free|pack|dose|pens|tabs|caps|vial|form|salt|mixt|bulk"
_BIOSIMILAR = re.compile(
    r"((?:mab|stim|cept|ase|toxina|tropin|pacitan|trogon|fusp|pegol|vedotin|deruxtecan|govitecan|tesirine|emtansine|soravtansine|ozogamicin|\balfa|\bbeta"
    rf"|\bglargine|\baspart|\blispro|\bdegludec|\brecombinant\)?))-(?!(?:{_WORDS_OF_FOUR})\b)[a-z]{{4}}\b",
    re.IGNORECASE,
)
_SLUG = re.compile(r"[^\w]+", re.ASCII)
GROUP_HEADS = ("drug", "agent", "medication", "medicine")
_MINIMUM_PLURAL = 4  # shorter words are abbreviations (mg, hcl), whose last s is no plural


@cache
def _simplified() -> dict[int, str]:
    return {ord(row["traditional"]): row["simplified"] for row in read_table("traditional").rows}


def fold(text: str) -> str:
    """The text in NFKC, case-folded and in simplified characters: full-width, tall-man and traditional spellings compare equal."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return folded if folded.isascii() else folded.translate(_simplified())


def name_key(text: str) -> str:
    """The key under which a name is stored and looked up: folded, every run of separators one space, no space at the ends."""
    return _SEPARATORS.sub(" ", fold(text)).strip()


def tokens(text: str) -> tuple[str, ...]:
    """The words, numbers, Chinese characters and joining signs of a text, folded; letters and digits never share a token."""
    return tuple(_TOKENS.findall(fold(text)))


def without_suffix(text: str) -> str:
    """The text without the four-letter suffixes of biological products (`adalimumab-aacf`), which do not change the ingredient."""
    return _BIOSIMILAR.sub(r"\1", text)


def slug(text: str) -> str:
    """A code made of a name: folded words joined by hyphens; Chinese characters are kept as hex code points."""
    ascii_words = "".join(c if ord(c) < 128 else f" {ord(c):x} " for c in fold(text))
    return _SLUG.sub("-", ascii_words).strip("-")


def singular(word: str) -> str:
    """The singular of an English noun by its ending; the word itself where no rule applies."""
    if len(word) < _MINIMUM_PLURAL or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > _MINIMUM_PLURAL:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith(("ss", "us", "is")):
        return word
    return word.removesuffix("s")


def plural(word: str) -> str:
    """The regular plural of an English noun; the word itself where it is no English word or already ends like a plural."""
    if not word.isascii() or not word.isalpha() or word.endswith(("s", "x")) or len(word) < _MINIMUM_PLURAL:
        return word
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def singular_key(key: str) -> str:
    """The key with every word in the singular: what plural-tolerant look-ups compare."""
    return " ".join(singular(word) for word in key.split(" "))


def plural_key(key: str) -> str:
    """The key with its last word in the plural."""
    head, _, last = key.rpartition(" ")
    return f"{head} {plural(last)}".strip()


def head_variants(key: str) -> tuple[str, ...]:
    """The spellings of a group's name whose last word says no more than "drugs" (`serotonergic agents`, `serotonergic medicines`)."""
    stem, _, last = key.rpartition(" ")
    if not stem or singular(last) not in GROUP_HEADS:
        return ()
    return tuple(f"{stem} {form}" for head in GROUP_HEADS for form in (head, plural(head)))
