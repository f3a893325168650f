"""What kind of error a missed or a false fact is, by the fact on the other side that comes nearest to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from kb_builder.learn.agreement import SHAPE, Difference, Differences, content_words, differences
from kb_builder.learn.flat import FlatFact


class ErrorClass(StrEnum):
    """The kinds of error. The first holds for missed facts, the next three for false ones, the rest for both."""

    MISSING = "missing"
    SPURIOUS = "spurious"
    DUPLICATE = "duplicate"
    ADRIFT = "adrift"
    GUARD_DROPPED = "guard-dropped"
    CONFLATION = "conflation"
    MODALITY = "modality"
    TEMPORAL = "temporal"
    SCHEMA = "schema"
    FRAGMENTATION = "fragmentation"
    TARGET = "target"
    GUARD_ADDED = "guard-added"


EXPLANATIONS: dict[ErrorClass, str] = {
    ErrorClass.MISSING: "nothing near it was said",
    ErrorClass.SPURIOUS: "gold holds nothing near it",
    ErrorClass.DUPLICATE: "a right claim says it already",
    ErrorClass.ADRIFT: "its quote does not stand at its offsets",
    ErrorClass.GUARD_DROPPED: "a condition of the label is not in the claim",
    ErrorClass.CONFLATION: "the right dose or target with another drug, indication or population",
    ErrorClass.MODALITY: "another kind of action",
    ErrorClass.TEMPORAL: "another frequency, or a day for a week",
    ErrorClass.SCHEMA: "another unit, basis, kind or axis; a condition kept as words alone",
    ErrorClass.FRAGMENTATION: "one fact in pieces, or several in one",
    ErrorClass.TARGET: "another name for what the sentence is about",
    ErrorClass.GUARD_ADDED: "the claim has a condition that the label does not set",
}

_D = Difference
_PRECEDENCE: tuple[tuple[ErrorClass, Differences], ...] = (
    (ErrorClass.SCHEMA, frozenset({_D.KIND})),
    (ErrorClass.CONFLATION, frozenset({_D.DRUG, _D.INDICATION, _D.POPULATION, _D.CONDITION_WORDS})),
    (ErrorClass.GUARD_DROPPED, frozenset({_D.CONDITION_MISSING})),
    (ErrorClass.MODALITY, frozenset({_D.ACTION})),
    (ErrorClass.TEMPORAL, frozenset({_D.WEEKLY, _D.FREQUENCY})),
    (ErrorClass.SCHEMA, frozenset({_D.UNIT, _D.BASIS, _D.CONDITION_AS_WORDS})),
    (ErrorClass.FRAGMENTATION, frozenset({_D.AMOUNT})),
    (ErrorClass.TARGET, frozenset({_D.NAME})),
    (ErrorClass.GUARD_ADDED, frozenset({_D.CONDITION_EXTRA})),
)
"""Which class a pair is of when it differs in several respects: the most dangerous first."""

_FAR = frozenset({_D.NAME, _D.AMOUNT, _D.KIND, _D.POPULATION, _D.DRUG})
_COST_FAR = 3
_COST_OF_DISTANCE = 1


@dataclass(frozen=True, slots=True)
class Placed:
    """A fact with the places in the label it stands on, as far as they are known."""

    fact: FlatFact
    places: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Nearest:
    """The index of the nearest fact of the other side, what differs, and the class of the error."""

    index: int
    differences: Differences
    error: ErrorClass


def nearest_said(gold: Placed, said: Iterable[tuple[int, Placed]]) -> Nearest | None:
    """The said fact nearest to a gold fact, or None where nothing is near."""
    return _nearest(((i, differences(gold.fact, s.fact), gold, s) for i, s in said))


def nearest_gold(said: Placed, golds: Iterable[tuple[int, Placed]]) -> Nearest | None:
    """The gold fact nearest to a said fact, or None where nothing is near."""
    return _nearest(((i, differences(g.fact, said.fact), g, said) for i, g in golds))


def error_of(found: Differences) -> ErrorClass:
    """The class of a pair's differences, the most dangerous of them. A condition lost and another gained is one population for another."""
    if {_D.CONDITION_MISSING, _D.CONDITION_EXTRA} <= found:
        return ErrorClass.CONFLATION
    return next(error for error, kinds in _PRECEDENCE if found & kinds)


def _nearest(pairs: Iterable[tuple[int, Differences, Placed, Placed]]) -> Nearest | None:
    best: tuple[int, int, Differences] | None = None
    for index, found, gold, said in pairs:
        if not found or _D.DOCUMENT in found or not _is_near(found, gold, said):
            continue
        cost = sum(_COST_FAR if d in _FAR else 1 for d in found) + (0 if same_place(gold, said) else _COST_OF_DISTANCE)
        if best is None or cost < best[0]:
            best = (cost, index, found)
    return None if best is None else Nearest(best[1], best[2], error_of(best[2]))


def _is_near(found: Differences, gold: Placed, said: Placed) -> bool:
    """True when the two could be the same statement: one shape, or one place and a part in common."""
    if _D.KIND in found:
        return same_place(gold, said) and _shares_matter(gold.fact, said.fact)
    if not found & (SHAPE - {_D.UNIT, _D.BASIS, _D.DRUG}):
        return True
    if not same_place(gold, said):
        return False
    if _D.AMOUNT in found:
        return _shares_amount(gold.fact, said.fact)
    return _D.POPULATION in found or _shares_name(gold.fact, said.fact)


def same_place(gold: Placed, said: Placed) -> bool:
    """True when the two stand on one stretch of text."""
    return any(a[0] == b[0] and a[1] < b[2] and b[1] < a[2] for a in gold.places for b in said.places)


def _shares_matter(gold: FlatFact, said: FlatFact) -> bool:
    return _shares_amount(gold, said) or _shares_name(gold, said)


def _shares_amount(gold: FlatFact, said: FlatFact) -> bool:
    if gold.dose is None or said.dose is None:
        return False
    numbers = [{n for n in (*d.span, *d.caps, d.factor) if n is not None} for d in (gold.dose, said.dose)]
    return bool(numbers[0] & numbers[1])


def _shares_name(gold: FlatFact, said: FlatFact) -> bool:
    if gold.target is None or said.target is None:
        return False
    got = content_words(said.target.name)
    return any(content_words(name) & got for name in (gold.target.name, *gold.target.accept))
