"""Which dose of a treatment a sentence keeps as it is: "no adjustment of the starting dose" tells nothing of the later ones."""

from __future__ import annotations

import re

from kb_builder.propose.populations.book import Wording
from ontology.model.advice import Action

_KEPT = "keep-treating"  # the wording by which treatment goes on
_PHASE = re.compile(r"\b(?:initial|starting|loading|first|induction|maintenance) (?:[\w-]+ ){0,1}?dos(?:e|es|age|ing)\b", re.IGNORECASE)
_BEHIND = 60  # characters behind the words that keep the dose in which the phase still belongs to them
_CLAUSE_END = re.compile(r"[.;,]")


def dose_that_stays(text: str, start: int, end: int, until: int) -> str | None:
    """The words for the phase whose dose stays, of a statement at `[start, end)` in a sentence that ends at `until`; None where every dose does."""
    stop = _CLAUSE_END.search(text, end, min(until, end + _BEHIND))
    m = _PHASE.search(text, start, stop.start() if stop is not None else min(until, end + _BEHIND))
    return " ".join(m[0].split()) if m is not None else None


def what_stays(text: str, place: tuple[int, int], until: int, wording: Wording) -> str | None:
    """What stays by a wording, where that is not every dose: the dose of one phase, or the treatment."""
    if wording.action is not Action.NO_ADJUSTMENT:
        return None
    return "treatment goes on" if wording.id == _KEPT else dose_that_stays(text, *place, until)
