"""How far the record bears out the words of a guard that no parser read.

Such words stay UNKNOWN: they never decide. But a record that names what they name makes them likelier, and the finding is shown accordingly:
a restriction that the record says nothing of, or an exception that it speaks of, is information at most.
"""

from __future__ import annotations

from cds_service.audit.clinical import words
from cds_service.audit.profile import PatientProfile
from cds_service.audit.profile.maternity import names_weeks
from ontology.model.facts import Axis, UnknownReason
from ontology.model.guards import AllOf, Category, Guard, Not, Opaque, Outcome, Truth, leaves
from ontology.model.identifiers import normal_words

BY_PERSON = frozenset({UnknownReason.JUDGEMENT, UnknownReason.UNSUPPORTED})
"""Reasons of an UNKNOWN that no datum of the record would end."""


def needs_judgement(outcome: Outcome) -> bool:
    """True when a guard is UNKNOWN only because a person must judge its words."""
    return outcome.truth is Truth.UNKNOWN and outcome.reasons <= BY_PERSON


def beside(guard: Guard | None, about: str) -> Guard | None:
    """The guard without phrases that only repeat the words for the rule's own object, which is judged by itself, or the weeks of a pregnancy."""
    guard = without_weeks_again(guard)
    if isinstance(guard, Opaque):
        return None if normal_words(guard.text) == normal_words(about) else guard
    if isinstance(guard, AllOf):
        kept = tuple(p for part in guard.parts if (p := beside(part, about)) is not None)
        return None if not kept else kept[0] if len(kept) == 1 else AllOf(kept)
    return guard


def without_weeks_again(guard: Guard | None) -> Guard | None:
    """The guard without phrases that say again the weeks by which a pregnancy beside them is judged ("at about 30 weeks gestation and later")."""
    if not isinstance(guard, AllOf):
        return guard
    told = {leaf.detail for leaf in guard.parts if isinstance(leaf, Category) and leaf.axis is Axis.PREGNANCY and leaf.detail and names_weeks(leaf.detail)}
    parts = tuple(p for part in guard.parts if not (isinstance(part, Opaque) and part.text in told) and (p := without_weeks_again(part)) is not None)
    return guard if parts == guard.parts else parts[0] if len(parts) == 1 else AllOf(parts)


def borne_out(guard: Guard | None, profile: PatientProfile) -> bool:
    """True when the guard has phrases that need judgement and the record bears out every one."""
    denied = _denied(guard)
    phrases = [leaf for leaf in leaves(guard) if isinstance(leaf, Opaque)]
    return bool(phrases) and all(_likely(leaf.text, profile, denied=leaf in denied) for leaf in phrases)


def only_excepts(guard: Guard | None) -> bool:
    """True when all that a guard says is who is excepted: its rule speaks of everybody else."""
    if isinstance(guard, AllOf):
        return all(only_excepts(part) for part in guard.parts)
    return isinstance(guard, Not) or (isinstance(guard, Opaque) and _is_exception(guard.text))


def _is_exception(text: str) -> bool:
    return normal_words(text).startswith(words("exceptions"))


def _likely(text: str, profile: PatientProfile, *, denied: bool) -> bool:
    named = profile.problems.speaks_of(text)
    exception = denied or _is_exception(text)
    return not named if exception else named


def _denied(guard: Guard | None) -> frozenset[Opaque]:
    """The phrases that stand under a negation."""
    if isinstance(guard, Not):
        return frozenset(leaf for leaf in leaves(guard) if isinstance(leaf, Opaque))
    if isinstance(guard, AllOf):
        return frozenset(leaf for part in guard.parts for leaf in _denied(part))
    return frozenset()
