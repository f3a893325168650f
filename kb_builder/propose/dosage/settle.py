"""Doubles among the dose drafts of one document: the same rule of Highlights, text, table and other sections is told once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.abbreviations import spelled
from kb_builder.propose.dosage.standing import Scopes
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Target, uncoded
from ontology.model.dosing import Amount, Frequency, Limit, PerWhat, Phase, Regimen
from ontology.model.entities import EntityType
from ontology.model.guards import Opaque

_MASSES = frozenset({"mg", "ug", "g", "mcg", "[USP'U]", "[IU]", "meq", "mmol"})
_STOP = re.compile(r"[.;]\s+[A-Z]")
_ONCE = re.compile(r"\W*(?:administer|take|give)\b[^.;\d]{0,60}\bonce (?:daily|a day|each day)\b", re.IGNORECASE)
_OTHER_TIMES = re.compile(r"\d\s*(?:mg|mcg|g|units?)\b|\b(?:twice|three times|divided|every)\b", re.IGNORECASE)
_PHASE = re.compile(r"\b(?:phase|crisis|stage|class|grade|stroke|inhibitors?|inducers?|clearance|impairment|metaboli\w+|therapy)\b", re.IGNORECASE)
"""Words of a state or a treatment that is no use by itself."""
_LONGEST = 350
_SENTENCES = 3
Signature = tuple[object, ...]


def settle_doses(drafts: Iterable[Draft]) -> list[Draft]:
    """The drafts worth a claim, in order of print. Phases of a Highlights or other section's regimen that the full text states are left out."""
    all_drafts = list(drafts)
    full = [d for d in all_drafts if not d.highlight]
    told = {s for d in full for s in signatures(d)}
    kept: list[Draft] = []
    for draft in all_drafts:
        rest = draft if not draft.highlight or draft.payload is None else _without(draft, told)
        if rest is not None and not any(_same(rest, k) for k in kept):
            kept.append(rest)
    return kept


def add_from_elsewhere(own: Sequence[Draft], others: Iterable[Draft]) -> list[Draft]:
    """The drafts of the dosing section, and of other sections those whose amounts it does not state."""
    told = {s for d in own for s in signatures(d)}
    more: list[Draft] = []
    for draft in others:
        rest = _without(draft, told)
        if rest is not None and not any(_same(rest, k) for k in more):
            more.append(rest)
    return [*own, *more]


def signatures(draft: Draft) -> frozenset[Signature]:
    """The amounts of a draft, without for whom: what a repetition would state again."""
    if isinstance(draft.payload, Limit):
        return frozenset({_amount(draft.payload.amount)})
    return frozenset(_amount(a) for p in draft.payload.phases for a in p.amounts) if isinstance(draft.payload, Regimen) else frozenset()


def _amount(amount: Amount) -> Signature:
    low = amount.low if amount.low is not None else amount.high
    high = amount.high if amount.high is not None else amount.low
    return (low, high, amount.choices, amount.unit, amount.basis)


def _without(draft: Draft, told: set[Signature]) -> Draft | None:
    """The draft without the phases whose amounts are told elsewhere; None where nothing is left."""
    if not isinstance(draft.payload, Regimen):
        return None if signatures(draft) <= told else draft
    phases = tuple(p for p in draft.payload.phases if not _is_told(p, told))
    return None if not phases else replace(draft, payload=replace(draft.payload, phases=phases))


def _is_told(phase: Phase, told: set[Signature]) -> bool:
    return all(_amount(a) in told for a in phase.amounts)


def _same(one: Draft, other: Draft) -> bool:
    """True for the same payload under the same conditions for the same use."""
    guards = [{repr(r.guard) for r in d.limits} for d in (one, other)]
    return one.payload == other.payload and guards[0] == guards[1] and one.target.id == other.target.id and one.routes == other.routes


def is_run_on(draft: Draft) -> bool:
    """True for a statement of many sentences: a table's cells run together, of which no condition is certain."""
    text = draft.reading.blank[slice(*draft.statement)]
    return len(text) > _LONGEST and sum(1 for _ in _STOP.finditer(text)) >= _SENTENCES


def is_of_one_component(draft: Draft) -> bool:
    """True for an amount by mass in the label of a combination: it is one component's, and the claim could not say whose."""
    if isinstance(draft.payload, Limit):
        return draft.payload.amount.unit in _MASSES
    return isinstance(draft.payload, Regimen) and any(a.unit in _MASSES for p in draft.payload.phases for a in p.amounts)


def spelled_out(draft: Draft, names: Mapping[str, str], lexicon: Lexicon) -> Draft:
    """The draft with the use it is for, and what narrows it, in words where the label explains the letters that stand for them."""
    target, limits = draft.target, list(draft.limits)
    for r in draft.limits:
        if target.id.type == EntityType.CONDITION and isinstance(r.guard, Opaque) and (words := names.get(f"{target.words}/{r.guard.text}")) is not None:
            target = _named(words, lexicon)
            limits.remove(r)
    if target.id.type == EntityType.CONDITION and (words := spelled(target.words, names)) is not None:
        letters = target.words.lower()
        limits = [r for r in limits if not (isinstance(r.guard, Opaque) and r.guard.text.lower() == letters)]
        target = _named(words, lexicon)
    out: list[Restriction] = []
    for r in limits:
        words = spelled(r.guard.text, names) if isinstance(r.guard, Opaque) else None
        if words is None:
            out.append(r)
        elif target.id.type == EntityType.CONDITION or _PHASE.search(words):
            out.append(replace(r, guard=Opaque(words)))
        else:
            target = _named(words, lexicon)
    return replace(draft, target=target, limits=tuple(out))


def _named(words: str, lexicon: Lexicon) -> Target:
    known = lexicon.lookup(words, frozenset({EntityType.CONDITION}))
    return Target(known[0], words) if known else uncoded(EntityType.CONDITION, words)


def timed(draft: Draft, once_daily: bool) -> Draft:
    """The draft with the label's general "once daily" where an amount a day has no division of its own."""
    if not once_daily or not isinstance(draft.payload, Regimen):
        return draft
    phases = tuple(
        replace(p, frequency=Frequency(Decimal(1), Decimal(1)))
        if p.frequency is None and not p.increment and all(a.per is PerWhat.DAY for a in p.amounts)
        else p
        for p in draft.payload.phases
    )
    return replace(draft, payload=replace(draft.payload, phases=phases))


def is_once_daily(blank: str, scopes: Scopes) -> bool:
    """True where the section says of its product in general that it is given once a day."""
    return any(
        p.standing.topic in (None, "technique")
        and not p.standing.conditions
        and _ONCE.match(blank, p.start, p.end) is not None
        and _OTHER_TIMES.search(blank, p.start, p.end) is None
        for p in scopes.passages
    )
