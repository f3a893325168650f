"""Opaque words of a dose's conditions that ask nothing of the patient: dropped where they say nothing, moved where the claim has a place for them.

What is dropped or moved is data (`leftovers.toml`): every word of a leaf must be on the list, so that a leaf with one word of a condition stays whole.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from importlib.resources import files

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.drafts import Draft
from ontology.model.dosing import Amount, PhaseKind, Regimen
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Guard, Interval, Opaque, leaves

_WORD = re.compile(r"[A-Za-z0-9][\w/-]*")


@dataclass(frozen=True, slots=True)
class _Book:
    nothing: frozenset[str]
    phrases: re.Pattern[str]
    own: frozenset[str]
    form: re.Pattern[str]
    birth: re.Pattern[str]
    phases: tuple[tuple[PhaseKind, re.Pattern[str]], ...]
    lasting: re.Pattern[str]


def without_leftovers(draft: Draft) -> Draft:
    """The draft without opaque words that say nothing of the patient; a form, a phase or a duration told by such words is in its own place."""
    if not any(isinstance(leaf, Opaque) for r in draft.limits for leaf in leaves(r.guard)):
        return draft
    told = replace(draft, limits=without_words([r for r in draft.limits if not _is_own_use(draft, r)], says_nothing))
    return _lasting(_phased(_formed(_born(told))))


def _is_own_use(draft: Draft, limit: Restriction) -> bool:
    """True for words that say that the product itself is taken and nothing else."""
    words = _nameless(draft, limit)
    if words is None or not isinstance(limit.guard, Opaque) or words == limit.guard.text:
        return False
    return all(m[0].lower() in _book().own for m in _WORD.finditer(words))


def _nameless(draft: Draft, limit: Restriction) -> str | None:
    """An opaque limit's words without the product's names."""
    if not isinstance(limit.guard, Opaque):
        return None
    words = limit.guard.text
    for own in (t for t in draft.reading.things_in(limit.start, limit.end) if t.own):
        words = words.replace(draft.reading.blank[own.start : own.end], " ")
    return words


def says_nothing(words: str) -> bool:
    """True for left-over words that tell no patient from another."""
    told = [m[0].lower().strip("-/") for m in _WORD.finditer(words)]
    return (any(not w.isdigit() for w in told) and all(w.isdigit() or w in _book().nothing for w in told)) or _book().phrases.fullmatch(words) is not None


def without_words(limits: Sequence[Restriction], gone: Callable[[str], bool]) -> tuple[Restriction, ...]:
    """The restrictions without the opaque leaves whose words are `gone`; what is denied stays."""
    out: list[Restriction] = []
    for limit in limits:
        guard = _without(limit.guard, gone)
        if guard is not None:
            out.append(limit if guard is limit.guard else replace(limit, guard=guard))
    return tuple(out)


def _without(guard: Guard, gone: Callable[[str], bool]) -> Guard | None:
    if isinstance(guard, Opaque):
        return None if gone(guard.text) else guard
    if not isinstance(guard, AllOf | AnyOf):
        return guard
    left = [_without(part, gone) for part in guard.parts]
    if isinstance(guard, AnyOf) and any(p is None for p in left):
        return None if all(p is None for p in left) else guard  # an alternative is never taken away
    parts = tuple(p for p in left if p is not None)
    if parts == guard.parts:
        return guard
    return None if not parts else parts[0] if len(parts) == 1 else type(guard)(parts)


def _formed(draft: Draft) -> Draft:
    """The draft with a form or a strength that is all that a condition says in its own place."""
    for limit in draft.limits:
        m = _form(draft, limit)
        forms = (m["form"].removesuffix("s").replace("granule", "granules"),) if m is not None and m["form"] else draft.forms
        if m is None or (draft.forms and not any(forms[0] in known for known in draft.forms)):
            continue
        rest = replace(draft, forms=draft.forms or forms, limits=tuple(r for r in draft.limits if r is not limit))
        volume = Decimal(m["ml"] or 1) if m["ml"] is not None else None
        told = rest if not volume else _concentrated(rest, Decimal(m["mg"]) / volume)
        if told is not None:
            return _formed(told)
    return draft


def _form(draft: Draft, limit: Restriction) -> re.Match[str] | None:
    """The form and the strength that a condition names and nothing else."""
    words = _nameless(draft, limit)
    if words is None:
        return None
    m = _book().form.fullmatch(" ".join(words.split()).lower())
    return m if m is not None and (m["form"] or m["ml"] is not None) else None


def _concentrated(draft: Draft, mg_per_ml: Decimal) -> Draft | None:
    """The draft of volumes with the concentration that they are of; None for amounts that are no volumes."""
    payload = draft.payload
    if not isinstance(payload, Regimen) or any(a.unit.lower() != "ml" for p in payload.phases for a in p.amounts):
        return None
    held = Amount(mg_per_ml, mg_per_ml, "mg/mL")
    phases = tuple(p if p.concentration is not None else replace(p, concentration=held) for p in payload.phases)
    return replace(draft, payload=replace(payload, phases=phases))


def _born(draft: Draft) -> Draft:
    """The draft without words on a birth where its weeks are told in numbers."""
    weeks = any(isinstance(leaf, Interval) and leaf.axis is Axis.GESTATIONAL_AGE for r in draft.limits for leaf in leaves(r.guard))
    return replace(draft, limits=without_words(draft.limits, lambda words: _book().birth.fullmatch(words) is not None)) if weeks else draft


def _phased(draft: Draft) -> Draft:
    """The draft with a phase that is all that a condition says as the phase of its doses."""
    payload = draft.payload
    if not isinstance(payload, Regimen):
        return draft
    for limit in draft.limits:
        words = limit.guard.text.lower() if isinstance(limit.guard, Opaque) else ""
        kind = next((k for k, pattern in _book().phases if pattern.fullmatch(words)), None)
        if kind is not None:
            phases = tuple(replace(p, kind=kind) if p.kind is PhaseKind.USUAL else p for p in payload.phases)
            return replace(draft, payload=replace(payload, phases=phases), limits=tuple(r for r in draft.limits if r is not limit))
    return draft


def _lasting(draft: Draft) -> Draft:
    """The draft with the days of a column on the duration in its phase."""
    payload = draft.payload
    if not isinstance(payload, Regimen) or len(payload.phases) != 1:
        return draft
    for limit in draft.limits:
        m = _book().lasting.fullmatch(limit.guard.text.lower()) if isinstance(limit.guard, Opaque) else None
        if m is not None:
            low, high = Decimal(m["low"]), Decimal(m["high"] or m["low"])
            phase = payload.phases[0]
            if phase.duration_days_high is None and phase.duration_days_low is None:
                phase = replace(phase, duration_days_low=low, duration_days_high=high)
            return replace(draft, payload=replace(payload, phases=(phase,)), limits=tuple(r for r in draft.limits if r is not limit))
    return draft


@cache
def _book() -> _Book:
    data = tomllib.loads(files("kb_builder.propose.dosage").joinpath("leftovers.toml").read_text(encoding="utf-8"))
    return _Book(
        nothing=frozenset(" ".join(data["nothing"]["words"]).split()),
        phrases=_pattern(data["nothing"]["phrases"]),
        own=frozenset(" ".join(data["own"]["words"]).split()),
        form=_pattern(data["form"]["pattern"]),
        birth=_pattern(data["birth"]["pattern"]),
        phases=tuple((PhaseKind(row["kind"]), _pattern(row["pattern"])) for row in data["phase"]),
        lasting=_pattern(data["lasting"]["pattern"]),
    )


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)
