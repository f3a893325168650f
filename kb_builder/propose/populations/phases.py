"""Which dose of a treatment a sentence keeps as it is: "no adjustment of the starting dose" tells nothing of the later ones."""

from __future__ import annotations

import re

_PHASE = re.compile(r"\b(?:initial|starting|loading|first|induction|maintenance) (?:[\w-]+ ){0,1}?dos(?:e|es|age|ing)\b", re.IGNORECASE)
_BEHIND = 60  # characters behind the words that keep the dose in which the phase still belongs to them
_CLAUSE_END = re.compile(r"[.;,]")


def dose_that_stays(text: str, start: int, end: int, until: int) -> str | None:
    """The words for the phase whose dose stays, of a statement at `[start, end)` in a sentence that ends at `until`; None where every dose does."""
    stop = _CLAUSE_END.search(text, end, min(until, end + _BEHIND))
    m = _PHASE.search(text, start, stop.start() if stop is not None else min(until, end + _BEHIND))
    return " ".join(m[0].split()) if m is not None else None
