"""Names of enzymes and transporters as labels print them, completed to the names of a closed list and never beyond it."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources

MEMBER = r"\d[A-Z]\d{0,2}(?:/(?:\d[A-Z]\d{1,2}|\d{1,2}(?![A-Z\d])))*"
"""The number of a CYP enzyme, further ones behind slashes."""

_TABLE = tomllib.loads(resources.files(__package__).joinpath("enzymes.toml").read_text(encoding="utf-8"))
_KNOWN: dict[str, str] = {re.sub(r"[^A-Z0-9]", "", name.upper()): name for name in _TABLE["known"]["names"]}
_ALIASES: dict[str, str] = {key: name for key, name in _TABLE["aliases"].items() if key != "why"}
_TOGETHER: dict[str, list[str]] = {key: parts for key, parts in _TABLE["together"].items() if key != "why"}
_FAMILIES: tuple[str, ...] = tuple(_TABLE["families"]["names"])
_OF_CYP = re.compile(r"(?:HEPATIC)?(?:CYTOCHROMEP450|CYP450|P450)")
_NUMBERS = re.compile(r"\d[A-Z]?\d*K?(?:/(?:CYP|UGT|OATP|OAT|OCT|MATE|MRP)?\d?[A-Z]?\d*K?)*")


def canonical_enzyme(text: str, family: str = "") -> list[str]:
    """The enzymes a printed name stands for ("CYP3A4/5" one, "OATP1B1/B3" two); none for a name that no enzyme has.

    `family` is that of the name before it in a list, which a bare number goes on with ("UGT1A3 and 2B7").
    """
    return list(_canonical(re.sub(r"[\s-]+", "", text).upper(), family))


def family_of(name: str) -> str:
    """The family that a name begins with, empty for a name without any."""
    return next((f for f in _FAMILIES if name.startswith(f)), "")


@cache
def _canonical(word: str, family: str) -> tuple[str, ...]:
    if word.startswith(("PGLYCOPROTEIN", "PGP")):
        return ("P-gp",)
    word = _OF_CYP.sub("CYP", word, count=1).replace("(", "").replace("CYPCYP", "CYP")
    own = family_of(word)
    numbers = _NUMBERS.search(word)
    if numbers is None or (not own and word[0].isalpha()):
        return tuple(filter(None, (_name(word),)))
    first, *others = numbers[0].split("/")
    families = (own,) if own else tuple(dict.fromkeys((family, *_FAMILIES)))
    for one in filter(None, families):
        name = _name(one + first)
        if name is not None:
            skipped = _TOGETHER.get(name, [])
            more = (_completed(one, first, other.removeprefix(one)) for other in others if other and other not in skipped)
            return tuple(dict.fromkeys((name, *(m for m in more if m is not None))))
    return ()


def _completed(family: str, first: str, other: str) -> str | None:
    """What a short second member means beside the first one: the most of the first is kept that gives a known name."""
    return next((name for kept in range(len(first) - 1, -1, -1) if (name := _name(family + first[:kept] + other)) is not None), None)


def _name(word: str) -> str | None:
    return _ALIASES.get(word) or _KNOWN.get(word)
