"""Bounds of a sentence that do not say of what they are: the sentence before said it ("from 10 to 30 mL/min"), or the words around them ("from 2 to 12 years")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.runs import Place
from ontology.model.facts import Axis
from ontology.model.guards import AnyOf, Category, Interval
from ontology.text.bounds import find_bounds

_FLOW = re.compile(r"mL\s?/\s?min", re.IGNORECASE)
_KIDNEY = re.compile(r"(?P<egfr>\be?GFR\b|glomerular filtration)|(?P<crcl>creatinine clearance|\bCr ?Cl\b|\bCL ?cr\b)", re.IGNORECASE)
_NAMED = re.compile(r"clearance|GFR|\bCr ?Cl\b|\bCL ?cr\b|filtration|renal|kidney", re.IGNORECASE)
_OR = re.compile(r"\s*,?\s*or\s+(?:(?:those|patients)\s+)?(?:on|in|with|receiving)?\s*", re.IGNORECASE)
_SPARED = re.compile(
    r"\b(?:usual|normal)\s+(?:regimens?|dos(?:es?|ages?|ing))\b[^.;]{0,120}?\b(?P<bound>(?:creatinine clearance|Cr ?Cl|CL ?cr)\b[^.;\d]{0,30}?(?P<sign>>|≥|greater than|above|more than)\s*(?P<number>\d+)\s*mL\s?/\s?min)",
    re.IGNORECASE,
)
"""Whose kidneys need no other dose ("usual regimens may be followed in patients with creatinine clearance > 40 mL/min")."""
_PART_OPENS = re.compile(r"(?<![\d.])\d{1,2}\.\d{1,2}\s+(?=[A-Z])")
_ANY_DEGREE = frozenset({"mild", "moderate", "severe", "esrd"})
_REACH = 600
"""Most code points back to the sentence that named the value."""
_PART = 900  # and to the sentence that spared better kidneys
_YEARS = re.compile(
    r"\b(?:from|between)\s+\d+(?:\s*(?:years?|months?))?\s*(?:to|and|-|through)\s*(?:<\s*)?\d+\s*years?\b(?!\s+(?:of (?:treatment|therapy)|after|before))",
    re.IGNORECASE,
)
_YOUNG = re.compile(r"\b(?:child(?:ren)?|p(?:a)?ediatric|infants?|neonates?|newborns?|adolescents?|years? (?:of age|old)|ages?|aged)\b", re.IGNORECASE)


def bare_bounds(blank: str, start: int, end: int, floor: int, read: Sequence[Place]) -> Iterator[Restriction]:
    """The bounds of `[start, end)` that none of the places read touches and whose axis is told before it, not before `floor`."""
    hint = _kidney(blank, start, end, floor)
    if hint is not None:
        for bound in find_bounds(blank[start:end], hint):
            place = (start + bound.start, start + bound.end)
            if bound.interval.axis is hint and _FLOW.search(blank, *place) and not _touched(place, read):
                yield Restriction(bound.interval, *place)
    years = _YEARS.search(blank, start, end)
    if years is not None and _YOUNG.search(blank, max(floor, start - _REACH), end) and not _touched(years.span(), read):
        for bound in find_bounds(blank[years.start() : years.end()], Axis.AGE):
            yield Restriction(bound.interval, years.start() + bound.start, years.start() + bound.end)


def either(blank: str, bare: Sequence[Restriction], own: Sequence[Restriction]) -> list[Restriction]:
    """All of the restrictions, a bare bound and the state that "or" joins to it as one ("below 10 mL/min or on hemodialysis")."""
    out = [*own]
    for bound in bare:
        after = next((r for r in out if bound.end <= r.start and _OR.fullmatch(blank, bound.end, r.start)), None)
        if after is None:
            out.append(bound)
        else:
            out[out.index(after)] = Restriction(AnyOf((bound.guard, after.guard)), bound.start, after.end, after.entities)
    return out


def below_spared(blank: str, start: int, held: Sequence[Restriction]) -> tuple[Restriction, ...]:
    """The restrictions of a sentence from `start`; failing kidneys of any degree are those below the clearance at which its numbered part leaves the usual dose."""
    reach = max(0, start - _PART)
    floor = max([reach, *(m.start() for m in _PART_OPENS.finditer(blank, reach, start))])
    spared = max(_SPARED.finditer(blank, floor, start), key=lambda m: m.start(), default=None)
    if spared is None:
        return tuple(held)
    bound = Interval(Axis.CRCL, None, Decimal(spared["number"]), "mL/min", high_open=spared["sign"] == "≥")
    below = Restriction(bound, *spared.span("bound"))
    return tuple(below if isinstance(r.guard, Category) and r.guard.axis is Axis.RENAL and set(r.guard.values) == _ANY_DEGREE else r for r in held)


def _kidney(blank: str, start: int, end: int, floor: int) -> Axis | None:
    """The axis of renal function that was named last before a sentence with a flow and without a name."""
    if _FLOW.search(blank, start, end) is None or _NAMED.search(blank, start, end) is not None:
        return None
    last = max(_KIDNEY.finditer(blank, max(floor, start - _REACH), start), key=lambda m: m.start(), default=None)
    return None if last is None else Axis.EGFR if last["egfr"] else Axis.CRCL


def _touched(place: Place, read: Sequence[Place]) -> bool:
    return any(s < place[1] and place[0] < e for s, e in read)
