"""The hazards that the sentences of a boxed warning tell of: "at an increased risk of death", "can cause fetal harm", "has been reported"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kb_builder.propose.boxed.book import boxed_book
from kb_builder.propose.boxed.hazards import Hazard, read_hazards
from kb_builder.propose.reading.lexicon import Lexicon
from ontology.text.context import is_narrative

_CLAUSE = re.compile(r"[.;:\x01•]|,\s+(?:and|but)\s+(?=\w+ly\s|[A-Z])")


@dataclass(frozen=True, slots=True)
class Told:
    """What one cue of a sentence tells of; `hidden` are the places that are no condition on the patient.

    A `report` tells where the hazard was seen, which need not be whom it threatens; `circumstance` is how the drug is used or stopped; what stands
    behind `reach` is what to do about it.
    """

    hazards: tuple[Hazard, ...]
    hidden: tuple[tuple[int, int], ...]
    report: bool = False
    circumstance: tuple[int, int] | None = None
    reach: int | None = None


def find_told(text: str, start: int, end: int, own: list[tuple[int, int]], lexicon: Lexicon, names: Mapping[str, str]) -> list[Told]:
    """The hazards that a sentence `[start, end)` tells of, each once; `own` are the places of the product's names and classes in it."""
    out: list[Told] = []
    taken: list[tuple[int, int]] = []
    for cue in boxed_book().cues:
        for m in cue.pattern.finditer(text, start, end):
            if any(s < m.end() and m.start() < e for s, e in taken):
                continue
            opens = max((c.end() for c in _CLAUSE.finditer(text, start, m.start())), default=start)
            if not cue.behind and boxed_book().conditional.match(text, start):
                continue
            if boxed_book().quiet.search(text, start, m.start()) or (cue.own and not _acts(text, opens, m.start(), own)):
                continue
            place, hazards = _behind(text, m, end, lexicon, names) if cue.behind else _before(text, opens, m, lexicon, names)
            if hazards and not any(s < place[1] and place[0] < e for s, e in taken):
                taken.append(place)
                compared = [c.span() for c in boxed_book().compared.finditer(text, start, end)]
                report = cue.report or (cue.narrative and is_narrative(text[start:end]))
                opening = (opens, m.start()) if cue.behind else (opens, place[0])
                out.append(Told(tuple(hazards), (place, m.span(), *compared), report, _circumstance(text, *opening), _reach(text, opens, place[1], end)))
    return out


def _reach(text: str, start: int, behind: int, end: int) -> int | None:
    """Where the reason ends that a sentence of advice opens with ("Because of the risk of ..., observe patients"); None where it opens with none."""
    if boxed_book().reason.match(text, start) is None:
        return None
    comma = text.find(", ", behind, end)
    return comma if comma >= 0 else None


def _circumstance(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The words before a hazard where they are a way of using or stopping the drug ("abrupt discontinuation of ...")."""
    if boxed_book().circumstance.search(text, start, end) is None or boxed_book().reason.match(text, start):
        return None
    lead = len(text[start:end]) - len(text[start:end].lstrip(" ,-"))
    return start + lead, start + len(text[start:end].rstrip(" ,-("))


def _acts(text: str, start: int, end: int, own: list[tuple[int, int]]) -> bool:
    """True where the drug, its class or its use is what the verb at `end` says something of."""
    book = boxed_book()
    if book.related.search(text, start, end):
        return False
    return any(start <= s and e <= end for s, e in own) or book.drug.search(text, start, end) is not None


def _behind(text: str, m: re.Match[str], end: int, lexicon: Lexicon, names: Mapping[str, str]) -> tuple[tuple[int, int], list[Hazard]]:
    hazards = read_hazards(text, m.end(), end, lexicon, names)
    last = max((h.end for h in hazards), default=m.end())
    examples = boxed_book().aside.match(text, last, end)
    return (m.start(), examples.end() if examples is not None else last), hazards


def _before(text: str, opens: int, m: re.Match[str], lexicon: Lexicon, names: Mapping[str, str]) -> tuple[tuple[int, int], list[Hazard]]:
    """The hazards named as the subject of "has been reported"."""
    at = opens + len(text[opens : m.start()]) - len(text[opens : m.start()].lstrip())
    examples = next((a for a in boxed_book().aside.finditer(text, at + 1, m.start()) if a.start() > at), None)
    until = examples.start() if examples is not None else m.start()
    if boxed_book().opens_aside.match(text, at):
        comma = text.rfind(", ", at, until)
        if comma < 0:
            return (at, at), []
        at = comma + 2
    return (at, m.end()), read_hazards(text, at, until, lexicon, names)
