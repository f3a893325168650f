"""How often the doses of a part are given, where one sentence says it for all of them ("take X once daily in the evening")."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from kb_builder.propose.dosage.standing import Passage
from ontology.model.dosing import Frequency, Limit, PerWhat, PhaseKind, Regimen

_ONCE = re.compile(
    r"\b(?:(?:should|must) be (?:taken|administered|given|applied)|(?:is|are) (?:to be )?(?:taken|administered|given|applied)|^\W*(?:take|give|administer|apply))\b[^.;\d]{0,60}?"
    r"\bonce (?:daily|a day|each day|every day)\b",
    re.IGNORECASE,
)
_OTHER = re.compile(r"\d\s*(?:mg|mcg|g|units?|mL)\b|\b(?:twice|three times|divided|every \d+ hours|if|when|unless|not)\b", re.IGNORECASE)
_GOES_ON = frozenset({PhaseKind.USUAL, PhaseKind.STARTING, PhaseKind.MAINTENANCE})


def part_of(passage: Passage) -> str | None:
    """The numbered part that a passage stands in; None for text without numbers, where nothing shows how far a sentence reaches."""
    return passage.block.number


def tells_once_daily(blank: str, passage: Passage) -> bool:
    """True for a sentence without a dose of its own that says once a day."""
    return _ONCE.search(blank, passage.start, passage.end) is not None and _OTHER.search(blank, passage.start, passage.end) is None


def daily(payload: Regimen | Limit) -> Regimen | Limit:
    """A regimen with once a day where it does not say how often."""
    if not isinstance(payload, Regimen):
        return payload
    phases = tuple(
        replace(p, frequency=Frequency(Decimal(1), Decimal(1)))
        if p.frequency is None and not p.increment and p.kind in _GOES_ON and all(a.per is PerWhat.DOSE and a.fraction_of is None for a in p.amounts)
        else p
        for p in payload.phases
    )
    return replace(payload, phases=phases)
