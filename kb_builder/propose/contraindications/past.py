"""How a label places a state in time: a history, a recent or planned one, and pairs that take in both what is and what was.

"Current diagnosis of, or history of, breast cancer" is a history of breast cancer: who has it now has it in the history too.
"""

from __future__ import annotations

import re

from ontology.model.facts import ConditionState

_QUALIFIERS = r"(?:a|any|known|prior|past|previous|personal|medical|family|strong|recent|documented|suspected)"
HISTORY = re.compile(
    rf"^(?:{_QUALIFIERS}\s+|(?:and/or|and|or)\s+(?=family|personal))*(?:history|histories)\s+(?:of|or presence of)\s+(?:(?:the following:?|an?|any|the|previous|prior|either|episodes? of)\s+)*"
    r"|^(?:previous|prior|past)\s+(?:(?:episodes?|diagnos[ie]s)\s+of\s+)?",
    re.IGNORECASE,
)
_RECENT = re.compile(r"^(?:a\s+)?recent(?:ly)?\b\s*", re.IGNORECASE)
PLANNED = re.compile(r"^recent(?:ly)?,?\s+(?:or|and)\s+(?:planned|contemplated|upcoming|impending)\b", re.IGNORECASE)
_NOW = r"(?:(?:an?\s+)?current\s+diagnosis(?:\s+of)?|(?:the\s+)?(?:existence|presence)\s+of|known,\s+suspected|current|present|active|existing|ongoing)"
_NOW_OR_THEN = re.compile(
    rf"\b{_NOW}\s*,?\s+(?:or|and/or)\s+(?:an?\s+|any\s+)?(?:(?:prior|past|previous|known)\s+)*history\s+of\b,?"
    r"|\bcurrently\s+ha(?:ve|s)\s+or\s+ha(?:ve|s)\s+(?:previously\s+|ever\s+)?had\b"
    r"|\bcurrent\s+or\s+(?:prior|past|previous)\s+(?:diagnosis\s+of\b|history\s+of\b)"
    r"|\b(?:known,\s+suspected,?|known\s+or\s+suspected,?)\s+(?:or|and)\s+(?:an?\s+)?history\s+of\b,?",
    re.IGNORECASE,
)
_PAIR = re.compile(
    r",\s*(?:benign\s+(?:or|and)\s+malignant|malignant\s+(?:or|and)\s+benign)\b\s*,?"
    r"|\b(?:benign\s+(?:or|and)\s+malignant|congenital\s*(?:\s(?:or|and)\s|/)\s*(?:documented\s+)?acquired|acquired\s+or\s+congenital)\s+(?=\w)",
    re.IGNORECASE,
)
"""Both kinds of a state: together they are all of it."""

_SHARES = re.compile(r"\s*(?:and/or|or)\s+(?:an?\s+|any\s+|the\s+)?", re.IGNORECASE)
_OWN_TIME = re.compile(
    r"(?:an?\s+|any\s+|the\s+)?(?:current(?:ly)?|active|known|suspected|existing|present(?:ly)?|acute|ongoing|recent(?:ly)?|planned|concomitant|concurrent|in|with|who|whose|are|is|have|has"
    r"|patients?|those|women|pregnan\w*|lactat\w*|nursing|receiving|taking|undergoing|under|over|aged|if|during|sequelae)\b",
    re.IGNORECASE,
)
"""Opens a state that says by itself when the patient has it."""


def shared_past(before: ConditionState | None, between: str, words: str) -> ConditionState | None:
    """The history of the state before, where `or` joins a state to it that tells no time of its own ("history of stroke or transient ischemic attack")."""
    shares = before is ConditionState.HISTORY and _SHARES.fullmatch(between) is not None and _OWN_TIME.match(words) is None
    return before if shares else None


def time_of(words: str) -> ConditionState | None:
    """The time in which the words place a state; None for one that is."""
    if _RECENT.match(words) is not None:
        return ConditionState.RECENT
    return ConditionState.HISTORY if HISTORY.match(words) is not None else None


def in_all_times(phrase: str) -> str:
    """The phrase, of equal length, with what is and what was as one history, and with pairs blanked that take in every kind of a state."""
    phrase = _NOW_OR_THEN.sub(lambda m: "history of".ljust(len(m[0])), phrase)
    return _PAIR.sub(lambda m: (", " if m[0].endswith(",") else " ").ljust(len(m[0])), phrase)
