"""States of an organ in advice about that organ: on the organ's axis with the label's words, as readers of facts expect them.

The claim itself keeps the state as a condition of the patient or in words, which is what the audit can look up.
"""

from __future__ import annotations

import re

from kb_builder.publish.conditions import Condition

_STATES: dict[str, re.Pattern[str]] = {
    "renal": re.compile(r"\brenal|kidney|\banuri|\boliguri|nephr", re.IGNORECASE),
    "hepatic": re.compile(r"\bhepat|\bliver|cirrho|jaundice|cholesta", re.IGNORECASE),
}
_SCALES: dict[str, frozenset[str]] = {
    "renal": frozenset({"renal", "crcl", "egfr", "scr", "dialysis"}),
    "hepatic": frozenset({"hepatic", "child-pugh"}),
}
_PLAIN = re.compile(
    r"(?:(?:pre-?existing|chronic|known|underlying|history|of|any|a|the)\s+)*(?:renal|kidney|liver|hepatic)\s+(?:disease|failure|insufficiency|impairment|dysfunction)",
    re.IGNORECASE,
)
"""Words that say no more than the population does."""

_WORDS = frozenset({"condition", "other"})


def with_organ_states(when: list[Condition], axis: str) -> list[Condition]:
    """The conditions with the organ's states on its axis; unchanged where a degree or figure of the organ stands beside them."""
    state = _STATES.get(axis)
    if state is None or any(c["axis"] in _SCALES[axis] for c in when):
        return when
    return [{**c, "axis": axis} if c["axis"] in _WORDS and _is_state(str(c.get("value", "")), state) else c for c in when]


def _is_state(words: str, state: re.Pattern[str]) -> bool:
    return state.search(words) is not None and _PLAIN.fullmatch(words.strip()) is None
