"""What a sentence says before its word of indication: restrictions, the patients, or the state in which the product is of use."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.indications.names import Known, clean_name, ends_as_state
from kb_builder.propose.indications.uses import Lead, read_lead
from kb_builder.propose.reading.things import Thing

_PATIENTS_FIRST = re.compile(
    r"\W*(?:in|for|among)\s+(?:the\s+)?(?:[\w-]+\s+){0,4}?(?:patients|adults|children|women|men|infants|adolescents|neonates|those)\b", re.IGNORECASE
)
_RESTRICTS = re.compile(
    r"\b(?:combination|conjunction|single|mono\w*|patients|adults|alone|children|women|co-?administered|together|adjunct\w*)\b", re.IGNORECASE
)
_SETTING = re.compile(r"\W*in\s+(?P<state>[^,;.:()]{3,60}),\s+(?:[a-z]+\s+)?$", re.IGNORECASE)


def lead_before(text: str, things: Sequence[Thing], start: int, end: int) -> Lead:
    """What stands before the word of indication: restrictions ("X, in combination with Y, is"), or the patients."""
    own = [t for t in things if t.own]
    if own and _PATIENTS_FIRST.match(text, start):
        end = own[0].start
    elif own:
        start = own[0].end
    return read_lead(text, start, end) if _RESTRICTS.search(text, start, end) else Lead()


def setting_before(text: str, things: Sequence[Thing], start: int, known: Known) -> tuple[int, int] | None:
    """Where the state stands that a sentence opens with ("In acute alcohol withdrawal, X may be useful in the relief of tremor"): its uses are of it."""
    own = next((t for t in things if t.own), None)
    opening = _SETTING.match(text[start : own.start]) if own is not None else None
    if opening is None or _PATIENTS_FIRST.match(text, start) is not None:
        return None
    words = clean_name(opening["state"])
    return (start + opening.start("state"), start + opening.end("state")) if known(words) or ends_as_state(words) else None
