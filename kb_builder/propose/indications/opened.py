"""A list of uses that a sentence has opened, and the title that an item of it may begin with."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb_builder.propose.drafts import Draft
from kb_builder.propose.indications.book import indication_book
from kb_builder.propose.indications.reader import Indication
from kb_builder.propose.indications.uses import Lead, Purpose


@dataclass(frozen=True, slots=True)
class OpenList:
    """A list that a sentence has opened: what it says of the items, its place, the uses that it names itself, and whether its items are others than uses
    (organisms, criteria), whether a sentence of another kind stood below it, the list that it is a group of, and whether a word of indication opened it.
    """

    lead: Lead
    place: tuple[int, int]
    uses: tuple[Draft, ...] = ()
    others: bool = False
    criteria: bool = False
    closed: bool = False
    outer: OpenList | None = None
    stated: bool = False


def is_title(found: list[Indication], words: str) -> bool:
    """True for words before a colon that only name what the words behind it say in full."""
    return all(i.purpose is Purpose.TREAT for i in found) and indication_book().starts.search(words) is None


def is_undergone(text: str, one: Indication, start: int) -> bool:
    """True for a procedure that an item's patients undergo: whom the use above is for."""
    return one.purpose is Purpose.STATE and re.search(r"\bundergoing\b", text[start : one.start]) is not None
