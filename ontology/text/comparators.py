"""The words and signs by which a label sets a number as a bound: one reading for ages, laboratory values and doses."""

from __future__ import annotations

import re
from enum import StrEnum


class Side(StrEnum):
    """Which side of its number a comparator leaves open to the value: below with or without the number itself, or above."""

    AT_MOST = "le"
    AT_LEAST = "ge"
    BELOW = "lt"
    ABOVE = "gt"

    @property
    def is_upper(self) -> bool:
        """True where the number is the highest value."""
        return self in (Side.AT_MOST, Side.BELOW)

    @property
    def is_open(self) -> bool:
        """True where the number itself does not count."""
        return self in (Side.BELOW, Side.ABOVE)


_WORDINGS = {
    Side.AT_MOST: r"≤|<=|=<|less than or equal to|equal to or (?:less|lower) than|at or (?:below|under)|at most|up to(?: and including)?|no (?:more|greater) than"
    r"|not (?:more|greater) than|not exceeding",
    Side.AT_LEAST: r"≥|>=|=>|greater than or equal to|more than or equal to|equal to or (?:greater|more|higher) than|(?:at|equal to) or (?:above|over)|at least|not less than|no less than|a minimum of",
    Side.BELOW: r"<|(?:is |are )?less than|lower than|below|under",
    Side.ABOVE: r">|greater than|more than|higher than|above|over|in excess of|exceed(?:s|ing)|(?<!not )(?<!to )(?<!never )exceed",
}
"""What any number is compared by. "At most" and "at least" come first, because "less than or equal to" begins as "less than" does."""


def comparison(*, at_most: str = "", at_least: str = "", below: str = "", above: str = "") -> str:
    """A pattern of the comparators, a named group for each side (`side_of` reads it), with a reader's own wordings before the shared ones."""
    own = {Side.AT_MOST: at_most, Side.AT_LEAST: at_least, Side.BELOW: below, Side.ABOVE: above}
    return "(?:" + "|".join(f"(?P<{side}>{'|'.join(filter(None, (own[side], words)))})" for side, words in _WORDINGS.items()) + ")"


def side_of(m: re.Match[str]) -> Side | None:
    """The side that a match of a pattern with `comparison` in it names, or None where it holds no comparator."""
    return next((side for side in Side if m[side] is not None), None)
