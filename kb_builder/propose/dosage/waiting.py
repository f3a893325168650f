"""Responses that a step upwards waits for: they tell when the dose is raised, not for whom it is, and stand in the phase instead of the guard."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from kb_builder.propose.dosage.leftovers import without_words
from kb_builder.propose.drafts import Draft
from ontology.model.dosing import Limit, PhaseKind, Regimen
from ontology.model.entities import EntityType
from ontology.model.guards import Opaque, leaves

_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_SENTENCE = re.compile(r"[.;]\s")
_UPWARDS = frozenset({PhaseKind.TITRATION, PhaseKind.MAINTENANCE})


@dataclass(frozen=True, slots=True)
class _Book:
    going: frozenset[str]
    beside: frozenset[str]
    raised: re.Pattern[str]


def waits_for_response(words: str, use: str = "") -> bool:
    """True for words that say nothing but how the treatment of `use` went."""
    told = [m[0].lower().replace("’", "'") for m in _WORD.finditer(words)]
    treated = {m[0].lower() for m in _WORD.finditer(use)}
    return any(w in _book().going for w in told) and all(w in _book().going or w in _book().beside or w in treated for w in told)


def without_waiting(draft: Draft) -> Draft:
    """The draft of a raised dose, or of a ceiling to raise it to, without the responses it waits for; a regimen keeps them in its phase."""
    use = draft.target.words if draft.target.id.type == EntityType.CONDITION else ""

    def waits(words: str) -> bool:
        return waits_for_response(words, use)

    goals = [leaf.text for r in draft.limits for leaf in leaves(r.guard) if isinstance(leaf, Opaque) and waits(leaf.text)]
    if not goals or draft.payload is None or not (_is_step(draft.payload) or _is_raised(draft)):
        return draft
    limits = without_words(draft.limits, waits)
    if isinstance(draft.payload, Limit):
        return replace(draft, limits=limits)
    first, *rest = draft.payload.phases
    kind = PhaseKind.TITRATION if first.kind is PhaseKind.USUAL else first.kind
    first = replace(first, kind=kind, until=first.until or "; ".join(goals))
    return replace(draft, limits=limits, payload=replace(draft.payload, phases=(first, *rest)))


def _is_step(payload: Regimen | Limit) -> bool:
    return isinstance(payload, Regimen) and payload.phases[0].kind in _UPWARDS


def _is_raised(draft: Draft) -> bool:
    """True where the sentence raises the dose before it names it."""
    payload = draft.payload
    if isinstance(payload, Regimen) and payload.phases[0].kind not in (*_UPWARDS, PhaseKind.USUAL):
        return False
    text = draft.reading.blank
    head = text[draft.statement[0] : max(draft.place[0], draft.statement[0])] if isinstance(payload, Regimen) else text[draft.statement[0] : draft.place[1]]
    start = max((m.end() for m in _SENTENCE.finditer(head)), default=0)
    return _book().raised.search(head, start) is not None


@cache
def _book() -> _Book:
    data = tomllib.loads(files("kb_builder.propose.dosage").joinpath("waiting.toml").read_text(encoding="utf-8"))
    return _Book(frozenset(data["going"]["words"].split()), frozenset(data["beside"]["words"].split()), re.compile(data["raised"]["pattern"], re.IGNORECASE))
