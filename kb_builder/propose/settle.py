"""Doubles among the drafts of one document: the full text wins over the Highlights, an instruction over a mere effect.

What the first statement asks for and what a later one asks for "if that cannot be avoided" become one plan.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from kb_builder.propose.drafts import Draft, Source
from ontology.model.advice import ACTION_RANK, Action
from ontology.model.claims import Basis, Polarity
from ontology.model.entities import EntityType
from ontology.model.facts import ConditionState, ExposureState
from ontology.model.guards import Exposure, Guard, HasCondition, leaves
from ontology.model.spans import SpanRole
from ontology.text.mentions import singular, words_key

_STOP = frozenset({Action.CONTRAINDICATED, Action.AVOID, Action.NOT_RECOMMENDED, Action.STOP})
_ALLERGENS = frozenset({EntityType.ALLERGEN, EntityType.DRUG_CLASS, EntityType.INGREDIENT})
_NEXT = 4
"""Most code points between an item and the sentence under it: a stop, a line end, a bullet."""
_ROLE = re.compile(r"(?:strong|moderate|weak|sensitive|narrow therapeutic index)?\s*(?P<rest>\S+ (?:inhibitor|inducer|substrate))$", re.IGNORECASE)


def settle_pairs(drafts: Iterable[Draft]) -> list[Draft]:
    """The drafts about pairs that are worth a claim, in order of print."""
    all_drafts = [d for d in drafts if d.steps or d.otherwise]
    plans = _fold_otherwise(all_drafts)
    plans = [d for d in plans if d.basis is not Basis.CLASS_MEMBER or not _is_told_itself(d, plans)]
    full = [d for d in plans if not d.highlight]
    kept = full + [d for d in plans if d.highlight and not _is_told(d, full)]
    now = [d for d in kept if d.source is Source.DIRECTIVE and not _is_of_afterwards(d)]
    directed, directed_roles = {d.target.id for d in now}, {_role_key(d) for d in now} - {None}
    kept = [d for d in kept if d.source is Source.DIRECTIVE or (d.target.id not in directed and _role_key(d) not in directed_roles)]
    kept = [d for d in kept if d.limits or not any(_narrows(other, d) for other in kept)]
    return _without_contradictions(_distinct(kept))


def _narrows(other: Draft, draft: Draft) -> bool:
    """True when the same sentence is read once more with what restricts it ("in patients on omeprazole 40 mg or more, halve the omeprazole dose")."""
    same = other.reading is draft.reading and other.statement == draft.statement and other.target.id == draft.target.id
    told = [leaf for r in other.limits for leaf in leaves(r.guard)]
    return same and other.steps == draft.steps and other.polarity is draft.polarity and not all(_is_use(leaf) for leaf in told)


def _is_use(leaf: Guard) -> bool:
    """True for no more than the use of a drug, which is what a pair is about."""
    return isinstance(leaf, Exposure) and leaf.state is ExposureState.CURRENT and (leaf.dose, leaf.within_days, leaf.route) == (None, None, None)


def _is_told(highlight: Draft, full: list[Draft]) -> bool:
    """True when the full text says as much of the object as the Highlights do: an instruction, or at least an effect where they give no more."""
    role = _role_key(highlight)
    return any(
        (d.target.id == highlight.target.id or (role is not None and _role_key(d) == role)) and d.source <= highlight.source
        for d in full
        if not _is_of_afterwards(d) or _is_of_afterwards(highlight)
    )


def _is_told_itself(example: Draft, plans: list[Draft]) -> bool:
    """True for an example of a group of which the label asks the same by its own name, and nothing less strict."""
    return any(
        d.target.id == example.target.id
        and d.basis is not Basis.CLASS_MEMBER
        and d.actions & example.actions
        and ACTION_RANK.index(strictest(d)) <= ACTION_RANK.index(strictest(example))
        for d in plans
    )


def _fold_otherwise(drafts: list[Draft]) -> list[Draft]:
    """Second plans joined to the first instruction about the same object; alone, or for some patients only, a second plan is the plan."""
    out = [d for d in drafts if d.steps]
    for second in (d for d in drafts if not d.steps):
        index = next(
            (
                i
                for i, d in enumerate(out)
                if d.target.id == second.target.id
                and d.actions & _STOP
                and not _is_of_afterwards(d)
                and not d.otherwise
                and d.highlight == second.highlight
                and _guards(second) <= _guards(d)
            ),
            None,
        )
        if index is None:
            out.append(replace(second, steps=second.otherwise, otherwise=()))
        else:
            out[index] = replace(out[index], otherwise=second.otherwise, cited=(*out[index].cited, *_stated(second, out[index])))
    return out


def _stated(second: Draft, first: Draft) -> tuple[tuple[tuple[int, int], SpanRole], ...]:
    """The place of a second plan that stands in another sentence of the same section."""
    return ((second.statement, SpanRole.CONDITION),) if second.reading is first.reading and second.statement != first.statement else ()


def _distinct(drafts: list[Draft]) -> list[Draft]:
    """One draft for each object, plan of actions and guard; a draft whose actions a broader one of the same object holds is dropped."""
    out: list[Draft] = []
    for draft in sorted(drafts, key=lambda d: (-len(d.actions), d.source)):
        same = [d for d in out if d.target.id == draft.target.id and d.polarity is draft.polarity]
        if any(
            draft.actions <= d.actions and not _says_less(draft, d) and ((d.limits == () and not _reaches_back(draft)) or _guards(d) == _guards(draft))
            for d in same
        ):
            continue
        if draft.source is Source.EFFECT and any(_guards(d) == _guards(draft) for d in same):
            continue
        out.append(draft)
    order = {id(d): i for i, d in enumerate(drafts)}
    return sorted(out, key=lambda d: order[id(d)])


def _reaches_back(draft: Draft) -> bool:
    """True for a statement that also holds some time after the other drug: one without a condition speaks of use at one time only."""
    return any(isinstance(leaf, Exposure) and leaf.state is ExposureState.STOPPED_WITHIN for r in draft.limits for leaf in leaves(r.guard))


def _is_of_afterwards(draft: Draft) -> bool:
    """True for a statement on the time after one of the two was stopped alone: it says nothing of taking both."""
    return _reaches_back(draft) and not any(
        isinstance(leaf, Exposure) and leaf.state is ExposureState.CURRENT for r in draft.limits for leaf in leaves(r.guard)
    )


def _says_less(draft: Draft, other: Draft) -> bool:
    """True for a change of dose told by itself where another sentence leaves the choice to avoid the drug instead."""
    return draft.actions == {Action.ADJUST_DOSE} and bool(other.actions & _STOP) and draft.statement != other.statement


def _without_contradictions(drafts: list[Draft]) -> list[Draft]:
    """Denials stay only where nothing positive is said of the same object."""
    positive = {d.target.id for d in drafts if d.polarity is Polarity.POSITIVE}
    return [d for d in drafts if d.polarity is Polarity.POSITIVE or d.target.id not in positive]


def _guards(draft: Draft) -> frozenset[str]:
    return frozenset(repr(r.guard) for r in draft.limits)


def _role_key(draft: Draft) -> str | None:
    """The enzyme and kind of a role without its strength, or None for anything else."""
    if draft.target.id.type != EntityType.ENZYME_ROLE:
        return None
    m = _ROLE.search(singular(words_key(draft.target.words)))
    return m["rest"].replace("cyp3a4", "cyp3a") if m is not None else None


def strictest(draft: Draft) -> Action:
    """The strictest action of a draft."""
    return min(draft.actions, key=ACTION_RANK.index)


def settle_states(drafts: Iterable[Draft]) -> list[Draft]:
    """The drafts about patients' states that are worth a claim: full text over Highlights, own section over warnings, the stricter of two."""
    all_drafts = list(drafts)
    full = [d for d in all_drafts if not d.highlight and not any(_heads(d, f) for f in all_drafts)]
    kept = full + [d for d in all_drafts if d.highlight and not any(_same_state(d, f) and _repeats(d, f) for f in full)]
    out: list[Draft] = []
    for draft in kept:
        twins = [d for d in out if d.target.id == draft.target.id or _same_words(d, draft)]
        if any(d.actions == draft.actions and (_guards(d) == _guards(draft) or d.target.id != draft.target.id) for d in twins):
            continue
        stricter = any(ACTION_RANK.index(strictest(d)) <= ACTION_RANK.index(strictest(draft)) and not _is_of_graver(d, draft) for d in twins)
        if stricter and draft.reading.key != "contraindications":
            continue
        out.append(draft)
    return out


def _is_of_graver(first: Draft, second: Draft) -> bool:
    """True for a graver reaction alone ("anaphylactic shock") where the second speaks of any allergy to the same thing."""
    return first.target.id.type in _ALLERGENS and bool(first.limits) and not second.limits


def _same_state(first: Draft, second: Draft) -> bool:
    """True when one names the same state as the other, or is its abbreviation."""
    if first.target.id == second.target.id:
        return True
    a, b = _content(first), _content(second)
    return bool(a & b) and len(a & b) / min(len(a), len(b)) >= 0.6


def _repeats(highlight: Draft, full: Draft) -> bool:
    """True where the full text says what the Highlights say; a milder sentence of another section, or one that leaves out a history, does not."""
    if _is_past(highlight) and not full.limits:
        return False
    return highlight.reading is full.reading or ACTION_RANK.index(strictest(full)) <= ACTION_RANK.index(strictest(highlight))


def _is_past(draft: Draft) -> bool:
    """True for a state that all who ever had it are in."""
    return any(isinstance(r.guard, HasCondition) and r.guard.state is ConditionState.HISTORY for r in draft.limits)


def _heads(item: Draft, sentence: Draft) -> bool:
    """True for a bare item ("Pregnancy") that the next sentence says in full with its restriction."""
    if item.limits or not sentence.limits or item.reading is not sentence.reading or item.target.id != sentence.target.id:
        return False
    bare = item.statement == item.place
    return bare and 0 <= sentence.statement[0] - item.statement[1] <= _NEXT


def _same_words(first: Draft, second: Draft) -> bool:
    return _content(first) == _content(second) and first.target.id.type == second.target.id.type


def _content(draft: Draft) -> frozenset[str]:
    return frozenset(
        singular(w)
        for w in words_key(draft.target.words).split()
        if w not in {"of", "the", "a", "an", "or", "and", "with", "in", "to", "known", "history", "patients"}
    )
